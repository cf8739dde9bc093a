/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the best plans for callers of any version of the library: advice and searches as lists. */
#include "base/arena.h"
#include "base/error.h"
#include "base/sized.h"
#include "library/plan_figures.h"

struct paradl_plans {
	const struct paradl_estimate *results;
	size_t count;
	const struct paradl_infeasible *refused;
	size_t refused_count;
};

const struct paradl_plans *paradl_rank(struct paradl_oracle *oracle, const struct paradl_request *request,
	struct paradl_arena *arena, struct paradl_error *error)
{
	struct paradl_request ours;
	struct paradl_ranking ranking;
	if (!oracle || !sized_read(&ours, sizeof ours, sizeof ours, request, error) ||
		!paradl_advise(oracle, &ours, arena, &ranking, error))
		return NULL;
	struct paradl_plans *const plans = arena_alloc(arena, 1, sizeof *plans);
	if (!plans)
		return out_of_memory_null(error);
	*plans = (struct paradl_plans){.results = ranking.results,
		.count = ranking.count,
		.refused = ranking.infeasible,
		.refused_count = ranking.infeasible_count};
	return plans;
}

const struct paradl_plans *paradl_best(struct paradl_oracle *oracle, const struct paradl_request *request,
	struct paradl_arena *arena, struct paradl_error *error)
{
	struct paradl_request ours;
	struct paradl_search search;
	if (!oracle || !sized_read(&ours, sizeof ours, sizeof ours, request, error))
		return NULL;
	const struct paradl_search_request wanted = {.devices = &ours.devices,
		.device_count = 1,
		.batch = ours.batch,
		.per_device = ours.per_device,
		.micro = ours.micro,
		.goal = ours.goal,
		.strategies = ours.strategies,
		.options = ours.options,
		.promise = ours.promise};
	struct paradl_plans *const plans = arena_alloc(arena, 1, sizeof *plans);
	struct paradl_infeasible *const closest = arena_alloc(arena, 1, sizeof *closest);
	if (!plans || !closest)
		return out_of_memory_null(error);
	if (!paradl_search(oracle, &wanted, arena, &search, error))
		return NULL;
	*closest = search.closest;
	*plans = (struct paradl_plans){.results = search.results,
		.count = search.count,
		.refused = closest,
		.refused_count = search.count == 0};
	return plans;
}

size_t paradl_plans_count(const struct paradl_plans *plans)
{
	return plans ? plans->count : 0;
}

const struct paradl_plan *paradl_plans_at(
	const struct paradl_plans *plans, size_t index, struct paradl_figures *figures)
{
	if (index >= paradl_plans_count(plans))
		return NULL;
	if (figures)
		figures_fill(&plans->results[index], figures);
	return &plans->results[index].plan;
}

const char *paradl_plans_refused(
	const struct paradl_plans *plans, size_t index, const char **strategy, const char **needs)
{
	if (!plans || index >= plans->refused_count)
		return NULL;
	const struct paradl_infeasible *const refused = &plans->refused[index];
	if (strategy)
		*strategy = refused->strategy;
	if (needs)
		*needs = refused->needs;
	return refused->reason;
}
