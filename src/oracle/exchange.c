/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Gradient exchange, once per iteration, over the axes that replicate weights (data, spatial), with the bytes of the
 * weights' shard.
 *     flat     one allreduce over the whole group; groups of other axes' members (data+filter: one per member of a
 *              node) run at once and share the node's ports
 *     leader   with spatial pieces: allreduce among the pieces, then among one leader per set of pieces, alone on
 *              its node's ports; packing and tensors are paid at both stages
 * plus packing and unpacking the buffer, and a cost per tensor. Ideal: one flat ring, nothing else.
 */
#include "oracle/oracle.h"

static double allreduce_s(const struct evaluation *evaluation, const struct group *group, double bytes)
{
	const struct exchange exchange = {
		*group, evaluation->oracle->framework->gradient_rings, evaluation->oracle->rules.ideal};
	struct curve curve;
	collective_allreduce_ring.compile(evaluation->oracle->machine, &exchange, &curve);
	return curve_s(&curve, bytes);
}

static double leader_s(const struct evaluation *evaluation, double bytes)
{
	const struct paradl_machine *machine = evaluation->oracle->machine;
	const unsigned data = 1u << PARADL_DATA, spatial = 1u << PARADL_SPATIAL;
	const struct group inside = group_of(machine, &evaluation->plan, spatial);
	const struct group all = group_of(machine, &evaluation->plan, data | spatial);
	struct group leaders = group_of(machine, &evaluation->plan, data);
	for (unsigned l = 0; l < machine->level_count; ++l)
		leaders.members[l] =
			all.members[l]; /* a leader's pieces are silent: nobody shares its ports */
	return allreduce_s(evaluation, &inside, bytes) + allreduce_s(evaluation, &leaders, bytes);
}

double gradient_exchange_s(const struct evaluation *evaluation, double weight_items, double tensors)
{
	const struct paradl_oracle *oracle = evaluation->oracle;
	const struct paradl_framework *framework = oracle->framework;
	const struct paradl_plan *plan = &evaluation->plan;
	const double bytes = weight_items * evaluation->item_bytes;
	const unsigned replicas = (1u << PARADL_DATA | 1u << PARADL_SPATIAL) & evaluation->axes;
	if (!replicas || !(bytes > 0))
		return 0;
	const struct group all = group_of(oracle->machine, plan, replicas);
	if (oracle->rules.ideal)
		return allreduce_s(evaluation, &all, bytes);
	const bool leader = framework->spatial_leader && plan->degree[PARADL_SPATIAL] > 1 &&
			    plan->degree[PARADL_DATA] > 1;
	const double pack_s =
		framework->gradient_passes * bytes / oracle->machine->device.memory_bytes_per_s +
		tensors * framework->gradient_tensor_s;
	if (leader)
		return leader_s(evaluation, bytes) + 2 * pack_s;
	return allreduce_s(evaluation, &all, bytes) + pack_s;
}
