/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes machines side by side as a page. Each model and number of GPUs has a table with a column for each
 * machine; below it stands which machine is first, and where the ranges come from.
 */
#include "report/html/html.h"
#include "report/study_text.h"
#include "report/text.h"

/* A table in which each machine has a column. */
struct side {
	struct report_sink *sink;
	const struct report_compare *report;
	const struct paradl_compare_cell *cells;
};

typedef const char *(*side_text)(const struct side *side, const struct paradl_compare_cell *cell);

static const char *machine_name(const struct side *side, const struct paradl_compare_cell *cell)
{
	return side->report->machines[cell->machine].name;
}

/* Returns a value with its range, "30.0 d (28.0 d to 33.0 d)"; "-" where the value is not known. */
static const char *ranged(const struct side *side, const struct paradl_range *range,
	const char *(*text)(struct report_sink *sink, double value))
{
	if (range->value < 0)
		return "-";
	return typeset(side->sink, "%s (%s to %s)", text(side->sink, range->value),
		text(side->sink, range->low), text(side->sink, range->high));
}

static const char *time_text(struct report_sink *sink, double seconds)
{
	return typeset_quantity(sink, seconds, DIMENSION_TIME);
}

static const char *job_time(const struct side *side, const struct paradl_compare_cell *cell)
{
	return cell->runs ? ranged(side, &cell->amounts[PARADL_AMOUNT_TIME], time_text)
			  : typeset(side->sink, "none: %s", cell->reason);
}

static const char *currency_of(const struct side *side, const struct paradl_compare_cell *cell)
{
	return cell->cost_compares ? side->report->currency : side->report->machines[cell->machine].currency;
}

static const char *amount(struct report_sink *sink, double value)
{
	return typeset_rate(sink, value);
}

static const char *job_cost(const struct side *side, const struct paradl_compare_cell *cell)
{
	const char *const currency = currency_of(side, cell);
	const struct paradl_range *const cost = &cell->amounts[PARADL_AMOUNT_COST];
	if (!cell->runs || cost->value < 0)
		return "-";
	return typeset(side->sink, "%s (%s to %s)", typeset_money(side->sink, cost->value, currency),
		amount(side->sink, cost->low), amount(side->sink, cost->high));
}

static const char *paid_by(const struct side *side, const struct paradl_compare_cell *cell)
{
	const char *const basis = machine_price_basis(&side->report->machines[cell->machine]);
	return basis ? basis : "no price";
}

static const char *job_energy(const struct side *side, const struct paradl_compare_cell *cell)
{
	return cell->runs ? ranged(side, &cell->amounts[PARADL_AMOUNT_ENERGY], text_energy) : "-";
}

static const char *devices(const struct side *side, const struct paradl_compare_cell *cell)
{
	return cell->devices > 0 ? typeset_whole(side->sink, cell->devices) : "-";
}

static const char *devices_paid(const struct side *side, const struct paradl_compare_cell *cell)
{
	const double paid = report_devices_paid(side->report, cell);
	return paid > 0 ? typeset_whole(side->sink, paid) : "-";
}

static const char *hourly(const struct side *side, const struct paradl_compare_cell *cell)
{
	return cell->runs && cell->estimate.cost_per_hour >= 0
		       ? typeset_money(side->sink, cell->estimate.cost_per_hour,
				 side->report->machines[cell->machine].currency)
		       : "-";
}

static const char *power(const struct side *side, const struct paradl_compare_cell *cell)
{
	return cell->runs && cell->estimate.watt >= 0
		       ? typeset_quantity(side->sink, cell->estimate.watt, DIMENSION_POWER)
		       : "-";
}

static const char *first_token(const struct side *side, const struct paradl_compare_cell *cell)
{
	return cell->runs ? ranged(side, &cell->amounts[PARADL_AMOUNT_FIRST], time_text) : "-";
}

static const char *each_token(const struct side *side, const struct paradl_compare_cell *cell)
{
	return cell->runs ? ranged(side, &cell->amounts[PARADL_AMOUNT_TOKEN], time_text) : "-";
}

/* Returns the tokens or samples that a GPU answers in a second, with their range. */
static const char *answers(const struct side *side, const struct paradl_compare_cell *cell)
{
	const struct paradl_range *const work = &cell->amounts[PARADL_AMOUNT_WORK];
	if (!cell->runs || !(work->value > 0))
		return "-";
	return typeset(side->sink, "%s (%s to %s)",
		compare_speed(side->sink, side->report, cell->model, work->value),
		amount(side->sink, 1 / work->high), amount(side->sink, 1 / work->low));
}

