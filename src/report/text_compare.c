/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Machines side by side: a table for each model, then who is first, and where that changes. */
#include "report/compare.h"
#include "report/text.h"

/* ---- the table ---- */

static const char *range_text(struct report_sink *sink, const struct paradl_range *range)
{
	return typeset(sink, "%s to %s", typeset_quantity(sink, range->low, DIMENSION_TIME),
		typeset_quantity(sink, range->high, DIMENSION_TIME));
}

static const char *figures(struct report_sink *sink, double amount)
{
	return amount < 99.95 ? typeset(sink, "%.3g", amount) : typeset_whole(sink, amount);
}

static void add_cell(struct columns *columns, const struct report_compare *report,
	const struct paradl_compare_cell *cells, size_t which)
{
	enum { RANK, TIME_RANGE = 4, COST, COST_RANGE, ENERGY, LIMIT = 11 };
	struct report_sink *const sink = columns->table.sink;
	const struct paradl_compare_cell *const cell = &cells[which];
	columns->currency = cell->cost_compares ? report->currency : report->machines[cell->machine].currency;
	const char **const row = columns_row(columns, cell);
	row[RANK] = compare_rank_text(sink, report, cells, which, report->by_cost);
	if (!cell->runs) {
		row[LIMIT] = typeset(sink, "%s", cell->reason);
		row[COST] = row[ENERGY] = "";
		return;
	}
	row[LIMIT] = typeset(sink, "%s %s", typeset_percent(sink, cell->estimate.limited_by.share),
		cell->estimate.limited_by.text);
	row[TIME_RANGE] = range_text(sink, &cell->time_s);
	if (cell->joule.value >= 0)
		row[ENERGY] = text_energy(sink, cell->joule.value);
	if (cell->cost.value >= 0)
		row[COST_RANGE] = typeset(
			sink, "%s to %s", figures(sink, cell->cost.low), figures(sink, cell->cost.high));
}

static void print_table(struct report_sink *sink, const struct report_compare *report,
	const struct paradl_compare_cell *cells, size_t *order)
{
	struct columns columns;
	const bool is_text = report->models[cells->model].generates;
	columns_start(&columns, sink, report, &record_compare_result,
		typeset(sink,
			"rank,gpus,hw,time_s,time_range,cost,cost_range,energy_joule,%s,mfu,strategy,limited_"
			"by%s%s",
			is_text ? "tokens_per_s_per_gpu" : "samples_per_s",
			compare_is_mixed(report) ? ",price_basis" : "",
			compare_pays_more(report) ? ",gpus_paid" : ""));
	for (size_t k = 0; k < report->comparison->device_count; k++) {
		const struct paradl_compare_cell *const here = &cells[k * report->comparison->machine_count];
		compare_sort(report, here, report->by_cost, order);
		for (size_t i = 0; i < report->comparison->machine_count; i++)
			add_cell(&columns, report, here, order[i]);
	}
	columns_print(&columns);
}

/* ---- below it ---- */

static void print_crossings(struct report_sink *sink, const struct report_compare *report, size_t model)
{
	for (size_t i = 0; i < report->comparison->crossing_count; i++) {
		const struct paradl_compare_crossing *const at = &report->comparison->crossings[i];
		const char *const where =
			at->before > 0
				? typeset(sink, "from %s GPUs on (up to %s: %s)",
					  typeset_whole(sink, at->devices), typeset_whole(sink, at->before),
					  compare_machine(sink, report, at->from))
				: typeset(sink, "for this model (for the one before: %s)",
					  compare_machine(sink, report, at->from));
		if (at->model == model)
			typeset_labelled(sink, "crossing",
				typeset(sink, "%s is first %s%s", compare_machine(sink, report, at->to),
					where, at->clear ? "" : "; their ranges overlap"));
	}
}

static void print_doubts(
	struct report_sink *sink, const struct report_compare *report, const struct paradl_compare_cell *cell)
{
	const char *const text = compare_doubts(sink, cell);
	if (*text)
		typeset_labelled(sink, "range",
			typeset(sink, "%s: %s", compare_machine(sink, report, cell->machine), text));
}

static void print_below(struct report_sink *sink, const struct report_compare *report,
	const struct paradl_compare_cell *cells)
{
	const size_t count = report->comparison->machine_count;
	/* Of the largest number of GPUs that all have, which comes last. */
	const struct paradl_compare_cell *last = cells;
	for (size_t k = 0; k < report->comparison->device_count; k++)
		if (compare_least(&cells[k * count], count, compare_time) >= 0)
			last = &cells[k * count];
	putc('\n', sink->file);
	for (unsigned i = 0; i < COMPARE_SAYINGS; i++) {
		const char *const text = compare_first(sink, report, last, i);
		if (text)
			typeset_labelled(sink, compare_sayings[i].label, text);
	}
	print_crossings(sink, report, cells->model);
	for (size_t i = 0; i < count; i++)
		if (last[i].runs)
			print_doubts(sink, report, &last[i]);
		else
			typeset_labelled(sink, "not",
				typeset(sink, "%s: %s", compare_machine(sink, report, i), last[i].reason));
	text_assumptions(sink, report->head);
}

void text_compare(struct report_sink *sink, const struct report_compare *report)
{
	const struct paradl_comparison *const comparison = report->comparison;
	size_t *const order = arena_alloc(sink->arena, comparison->machine_count, sizeof *order);
	if (!order) {
		sink->out_of_memory = true;
		return;
	}
	for (size_t model = 0; model < comparison->model_count; model++) {
		const struct paradl_compare_cell *const cells =
			&comparison->cells[model * comparison->device_count * comparison->machine_count];
		fprintf(sink->file, "%s%s\n", model > 0 ? "\n" : "",
			typeset_ink(sink, INK_BOLD,
				typeset(sink, "%s, %s, %s%s: %zu machine%s, the best plan of each",
					report->models[model].name, compare_job_text(sink, report, model),
					report_precision(report, model), compare_wish_text(sink, report),
					comparison->machine_count,
					comparison->machine_count > 1 ? "s" : "")));
		print_table(sink, report, cells, order);
		if (!sink->style.brief)
			print_below(sink, report, cells);
	}
}
