/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "result/documents.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"

bool text_list_add(struct paradl_arena *arena, struct text_list *list, const char *text)
{
	const char **const added = LIST_ADD(arena, list->items, list->count);
	if (added)
		*added = text;
	return added && text;
}

const struct paradl_collective_row *report_row_of(const struct paradl_collective_table *table, double bytes)
{
	for (size_t i = 0; i < table->row_count; i++)
		if (!(table->rows[i].bytes < bytes) && !(table->rows[i].bytes > bytes))
			return &table->rows[i];
	return NULL;
}

const char *report_time_origin(enum paradl_time_origin origin)
{
	static const char *const names[] = {[PARADL_MODELLED] = "model",
		[PARADL_MEASURED] = "measured",
		[PARADL_INTERPOLATED] = "interpolated",
		[PARADL_EXTRAPOLATED] = "extrapolated"};
	return names[origin];
}

const char *report_algorithm(const struct paradl_collective_table *table, size_t choice)
{
	return report_algorithm_name(table, table->choices[choice].algorithm);
}

const char *report_algorithm_name(const struct paradl_collective_table *table, const char *name)
{
	const char *const operation = paradl_operation_name(table->operation);
	const size_t length = strlen(operation);
	return strncmp(name, operation, length) == 0 && name[length] == '-' ? name + length + 1 : name;
}

const struct paradl_run *report_run_of(
	const struct report_advice *advice, const struct paradl_estimate *estimate)
{
	size_t runs = 0;
	for (size_t i = 0; advice->runs && i < advice->count; i++)
		for (size_t j = 0; j < advice->rankings[i].count; j++, runs++)
			if (&advice->rankings[i].results[j] == estimate)
				return &advice->runs[runs];
	return NULL;
}

double report_tokens(const struct report_head *head, double samples)
{
	return head->model.sequence > 0 ? samples * head->model.sequence : -1;
}

double report_value(const struct report_advice *advice, const struct paradl_estimate *estimate)
{
	const struct paradl_ranking *ranking = advice->count > 0 ? &advice->rankings[0] : NULL;
	const bool own_batches = advice->head->inference && ranking && !(ranking->batch > 0);
	const enum paradl_goal goal = ranking ? ranking->goal : advice->goal;
	return advice->of_samples || own_batches ? paradl_search_value(estimate, goal)
						 : paradl_goal_value(estimate, goal);
}

size_t report_equal(const struct report_advice *advice, const struct paradl_ranking *ranking)
{
	if (ranking->count == 0)
		return 0;
	const struct paradl_estimate *const best = &ranking->results[0];
	const double limit = report_value(advice, best) * (1 + paradl_tie_share(best));
	size_t equal = ranking->tie ? 2 : 1;
	while (ranking->tie && equal < ranking->count &&
		report_value(advice, &ranking->results[equal]) <= limit)
		equal++;
	return equal;
}

struct report_advice report_search_advice(const struct report_search *report, struct paradl_ranking *ranking)
{
	*ranking = (struct paradl_ranking){
		.devices = report->request->device_count > 0 ? report->request->devices[0] : 0,
		.batch = report->request->batch,
		.goal = report->request->goal,
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
		.job = report->job,
		.runs = report->runs,
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
