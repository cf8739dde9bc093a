/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text_compare() prints machines side by side: a table for each model, then which is first and where that changes. */
#include <string.h>

#include "report/study_text.h"
#include "report/text.h"

/* ---- the table ---- */

static const char *range_text(struct report_sink *sink, const struct paradl_range *range)
{
	return typeset(sink, "%s to %s", typeset_quantity(sink, range->low, DIMENSION_TIME),
		typeset_quantity(sink, range->high, DIMENSION_TIME));
}

static const char *figures(struct report_sink *sink, double amount)
{
	return typeset_rate(sink, amount);
}

/* Fills the cell in the column with this name, if there is such a column. */
static void set_cell(struct columns *columns, const char **row, const char *name, const char *text)
{
	for (size_t i = 0; i < columns->table.column_count; i++)
		if (strcmp(columns->fields[i]->name, name) == 0)
			row[i] = text;
}

static void add_cell(struct columns *columns, const struct report_compare *report,
	const struct paradl_compare_cell *cells, size_t which)
{
	struct report_sink *const sink = columns->table.sink;
	const struct paradl_compare_cell *const cell = &cells[which];
	const struct paradl_range *const cost = &cell->amounts[PARADL_AMOUNT_COST],
					 *const work = &cell->amounts[PARADL_AMOUNT_WORK];
	columns->currency = cell->cost_compares ? report->currency : report->machines[cell->machine].currency;
	const char **const row = columns_row(columns, cell);
	set_cell(columns, row, "rank", compare_rank_text(sink, report, cells, which, report->by));
	if (!cell->runs) {
		set_cell(columns, row, "limited_by", typeset(sink, "%s", cell->reason));
		set_cell(columns, row, "cost", "");
		set_cell(columns, row, "energy_joule", "");
		return;
	}
	set_cell(columns, row, "limited_by",
		typeset(sink, "%s %s", typeset_percent(sink, cell->estimate.limited_by.share),
			cell->estimate.limited_by.text));
	set_cell(columns, row, "time_range", range_text(sink, &cell->amounts[PARADL_AMOUNT_TIME]));
	if (work->value >= 0)
		set_cell(columns, row, "speed_range",
			typeset(sink, "%s to %s", figures(sink, 1 / work->high),
				figures(sink, 1 / work->low)));
	if (cell->amounts[PARADL_AMOUNT_ENERGY].value >= 0)
		set_cell(columns, row, "energy_joule",
			text_energy(sink, cell->amounts[PARADL_AMOUNT_ENERGY].value));
	if (cost->value >= 0)
		set_cell(columns, row, "cost_range",
			typeset(sink, "%s to %s", figures(sink, cost->low), figures(sink, cost->high)));
}

/* Returns the default columns for the kind of work: a whole training, images, or inference with its goal. */
static const char *usual_columns(const struct report_compare *report, bool is_text)
{
	if (report->samples)
		return is_text ? "rank,gpus,hw,time_s,time_range,cost,cost_range,energy_joule,"
				 "tokens_per_s_per_gpu,mfu,strategy,limited_by"
			       : "rank,gpus,hw,time_s,time_range,cost,cost_range,energy_joule,samples_per_s,"
				 "mfu,strategy,limited_by";
	if (!is_text)
		return "rank,gpus,hw,batch,iteration_s,time_range,samples_per_s,cost,cost_range,"
		       "energy_joule,strategy,limited_by";
	if (report->by == PARADL_AMOUNT_WORK)
		return "rank,gpus,hw,batch,prompts_s,token_s,tokens_per_s_per_gpu,speed_range,cost,"
		       "cost_range,energy_joule,strategy,limited_by";
	if (report->head->rate_per_s > 0)
		return "rank,gpus,hw,prompts_s,token_s,iteration_s,cost,cost_range,energy_joule,"
		       "most_requests_per_s,strategy,limited_by";
	return "rank,gpus,hw,batch,prompts_s,token_s,iteration_s,tokens_per_s_per_gpu,cost,cost_range,"
	       "energy_joule,strategy,limited_by";
}

