/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file finds the smallest change that makes a plan fit on the same devices with the same batch: the first single
 * change that does, in the order of what they usually cost, else two changes, the fastest pair of those that fit.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "oracle/oracle.h"

enum change {
	CHANGE_SEQUENCE,
	CHANGE_SELECTIVE,
	CHANGE_MODULES,
	CHANGE_FULL,
	CHANGE_ZERO_1,
	CHANGE_ZERO_2,
	CHANGE_ZERO_3,
	CHANGE_MICRO,
	CHANGE_TENSOR,
	CHANGE_PIPELINE,
	CHANGE_OFFLOAD,
	CHANGES
};

/* Returns how much a recomputation leaves out of what is kept: a rank among the others. */
static unsigned recompute_rank(enum paradl_recompute recompute)
{
	static const unsigned ranks[PARADL_RECOMPUTE_COUNT] = {[PARADL_RECOMPUTE_SELECTIVE] = 1,
		[PARADL_RECOMPUTE_MODULES] = 2,
		[PARADL_RECOMPUTE_FULL] = 3};
	return ranks[recompute];
}

static bool recompute_raise(struct paradl_plan *plan, enum paradl_recompute recompute)
{
	const bool in_part = plan->recompute == PARADL_RECOMPUTE_FULL && plan->recompute_blocks > 0;
	const unsigned now = recompute_rank(plan->recompute), then = recompute_rank(recompute);
	if (then < now || (then == now && !in_part))
		return false;
	plan->recompute = recompute;
	plan->recompute_blocks = 0;
	return true;
}

static bool zero_raise(struct paradl_plan *plan, unsigned zero)
{
	if (plan->zero >= zero || plan->degree[PARADL_DATA] * plan->degree[PARADL_CONTEXT] < 2)
		return false;
	plan->zero = zero;
	return true;
}

/* Doubles the degree along an axis and halves it along data; false: data cannot be halved. */
static bool data_halve(struct paradl_plan *plan, enum paradl_axis axis)
{
	if (plan->degree[PARADL_DATA] % 2)
		return false;
	plan->degree[PARADL_DATA] /= 2;
	plan->degree[axis] *= 2;
	if (axis == PARADL_PIPELINE)
		plan->split_count = 0;
	return true;
}

/* Makes a change in the plan; false: it does not apply, or changes nothing. */
static bool change_make(const struct paradl_oracle *oracle, const struct paradl_estimate *estimate,
	enum change change, struct paradl_plan *plan)
{
	const double samples = estimate->local_batch / estimate->micro_batches;
	switch (change) {
	case CHANGE_SEQUENCE:
		if (plan->sequence || plan->degree[PARADL_TENSOR] < 2)
			return false;
		return plan->sequence = true;
	case CHANGE_SELECTIVE:
		return recompute_raise(plan, PARADL_RECOMPUTE_SELECTIVE);
	case CHANGE_MODULES:
		return oracle->model->has_modules && recompute_raise(plan, PARADL_RECOMPUTE_MODULES);
	case CHANGE_FULL:
		return recompute_raise(plan, PARADL_RECOMPUTE_FULL);
	case CHANGE_ZERO_1:
	case CHANGE_ZERO_2:
	case CHANGE_ZERO_3:
		return zero_raise(plan, (unsigned)(1 + change - CHANGE_ZERO_1));
	case CHANGE_MICRO:
		if (samples < 2)
			return false;
		plan->micro = floor(samples / 2);
		return true;
	case CHANGE_TENSOR:
		return 2 * plan->degree[PARADL_TENSOR] <= oracle->machine->devices_per_node &&
		       data_halve(plan, PARADL_TENSOR);
	case CHANGE_PIPELINE:
		return data_halve(plan, PARADL_PIPELINE);
	case CHANGE_OFFLOAD:
		if (plan->offload & PARADL_OFFLOAD_OPTIMIZER)
			return false;
		plan->offload |= PARADL_OFFLOAD_OPTIMIZER;
		return true;
	case CHANGES:
		break;
	}
	return false;
}

