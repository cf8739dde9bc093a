/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What every format says of a search. */
#include "report/report.h"

double report_value(const struct report_advice *advice, const struct paradl_estimate *estimate)
{
	return advice->of_samples ? paradl_search_value(estimate, advice->goal)
				  : paradl_goal_value(estimate, advice->goal);
}

struct report_advice report_search_advice(const struct report_search *report, struct paradl_ranking *ranking)
{
	*ranking = (struct paradl_ranking){
		.devices = report->request->device_count > 0 ? report->request->devices[0] : 0,
		.batch = report->request->batch,
		.results = report->search->results,
		.count = report->search->count,
		.margin = report->search->margin,
		.tie = report->search->equal > 1,
	};
	return (struct report_advice){
		.head = report->head,
		.of_samples = true,
		.rankings = ranking,
		.count = 1,
		.goal = report->request->goal,
		.columns = report->columns,
		.samples = report->samples,
	};
}

bool report_varies_batch(const struct report_search *report)
{
	return report->head->inference && !(report->request->batch > 0) && !(report->request->per_device > 0);
}

const char *report_map_axis(const struct report_search *report, unsigned index)
{
	for (unsigned axis = 0; axis < PARADL_AXIS_COUNT; axis++)
		if (report->request->map & 1u << axis && index-- == 0)
			return paradl_strategy(axis).name;
	return "";
}

struct paradl_infeasible report_map_gap(
	const struct report_search *report, const struct paradl_map_cell *cell)
{
	struct paradl_infeasible gap = {.reason = "no plan with these degrees can run"};
	snprintf(gap.family, sizeof gap.family, "%s+%s", report_map_axis(report, 0),
		report_map_axis(report, 1));
	snprintf(gap.strategy, sizeof gap.strategy, "%s=%u,%s=%u", report_map_axis(report, 0),
		cell->degree[0], report_map_axis(report, 1), cell->degree[1]);
	return gap;
}
