/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file times ways to share states among replicas, under stages and a schedule that are given. The exchange and
 * update of a device depend on the way, the order of the axes and the weights that the device has. So they are worked
 * out once, and kept for all other recomputations and schedules whose devices have the same weights. Devices that
 * have the same weights are alike, and share a number.
 */
#include "search/worker.h"

#include <math.h>

#include "base/error.h"
#include "search/branch.h"

/* Sums that the exchange and the update of a device depend on. */
static const unsigned like_terms[LIKE_TERMS] = {STAGE_WEIGHTS, STAGE_EXPERT_WEIGHTS, STAGE_FROZEN,
	STAGE_FROZEN_EXPERTS, STAGE_BLOCKS, STAGE_TENSORS, STAGE_UPDATE_S};

static void known_forget(struct worker *worker)
{
	worker->like_count = 0;
	for (unsigned i = 0; i < worker->choices.share_count; ++i)
		worker->shares[i].known = 0;
}

bool shares_begin(struct worker *worker)
{
	const unsigned count = worker->choices.share_count;
	if (count > worker->share_room) {
		const unsigned room = 2 * worker->share_room > count ? 2 * worker->share_room : count;
		worker->shares = arena_alloc(worker->arena, room, sizeof *worker->shares);
		worker->share_room = worker->shares ? room : 0;
		if (!worker->shares)
			return out_of_memory(worker->error);
	}
	known_forget(worker);
	for (unsigned i = 0; i < worker->choices.share_count; ++i)
		worker->shares[i].counted = worker->shares[i].compiled = false;
	return true;
}

/* Returns the number of the devices with these sums; LIKES: no number is left. */
static unsigned like_find(struct worker *worker, const double *sums)
{
	for (unsigned i = 0; i < worker->like_count; ++i) {
		bool differs = false;
		for (unsigned k = 0; k < LIKE_TERMS; ++k)
			differs = differs || sums[like_terms[k]] < worker->likes[i][k] ||
				  sums[like_terms[k]] > worker->likes[i][k];
		if (!differs)
			return i;
	}
	if (worker->like_count == LIKES)
		return LIKES;
	for (unsigned k = 0; k < LIKE_TERMS; ++k)
		worker->likes[worker->like_count][k] = sums[like_terms[k]];
	return worker->like_count++;
}

/* Gives numbers to the devices that exchange; false: there are not enough numbers left. */
static bool pipeline_ranks_number(struct worker *worker)
{
	struct pipeline_rank *pipeline_ranks = worker->evaluation.net->pipeline_ranks;
	worker->needed = 0;
	for (unsigned i = 0; i < worker->step.pipeline_ranks; ++i) {
		if (!pipeline_ranks[i].exchanges)
			continue;
		pipeline_ranks[i].like = like_find(worker, pipeline_ranks[i].sums);
		if (pipeline_ranks[i].like == LIKES)
			return false;
		worker->needed |= 1U << pipeline_ranks[i].like;
	}
	return true;
}

void shares_schedule(struct worker *worker)
{
	for (unsigned i = 0; i < worker->choices.share_count; ++i)
		worker->shares[i].memory_bytes = -1;
	worker->numbered = pipeline_ranks_number(worker);
	if (worker->numbered)
		return;
	known_forget(worker);
	worker->numbered = pipeline_ranks_number(worker);
}

void share_choose(struct worker *worker, unsigned index)
{
	const struct share_choice *choice = &worker->choices.shares[index];
	struct paradl_plan *plan = &worker->evaluation.plan;
	plan->zero = choice->zero;
	plan->shard = choice->shard;
	plan->apart = (plan->apart & ~(unsigned)PARADL_OVERLAP_GRADIENTS) | choice->apart;
	plan->offload = (plan->offload & ~(unsigned)PARADL_OFFLOAD_OPTIMIZER) | choice->offload;
}

/* Returns what is kept of the first way with the same groups as this one. */
static struct kept_share *groups_of(const struct worker *worker, unsigned index)
{
	return &worker->shares[worker->choices.shares[index].groups];
}

/* Takes the compiled groups of a chosen way; false: it cannot run. */
static bool share_enter(struct worker *worker, unsigned index)
{
	struct evaluation *evaluation = &worker->evaluation;
	struct kept_share *kept = groups_of(worker, index);
	if (!kept->compiled) {
		if (!replicas_compile(evaluation, worker->error))
			return false;
		kept->dense = evaluation->dense;
		kept->experts = evaluation->experts;
		kept->counted = kept->compiled = true;
	}
	evaluation->dense = kept->dense;
	evaluation->experts = kept->experts;
	return true;
}

/* Works out what is not known yet of the devices under a chosen way; false: it cannot run. */
static bool devices_know(struct worker *worker, unsigned index)
{
	const struct evaluation *evaluation = &worker->evaluation;
	const struct pipeline_rank *pipeline_ranks = evaluation->net->pipeline_ranks;
	struct kept_share *kept = &worker->shares[index];
	if (!share_enter(worker, index))
		return false;
	for (unsigned i = 0; i < worker->step.pipeline_ranks; ++i) {
		const unsigned like = pipeline_ranks[i].like;
		if (pipeline_ranks[i].exchanges && !(kept->known & 1U << like)) {
			device_share_fill(evaluation, &pipeline_ranks[i], &kept->of[like]);
			kept->known |= 1U << like;
		}
	}
	return true;
}