/* Appends what the plan says of a change, after a comma where something stands already. */
static void change_append(enum change change, const struct paradl_plan *plan, char *text, size_t size)
{
	static const char *const names[CHANGES] = {"sequence=on", "recompute=selective", "recompute=modules",
		"recompute=full", "zero=1", "zero=2", "zero=3", "", "", "", "offload=optimizer"};
	const size_t used = strlen(text);
	const char *const comma = used ? "," : "";
	if (change == CHANGE_MICRO)
		snprintf(text + used, size - used, "%smicro=%.0f", comma, plan->micro);
	else if (change == CHANGE_TENSOR)
		snprintf(text + used, size - used, "%stensor=%u", comma, plan->degree[PARADL_TENSOR]);
	else if (change == CHANGE_PIPELINE)
		snprintf(text + used, size - used, "%spipeline=%u", comma, plan->degree[PARADL_PIPELINE]);
	else if (change != CHANGES)
		snprintf(text + used, size - used, "%s%s", comma, names[change]);
}

/* Writes the changes that made the plan, as a plan is written: each key once. */
static void changes_name(
	enum change first, enum change second, const struct paradl_plan *plan, char *text, size_t size)
{
	*text = '\0';
	if (first == CHANGE_TENSOR || first == CHANGE_PIPELINE || second == CHANGE_TENSOR ||
		second == CHANGE_PIPELINE)
		snprintf(text, size, "data=%u", plan->degree[PARADL_DATA]);
	change_append(first, plan, text, size);
	change_append(second, plan, text, size);
}

/* Returns whether the plan with these changes (second CHANGES: none) fits; fills the remedy. */
static bool change_fits(struct paradl_oracle *oracle, const struct paradl_estimate *estimate,
	enum change first, enum change second, struct paradl_remedy *remedy)
{
	struct paradl_estimate got;
	struct paradl_error error;
	*remedy = (struct paradl_remedy){.plan = estimate->plan};
	if (!change_make(oracle, estimate, first, &remedy->plan) ||
		(second != CHANGES && !change_make(oracle, estimate, second, &remedy->plan)))
		return false;
	if (!paradl_plan_offered(oracle, &remedy->plan, NULL, 0) &&
		paradl_plan_offered(oracle, &estimate->plan, NULL, 0))
		return false;
	changes_name(first, second, &remedy->plan, remedy->change, sizeof remedy->change);
	if (!paradl_estimate(oracle, &remedy->plan, &got, &error) || !got.fits)
		return false;
	remedy->memory_bytes = got.memory_bytes;
	remedy->iteration_s = got.iteration_s;
	remedy->slower = estimate->iteration_s > 0 ? got.iteration_s / estimate->iteration_s - 1 : 0;
	return true;
}

bool paradl_remedy(
	struct paradl_oracle *oracle, const struct paradl_estimate *estimate, struct paradl_remedy *remedy)
{
	struct paradl_remedy candidate;
	bool found = false;
	*remedy = (struct paradl_remedy){.plan = estimate->plan};
	if (estimate->fits || !oracle->model->tokens || oracle->rules.ideal)
		return false;
	for (unsigned i = 0; i < CHANGES; ++i)
		if (change_fits(oracle, estimate, (enum change)i, CHANGES, remedy))
			return true;
	*remedy = (struct paradl_remedy){.plan = estimate->plan};
	for (unsigned i = 0; i < CHANGES; ++i)
		for (unsigned k = i + 1; k < CHANGES; ++k) {
			if (!change_fits(oracle, estimate, (enum change)i, (enum change)k, &candidate) ||
				(found && candidate.iteration_s >= remedy->iteration_s))
				continue;
			*remedy = candidate;
			found = true;
		}
	return found;
}
