/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file says how far plans are from running, and what came closest where none does. A plan that takes m times what
 * a limit allows is 1 - 1 / m away, by the limit that it misses by most; one that answers the share a of all requests
 * 2 - a; one that needs m times the memory that there is 3 - 1 / m.
 */
#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "base/quantity.h"
#include "search/search_state.h"

static double multiple(double takes, double most)
{
	return most > 0 ? takes / most : 0;
}

double promise_missed(const struct paradl_promise *promise, const struct paradl_estimate *estimate)
{
	const struct paradl_inference *inference = &estimate->inference;
	const double first_s = inference->first_percentile_s[promise->percentile],
		     token_s = inference->token_percentile_s[promise->percentile];
	return fmax(multiple(estimate->iteration_s, promise->latency_s),
		fmax(multiple(first_s, promise->first_s), multiple(token_s, promise->token_s)));
}

double missed_distance(double missed)
{
	return missed > 1 ? 1 - 1 / missed : 0;
}

double share_distance(double answered)
{
	return 2 - fmin(1, answered);
}

double estimate_distance(
	const struct paradl_search_request *request, double samples, const struct paradl_estimate *estimate)
{
	if (!estimate->fits)
		return 3 - estimate->usable_bytes / estimate->memory_bytes;
	const double run_s = samples / estimate->plan.batch * estimate->iteration_s;
	const double cost = run_s / 3600 * estimate->cost_per_hour;
	return missed_distance(fmax(promise_missed(&request->promise, estimate),
		fmax(multiple(run_s, request->deadline_s), multiple(cost, request->budget))));
}

/* Says how long `what` takes and may take; where both are printed alike, by how much it is too long. */
static void late_explain(
	const char *what, double takes_s, double most_s, unsigned devices, struct paradl_infeasible *closest)
{
	char takes[32], most[32];
	quantity_format(takes, sizeof takes, takes_s, DIMENSION_TIME);
	quantity_format(most, sizeof most, most_s, DIMENSION_TIME);
	const bool are_alike = strcmp(takes, most) == 0;
	if (are_alike)
		quantity_format(most, sizeof most, takes_s - most_s, DIMENSION_TIME);
	snprintf(closest->reason, sizeof closest->reason,
		are_alike ? "fits, but %s takes %s on %u devices, %s too long"
			  : "fits, but %s takes %s on %u devices instead of %s",
		what, takes, devices, most);
}

void constraint_explain(const struct paradl_oracle *oracle, const struct paradl_search_request *request,
	const struct paradl_estimate *best, struct paradl_infeasible *closest)
{
	const struct paradl_promise *promise = &request->promise;
	const struct paradl_inference *inference = &best->inference;
	const double samples = request->samples > 0 ? request->samples : oracle->model->dataset.samples;
	struct paradl_run run = {.time_s = samples / best->plan.batch * best->iteration_s};
	run.cost = run.time_s / 3600 * best->cost_per_hour;
	if (request->job)
		search_run(oracle, request, samples, best, &run);
	const struct {
		const char *what;
		double most, takes;
	} times[] = {{"the job", request->deadline_s, run.time_s},
		{"an answer", promise->latency_s, best->iteration_s},
		{"the first token", promise->first_s, inference->first_percentile_s[promise->percentile]},
		{"a token", promise->token_s, inference->token_percentile_s[promise->percentile]}};
	size_t worst = 0;
	for (size_t i = 1; i < sizeof times / sizeof *times; ++i)
		if (multiple(times[i].takes, times[i].most) > multiple(times[worst].takes, times[worst].most))
			worst = i;
	const double late = multiple(times[worst].takes, times[worst].most);
	if (!(request->budget > 0) || (late > 1 && late >= multiple(run.cost, request->budget))) {
		late_explain(
			times[worst].what, times[worst].takes, times[worst].most, best->devices, closest);
		snprintf(closest->needs, sizeof closest->needs, "more time, or another number of devices");
		return;
	}
	const int digits = run.cost - request->budget < 1 ? 2 : 0; /* both would be printed alike */
	snprintf(closest->reason, sizeof closest->reason,
		"fits, but costs %.*f %s on %u devices instead of %.*f", digits, run.cost,
		oracle->machine->currency ? oracle->machine->currency : "", best->devices, digits,
		request->budget);
	snprintf(closest->needs, sizeof closest->needs, "more money, or another number of devices");
}

