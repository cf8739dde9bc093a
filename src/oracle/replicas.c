/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Gradients and weights travel among the devices that hold the same ones.
 *     zero 0     allreduce of gradients
 *     zero 1     reduce-scatter of gradients, all-gather of updated weights (Rajbhandari et al., ZeRO, 2020): the same
 *                bytes in two steps, which hide behind different work
 *     zero 2     the same, but gradients are scattered after each micro-batch, since none keeps them whole; where a
 *                pipeline does, once in a step
 *     zero 3     weights are gathered before the forward and again before the backward of each micro-batch, gradients
 *                scattered after it, unit by unit (FSDP); where a pipeline keeps what it gathered, once in a step
 *     hybrid     sharded among the nearest `shard` replicas; the sums of the shards go across the copies
 * Experts have replicas of their own: those of all axes but the expert axis.
 */
#include "oracle/replicas.h"

#include <math.h>

#include "base/error.h"
#include "oracle/stage.h"

/*
 * Divides the plan's data axis in two: `shard` nearest replicas along an axis that the plan does not use, the rest
 * along data. Returns false if the shard is no divisor of the degree, or no axis is free.
 */
static bool data_divide(
	const struct paradl_plan *plan, unsigned shard, struct paradl_plan *divided, enum paradl_axis *inner)
{
	unsigned place = 0, spare = PARADL_AXIS_COUNT;
	*divided = *plan;
	if (shard < 2 || plan->degree[PARADL_DATA] % shard)
		return false;
	for (unsigned i = 0; i < PARADL_AXIS_COUNT; ++i) {
		if (plan->order[i] == PARADL_DATA)
			place = i;
		else if (plan->degree[plan->order[i]] == 1)
			spare = i;
	}
	if (spare == PARADL_AXIS_COUNT)
		return false;
	*inner = (enum paradl_axis)plan->order[spare];
	/* The spare axis moves to right after data. */
	unsigned count = 0;
	for (unsigned i = 0; i < PARADL_AXIS_COUNT; ++i) {
		if (i != spare)
			divided->order[count++] = plan->order[i];
		if (i == place)
			divided->order[count++] = (unsigned char)*inner;
	}
	divided->degree[PARADL_DATA] /= shard;
	divided->degree[*inner] = shard;
	return true;
}

/* Groups of replicas: all of them, the shard that weights are dealt out to, and its copies. */
struct replica_groups {
	struct group whole, shard, across;
	bool divided; /* there are several copies of the shard */
};

static struct replica_groups replica_groups_of(const struct evaluation *evaluation, unsigned axes)
{
	const struct paradl_machine *machine = evaluation->oracle->machine;
	const struct paradl_plan *plan = &evaluation->plan;
	struct replica_groups groups = {.whole = group_of(machine, plan, axes)};
	struct paradl_plan divided;
	enum paradl_axis inner = PARADL_DATA;
	groups.shard = groups.whole;
	groups.divided = plan->zero && plan->shard && plan->shard < groups.whole.size &&
			 data_divide(plan, plan->shard, &divided, &inner);
	if (groups.divided) {
		const unsigned rest = axes & ~(1U << PARADL_DATA);
		groups.shard = group_of(machine, &divided, rest | 1U << inner);
		groups.across = group_of(machine, &divided, 1U << PARADL_DATA);
	}
	return groups;
}

static struct replicas group_count(const struct evaluation *evaluation, const struct replica_groups *groups)
{
	const struct rules *rules = &evaluation->oracle->rules;
	return (struct replicas){.size = groups->whole.size,
		.shard = groups->shard.size,
		.nodes = groups->whole.nodes,
		.bucket_bytes = fmax(rules->bucket_bytes, rules->bucket_replica_bytes * groups->whole.size)};
}

