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
#include "network/ring.h"
#include "oracle/oracle.h"

static void gradient_curve(struct evaluation *evaluation, const struct group *group)
{
	const struct paradl_oracle *oracle = evaluation->oracle;
	const struct exchange exchange = {*group, oracle->framework->gradient_rings, oracle->rules.ideal};
	ring_compile(oracle->machine, &exchange, 2, &evaluation->gradient[evaluation->gradient_curves++]);
}

static void leader_curves(struct evaluation *evaluation, const struct group *all)
{
	const struct paradl_machine *machine = evaluation->oracle->machine;
	const struct group inside = group_of(machine, &evaluation->plan, 1U << PARADL_SPATIAL);
	struct group leaders = group_of(machine, &evaluation->plan, 1U << PARADL_DATA);
	for (unsigned l = 0; l < machine->level_count; ++l)
		leaders.members[l] =
			all->members[l]; /* a leader's pieces are silent: nobody shares its ports */
	gradient_curve(evaluation, &inside);
	gradient_curve(evaluation, &leaders);
}

void gradient_compile(struct evaluation *evaluation)
{
	const struct paradl_oracle *oracle = evaluation->oracle;
	const struct paradl_plan *plan = &evaluation->plan;
	evaluation->gradient_curves = 0;
	evaluation->gradient_nodes = 1;
	if (!evaluation->replicas)
		return;
	const struct group all = group_of(oracle->machine, plan, evaluation->replicas);
	evaluation->gradient_nodes = all.nodes;
	const bool leader = oracle->framework->spatial_leader && plan->degree[PARADL_SPATIAL] > 1 &&
			    plan->degree[PARADL_DATA] > 1;
	if (leader && !oracle->rules.ideal)
		leader_curves(evaluation, &all);
	else
		gradient_curve(evaluation, &all);
}

double gradient_exchange_s(const struct evaluation *evaluation, double weight_items, double tensors)
{
	const struct paradl_oracle *oracle = evaluation->oracle;
	const struct paradl_framework *framework = oracle->framework;
	const double bytes = weight_items * evaluation->item_bytes;
	double s = 0;
	if (!(bytes > 0))
		return 0;
	const double pack_s = framework->gradient_passes * bytes * oracle->machine->device.s_per_byte +
			      tensors * framework->gradient_tensor_s;
	for (unsigned i = 0; i < evaluation->gradient_curves; ++i)
		s += curve_s(&evaluation->gradient[i], bytes) + (oracle->rules.ideal ? 0 : pack_s);
	return s;
}