static const char *load(const struct side *side, const struct paradl_compare_cell *cell)
{
	const struct paradl_inference *const served = &cell->estimate.inference;
	if (!cell->runs)
		return "-";
	return served->most_per_s > 0 ? typeset(side->sink, "%.3g requests, of %.3g/s that it can answer",
						served->under_way, served->most_per_s)
				      : typeset(side->sink, "%s requests",
						typeset_whole(side->sink, cell->estimate.plan.batch));
}

/* Returns the tokens or samples that a GPU processes in a second of training. */
static const char *speed(const struct side *side, const struct paradl_compare_cell *cell)
{
	const struct paradl_model_info *const model = &side->report->models[cell->model];
	const double each = cell->runs ? cell->estimate.samples_per_s / cell->devices : 0;
	if (!cell->runs)
		return "-";
	return model->generates
		       ? typeset(side->sink, "%s tokens/s", typeset_rate(side->sink, each * model->sequence))
		       : typeset(side->sink, "%s samples/s", typeset_count(side->sink, each));
}

static const char *rate(const struct side *side, const struct paradl_compare_cell *cell)
{
	return cell->runs ? typeset(side->sink, "%s, MFU %s",
				    typeset_quantity(side->sink, cell->estimate.flop_per_s_per_device,
					    DIMENSION_FLOP_PER_S),
				    typeset_percent(side->sink, cell->estimate.mfu))
			  : "-";
}

static const char *precision(const struct side *side, const struct paradl_compare_cell *cell)
{
	return report_precision(side->report, cell->model);
}

static const char *step(const struct side *side, const struct paradl_compare_cell *cell)
{
	return cell->runs ? typeset(side->sink, "%s, batch %s",
				    time_text(side->sink, cell->estimate.iteration_s),
				    typeset_whole(side->sink, cell->estimate.plan.batch))
			  : "-";
}

static const char *memory(const struct side *side, const struct paradl_compare_cell *cell)
{
	return cell->runs
		       ? typeset(side->sink, "%s of %s",
				 typeset_quantity(side->sink, cell->estimate.memory_bytes, DIMENSION_BYTES),
				 typeset_quantity(side->sink, cell->estimate.capacity_bytes, DIMENSION_BYTES))
		       : "-";
}

static const char *plan(const struct side *side, const struct paradl_compare_cell *cell)
{
	return cell->runs ? text_plan(side->sink, &cell->estimate.plan) : "-";
}

static const char *limit(const struct side *side, const struct paradl_compare_cell *cell)
{
	const struct paradl_limit *const by = &cell->estimate.limited_by;
	return cell->runs && by->text
		       ? typeset(side->sink, "%s (%s)", by->text, typeset_percent(side->sink, by->share))
		       : "-";
}

/* A row of the table, for training, for inference, or for both. */
struct side_row {
	const char *training, *inference; /* title of the row; NULL: the table has no such row */
	enum html_align align;
	side_text text;
};

static void write_row(const struct side *side, const struct side_row *row)
{
	const char *const title = side->report->samples ? row->training : row->inference;
	if (!title)
		return;
	fputs("<tr>", side->sink->file);
	html_cell(side->sink, HTML_LEFT, title);
	for (size_t i = 0; i < side->report->comparison->machine_count; i++)
		html_cell(side->sink, row->align, row->text(side, &side->cells[i]));
	fputs("</tr>\n", side->sink->file);
}

