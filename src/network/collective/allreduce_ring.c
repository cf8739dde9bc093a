/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ring allreduce: a reduce-scatter and an allgather, two trips around the ring (Tar of ParaDL). */
#include "network/collective/ring.h"

static void allreduce_ring_compile(
	const struct paradl_machine *machine, const struct exchange *exchange, struct curve *curve)
{
	ring_compile(machine, exchange, 2, curve);
}

const struct collective collective_allreduce_ring = {
	.name = "allreduce-ring",
	.summary = "reduce-scatter and allgather around a ring, bytes / p per step",
	.operation = ALLREDUCE,
	.compile = allreduce_ring_compile,
};
