/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/sweep_document.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"

static bool is_named(const char *name, const char *item, size_t length)
{
	return strlen(name) == length && strncmp(name, item, length) == 0;
}

/* Returns the column of rankings that shows a key anyway (gpus, batch, model, hw); NULL for other keys. */
static const struct result_field *usual_column(const struct paradl_sweep_key *key)
{
	static const char *const names[] = {"gpus", "batch", "model", "hw"};
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (strcmp(key->key, names[i]) == 0)
			return record_field(&record_result, names[i]);
	return NULL;
}

static const struct paradl_sweep_key *find_key(
	const struct report_sweep *report, const char *item, size_t length)
{
	for (size_t i = 0; i < report->key_count; i++)
		if (is_named(report->keys[i].column, item, length) ||
			is_named(report->keys[i].key, item, length))
			return &report->keys[i];
	return NULL;
}

static bool is_there(const struct sweep_column *columns, size_t count, const struct sweep_column *column)
{
	for (size_t i = 0; i < count; i++)
		if (columns[i].look == column->look && columns[i].key == column->key)
			return true;
	return false;
}

static void add_key(const struct report_sweep *report, const struct paradl_sweep_key *key,
	struct sweep_column *columns, size_t *count)
{
	const struct result_field *const look = usual_column(key);
	const struct sweep_column column = {.look = look,
		.key = look ? NULL : key,
		.own = {.name = key->column,
			.kind = key->numbers ? FIELD_NUMBER : FIELD_TEXT,
			.title = key->key},
		.place = (size_t)(key - report->keys),
		.is_varied = true};
	if (!is_there(columns, *count, &column))
		columns[(*count)++] = column;
}

static bool parse(const struct report_sweep *report, const char *list,
	struct sweep_column columns[TABLE_COLUMNS_MAX], size_t *count, struct paradl_error *error)
{
	enum { NAME_BYTES = 64 };
	*count = 0;
	for (const char *item = list;;) {
		const size_t length = strcspn(item, ",");
		const struct paradl_sweep_key *const key = find_key(report, item, length);
		const struct result_field *looks[COLUMNS_MAX];
		char name[NAME_BYTES];
		size_t one = 0;
		if (*count + report->key_count + 1 > TABLE_COLUMNS_MAX)
			return error_set(error, PARADL_USAGE, "--columns names more than %d columns",
				TABLE_COLUMNS_MAX);
		snprintf(name, sizeof name, "%.*s", (int)(length < NAME_BYTES ? length : NAME_BYTES - 1),
			item);
		for (size_t i = 0; strcmp(name, "*") == 0 && i < report->key_count; i++)
			add_key(report, &report->keys[i], columns, count);
		if (key)
			add_key(report, key, columns, count);
		else if (strcmp(name, "*") != 0) {
			if (!ranking_columns_parse(name, looks, &one, error))
				return false;
			columns[(*count)++] = (struct sweep_column){.look = looks[0]};
		}
		if (!item[length])
			return true;
		item += length + 1;
	}
}

bool report_sweep_prepare(struct paradl_arena *arena, const struct report_sweep_lines *lines,
	struct report_sweep *report, struct paradl_error *error)
{
	struct sweep_column *const columns = arena_alloc(arena, TABLE_COLUMNS_MAX, sizeof *columns);
	if (!columns)
		return out_of_memory(error);
	report->layout = columns;
	return parse(report, report->columns ? report->columns : lines->usual(report), columns,
		&report->layout_count, error);
}

const char *sweep_usual(const struct report_sweep *report)
{
	if (report->head->inference)
		return "model,hw,strategy,gpus,batch,*,feasible,reason,iteration_s,prompts_s,token_s,"
		       "compute_s,communication_s,exposed_communication_s,bubble_s,memory_bytes,memory_share,"
		       "samples_per_s,tokens_per_s,largest_batch,mfu,cost_per_million_tokens,currency,price_"
		       "basis,"
		       "limited_by,limited_share";
	return "model,hw,strategy,gpus,batch,*,feasible,reason,iteration_s,epoch_s,compute_s,communication_s,"
	       "exposed_communication_s,io_s,exposed_io_s,bubble_s,memory_bytes,memory_share,samples_per_s,"
	       "flop_per_s_per_gpu,mfu,energy_joule_per_epoch,cost_per_epoch,currency,price_basis,limited_by,"
	       "limited_share";
}

const struct result_field *sweep_field(const struct sweep_column *column)
{
	return column->look ? column->look : &column->own;
}

void sweep_cells_fill(
	struct sweep_cells *cells, const struct report_sweep *report, const struct paradl_sweep_row *point)
{
	cells->head.model = *point->model;
	cells->head.machine = *point->machine;
	cells->head.inference = report->head->inference;
	cells->advice = (struct report_advice){.head = &cells->head};
	cells->ranking = (struct paradl_ranking){.devices = (unsigned)point->devices, .batch = point->batch};
	snprintf(cells->infeasible.reason, sizeof cells->infeasible.reason, "%s",
		point->reason ? point->reason : "");
	cells->row = (struct ranking_row){.advice = &cells->advice,
		.ranking = &cells->ranking,
		.estimate = point->estimate,
		.strategy = point->strategy,
		.infeasible = point->reason ? &cells->infeasible : NULL};
	cells->point = point;
}

struct field_value sweep_value(
	struct report_sink *sink, const struct sweep_column *column, const struct sweep_cells *cells)
{
	if (!column->look) {
		const size_t place = cells->point->places[column->place];
		if (column->key->numbers)
			return (struct field_value){.number = column->key->numbers[place]};
		return (struct field_value){.text = column->key->texts[place], .number = -1};
	}
	return ranking_value(sink, column->look, &cells->row);
}