static void write_table(const struct side *side)
{
	const char *const unit = compare_unit(side->report, side->cells->model);
	const char *const cost = typeset(
				  side->sink, "cost of %s %s", side->report->samples ? "the" : "a", unit),
			  *const energy = typeset(
				  side->sink, "energy of %s %s", side->report->samples ? "the" : "a", unit);
	const struct side_row rows[] = {
		{"time of the job", "whole answer", HTML_LEFT, job_time},
		{NULL, "first token", HTML_LEFT, first_token},
		{NULL, "each token", HTML_LEFT, each_token},
		{NULL, "a GPU answers", HTML_LEFT, answers},
		{NULL, "under way", HTML_LEFT, load},
		{cost, cost, HTML_LEFT, job_cost},
		{"paid by", "paid by", HTML_LEFT, paid_by},
		{energy, energy, HTML_LEFT, job_energy},
		{"GPUs used", "GPUs used", HTML_LEFT, devices},
		{"GPUs paid for", "GPUs paid for", HTML_LEFT, devices_paid},
		{"cost of an hour", "cost of an hour", HTML_LEFT, hourly},
		{"power", "power", HTML_LEFT, power},
		{"a GPU does", NULL, HTML_LEFT, speed},
		{"of its peak", "of its peak", HTML_LEFT, rate},
		{"number format", "number format", HTML_LEFT, precision},
		{"a step", NULL, HTML_LEFT, step},
		{"peak memory", "peak memory", HTML_LEFT, memory},
		{"best plan", "best plan", HTML_CODE, plan},
		{"limited by", "limited by", HTML_LEFT, limit},
	};
	const size_t count = side->report->comparison->machine_count;
	struct html_column *const columns = arena_alloc(side->sink->arena, count + 1, sizeof *columns);
	if (!columns) {
		side->sink->out_of_memory = true;
		return;
	}
	columns[0] = (struct html_column){"", HTML_LEFT};
	for (size_t i = 0; i < count; i++)
		columns[i + 1] = (struct html_column){machine_name(side, &side->cells[i]), HTML_LEFT};
	html_table_begin(side->sink, columns, count + 1);
	for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++)
		write_row(side, &rows[k]);
	html_table_end(side->sink);
}

/* Writes which machine is first by each amount, and which uncertainties each range comes from. */
static void write_answer(const struct side *side)
{
	const size_t count = side->report->comparison->machine_count;
	fputs("<ul>\n", side->sink->file);
	for (unsigned i = 0; i < PARADL_AMOUNT_COUNT; i++) {
		const char *const text =
			compare_first(side->sink, side->report, side->cells, (enum paradl_amount)i);
		if (text)
			html_element(side->sink, "li",
				typeset(side->sink, "%s: %s", compare_sayings[i].label, text));
	}
	for (size_t i = 0; i < count; i++) {
		const char *const text = compare_uncertainties(side->sink, &side->cells[i]);
		if (side->cells[i].runs && *text)
			html_element(side->sink, "li",
				typeset(side->sink, "what the range of %s rests on: %s",
					machine_name(side, &side->cells[i]), text));
	}
	fputs("</ul>\n", side->sink->file);
}

static void write_questions(struct report_sink *sink, const struct report_compare *report)
{
	const struct paradl_comparison *const comparison = report->comparison;
	for (size_t i = 0; i < comparison->model_count * comparison->device_count; i++) {
		const struct side side = {sink, report, &comparison->cells[i * comparison->machine_count]};
		const size_t model = side.cells->model;
		const char *const on =
			comparison->device_count > 1
				? typeset(sink, " on %s GPUs", typeset_whole(sink, side.cells->devices))
				: "";
		html_section(sink, typeset(sink, "%s, %s%s%s", report->models[model].name,
					   compare_job_text(sink, report, model),
					   compare_constraint_text(sink, report), on));
		write_table(&side);
		write_answer(&side);
		html_section_end(sink);
	}
}

void html_compare(struct report_sink *sink, const struct report_compare *report,
	const struct report_figure *figures, size_t figure_count)
{
	const char *names = "";
	for (size_t i = 0; i < report->comparison->machine_count; i++)
		names = typeset(sink, "%s%s%s", names,
			i == 0                                       ? ""
			: i + 1 == report->comparison->machine_count ? " and "
								     : ", ",
			report->machines[i].name);
	html_begin(sink, typeset(sink, "%s side by side", names));
	html_element(sink, "h1", names);
	html_element(sink, "p class=\"faint\"",
		typeset(sink, "The best plan of each machine for the same job%s%s.",
			*compare_basis(report)
				? typeset(sink, "; costs are compared by %s, in %s", compare_basis(report),
					  report->currency ? report->currency : "their own currencies")
				: "",
			compare_is_mixed(report)
				? "; machines that are paid for otherwise have costs of their own, "
				  "which do not compare"
				: ""));
	for (size_t i = 0; i < figure_count; i++)
		html_figure(sink, figures[i].svg, figures[i].length, figures[i].caption);
	write_questions(sink, report);
	html_foot(sink, report->head);
	html_end(sink);
}
