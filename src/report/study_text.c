/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Describes comparisons of machines, and estimates with something changed, for all formats that print them. */
#include "report/study_text.h"

#include <math.h>

#include "report/text.h"

struct paradl_range compare_range(const struct paradl_compare_cell *cell, enum paradl_amount amount)
{
	const bool compares = amount != PARADL_AMOUNT_COST || cell->cost_compares;
	return cell->runs && compares ? cell->amounts[amount] : (struct paradl_range){-1, -1, -1};
}

const char *compare_rank_text(struct report_sink *sink, const struct report_compare *report,
	const struct paradl_compare_cell *cells, size_t which, enum paradl_amount amount)
{
	const unsigned rank = cells[which].ranks[amount];
	bool alone = true;
	for (size_t i = 0; i < report->comparison->machine_count; i++)
		alone = alone && (i == which || cells[i].ranks[amount] != rank);
	return rank == 0 ? "-" : typeset(sink, alone ? "%u" : "%u=", rank);
}

/* Sorts by insertion. */
void compare_sort(const struct report_compare *report, const struct paradl_compare_cell *cells,
	enum paradl_amount amount, size_t *order)
{
	for (size_t i = 0; i < report->comparison->machine_count; i++) {
		const double mine = compare_range(&cells[i], amount).value;
		size_t place = i;
		for (; place > 0 && mine >= 0; place--) {
			const double other = compare_range(&cells[order[place - 1]], amount).value;
			if (other >= 0 && other <= mine)
				break;
			order[place] = order[place - 1];
		}
		order[place] = i;
	}
}

const char *compare_basis(const struct report_compare *report)
{
	return report->basis < 0 ? "" : price_basis_names[report->basis];
}

bool compare_is_mixed(const struct report_compare *report)
{
	for (size_t i = 0; i < report->comparison->machine_count; i++)
		if (report->machines[i].price_per_device_hour > 0 &&
			report->machines[i].owned != (report->basis == 1))
			return true;
	return false;
}

bool compare_pays_more(const struct report_compare *report)
{
	const struct paradl_comparison *const comparison = report->comparison;
	const size_t count = comparison->model_count * comparison->device_count * comparison->machine_count;
	for (size_t i = 0; i < count; i++)
		if (report_devices_paid(report, &comparison->cells[i]) > comparison->cells[i].devices)
			return true;
	return false;
}

/*
 * Returns the load of inference, "12 requests/s, prompts of 1,024 tokens, answers of 128", with the lengths of the
 * first plan that runs; "inference" if none runs.
 */
static const char *load_text(struct report_sink *sink, const struct report_compare *report, size_t model)
{
	const struct paradl_comparison *const comparison = report->comparison;
	const size_t count = comparison->device_count * comparison->machine_count;
	const struct paradl_compare_cell *const cells = &comparison->cells[model * count];
	for (size_t i = 0; i < count; i++)
		if (cells[i].runs)
			return typeset(sink, "%s%s",
				report->by == PARADL_AMOUNT_WORK || report->head->rate_per_s > 0
					? text_batch(sink, report->head, 0)
					: "inference",
				text_inference_lengths(sink, &cells[i].estimate));
	return "inference";
}

const char *compare_job_text(struct report_sink *sink, const struct report_compare *report, size_t model)
{
	const struct paradl_model_info *const info = &report->models[model];
	if (!report->samples)
		return load_text(sink, report, model);
	const double samples = report->samples[model];
	if (info->sequence > 0)
		return typeset(sink, "%s tokens", typeset_count(sink, samples * info->sequence));
	return typeset(sink, "%s samples", typeset_count(sink, samples));
}

const char *compare_unit(const struct report_compare *report, size_t model)
{
	if (report->samples)
		return "job";
	return report->models[model].generates ? "million tokens" : "million samples";
}

const char *compare_speed(
	struct report_sink *sink, const struct report_compare *report, size_t model, double work_s)
{
	const double each = 1 / work_s;
	return typeset(sink, "%s %s", typeset_rate(sink, each),
		report->models[model].generates ? "tokens/s" : "samples/s");
}

