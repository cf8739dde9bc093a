/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * P = p_1 p_2 .. p_k, the levels of the machine from the nodes outwards. Each level in turn runs ring reduce-scatters
 * on the part of the vector that the levels below have left; ring allgathers lead back. With phi_i rings that share a
 * link of level i:
 *     T = sum over i of 2 (p_i - 1) (alpha_i + bytes / (p_1 .. p_i) phi_i beta_i)
 */
#include "network/algorithm/lines.h"

/* Returns the rings of level d; inside nodes they use the group's channels, as other rings do there. */
static struct lines rings_of(const struct communicator *comm, unsigned d)
{
	struct lines rings = lines_along(comm, comm->domains, d);
	if (d == 0 && comm->per_node == comm->domains[0] && comm->channels > 1)
		rings.channels = comm->channels;
	return rings;
}

static unsigned allreduce_blueconnect_variants(const struct communicator *comm)
{
	return comm->domain_count > 1;
}

static void allreduce_blueconnect_emit(
	const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	double share = 1;
	(void)variant;
	schedule_phase(schedule, "reduce-scatter, level by level");
	for (unsigned d = 0; d < comm->domain_count; ++d) {
		const struct lines rings = rings_of(comm, d);
		lines_ring_reduce_scatter(&rings, share, schedule);
		share /= comm->domains[d];
	}
	schedule_turn(schedule, true);
	schedule_phase(schedule, "allgather, level by level");
	for (unsigned d = comm->domain_count; d-- > 0;) {
		const struct lines rings = rings_of(comm, d);
		share *= comm->domains[d];
		lines_ring_allgather(&rings, share, schedule);
	}
}

const struct collective collective_allreduce_blueconnect = {
	.name = "allreduce-blueconnect",
	.summary = "ring reduce-scatters level by level outwards, allgathers back",
	.source = "Cho et al., BlueConnect, MLSys 2019",
	.operation = ALLREDUCE,
	.variants = allreduce_blueconnect_variants,
	.emit = allreduce_blueconnect_emit,
};