static void closest_name(const struct paradl_plan *plan, struct paradl_infeasible *closest)
{
	paradl_plan_family(plan, closest->family, sizeof closest->family);
	paradl_plan_format(plan, closest->strategy, sizeof closest->strategy);
}

void nearest_fill(const struct paradl_oracle *oracle, const struct paradl_search_request *request,
	const struct paradl_search *nearest, struct paradl_infeasible *closest)
{
	if (!nearest->count) {
		*closest = nearest->closest;
		return;
	}
	closest_name(&nearest->results[0].plan, closest);
	constraint_explain(oracle, request, &nearest->results[0], closest);
}

/* Says what memory an estimated plan lacks. */
static void memory_explain(const struct paradl_estimate *estimate, struct paradl_infeasible *closest)
{
	closest_name(&estimate->plan, closest);
	lack_explain(estimate, closest->reason, sizeof closest->reason);
	snprintf(closest->needs, sizeof closest->needs, "more devices, or devices with more memory");
}

static bool plan_take(const struct paradl_plan *plan, void *context)
{
	struct paradl_plan *first = context;
	*first = *plan;
	return false;
}

/*
 * Writes the first task's plan or, where limits leave no task, the first plan of the request without limits; false:
 * there is none.
 */
static bool first_plan(const struct search_state *state, struct paradl_plan *plan)
{
	const struct paradl_search_request *request = state->problem.request;
	bool families[FAMILIES];
	if (state->tasks.count) {
		*plan = state->tasks.items[0].plan;
		return true;
	}
	const struct space space = {.devices = request->devices[request->device_count - 1],
		.families = families,
		.dimensions = paradl_oracle_dimensions(state->oracle)};
	if (!families_parse(request->strategies, families, NULL) || enumerate(&space, plan_take, plan))
		return false;
	plan->batch = request->batch > 0 ? request->batch : space.devices;
	return true;
}

/* Says why a plan does not run. */
static void plan_explain(
	struct search_state *state, const struct paradl_plan *plan, struct paradl_infeasible *closest)
{
	struct paradl_estimate estimate;
	struct paradl_error why = {0};
	char lacking[64];
	closest_name(plan, closest);
	if (!paradl_estimate(state->oracle, plan, &estimate, &why)) {
		snprintf(closest->reason, sizeof closest->reason, "%.255s", why.message);
		snprintf(closest->needs, sizeof closest->needs, "%.255s", why.hint);
	} else if (!estimate.fits) {
		memory_explain(&estimate, closest);
	} else if (!constraints_hold(&state->problem, &estimate)) {
		constraint_explain(state->oracle, state->problem.request, &estimate, closest);
	} else if (!paradl_plan_offered(state->oracle, plan, lacking, sizeof lacking)) {
		snprintf(closest->reason, sizeof closest->reason, "%s has no %s",
			state->oracle->framework->name, lacking);
		snprintf(closest->needs, sizeof closest->needs,
			"another framework profile, or another strategy");
	}
}

/* Returns the plan that came closest of those that were evaluated; NULL: none did. */
static struct found_plan *nearest_of(const struct incumbents *incumbents)
{
	struct found_plan *nearest = &incumbents->nearest[0];
	for (unsigned i = 1; i < incumbents->group_count; ++i)
		if (found_plan_compare(&incumbents->nearest[i], nearest) < 0)
			nearest = &incumbents->nearest[i];
	return nearest->value < HUGE_VAL ? nearest : NULL;
}

void closest_fill(struct search_state *state, struct paradl_infeasible *closest)
{
	struct found_plan *const nearest = nearest_of(&state->incumbents);
	struct paradl_estimate estimate;
	struct paradl_plan plan;
	if (nearest && !state->problem.request->vary)
		nearest_settings_spare(state, nearest);
	closest->distance = nearest ? nearest->value : HUGE_VAL;
	if (nearest)
		plan_explain(state, &nearest->plan, closest);
	else if (!state->oracle->options.inference && leanest_estimate(state, -1, &estimate))
		memory_explain(&estimate, closest);
	else if (first_plan(state, &plan))
		plan_explain(state, &plan, closest);
}
