/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes documents of operations on networks; collective.def has their fields. */
#include "result/ranking.h"

enum { ORIGIN_COUNT = PARADL_EXTRAPOLATED + 1 };

struct crossover_row {
	const struct paradl_collective_table *table;
	const struct paradl_crossover *crossover;
};

static const char *tool_name(unsigned tool)
{
	return tool == 0 ? "nccl-tests" : "OSU";
}

static bool has_next(const struct paradl_collective_row *row)
{
	return row->next != row->choice;
}

/* The least relative difference between the times of two rules that counts. */
static const double rules_differ = 0.01;

/* Returns the least time where it differs from the time, else FIELD_ABSENT. */
static double range_s(double time_s, double least_s)
{
	return least_s < time_s * (1 - rules_differ) ? least_s : FIELD_ABSENT;
}

/* Returns the most time where it differs from the time, else FIELD_ABSENT. */
static double top_s(double time_s, double most_s)
{
	return most_s > time_s * (1 + rules_differ) ? most_s : FIELD_ABSENT;
}

static bool any_measured(const struct paradl_collective_table *table)
{
	for (size_t i = 0; i < table->row_count; i++)
		if (table->rows[i].origin != PARADL_MODELLED)
			return true;
	return false;
}

static double projected_s(const struct report_collective *report, double bytes)
{
	const struct paradl_collective_row *const row = report_row_of(&report->networks->table, bytes);
	return row ? row->time_s : -1;
}

static double measured_s(const struct report_collective *report, double bytes)
{
	for (size_t i = 0; report->timings && i < report->timings->count; i++)
		if (!(report->timings->items[i].bytes < bytes) && !(report->timings->items[i].bytes > bytes))
			return report->timings->items[i].time_s;
	return -1;
}

/* ---- lists ---- */

static bool give(const struct result_at *at, const struct report_network *network, size_t choice, size_t size,
	struct field_value *value)
{
	struct collective_row *const row = field_store(at, sizeof *row);
	if (row)
		*row = (struct collective_row){network, choice, size};
	value->row = row;
	return row != NULL;
}

static bool give_size(const struct result_at *at, const struct report_network *network, size_t size,
	struct field_value *value)
{
	return give(at, network, network->table.rows[size].choice, size, value);
}

static bool network_rows(const struct result_at *at, size_t index, struct field_value *value)
{
	const struct report_network *const network = at->row;
	return index < network->table.row_count && give_size(at, network, index, value);
}

static bool network_algorithms(const struct result_at *at, size_t index, struct field_value *value)
{
	const struct report_network *const network = at->row;
	return index < network->table.choice_count && give(at, network, index, 0, value);
}

static bool algorithm_times(const struct result_at *at, size_t index, struct field_value *value)
{
	const struct collective_row *const row = at->row;
	return index < row->network->table.row_count && give(at, row->network, row->choice, index, value);
}

static bool network_crossovers(const struct result_at *at, size_t index, struct field_value *value)
{
	const struct paradl_collective_table *const table = &((const struct report_network *)at->row)->table;
	struct crossover_row *const row =
		index < table->crossover_count ? field_store(at, sizeof *row) : NULL;
	if (row)
		*row = (struct crossover_row){table, &table->crossovers[index]};
	value->row = row;
	return row != NULL;
}

static bool size_lines(const struct result_at *at, size_t index, struct field_value *value)
{
	const struct report_collective *const report = at->row;
	for (size_t i = 0; i < report->count; index -= report->networks[i++].table.row_count)
		if (index < report->networks[i].table.row_count)
			return give_size(at, &report->networks[i], index, value);
	return false;
}

static bool algorithm_lines(const struct result_at *at, size_t index, struct field_value *value)
{
	const struct report_collective *const report = at->row;
	for (size_t i = 0; i < report->count; i++) {
		const struct paradl_collective_table *const table = &report->networks[i].table;
		const size_t lines = table->choice_count * table->row_count;
		if (index < lines)
			return give(at, &report->networks[i], index / table->row_count,
				index % table->row_count, value);
		index -= lines;
	}
	return false;
}

#define NAMES   collective
#define RECORDS "result/collective.def"
#include "result/define.h"

static struct result_rows collective_table(const void *document, bool is_table)
{
	const struct report_collective *const report = document;
	if (is_table && report->schedule)
		return (struct result_rows){
			.list = record_field(&record_schedule, "steps"), .row = report->schedule};
	return (struct result_rows){.list = record_field(&record_collective_rows,
					    is_table && report->shows_all ? "algorithms" : "sizes"),
		.row = report};
}

const struct result_document document_collective = {.schema = "paradl-collective-1",
	.title = "paradl collective --json: an operation on one or more networks",
	.doc = "See paradl-collective(1). SI units; what is not known is null.",
	.record = &record_collective,
	.table = &record_collective_line,
	.rows = collective_table};
