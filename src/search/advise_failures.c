/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file explains families without a plan that runs: which plan comes closest, why it does not run, and what would
 * make it run.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/quantity.h"
#include "oracle/training.h"
#include "search/advise.h"
#include "search/branch.h"

/*
 * Returns the largest batch, in whole samples of a replica, with which a plan fits; 0: not even one sample each.
 * Memory grows with the batch, so it bisects.
 */
static double largest_batch(struct paradl_oracle *oracle, const struct paradl_estimate *failed)
{
	const double replicas = (double)failed->plan.degree[PARADL_DATA] * failed->plan.degree[PARADL_EXPERT];
	struct paradl_plan plan = failed->plan;
	struct paradl_estimate estimate;
	double fits = 0, fails = failed->local_batch;
	while (fails - fits > 1) {
		const double middle = floor((fits + fails) / 2);
		plan.batch = middle * replicas;
		if (estimate_needs(oracle, &plan, &estimate, NULL) && estimate.fits)
			fits = middle;
		else
			fails = middle;
	}
	return fits * replicas;
}

/* Says what a plan of a network of tokens needs, once its options have been tried. */
static void tokens_explain(const struct paradl_estimate *estimate, struct paradl_infeasible *failed)
{
	const unsigned *degree = estimate->plan.degree;
	const char *needs = "more devices, or devices with more memory";
	if (paradl_plan_devices(&estimate->plan) > 1 && degree[PARADL_TENSOR] < 2 &&
		degree[PARADL_PIPELINE] < 2)
		needs = "the model cut along tensor or pipeline, too";
	else if (paradl_plan_devices(&estimate->plan) > 1 &&
		 (degree[PARADL_TENSOR] < 2 || degree[PARADL_PIPELINE] < 2))
		needs = "the model cut along tensor and pipeline, more devices, or devices with more memory";
	snprintf(failed->needs, sizeof failed->needs, "%s", needs);
}

/* Explains a plan that runs but does not fit: the memory it needs, and the change, batch or device that would do. */
static void memory_explain(struct paradl_oracle *oracle, const struct paradl_estimate *estimate,
	struct paradl_infeasible *failed)
{
	struct paradl_remedy remedy;
	const double fixed = estimate->memory_bytes - estimate->memory.activations_bytes;
	const double batch = largest_batch(oracle, estimate);
	lack_explain(estimate, failed->reason, sizeof failed->reason);
	if (paradl_remedy(oracle, estimate, &remedy)) {
		char needs[32];
		quantity_format(needs, sizeof needs, remedy.memory_bytes, DIMENSION_BYTES);
		snprintf(failed->needs, sizeof failed->needs, "%s: %s, %.0f %% %s", remedy.change, needs,
			fabs(100 * remedy.slower), remedy.slower < 0 ? "faster" : "slower");
	} else if (batch >= 1)
		snprintf(failed->needs, sizeof failed->needs, "--batch %.0f or less", batch);
	else if (oracle->model->tokens)
		tokens_explain(estimate, failed);
	else if (fixed < estimate->usable_bytes)
		snprintf(failed->needs, sizeof failed->needs, "smaller pieces: one sample does not fit");
	else
		snprintf(failed->needs, sizeof failed->needs,
			"weights divided over devices, or devices with more memory");
}

/*
 * Returns how far a plan is from running; smaller is closer. Those that have no estimate, and no share of requests
 * that they answer, are farthest, and among them the closer, the less they cut the model.
 */
static double distance_of(const struct search *search, const struct paradl_plan *plan,
	const struct paradl_estimate *estimate, double answered)
{
	const struct paradl_search_request limits = {.promise = search->request->promise};
	if (estimate)
		return estimate_distance(&limits, 0, estimate);
	if (answered > 0)
		return share_distance(answered);
	double cuts = 0;
	for (unsigned axis = PARADL_PIPELINE; axis < PARADL_AXIS_COUNT; ++axis)
		cuts += log((double)plan->degree[axis]);
	return 3 + cuts + 1e-3 * plan->spatial[0];
}