const char *compare_constraint_text(struct report_sink *sink, const struct report_compare *report)
{
	const struct {
		const char *name;
		double limit_s;
	} promises[] = {{"first token", report->promise.first_s}, {"each token", report->promise.token_s},
		{"answer", report->promise.latency_s}};
	const char *text = "";
	for (size_t i = 0; i < sizeof promises / sizeof *promises; i++)
		if (promises[i].limit_s > 0)
			text = typeset(sink, "%s, %s in %s", text, promises[i].name,
				typeset_quantity(sink, promises[i].limit_s, DIMENSION_TIME));
	if (*text && report->promise.percentile != PARADL_MEAN)
		text = typeset(sink, "%s (%s)", text, paradl_percentile_name(report->promise.percentile));
	if (report->fewest)
		text = typeset(sink, "%s, the fewest GPUs of each that answer it", text);
	if (report->deadline_s > 0)
		text = typeset(sink, ", in %s", typeset_quantity(sink, report->deadline_s, DIMENSION_TIME));
	if (report->budget > 0)
		text = typeset(
			sink, "%s, for %s", text, typeset_money(sink, report->budget, report->currency));
	return text;
}

const char *compare_machine(struct report_sink *sink, const struct report_compare *report, size_t machine)
{
	return typeset_clean(sink, report->machines[machine].name);
}

int compare_least(const struct paradl_compare_cell *cells, size_t count, enum paradl_amount amount)
{
	int best = -1;
	for (int i = 0; i < (int)count; i++) {
		const double value = compare_range(&cells[i], amount).value;
		if (value >= 0 && (best < 0 || value < compare_range(&cells[best], amount).value))
			best = i;
	}
	return best;
}

static bool overlap(struct paradl_range a, struct paradl_range b)
{
	return a.low <= b.high && b.low <= a.high;
}

const struct compare_saying compare_sayings[PARADL_AMOUNT_COUNT] = {
	[PARADL_AMOUNT_TIME] = {"fastest", "takes", "long"},
	[PARADL_AMOUNT_COST] = {"cheapest", "costs", "much"},
	[PARADL_AMOUNT_ENERGY] = {"least kWh", "needs", "much"},
	[PARADL_AMOUNT_FIRST] = {"first token", "takes", "long"},
	[PARADL_AMOUNT_TOKEN] = {"each token", "takes", "long"},
	[PARADL_AMOUNT_WORK] = {"throughput", "needs", "many GPUs"},
};

/*
 * Returns whether the best machine of an amount is worth a line. It is not for times of whole answers with different
 * batches, for throughput where all machines answer the same requests, and for the cost if only one is known.
 */
static bool is_said(const struct report_compare *report, const struct paradl_compare_cell *cells,
	enum paradl_amount amount, int best)
{
	size_t known = 0;
	if (best < 0)
		return false;
	for (size_t i = 0; i < report->comparison->machine_count; i++)
		known += compare_range(&cells[i], amount).value >= 0;
	switch (amount) {
	case PARADL_AMOUNT_TIME:
		return report->by != PARADL_AMOUNT_WORK;
	case PARADL_AMOUNT_WORK:
		return !(cells[best].estimate.inference.most_per_s > 0);
	case PARADL_AMOUNT_COST:
		return known > 1;
	case PARADL_AMOUNT_ENERGY:
	case PARADL_AMOUNT_FIRST:
	case PARADL_AMOUNT_TOKEN:
	case PARADL_AMOUNT_COUNT:
		break;
	}
	return true;
}

/* Returns a list of the machines whose ranges overlap the best one's; `next` is the best of the others, or -1. */
static const char *equals_of(struct report_sink *sink, const struct report_compare *report,
	const struct paradl_compare_cell *cells, enum paradl_amount amount, int best, int *next)
{
	const struct paradl_range first = compare_range(&cells[best], amount);
	const char *equals = "";
	*next = -1;
	for (int i = 0; i < (int)report->comparison->machine_count; i++) {
		const struct paradl_range other = compare_range(&cells[i], amount);
		if (i == best || other.value < 0)
			continue;
		if (overlap(other, first))
			equals = typeset(sink, "%s%s%s", equals, *equals ? ", " : "",
				compare_machine(sink, report, cells[i].machine));
		else if (*next < 0 || other.value < compare_range(&cells[*next], amount).value)
			*next = i;
	}
	return equals;
}

