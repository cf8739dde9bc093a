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
