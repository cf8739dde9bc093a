/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Compares projections with a CSV of measurements, paradl-measured(5). These projected amounts are compared:
 *
 *     compute        compute_s and the pipeline's bubble: the measured programs' timers count idle stages as compute
 *     communication  communication_s, which includes waiting
 *     total          iteration_s; a plan that needs more memory than there is is projected all the same
 *     memory         memory_bytes
 *     serving        token_s in the place of the total, and the time to the first token
 *
 * Times of an epoch are those of samples / batch iterations. Input counts where `includes` is "everything"
 * (row_library.c); rows that include different things are not ranked against each other. A row that cannot be evaluated is
 * skipped with the reason. score.c computes the scores, rank_score.c compares the order of plans.
 */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "fit/validate/measurements.h"
#include "fit/validate/published.h"
#include "fit/validate/score.h"
#include "model/model.h"
#include "oracle/oracle.h"

/* Skips a row because of a failure; false when the failure is that memory ran out. */
static bool skip(struct paradl_arena *arena, struct measurement *measurement,
	const struct paradl_error *failure, struct paradl_error *error)
{
	if (failure->status != PARADL_NO_MEMORY)
		measurement->row.skipped = error_line(arena, failure);
	return measurement->row.skipped || out_of_memory(error);
}

/* Reads the plan of a row; returns true also where it cannot be read, with the reason in `skipped`. */
static bool read_plan(struct paradl_arena *arena, struct measurement *measurement, struct paradl_error *error)
{
	char text[PARADL_PLAN_TEXT];
	struct paradl_error failure = {0};
	if (!paradl_plan_parse(measurement->row.strategy, &measurement->plan, &failure))
		return skip(arena, measurement, &failure, error);
	measurement->plan.batch = measurement->row.batch;
	paradl_plan_family(&measurement->plan, text, sizeof text);
	/* "data=1" is data parallelism, of one: the family is the axis that was written. */
	if (!(paradl_plan_devices(&measurement->plan) > 1) && strcmp(measurement->row.strategy, text) != 0)
		snprintf(text, sizeof text, "%s", paradl_strategy(measurement->plan.order[0]).name);
	measurement->row.family = arena_text(arena, text);
	paradl_plan_format(&measurement->plan, text, sizeof text);
	measurement->plan_text = arena_text(arena, text);
	return (measurement->row.family && measurement->plan_text) || out_of_memory(error);
}

static void projected_fill(const struct library *library, struct measurement *measurement,
	const struct paradl_estimate *estimate)
{
	const double iterations =
		is_per_epoch(measurement) ? measurement->samples / measurement->row.batch : 1;
	if (measurement->load.serves) {
		measurement->row.projected.first_s = estimate->inference.prompts_s;
		measurement->row.first_error_share = estimate->inference.first_error_share;
	} else {
		measurement->row.projected.compute_s =
			iterations * (estimate->compute_s + estimate->phase_s[PARADL_BUBBLE]);
		measurement->row.projected.communication_s = iterations * estimate->communication_s;
	}
	measurement->row.projected.total_s = iterations * projection_seconds(estimate);
	measurement->row.projected.memory_bytes = estimate->memory_bytes;
	measurement->row.unfit = measurement->row.measured.total_s > 0 && !estimate->fits;
	measurement->row.error_share = published_error(measurement, estimate->error_share);
	if (!measurement->published)
		return;
	measurement->row.projected.memory_bytes =
		published_projected_bytes(measurement->published, library->aliases, estimate);
}

/*
 * Drops the measured compute and communication of a row that has a total, where the framework's timers of an axis
 * in use begin before the device is done, and so do not tell the parts apart.
 */
static void totals_only(const struct paradl_framework *framework, struct measurement *measurement,
	const struct paradl_plan *plan)
{
	struct paradl_measured_row *row = &measurement->row;
	for (unsigned axis = 0; axis < PARADL_AXIS_COUNT; ++axis)
		row->total_only |= plan->degree[axis] > 1 && framework->unsynchronised & 1u << axis;
	if (row->total_only && row->measured.total_s >= 0)
		row->measured.compute_s = row->measured.communication_s = -1;
}

static bool project(struct library *library, struct measurement *measurement, struct paradl_error *error)
{
	struct projection projection;
	struct paradl_error failure = {0};
	struct paradl_estimate estimate;
	double seconds;
	if (!projection_make(library, measurement, &projection, error))
		return false;
	if (measurement->row.skipped)
		return true;
	if (!projection_run(&projection, &estimate, &seconds, &failure))
		return skip(library->arena, measurement, &failure, error);
	projected_fill(library, measurement, &estimate);
	totals_only(projection.oracle->framework, measurement, &estimate.plan);
	if (projection.twice)
		measurement->row.projected.total_s = seconds;
	return true;
}

