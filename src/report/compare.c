/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/compare.h"

static const struct paradl_range nothing = {-1, -1, -1};

struct paradl_range compare_time(const struct paradl_compare_cell *cell)
{
	return cell->runs ? cell->time_s : nothing;
}

struct paradl_range compare_cost(const struct paradl_compare_cell *cell)
{
	return cell->runs && cell->cost_compares ? cell->cost : nothing;
}

struct paradl_range compare_joule(const struct paradl_compare_cell *cell)
{
	return cell->runs ? cell->joule : nothing;
}

static unsigned rank_of(const struct paradl_compare_cell *cell, bool by_cost)
{
	return by_cost ? cell->cost_rank : cell->time_rank;
}

const char *compare_rank_text(struct report_sink *sink, const struct report_compare *report,
	const struct paradl_compare_cell *cells, size_t which, bool by_cost)
{
	const unsigned rank = rank_of(&cells[which], by_cost);
	bool alone = true;
	for (size_t i = 0; i < report->comparison->machine_count; i++)
		alone = alone && (i == which || rank_of(&cells[i], by_cost) != rank);
	return rank == 0 ? "-" : typeset(sink, alone ? "%u" : "%u=", rank);
}

/* Insertion. */
void compare_sort(const struct report_compare *report, const struct paradl_compare_cell *cells, bool by_cost,
	size_t *order)
{
	const compare_amount amount = by_cost ? compare_cost : compare_time;
	for (size_t i = 0; i < report->comparison->machine_count; i++) {
		const double mine = amount(&cells[i]).value;
		size_t place = i;
		for (; place > 0 && mine >= 0; place--) {
			const double other = amount(&cells[order[place - 1]]).value;
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

const char *compare_job_text(struct report_sink *sink, const struct report_compare *report, size_t model)
{
	const struct paradl_model_info *const info = &report->models[model];
	const double samples = report->samples[model];
	if (info->sequence > 0)
		return typeset(sink, "%s tokens", typeset_count(sink, samples * info->sequence));
	return typeset(sink, "%s samples", typeset_count(sink, samples));
}

const char *compare_wish_text(struct report_sink *sink, const struct report_compare *report)
{
	const char *text = "";
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

int compare_least(const struct paradl_compare_cell *cells, size_t count, compare_amount amount)
{
	int best = -1;
	for (int i = 0; i < (int)count; i++) {
		const double value = amount(&cells[i]).value;
		if (value >= 0 && (best < 0 || value < amount(&cells[best]).value))
			best = i;
	}
	return best;
}

static bool overlap(struct paradl_range a, struct paradl_range b)
{
	return a.low <= b.high && b.low <= a.high;
}

const struct compare_saying compare_sayings[COMPARE_SAYINGS] = {{compare_time, "fastest", "takes", "long"},
	{compare_cost, "cheapest", "costs", "much"}, {compare_joule, "least kWh", "needs", "much"}};

/* Returns the machines that are equal to the best one; `next` is the first that is not, or -1. */
static const char *equals_of(struct report_sink *sink, const struct report_compare *report,
	const struct paradl_compare_cell *cells, compare_amount amount, int best, int *next)
{
	const struct paradl_range first = amount(&cells[best]);
	const char *equals = "";
	*next = -1;
	for (int i = 0; i < (int)report->comparison->machine_count; i++) {
		const struct paradl_range other = amount(&cells[i]);
		if (i == best || other.value < 0)
			continue;
		if (overlap(other, first))
			equals = typeset(sink, "%s%s%s", equals, *equals ? ", " : "",
				compare_machine(sink, report, cells[i].machine));
		else if (*next < 0 || other.value < amount(&cells[*next]).value)
			*next = i;
	}
	return equals;
}

const char *compare_first(struct report_sink *sink, const struct report_compare *report,
	const struct paradl_compare_cell *cells, unsigned which)
{
	const struct compare_saying *const saying = &compare_sayings[which];
	const compare_amount amount = saying->amount;
	const size_t count = report->comparison->machine_count;
	const int best = compare_least(cells, count, amount);
	int next;
	size_t known = 0;
	for (size_t i = 0; i < count; i++)
		known += amount(&cells[i]).value >= 0;
	/* The cheapest of one says nothing. */
	if (best < 0 || (amount == compare_cost && known < 2))
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
			amount(&cells[next]).value / amount(&cells[best]).value, saying->much);
	return amount == compare_cost ? typeset(sink, "%s (%s)", text, compare_basis(report)) : text;
}

const char *compare_doubts(struct report_sink *sink, const struct paradl_compare_cell *cell)
{
	const struct paradl_uncertainty *const doubts = &cell->uncertainty;
	const char *text = "";
	for (unsigned i = 0; i < PARADL_DOUBT_POWER; i++) {
		const struct paradl_range *const effect = &doubts->effect[i];
		const double share = effect->value > 0 ? (effect->high - effect->low) / 2 / effect->value : 0;
		const char *const origin = doubts->origin[i];
		if (share > 0.005)
			text = typeset(sink, "%s%s%s%s%s ±%s", text, *text ? ", " : "",
				paradl_doubt_name((enum paradl_doubt)i), origin ? " " : "",
				origin ? origin : "", typeset_percent(sink, share));
	}
	return text;
}
