/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of a plan: what each takes, what is dealt out again between them, what they would take otherwise. */
#include "report/text.h"
#include "result/parts.h"

static const char *layer_name(struct report_sink *sink, const struct report_parts *parts, unsigned layer)
{
	return typeset(sink, "%s", paradl_model_layer(parts->model, layer).name);
}

/* "conv1 to pool5", "fc6", "stage 2: conv4 to fc6" */
static const char *range(struct report_sink *sink, const struct report_parts *parts, size_t part)
{
	const struct paradl_layered_part *const at = &parts->layered->parts[part];
	const char *const stage = parts->layered->stages > 1 ? typeset(sink, "stage %u: ", at->stage) : "";
	const char *const first = layer_name(sink, parts, at->first);
	if (at->end - at->first == 1)
		return typeset(sink, "%s%s", stage, first);
	return typeset(sink, "%s%s to %s", stage, first, layer_name(sink, parts, at->end - 1));
}

static const char *seconds(struct report_sink *sink, double value)
{
	return value > 0 ? typeset_quantity(sink, value, DIMENSION_TIME) : "-";
}

enum {
	PART_LAYERS,
	PART_COUNT,
	PART_PLAN,
	PART_COMPUTE,
	PART_EXCHANGE,
	PART_GRADIENTS,
	PART_ALL,
	PART_OTHER,
	PART_MEMORY,
	PART_COLUMNS
};

static void add_part(struct table *table, const struct report_parts *parts, size_t part)
{
	struct report_sink *const sink = table->sink;
	const struct paradl_layered_part *const at = &parts->layered->parts[part];
	const struct paradl_layered_row *const row = &parts->explanation->rows[part];
	const char **const cells = table_row(table);
	cells[PART_LAYERS] = range(sink, parts, part);
	cells[PART_COUNT] = typeset(sink, "%u", at->end - at->first);
	cells[PART_PLAN] = text_plan(sink, &at->plan);
	cells[PART_COMPUTE] = seconds(sink, row->forward_s + row->backward_s + row->update_s);
	cells[PART_EXCHANGE] = seconds(sink, row->exchange_s + row->halo_s);
	cells[PART_GRADIENTS] = seconds(sink, row->gradient_s);
	cells[PART_ALL] = seconds(sink, parts_row_s(row));
	cells[PART_MEMORY] =
		typeset_quantity(sink, row->weights_bytes + row->activations_bytes, DIMENSION_BYTES);
	if (parts->explanation->other_count == 1)
		cells[PART_OTHER] = typeset_quantity(sink, parts_other_s(parts, part, 0), DIMENSION_TIME);
}

void text_parts(struct report_sink *sink, const struct report_parts *parts)
{
	const char *const other = parts->explanation->other_count == 1 ? "as one plan" : "";
	const struct table_column columns[PART_COLUMNS] = {
		[PART_LAYERS] = {"layers", TABLE_LEFT, 0, 16},
		[PART_COUNT] = {"count", TABLE_RIGHT, 4, 0},
		[PART_PLAN] = {"plan", TABLE_LEFT, 0, 16},
		[PART_COMPUTE] = {"compute", TABLE_RIGHT, 1, 0},
		[PART_EXCHANGE] = {"exchange", TABLE_RIGHT, 1, 0},
		[PART_GRADIENTS] = {"gradients", TABLE_RIGHT, 2, 0},
		[PART_ALL] = {"together", TABLE_RIGHT, 0, 0},
		[PART_OTHER] = {other, TABLE_RIGHT, 0, 0},
		[PART_MEMORY] = {"memory", TABLE_RIGHT, 3, 0},
	};
	struct table table;
	table_start(&table, sink);
	for (size_t i = 0; i < PART_COLUMNS; i++)
		table_column(&table, &columns[i]);
	for (size_t i = 0; i < parts->layered->part_count; i++)
		add_part(&table, parts, i);
	putc('\n', sink->file);
	table_print(&table);
}

void text_moves(struct report_sink *sink, const struct report_parts *parts)
{
	static const struct table_column columns[] = {
		{"dealt out again", TABLE_LEFT, 0, 16},
		{"among GPUs", TABLE_RIGHT, 2, 0},
		{"forward", TABLE_RIGHT, 0, 0},
		{"bytes/GPU", TABLE_RIGHT, 1, 0},
		{"backward", TABLE_RIGHT, 0, 0},
		{"bytes/GPU", TABLE_RIGHT, 1, 0},
	};
	struct table table;
	if (parts->explanation->move_count == 0)
		return;
	table_start(&table, sink);
	for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++)
		table_column(&table, &columns[i]);
	for (size_t i = 0; i < parts->explanation->move_count; i++) {
		const struct paradl_redistribution *const move = &parts->explanation->moves[i];
		const char **const cells = table_row(&table);
		cells[0] = typeset(sink, "%s to %s", layer_name(sink, parts, move->from),
			layer_name(sink, parts, move->to));
		cells[1] = typeset_whole(sink, move->devices);
		cells[2] = seconds(sink, move->s[0]);
		cells[3] = typeset_quantity(sink, move->bytes[0], DIMENSION_BYTES);
		cells[4] = seconds(sink, move->s[1]);
		cells[5] = typeset_quantity(sink, move->bytes[1], DIMENSION_BYTES);
	}
	putc('\n', sink->file);
	table_print(&table);
}

/* "; 20.1 ms as data=64; not as filter=64, which cannot run" */
static const char *otherwise(struct report_sink *sink, const struct report_parts *parts, size_t part)
{
	const char *text = "";
	for (size_t k = 0; k < parts->explanation->other_count; k++) {
		const char *const plan = text_plan(sink, &parts->others[k]);
		const double other_s = parts_other_s(parts, part, k);
		if (parts_same_plan(&parts->others[k], &parts->layered->parts[part].plan))
			continue;
		text = other_s < 0 ? typeset(sink, "%s; not as %s, which cannot run", text, plan)
				   : typeset(sink, "%s; %s as %s", text,
					     typeset_quantity(sink, other_s, DIMENSION_TIME), plan);
	}
	return text;
}

void text_why(struct report_sink *sink, const struct report_parts *parts)
{
	enum { INDENT = 5 };
	fprintf(sink->file, "\n %s\n", typeset_ink(sink, INK_BOLD, "why layers differ"));
	for (size_t i = 0; i < parts->layered->part_count; i++) {
		const double own_s = parts_row_s(&parts->explanation->rows[i]);
		fputs("   ", sink->file);
		typeset_wrapped(sink, INDENT,
			typeset(sink, "%s: %s as %s%s", range(sink, parts, i),
				typeset_quantity(sink, own_s, DIMENSION_TIME),
				text_plan(sink, &parts->layered->parts[i].plan), otherwise(sink, parts, i)));
	}
}