static bool evaluate(
	struct library *library, struct measurement *list, size_t count, struct paradl_error *error)
{
	for (size_t i = 0; i < count; ++i) {
		if ((!list[i].published && !read_plan(library->arena, &list[i], error)) ||
			(!list[i].row.skipped && !project(library, &list[i], error)))
			return false;
		if (!published_unread(library->arena, &list[i]))
			return out_of_memory(error);
		accuracy_fill(&list[i].row);
	}
	return true;
}

static bool score_all(struct paradl_arena *arena, const struct measurement *list, size_t count,
	const struct ranking_order *order, const struct selection *selection, struct paradl_score *score,
	struct paradl_error *error)
{
	score_means(list, count, selection, score);
	score_ranking(order, selection, score);
	return score_spread(arena, list, count, selection, score, error);
}

static bool is_scored(const struct paradl_score *scores, size_t count, const char *name)
{
	for (size_t i = 0; i < count; ++i)
		if (strcmp(scores[i].name, name) == 0)
			return true;
	return false;
}

/* Scores each family (or set), in the order in which the rows first name them; NULL with an error. */
static const struct paradl_score *scores(struct paradl_arena *arena, const struct measurement *list,
	size_t count, const struct ranking_order *order, bool by_set, size_t *score_count,
	struct paradl_error *error)
{
	struct paradl_score *result = arena_alloc(arena, count, sizeof *result);
	*score_count = 0;
	if (!result)
		out_of_memory(error);
	for (size_t i = 0; result && i < count; ++i) {
		const char *name = by_set ? list[i].row.set : list[i].row.family;
		const struct selection selection = {by_set ? NULL : name, by_set ? name : NULL};
		if (is_scored(result, *score_count, name))
			continue;
		result[*score_count] = (struct paradl_score){.name = name};
		if (!score_all(arena, list, count, order, &selection, &result[(*score_count)++], error))
			return NULL;
	}
	return result;
}

static bool summarize(struct paradl_arena *arena, const struct measurement *list, size_t count,
	struct paradl_validation *validation, struct paradl_error *error)
{
	struct paradl_measured_row *rows = arena_alloc(arena, count, sizeof *rows);
	struct ranking_order order;
	const struct selection all = {NULL, NULL};
	if (!rows)
		return out_of_memory(error);
	for (size_t i = 0; i < count; ++i)
		rows[i] = list[i].row;
	validation->rows = rows;
	validation->count = count;
	validation->summary.name = "";
	if (!ranking_order(arena, list, count, &order, error) ||
		!score_all(arena, list, count, &order, &all, &validation->summary, error))
		return false;
	validation->by_strategy =
		scores(arena, list, count, &order, false, &validation->strategy_count, error);
	validation->by_set = scores(arena, list, count, &order, true, &validation->set_count, error);
	if (!validation->by_strategy || !validation->by_set)
		return false;
	rank_pairs(&order, validation);
	if (!published_words_list(arena, list, count, validation, error))
		return false;
	if (validation->published)
		score_ranking_of_sets(validation->by_set, validation->set_count, &validation->summary);
	return true;
}

static bool read_rows(struct paradl_arena *arena, const char *csv_path, const struct paradl_lookup *lookup,
	struct aliases *aliases, struct measurements *measured, struct paradl_validation *validation,
	struct paradl_error *error)
{
	struct csv csv;
	if (!csv_load(arena, csv_path, &csv, error) || !rates_convert(arena, &csv, error))
		return false;
	validation->published = published_is(&csv);
	if (!validation->published)
		return measurements_read(arena, &csv, lookup, measured, error);
	return aliases_load(arena, lookup->directories, aliases, error) &&
	       published_read(arena, &csv, lookup, aliases, measured, &validation->left_out, error);
}

bool paradl_validate(struct paradl_arena *arena, const char *csv_path, const struct paradl_lookup *lookup,
	struct paradl_validation *validation, struct paradl_error *error)
{
	struct aliases aliases = {NULL, 0};
	struct library library = {
		.arena = arena, .csv_path = csv_path, .lookup = lookup, .aliases = &aliases};
	struct measurements measured;
	*validation = (struct paradl_validation){.rank_pairs_right = -1};
	return read_rows(arena, csv_path, lookup, &aliases, &measured, validation, error) &&
	       library_create(&library, 2 * measured.count, error) &&
	       evaluate(&library, measured.rows, measured.count, error) &&
	       summarize(arena, measured.rows, measured.count, validation, error);
}
