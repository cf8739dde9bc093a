/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "result/ranking.h"

#include <string.h>

double parts_row_s(const struct paradl_layered_row *row)
{
	return row->forward_s + row->backward_s + row->update_s + row->exchange_s + row->halo_s +
	       row->gradient_s;
}

double parts_moves_s(const struct report_parts *parts)
{
	double sum_s = 0;
	for (size_t i = 0; i < parts->layered->part_count; i++)
		sum_s += parts_moves_into_s(parts, i);
	return sum_s;
}

double parts_moves_into_s(const struct report_parts *parts, size_t part)
{
	const struct paradl_layered_part *const at = &parts->layered->parts[part];
	double sum_s = 0;
	for (size_t i = 0; i < parts->explanation->move_count; i++) {
		const struct paradl_redistribution *const move = &parts->explanation->moves[i];
		if (move->to >= at->first && move->to < at->end)
			sum_s += move->s[0] + move->s[1];
	}
	return sum_s;
}

double parts_other_s(const struct report_parts *parts, size_t part, size_t k)
{
	return parts->explanation->other_s[part * parts->explanation->other_count + k];
}

bool parts_same_plan(const struct paradl_plan *a, const struct paradl_plan *b)
{
	char texts[2][PARADL_PLAN_TEXT];
	paradl_plan_format(a, texts[0], sizeof texts[0]);
	paradl_plan_format(b, texts[1], sizeof texts[1]);
	return strcmp(texts[0], texts[1]) == 0;
}

size_t parts_plans(const struct paradl_layered *layered)
{
	size_t count = 0;
	for (size_t i = 0; i < layered->part_count; i++) {
		size_t first = 0;
		while (!parts_same_plan(&layered->parts[first].plan, &layered->parts[i].plan))
			first++;
		count += first == i;
	}
	return count;
}

/* ---- as a document ---- */

/* A part by its index. */
struct part_row {
	const struct report_parts *parts;
	size_t index;
};

/* A part under another plan. */
struct other_row {
	const struct report_parts *parts;
	size_t part, other;
};

/* A redistribution of a tensor. */
struct move_row {
	const struct report_parts *parts;
	const struct paradl_redistribution *move;
};

static bool parts_item(const struct result_at *at, size_t index, struct field_value *value)
{
	const struct report_parts *const parts = at->row;
	struct part_row *const row = index < parts->layered->part_count ? field_store(at, sizeof *row) : NULL;
	if (row)
		*row = (struct part_row){parts, index};
	value->row = row;
	return row != NULL;
}

static bool others_item(const struct result_at *at, size_t index, struct field_value *value)
{
	const struct part_row *const part = at->row;
	struct other_row *const row =
		index < part->parts->explanation->other_count ? field_store(at, sizeof *row) : NULL;
	if (row)
		*row = (struct other_row){part->parts, part->index, index};
	value->row = row;
	return row != NULL;
}

static bool moves_item(const struct result_at *at, size_t index, struct field_value *value)
{
	const struct report_parts *const parts = at->row;
	struct move_row *const row =
		index < parts->explanation->move_count ? field_store(at, sizeof *row) : NULL;
	if (row)
		*row = (struct move_row){parts, &parts->explanation->moves[index]};
	value->row = row;
	return row != NULL;
}

#define NAMES   parts
#define RECORDS "result/parts.def"
#include "result/define.h"