static bool group_compile(
	struct evaluation *evaluation, unsigned axes, struct replicas *replicas, struct paradl_error *error)
{
	const struct exchange_choices *choices = evaluation->oracle->choices;
	const struct replica_groups groups = replica_groups_of(evaluation, axes);
	const bool shards = evaluation->plan.zero;
	*replicas = group_count(evaluation, &groups);
	if (groups.divided && !exchange_compile(evaluation, &groups.across, &choices->gradient.choice,
				      &replicas->across, error))
		return false;
	if (!routes_compile(evaluation, shards ? &groups.shard : &groups.whole, replicas, error))
		return false;
	return !shards || exchange_compile(evaluation, &groups.shard, &choices->weights.choice,
				  &replicas->gather, error);
}

/* Returns the axes along which experts are replicated: all but their own. */
static unsigned expert_replicas(const struct evaluation *evaluation)
{
	return evaluation->replicas & ~(1U << PARADL_EXPERT);
}

void replicas_count(struct evaluation *evaluation)
{
	const unsigned axes[2] = {evaluation->replicas, expert_replicas(evaluation)};
	const struct replica_groups groups = replica_groups_of(evaluation, axes[0]);
	evaluation->dense = evaluation->experts = group_count(evaluation, &groups);
	if (axes[1] == axes[0])
		return;
	const struct replica_groups own = replica_groups_of(evaluation, axes[1]);
	evaluation->experts = group_count(evaluation, &own);
}

bool replicas_compile(struct evaluation *evaluation, struct paradl_error *error)
{
	const unsigned axes[2] = {evaluation->replicas, expert_replicas(evaluation)};
	if (!group_compile(evaluation, axes[0], &evaluation->dense, error))
		return false;
	if (axes[1] != axes[0])
		return group_compile(evaluation, axes[1], &evaluation->experts, error);
	evaluation->experts = evaluation->dense;
	return true;
}

bool keeps_gathered(const struct evaluation *evaluation)
{
	return evaluation->plan.zero >= 2 && evaluation->plan.degree[PARADL_PIPELINE] > 1 &&
	       evaluation->oracle->rules.keeps_gathered;
}

double gradient_rounds(const struct evaluation *evaluation)
{
	return evaluation->plan.zero == 2 && !keeps_gathered(evaluation) ? evaluation->micro_batches : 1;
}

/*
 * Fills the times of sharded weights. These go a unit at a time, so that only few are whole at once: gathered before
 * each pass, their gradients scattered, and summed across the copies there are, behind the backward of other units
 * like the rest.
 */
static void sharded_fill(const struct evaluation *evaluation, const struct replicas *replicas, double weights,
	double frozen, double units, double tensors, struct replica_times *times)
{
	const struct gradient_route *route = &replicas->routes[0];
	const double weight_bytes =
		(weights + frozen) * precision_weight_bytes(evaluation->oracle->precision);
	const double gradients = route_bytes(evaluation, route, weights), pieces = units > 1 ? units : 1;
	const bool keeps = keeps_gathered(evaluation);
	const double rounds = keeps ? 1 / evaluation->micro_batches : 1, gathers = keeps ? 1 : 2;
	if (weights > 0) {
		times->packing_s = rounds * packing_s(evaluation, route, weights, tensors);
		times->each_host_s = rounds * tensors * gradient_tensor_s(evaluation);
		times->each_gradients_s =
			rounds * pieces *
				(exchange_s(&route->stages[0], gradients / pieces) +
					exchange_s(&replicas->across, gradients / replicas->shard / pieces)) +
			times->packing_s - times->each_host_s;
		times->buckets = message_count(replicas, gradients);
	}
	times->each_s = rounds * pieces * gathers * exchange_s(&replicas->gather, weight_bytes / pieces) +
			times->each_gradients_s + times->each_host_s;
}