bool share_time(struct worker *worker, unsigned index)
{
	struct evaluation *evaluation = &worker->evaluation;
	struct paradl_estimate *estimate = &worker->estimate;
	const struct kept_share *kept = &worker->shares[index];
	share_choose(worker, index);
	if (!worker->numbered) {
		if (!share_enter(worker, index))
			return false;
		training_share(evaluation, &worker->step, estimate);
	} else {
		if ((kept->known & worker->needed) != worker->needed && !devices_know(worker, index))
			return false;
		estimate->iteration_s = training_share_s(evaluation, kept->of, &worker->step);
	}
	if (!worker->problem->spends) {
		const double busy_s = estimate->iteration_s;
		estimate->iteration_s = oracle_input_s(evaluation, busy_s);
		estimate->phase_s[PARADL_INPUT] = estimate->iteration_s - busy_s;
		return true;
	}
	if (worker->numbered)
		training_phases(evaluation, &worker->step, estimate);
	oracle_input_add(evaluation, estimate);
	estimate_derive(evaluation, estimate);
	return true;
}

void share_count(struct worker *worker, unsigned index)
{
	struct evaluation *evaluation = &worker->evaluation;
	struct kept_share *kept = groups_of(worker, index);
	if (!kept->counted) {
		replicas_count(evaluation);
		kept->dense = evaluation->dense;
		kept->experts = evaluation->experts;
		kept->counted = true;
	}
	evaluation->dense = kept->dense;
	evaluation->experts = kept->experts;
}

void share_memory(struct worker *worker, unsigned index)
{
	struct paradl_estimate *estimate = &worker->estimate;
	struct kept_share *like = &worker->shares[worker->choices.shares[index].memory];
	if (like->memory_bytes < 0) {
		share_choose(worker, index);
		share_count(worker, index);
		estimate->memory = (struct paradl_memory){0};
		training_memory(&worker->evaluation, worker->step.pipeline_ranks, estimate);
		like->memory_bytes = memory_sum(&estimate->memory);
	}
	estimate->memory_bytes = like->memory_bytes;
}

bool share_lacks(struct worker *worker, unsigned index)
{
	const struct kept_share *like = &worker->shares[worker->choices.shares[index].memory];
	if (groups_of(worker, index)->compiled && like->memory_bytes < 0)
		return false;
	share_memory(worker, index);
	return worker->estimate.memory_bytes > worker->oracle->machine->device.memory_bytes;
}

/*
 * Returns whether a front leaves out this way to share, given the memory that it needs and the least time that its
 * schedule takes; counts it.
 */
static bool share_leave(struct worker *worker, unsigned index)
{
	const double before = worker->bounds.memory_bytes;
	if (!worker->front.goals || worker->problem->request->exhaustive)
		return false;
	share_memory(worker, index);
	worker->bounds.memory_bytes = fmax(before, bound_surely * worker->estimate.memory_bytes);
	const bool leaves = node_leave(worker, 1);
	worker->bounds.memory_bytes = before;
	return leaves;
}

/*
 * Returns whether a way is left out by lower bounds on what replicas exchange, before their curves are compiled; counts
 * it then.
 */
static bool share_proves_away(struct worker *worker, unsigned index)
{
	struct evaluation *evaluation = &worker->evaluation;
	const struct pipeline_rank *pipeline_ranks = evaluation->net->pipeline_ranks;
	const double before = worker->bounds.iteration_s;
	if (worker->problem->request->exhaustive || !worker->numbered || groups_of(worker, index)->compiled)
		return false;
	share_choose(worker, index);
	worker->oracle->floors = true;
	const bool runs = replicas_compile(evaluation, worker->error);
	worker->oracle->floors = false;
	if (!runs)
		return false;
	for (unsigned i = 0; i < worker->step.pipeline_ranks; ++i)
		if (pipeline_ranks[i].exchanges)
			device_share_fill(
				evaluation, &pipeline_ranks[i], &worker->least_of[pipeline_ranks[i].like]);
	worker->bounds.iteration_s =
		fmax(before, bound_surely * training_share_s(evaluation, worker->least_of, &worker->step));
	const bool leaves = node_leave(worker, 1);
	worker->bounds.iteration_s = before;
	return leaves;
}

void share_visit(struct worker *worker, unsigned index)
{
	const struct search_problem *problem = worker->problem;
	if (!problem->request->exhaustive && share_lacks(worker, index)) {
		++worker->report->evaluated; /* counts as evaluated, as far as it matters */
		return;
	}
	if (share_leave(worker, index) || share_proves_away(worker, index))
		return;
	if (!share_time(worker, index)) {
		node_fail(worker, 1);
		return;
	}
	++worker->report->evaluated;
	if (problem->request->goal != PARADL_MEMORY && !worker->front.goals && !plan_is_better(worker))
		return;
	share_memory(worker, index);
	plan_offer(worker);
}