static void print_table(struct report_sink *sink, const struct report_compare *report,
	const struct paradl_compare_cell *cells, size_t *order)
{
	struct columns columns;
	columns_start(&columns, sink, report, &record_compare_result,
		typeset(sink, "%s%s%s", usual_columns(report, report->models[cells->model].generates),
			compare_is_mixed(report) ? ",price_basis" : "",
			compare_pays_more(report) ? ",gpus_paid" : ""));
	for (size_t k = 0; k < report->comparison->device_count; k++) {
		const struct paradl_compare_cell *const here = &cells[k * report->comparison->machine_count];
		compare_sort(report, here, report->by, order);
		for (size_t i = 0; i < report->comparison->machine_count; i++)
			add_cell(&columns, report, here, order[i]);
	}
	columns_print(&columns);
}

/* ---- below the table ---- */

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

static void print_uncertains(
	struct report_sink *sink, const struct report_compare *report, const struct paradl_compare_cell *cell)
{
	const char *const text = compare_uncertainties(sink, cell);
	if (*text)
		typeset_labelled(sink, "range",
			typeset(sink, "%s: %s", compare_machine(sink, report, cell->machine), text));
}

/* Prints how machines are paid for whose costs compare, and how the other costs are asked for. */
static void print_basis(struct report_sink *sink, const struct report_compare *report)
{
	bool others = false;
	for (size_t i = 0; i < report->comparison->machine_count; i++)
		others = others || report->machines[i].has_both_prices;
	if (report->basis >= 0)
		typeset_labelled(sink, "cost",
			typeset(sink, "%s%s",
				report->basis == 1 ? "of machines that are bought"
						   : "of machines that are rented",
				!others              ? ""
				: report->basis == 1 ? "; --price rent: rented"
						     : "; --price purchase: bought"));
}

/* Prints what of each machine's time is steps, checkpoints and failures, where these are a hundredth of it or more. */
static void print_shares(struct report_sink *sink, const struct report_compare *report,
	const struct paradl_compare_cell *cells)
{
	static const double visible = 1.01;
	for (size_t i = 0; i < report->comparison->machine_count; i++) {
		const struct paradl_compare_cell *const cell = &cells[i];
		const bool shows = cell->runs && cell->run.time_s > cell->run.work_s * visible;
		const char *const shares = shows ? text_run_shares(sink, &cell->run) : NULL;
		if (shares)
			typeset_labelled(sink, "of which",
				typeset(sink, "%s: %s", compare_machine(sink, report, i), shares));
	}
}

static void print_below(struct report_sink *sink, const struct report_compare *report,
	const struct paradl_compare_cell *cells)
{
	const size_t count = report->comparison->machine_count;
	/* The cells of the largest number of GPUs on which any machine runs; the largest number comes last. */
	const struct paradl_compare_cell *last = cells;
	for (size_t k = 0; k < report->comparison->device_count; k++)
		if (compare_least(&cells[k * count], count, PARADL_AMOUNT_TIME) >= 0)
			last = &cells[k * count];
	putc('\n', sink->file);
	for (unsigned i = 0; i < PARADL_AMOUNT_COUNT; i++) {
		const char *const text = compare_first(sink, report, last, (enum paradl_amount)i);
		if (text)
			typeset_labelled(sink, compare_sayings[i].label, text);
	}
	print_basis(sink, report);
	print_shares(sink, report, last);
	print_crossings(sink, report, cells->model);
	for (size_t i = 0; i < count; i++)
		if (last[i].runs)
			print_uncertains(sink, report, &last[i]);
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
		if (model > 0)
			putc('\n', sink->file);
		text_heading(
			sink, typeset(sink, "%s, %s, %s%s: %zu machine%s, the best plan of each%s%s",
				      report->models[model].name, compare_job_text(sink, report, model),
				      report_precision(report, model), compare_constraint_text(sink, report),
				      comparison->machine_count, comparison->machine_count > 1 ? "s" : "",
				      report->samples ? "" : ", cost and energy of a ",
				      report->samples ? "" : compare_unit(report, model)));
		putc('\n', sink->file);
		print_table(sink, report, cells, order);
		if (sink->style.brief)
			continue;
		print_below(sink, report, cells);
	}
}