const char *compare_first(struct report_sink *sink, const struct report_compare *report,
	const struct paradl_compare_cell *cells, enum paradl_amount amount)
{
	const struct compare_saying *const saying = &compare_sayings[amount];
	const int best = compare_least(cells, report->comparison->machine_count, amount);
	int next;
	if (!is_said(report, cells, amount, best))
		return NULL;
	const char *const equals = equals_of(sink, report, cells, amount, best, &next);
	const char *const on = report->comparison->device_count > 1
				       ? typeset(sink, "on %s GPUs ", typeset_whole(sink, cells->devices))
				       : "";
	const char *text = typeset(sink, "%s%s", on, compare_machine(sink, report, cells[best].machine));
	if (*equals)
		text = typeset(sink, "%s; equal within what is known: %s", text, equals);
	if (next >= 0)
		text = typeset(sink, "%s; %s %s %.3g times as %s", text,
			compare_machine(sink, report, cells[next].machine), saying->takes,
			compare_range(&cells[next], amount).value / compare_range(&cells[best], amount).value,
			saying->much);
	return text;
}

/*
 * Returns the uncertainty of the time that one group of numbers causes, or a note that the plan does not run if they
 * are worse; "" if the uncertainty is at most 0.5 %.
 */
static const char *uncertain_text(struct report_sink *sink, const struct paradl_uncertainty *doubts,
	enum paradl_uncertainty_source which)
{
	const struct paradl_range *const effect = &doubts->effect[which];
	const double share = effect->value > 0 ? (effect->high - effect->low) / 2 / effect->value : 0;
	const char *const origin = doubts->origin[which];
	const char *const name = typeset(sink, "%s%s%s", paradl_uncertainty_source_name(which),
		origin ? " " : "", origin ? origin : "");
	if (doubts->fails & 1U << which)
		return typeset(sink, "%s (worse by %s the plan does not run)", name,
			typeset_percent(sink, doubts->share[which]));
	return share > 0.005 ? typeset(sink, "%s ±%s", name, typeset_percent(sink, share)) : "";
}

const char *compare_uncertainties(struct report_sink *sink, const struct paradl_compare_cell *cell)
{
	const char *text = "";
	for (unsigned i = 0; i < PARADL_SOURCE_POWER; i++) {
		const char *const one =
			uncertain_text(sink, &cell->uncertainty, (enum paradl_uncertainty_source)i);
		if (*one)
			text = typeset(sink, "%s%s%s", text, *text ? ", " : "", one);
	}
	const bool costs = cell->amounts[PARADL_AMOUNT_COST].value >= 0;
	const char *of_cost = "";
	for (unsigned i = PARADL_SOURCE_POWER; costs && i < PARADL_SOURCE_COUNT; i++) {
		const char *const one =
			uncertain_text(sink, &cell->uncertainty, (enum paradl_uncertainty_source)i);
		if (*one)
			of_cost = typeset(sink, "%s, %s", of_cost, one);
	}
	if (!*of_cost)
		return text;
	return *text ? typeset(sink, "%s; of cost also%s", text, of_cost + 1)
		     : typeset(sink, "of cost%s", of_cost + 1);
}

const char *whatif_change(struct report_sink *sink, double change)
{
	static const double visible = 0.00005;
	const double percent = 100 * change;
	if (fabs(change) < visible)
		return "0";
	return fabs(percent) < 99.95 ? typeset(sink, "%+.*f %%", fabs(percent) < 0.095 ? 2 : 1, percent)
				     : typeset(sink, "×%.3g", 1 + change);
}

const char *whatif_time(struct report_sink *sink, const struct paradl_estimate *estimate)
{
	return estimate->epoch_s > 0 ? typeset(sink, "%s per epoch",
					       typeset_quantity(sink, estimate->epoch_s, DIMENSION_TIME))
				     : typeset(sink, "%s per iteration",
					       typeset_quantity(sink, estimate->iteration_s, DIMENSION_TIME));
}