static struct replica_times replica_times(const struct evaluation *evaluation,
	const struct replicas *replicas, double weights, double frozen, double units, double tensors)
{
	struct replica_times times = {.buckets = 1};
	const bool sharded = evaluation->plan.zero == 3;
	if (!(weights + (sharded ? frozen : 0) > 0) || !replicas->route_count)
		return times;
	if (sharded) {
		sharded_fill(evaluation, replicas, weights, frozen, units, tensors, &times);
		return times;
	}
	const struct routing routing = gradient_routing(evaluation, replicas, weights, tensors);
	const double rounds = gradient_rounds(evaluation);
	times.gradients_s = rounds * routing.seconds;
	times.buckets = routing.messages;
	times.packing_s = rounds * routing.packing_s;
	times.host_s = rounds * routing.route->stage_count * tensors * gradient_tensor_s(evaluation);
	if (!evaluation->plan.zero)
		return times;
	times.gradients_s +=
		rounds * bucketed_s(replicas, &replicas->across, routing.bytes / replicas->shard);
	times.weights_s = bucketed_s(
		replicas, &replicas->gather, weights * precision_weight_bytes(evaluation->oracle->precision));
	return times;
}

struct device_weights device_weights_of(const double *sums)
{
	return (struct device_weights){sums[STAGE_WEIGHTS], sums[STAGE_EXPERT_WEIGHTS], sums[STAGE_FROZEN],
		sums[STAGE_FROZEN_EXPERTS]};
}

struct replica_times replicas_exchange(const struct evaluation *evaluation,
	const struct device_weights *weights, double units, double tensors)
{
	struct replica_times dense =
		replica_times(evaluation, &evaluation->dense, weights->trained - weights->trained_experts,
			weights->frozen - weights->frozen_experts, units, tensors);
	const struct replica_times experts = replica_times(evaluation, &evaluation->experts,
		weights->trained_experts, weights->frozen_experts, units, 0);
	dense.gradients_s += experts.gradients_s;
	dense.weights_s += experts.weights_s;
	dense.each_s += experts.each_s;
	dense.each_gradients_s += experts.each_gradients_s;
	dense.packing_s += experts.packing_s;
	return dense;
}

bool part_next(const struct evaluation *evaluation, unsigned device, const double *sums, struct part *part)
{
	if (!evaluation->shares) {
		const bool first = !part->evaluation;
		*part = (struct part){.evaluation = evaluation, .sums = sums};
		return first;
	}
	while (part->next < evaluation->share_count) {
		const struct plan_share *layers = &evaluation->shares[part->next++];
		if (layers->stage != device)
			continue;
		part->evaluation = layers->evaluation;
		part->sums = layers->sums;
		part->copied = layers->copied;
		return true;
	}
	return false;
}

struct replica_times device_exchange(const struct evaluation *evaluation, unsigned device, const double *sums)
{
	struct replica_times all = {.buckets = 0};
	for (struct part part = {0}; part_next(evaluation, device, sums, &part);) {
		const struct device_weights weights = device_weights_of(part.sums);
		const struct replica_times times = replicas_exchange(
			part.evaluation, &weights, part.sums[STAGE_BLOCKS], part.sums[STAGE_TENSORS]);
		all.gradients_s += times.gradients_s;
		all.host_s += times.host_s;
		all.weights_s += times.weights_s;
		all.each_s += times.each_s;
		all.each_host_s += times.each_host_s;
		all.each_gradients_s += times.each_gradients_s;
		all.packing_s += times.packing_s;
		all.buckets += times.buckets;
	}
	return all;
}

double device_owned(const struct evaluation *evaluation, unsigned device, const double *sums)
{
	double owned = 0;
	for (struct part part = {0}; part_next(evaluation, device, sums, &part);)
		owned += replicas_owned(
			part.evaluation, part.sums[STAGE_WEIGHTS], part.sums[STAGE_EXPERT_WEIGHTS]);
	return owned;
}

double replicas_owned(const struct evaluation *evaluation, double weights, double expert_weights)
{
	if (!evaluation->plan.zero)
		return weights;
	return (weights - expert_weights) / evaluation->dense.shard +
	       expert_weights / evaluation->experts.shard;
}

double frozen_held(const struct evaluation *evaluation, const double *sums)
{
	const double frozen = sums[STAGE_FROZEN];
	return evaluation->plan.zero == 3 ? replicas_owned(evaluation, frozen, sums[STAGE_FROZEN_EXPERTS])
					  : frozen;
}