/* Keeps a failed plan of its family, with its estimate, or with the share that it answers and an error. */
static void failed_keep(const struct search *search, const struct paradl_plan *plan,
	const struct paradl_estimate *estimate, double answered, const struct paradl_error *error)
{
	struct family *family = &search->families[plan_axes(plan)];
	const double distance = distance_of(search, plan, estimate, answered);
	if (family->feasible || (family->tried && distance >= family->failed.distance))
		return;
	family->tried = true;
	family->failed.distance = distance;
	paradl_plan_family(plan, family->failed.family, sizeof family->failed.family);
	paradl_plan_format(plan, family->failed.strategy, sizeof family->failed.strategy);
	family->misfit = estimate != NULL;
	if (estimate) { /* explained at the end: the closest may still change */
		family->best = *estimate;
		return;
	}
	snprintf(family->failed.reason, sizeof family->failed.reason, "%.255s", error->message);
	snprintf(family->failed.needs, sizeof family->failed.needs, "%.255s", error->hint);
}

/* Returns the share of the requests that come that a refused plan answers; 0: not known. */
static double answered_share(const struct search *search, const struct paradl_estimate *refused)
{
	const double rate = search->oracle->options.rate_per_s;
	return rate > 0 ? refused->inference.most_per_s / rate : 0;
}

void nearest_keep(struct search *search, const struct search_state *state)
{
	for (unsigned family = 0; family < FAMILIES; ++family) {
		struct found_plan *const nearest = &state->incumbents.nearest[family];
		struct paradl_estimate estimate;
		struct paradl_error error = {0};
		if (search->families[family].feasible || !(nearest->value < HUGE_VAL))
			continue;
		nearest_settings_spare(state, nearest);
		if (paradl_estimate(search->oracle, &nearest->plan, &estimate, &error))
			failed_keep(search, &nearest->plan, &estimate, 1, NULL);
		else
			failed_keep(search, &nearest->plan, NULL, answered_share(search, &estimate), &error);
	}
}

/* Keeps this plan if none of its family runs and it comes closest. */
static bool plan_visit(const struct paradl_plan *candidate, void *context)
{
	struct search *search = context;
	struct paradl_plan plan = *candidate;
	struct paradl_estimate estimate;
	struct paradl_error error = {0};
	/* Where batches vary, this takes the one that is answered soonest. */
	plan.batch = search->batch > 0 ? search->batch
				       : (double)plan.degree[PARADL_DATA] * plan.degree[PARADL_EXPERT];
	plan.micro = plan.degree[PARADL_PIPELINE] > 1 ? search->request->micro : 0;
	if (search->budget && --search->budget == 0)
		return false;
	if (options_choose(&search->options, &plan, &estimate, &error)) {
		failed_keep(search, &estimate.plan, &estimate, 1, NULL);
		return true;
	}
	if (error.status != PARADL_INFEASIBLE) {
		search->error = error;
		return false;
	}
	failed_keep(search, &plan, NULL, answered_share(search, &estimate), &error);
	return true;
}

static unsigned axes_count(unsigned axes)
{
	unsigned count = 0;
	for (; axes; axes &= axes - 1)
		++count;
	return count;
}

static const struct paradl_infeasible *failure_of(const struct search *search, struct family *family)
{
	const struct paradl_request *request = search->request;
	const struct paradl_search_request wishes = {.promise = request->promise};
	if (family->misfit && family->best.fits)
		constraint_explain(search->oracle, &wishes, &family->best, &family->failed);
	else if (family->misfit)
		memory_explain(search->oracle, &family->best, &family->failed);
	return &family->failed;
}

static bool is_failed(const struct family *family)
{
	return family->tried && !family->feasible;
}

/* Returns the family that came closest, where none has a plan; FAMILIES: one has. */
static unsigned closest_family(const struct search *search)
{
	unsigned closest = FAMILIES;
	for (unsigned i = 0; i < FAMILIES; ++i) {
		const struct family *family = &search->families[i];
		if (family->feasible)
			return FAMILIES;
		if (family->tried &&
			(closest == FAMILIES ||
				family->failed.distance < search->families[closest].failed.distance))
			closest = i;
	}
	return closest;
}

bool failures_list(const struct search *search, struct paradl_ranking *ranking, struct paradl_error *error)
{
	const unsigned closest = closest_family(search);
	size_t room = 1;
	for (unsigned i = 0; i < FAMILIES; ++i)
		room += i == closest || is_failed(&search->families[i]);
	struct paradl_infeasible *list = arena_alloc(search->arena, room, sizeof *list);
	if (!list)
		return out_of_memory(error);
	if (closest < FAMILIES)
		list[ranking->infeasible_count++] = *failure_of(search, &search->families[closest]);
	for (unsigned axes = 0; axes <= PARADL_AXIS_COUNT; ++axes)
		for (unsigned i = 0; i < FAMILIES; ++i)
			if (axes_count(i) == axes && i != closest && is_failed(&search->families[i]))
				list[ranking->infeasible_count++] = *failure_of(search, &search->families[i]);
	ranking->infeasible = list;
	return true;
}