const char *whatif_goal(const struct report_whatif *report, const struct paradl_estimate *estimate)
{
	switch (report->goal) {
	case PARADL_MEMORY:
		return "peak memory per GPU";
	case PARADL_COST:
		return estimate->cost_per_epoch >= 0 ? "cost of an epoch" : "GPU time";
	case PARADL_ENERGY:
		return estimate->energy_joule_per_epoch >= 0 ? "energy of an epoch" : "time";
	case PARADL_THROUGHPUT:
	case PARADL_TIME:
		break;
	}
	if (report->head->inference && report->goal != PARADL_THROUGHPUT)
		return "time of an answer";
	return estimate->epoch_s > 0 ? "time of an epoch" : "time of a sample";
}

const char *whatif_energy(struct report_sink *sink, double joule)
{
	enum { JOULE_PER_KILOWATT_HOUR = 3600000 };
	return typeset(sink, "%.3g kWh", joule / JOULE_PER_KILOWATT_HOUR);
}

const char *whatif_value(
	struct report_sink *sink, const struct report_whatif *report, const struct paradl_estimate *estimate)
{
	if (report->goal == PARADL_MEMORY)
		return typeset_quantity(sink, estimate->memory_bytes, DIMENSION_BYTES);
	if (report->goal == PARADL_COST && estimate->cost_per_epoch >= 0)
		return typeset_money(sink, estimate->cost_per_epoch, report->head->machine.currency);
	if (report->goal == PARADL_ENERGY && estimate->energy_joule_per_epoch >= 0)
		return whatif_energy(sink, estimate->energy_joule_per_epoch);
	return typeset_quantity(sink,
		estimate->epoch_s > 0 ? estimate->epoch_s : paradl_search_value(estimate, report->goal),
		DIMENSION_TIME);
}

const char *whatif_input(struct report_sink *sink, const struct paradl_whatif_row *row, double vary)
{
	static const double visible = 0.005;
	if (fabs(row->low.times - 1 + vary) < visible && fabs(row->high.times - 1 - vary) < visible)
		return row->input.text;
	return typeset(sink, "%s (×%.3g, ×%.3g)", row->input.text, row->low.times, row->high.times);
}

static bool is_visible(const struct paradl_whatif_row *row)
{
	static const double visible = 0.00005;
	return fmax(fabs(row->low.change), fabs(row->high.change)) >= visible || !row->low.runs ||
	       !row->high.runs || row->low.other_plan || row->high.other_plan;
}

size_t whatif_shown(const struct paradl_tornado *tornado)
{
	size_t count = tornado->moving;
	while (count > 0 && !is_visible(&tornado->rows[count - 1]))
		count--;
	return count;
}

static void side(const struct paradl_tornado *tornado, const struct paradl_whatif_point *point, double *share,
	const char **note)
{
	*share = point->runs ? point->change : HUGE_VAL;
	*note = !point->runs                                      ? "cannot run"
		: tornado->estimate.fits && !point->estimate.fits ? "does not fit"
								  : NULL;
}

bool whatif_tornado(
	struct report_sink *sink, const struct report_whatif *report, struct report_tornado *picture)
{
	const struct paradl_tornado *const tornado = report->tornado;
	const size_t count = whatif_shown(tornado);
	char plan[PARADL_PLAN_TEXT];
	struct report_tornado_row *const rows = arena_alloc(sink->arena, count, sizeof *rows);
	for (size_t i = 0; rows && i < count; i++) {
		rows[i].label = whatif_input(sink, &tornado->rows[i], tornado->vary);
		side(tornado, &tornado->rows[i].low, &rows[i].low_share, &rows[i].low_note);
		side(tornado, &tornado->rows[i].high, &rows[i].high_share, &rows[i].high_note);
	}
	paradl_plan_format(&tornado->estimate.plan, plan, sizeof plan);
	*picture = (struct report_tornado){.head = report->head,
		.result = whatif_goal(report, &tornado->estimate),
		.value = whatif_value(sink, report, &tornado->estimate),
		.plan = typeset(sink, "%s%s", report->is_best ? "the best plan, now " : "", plan),
		.vary_share = tornado->vary,
		.rows = rows,
		.count = rows ? count : 0};
	return rows && !sink->out_of_memory;
}
