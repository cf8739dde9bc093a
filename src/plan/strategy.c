/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The list of axes, a layer before any cut, and the checks of a plan's options against one another, whatever the
 * network.
 */
#include "plan/strategy.h"
#include "plan/plan_text.h"

/* Strategy of each axis: list.def is in the order of enum paradl_axis, which the tests check. */
const struct strategy *const strategies[PARADL_AXIS_COUNT] = {
#define X(id) &strategy_##id,
#include "plan/list.def"
#undef X
};

struct shard shard_whole(const struct layer *layer, double samples)
{
	struct shard shard = {
		.samples = samples,
		.filters = layer->filters,
		.channels = layer->channels,
		.x_items = layer->x_items,
		.y_items = layer->y_items,
		.positions = layer->positions,
		.weight_items = layer->weight_items,
		.frozen_items = layer->frozen_items,
		.x_share = 1,
		.y_share = 1,
		.filter_pieces = 1,
		.channel_pieces = 1,
		.tensor_pieces = 1,
		.context_pieces = 1,
		.expert_pieces = 1,
	};
	for (unsigned i = 0; i < DIMENSIONS_MAX; ++i) {
		shard.x_extent[i] = layer->x.extent[i] ? layer->x.extent[i] : 1;
		shard.y_extent[i] = layer->y.extent[i] ? layer->y.extent[i] : 1;
	}
	return shard;
}

struct paradl_entry paradl_strategy(size_t index)
{
	if (index >= PARADL_AXIS_COUNT)
		return (struct paradl_entry){NULL, NULL};
	return (struct paradl_entry){strategies[index]->name, strategies[index]->summary};
}

static bool known(const struct paradl_plan *plan)
{
	return plan->schedule < PARADL_SCHEDULE_COUNT && plan->recompute < PARADL_RECOMPUTE_COUNT &&
	       plan->context < PARADL_CONTEXT_COUNT && plan->dispatcher < PARADL_DISPATCHER_COUNT &&
	       plan->zero <= 3 && plan->offload < 1u << PLAN_OFFLOADS && plan->apart < 1u << PLAN_OVERLAPS &&
	       plan->split_count <= PARADL_SPLIT_MAX && memchr(plan->gather, '\0', sizeof plan->gather);
}

double plan_replicas(const struct paradl_plan *plan)
{
	double replicas = 1;
	for (unsigned axis = 0; axis < PARADL_AXIS_COUNT; ++axis)
		if (strategies[axis]->replicates_weights)
			replicas *= plan->degree[axis];
	return replicas;
}

static bool stages_hold(const struct paradl_plan *plan, struct paradl_error *error)
{
	const unsigned stages = plan->degree[PARADL_PIPELINE];
	const unsigned chunks = plan_chunks(plan);
	if (plan->schedule == PARADL_INTERLEAVED && chunks < 2)
		return error_set(
			error, PARADL_USAGE, "schedule=interleaved needs 2 or more stages on each device");
	if (chunks > 1 && stages < 2)
		return error_set(error, PARADL_USAGE,
			"schedule=%s puts several stages on each device of a pipeline, and there is no "
			"pipeline",
			plan_schedules[plan->schedule]);
	if (!plan->split_count)
		return true;
	if (stages < 2)
		return error_set(error, PARADL_USAGE,
			"split names the stages of a pipeline, and there is no pipeline");
	if (plan->split_count / chunks == stages && plan->split_count % chunks == 0)
		return true;
	error_set(error, PARADL_USAGE, "split names %u stages; the plan has %.0f", plan->split_count,
		(double)stages * chunks);
	if (chunks > 1)
		error_hint(error, "pipeline=%u with %u stages on each device", stages, chunks);
	return false;
}

static bool shards_hold(const struct paradl_plan *plan, struct paradl_error *error)
{
	const double replicas = plan_replicas(plan), groups = plan->shard ? replicas / plan->shard : 1;
	if (plan->shard && !plan->zero) {
		error_set(error, PARADL_USAGE, "shard=%u says how far zero goes, and zero is 0", plan->shard);
		error_hint(error, "add zero=1, 2 or 3");
		return false;
	}
	if (groups < 1 || groups > (double)(unsigned long long)groups) {
		error_set(error, PARADL_USAGE, "shard=%u does not divide the %.0f replicas", plan->shard,
			replicas);
		error_hint(error,
			"replicas are the devices along data, expert, context and spatial; fsdp=%u is "
			"zero=3,shard=%u, which divide weights over some of them",
			plan->shard, plan->shard);
		return false;
	}
	return true;
}

bool plan_options_hold(const struct paradl_plan *plan, struct paradl_error *error)
{
	if (!known(plan))
		return error_set(
			error, PARADL_USAGE, "not a plan: an option has a value that it does not have");
	if (plan->sequence && plan->degree[PARADL_TENSOR] < 2)
		return error_set(error, PARADL_USAGE,
			"sequence=on cuts what the tensor axis leaves whole, and there is no tensor axis");
	if (plan->expert_tensor && plan->degree[PARADL_TENSOR] < 2)
		return error_set(error, PARADL_USAGE,
			"experts=tensor cuts experts along the tensor axis, and there is none");
	if (plan->dispatcher != PARADL_DISPATCHER_DEFAULT && plan->degree[PARADL_EXPERT] < 2 &&
		plan->degree[PARADL_TENSOR] < 2)
		return error_set(error, PARADL_USAGE,
			"dispatcher=%s carries tokens to experts of other devices, and neither expert nor "
			"tensor "
			"says that there are any",
			plan_dispatchers[plan->dispatcher]);
	if (plan->gather[0] && plan->degree[PARADL_SPATIAL] < 2) {
		error_set(error, PARADL_USAGE,
			"gather=%s says where spatial pieces are gathered, and there are none", plan->gather);
		error_hint(error, "leave gather out, or cut along spatial, such as spatial=4");
		return false;
	}
	return stages_hold(plan, error) && shards_hold(plan, error);
}