/* Number of plans looked at for the closest one of a family that has none within the limits. */
enum { REASON_PLANS = 2000 };

bool families_explain(struct search *search, const bool *families, struct paradl_error *error)
{
	struct space space = {
		.devices = search->request->devices, .dimensions = paradl_oracle_dimensions(search->oracle)};
	oracle_most(search->oracle, space.most);
	for (unsigned beyond = 0; beyond < 2; ++beyond) {
		for (unsigned family = 0; family < FAMILIES; ++family) {
			bool only[FAMILIES] = {false};
			const struct family *known = &search->families[family];
			if (!families[family] || known->feasible || known->tried)
				continue;
			only[family] = true;
			space.families = only;
			search->budget = beyond ? REASON_PLANS : 0;
			if (!enumerate(&space, plan_visit, search) && search->error.status != PARADL_OK) {
				*error = search->error;
				return false;
			}
		}
		memset(space.most, 0, sizeof space.most);
	}
	return true;
}

/* Returns the bytes that the plan needs at least; 0: nothing is known before its schedule has run. */
static double least_bytes(struct paradl_oracle *oracle, const struct paradl_plan *plan)
{
	struct paradl_estimate estimate;
	const bool known = !schedule_splits_backward(plan->schedule) &&
			   !schedule_splits_backward(oracle->rules.schedule);
	return known && estimate_needs(oracle, plan, &estimate, NULL) ? estimate.memory_bytes * (1 - 1e-9)
								      : 0;
}

/*
 * Memory needs of families: the least of any plan of each family, and of each task a lower bound if it may need as
 * little.
 */
struct needs {
	double *task_bytes; /* lower bound of each task; HUGE_VAL: it needs more than another */
	double lean_bytes[FAMILIES];
};

/* Fills the needs of families whose plans all lack memory; false: out of memory. */
static bool needs_fill(const struct search *search, const struct search_state *state, struct needs *needs)
{
	const struct task **lean = arena_alloc(search->arena, FAMILIES, sizeof(struct task *));
	needs->task_bytes = arena_alloc(search->arena, state->tasks.count + 1, sizeof(double));
	if (!lean || !needs->task_bytes)
		return false;
	for (unsigned family = 0; family < FAMILIES; ++family)
		needs->lean_bytes[family] = search->families[family].feasible ? 0 : HUGE_VAL;
	for (size_t i = 0; i < state->tasks.count; ++i) {
		const struct task *task = &state->tasks.items[i];
		const unsigned family = plan_axes(&task->plan);
		double *least = &needs->lean_bytes[family], *bytes = &needs->task_bytes[i];
		const bool may_be_lean = task->runs && task->bounds.memory_bytes < *least;
		*bytes = may_be_lean ? least_bytes(search->oracle, &task->plan) : HUGE_VAL;
		if (*bytes < *least) {
			*least = *bytes;
			lean[family] = task;
		}
	}
	for (unsigned family = 0; family < FAMILIES; ++family) {
		struct paradl_estimate estimate;
		if (lean[family] && estimate_needs(search->oracle, &lean[family]->plan, &estimate, NULL))
			needs->lean_bytes[family] = estimate.memory_bytes;
	}
	return true;
}

bool misfits_keep(struct search *search, const struct search_state *state, struct paradl_error *error)
{
	struct needs needs;
	if (search->options.chooses || search->oracle->options.inference)
		return true;
	if (!needs_fill(search, state, &needs))
		return out_of_memory(error);
	for (size_t i = 0; i < state->tasks.count; ++i) {
		const struct task *task = &state->tasks.items[i];
		double *lean_bytes = &needs.lean_bytes[plan_axes(&task->plan)];
		if (needs.task_bytes[i] > *lean_bytes)
			continue;
		if (!plan_visit(&task->plan, search)) {
			*error = search->error;
			return false;
		}
		const struct family *family = &search->families[plan_axes(&task->plan)];
		if (family->best.memory_bytes < *lean_bytes)
			*lean_bytes = family->best.memory_bytes;
	}
	return true;
}
