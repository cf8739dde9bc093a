/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Limits on the degrees (last column of ParaDL's Table III), each with its reason and what would make the plan run. */
#include <stdio.h>

#include "base/error.h"
#include "oracle/oracle.h"

static bool infeasible(struct paradl_error *error, const char *hint)
{
	if (error)
		snprintf(error->hint, sizeof error->hint, "%s", hint);
	return false;
}

static bool limit_holds(const struct strategy *strategy, unsigned degree, const struct axis_limit *limit,
	const struct paradl_framework *framework, struct paradl_error *error)
{
	char hint[200];
	if (degree < 2 || (limit->layer && degree <= limit->limit))
		return true;
	if (!limit->layer) {
		error_set(error, PARADL_INFEASIBLE, "%s cuts no layer of this network along %s",
			framework->name, strategy->name);
		if (strategy->axis == PARADL_EXPERT)
			return infeasible(error, "another strategy: this one is for mixtures of experts");
		if (strategy->axis < PARADL_FILTER)
			return infeasible(error, "another strategy: this one is for networks of tokens");
		return infeasible(error, "another framework profile, or another strategy");
	}
	error_set(error, PARADL_INFEASIBLE, "needs %u %s in every layer it cuts; %s allows %u", degree,
		strategy->scarce, limit->layer->name, limit->limit);
	if (limit->limit < 2)
		return infeasible(error, "another strategy: this network has nothing to cut there");
	snprintf(hint, sizeof hint, "at most %s=%u; the other devices along data", strategy->name,
		limit->limit);
	return infeasible(error, hint);
}

static bool spatial_holds(const struct evaluation *evaluation, struct paradl_error *error)
{
	const struct paradl_plan *plan = &evaluation->plan;
	char hint[200];
	for (unsigned i = 0; i < DIMENSIONS_MAX; ++i) {
		const struct axis_limit *limit = &evaluation->net->spatial[i];
		if (plan->spatial[i] < 2 || (limit->layer && plan->spatial[i] <= limit->limit))
			continue;
		if (!limit->layer || i >= limit->layer->x.dimensions) {
			error_set(error, PARADL_INFEASIBLE,
				"the network has no dimension %u that spatial can cut", i + 1);
			return infeasible(error, "another strategy");
		}
		error_set(error, PARADL_INFEASIBLE,
			"needs %u rows along dimension %u in every layer it cuts; %s (%u in, %u out) allows "
			"%u",
			plan->spatial[i], i + 1, limit->layer->name, limit->layer->x.extent[i],
			limit->layer->y.extent[i], limit->limit);
		const bool line =
			plan->spatial[i] == plan->degree[PARADL_SPATIAL] && limit->layer->x.dimensions > 1;
		snprintf(hint, sizeof hint, "at most %u piece%s along this dimension%s", limit->limit,
			limit->limit > 1 ? "s" : "",
			line ? ", or pieces along two, such as spatial=2x2" : "");
		return infeasible(error, hint);
	}
	return true;
}

static bool batch_holds(const struct evaluation *evaluation, struct paradl_error *error)
{
	const struct paradl_plan *plan = &evaluation->plan;
	char hint[200];
	if (plan->degree[PARADL_DATA] > plan->batch) {
		error_set(error, PARADL_INFEASIBLE,
			"needs a sample per replica: %u replicas share a batch of %.0f",
			plan->degree[PARADL_DATA], plan->batch);
		snprintf(hint, sizeof hint, "--batch %u, or at most data=%.0f", plan->degree[PARADL_DATA],
			plan->batch);
		return infeasible(error, hint);
	}
	if (evaluation->micro_batches > evaluation->local_batch) {
		error_set(error, PARADL_INFEASIBLE, "needs %.0f micro-batches; a replica has %.0f samples",
			evaluation->micro_batches, evaluation->local_batch);
		snprintf(hint, sizeof hint, "--batch %.0f or more",
			evaluation->micro_batches * plan->degree[PARADL_DATA]);
		return infeasible(error, hint);
	}
	return true;
}

bool plan_feasible(const struct evaluation *evaluation, struct paradl_error *error)
{
	const struct paradl_plan *plan = &evaluation->plan;
	const struct prepared *net = evaluation->net;
	const unsigned stages = plan->degree[PARADL_PIPELINE];
	if (stages > net->model->unit_count) {
		char hint[200];
		error_set(error, PARADL_INFEASIBLE,
			"needs %u stages; the network can be cut into %u (branches stay together)", stages,
			net->model->unit_count);
		snprintf(hint, sizeof hint, "at most pipeline=%u", net->model->unit_count);
		return infeasible(error, hint);
	}
	for (unsigned axis = PARADL_EXPERT; axis <= PARADL_CHANNEL; ++axis)
		if (!limit_holds(strategies[axis], plan->degree[axis], &net->limits[axis],
			    evaluation->oracle->framework, error))
			return false;
	return spatial_holds(evaluation, error) && batch_holds(evaluation, error);
}
