/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ring allgather: one trip around the ring; bytes is the gathered whole (Tag of ParaDL with m = p parts). */
#include "network/collective/ring.h"

static void allgather_ring_compile(
	const struct paradl_machine *machine, const struct exchange *exchange, struct curve *curve)
{
	ring_compile(machine, exchange, 1, curve);
}

const struct collective collective_allgather_ring = {
	.name = "allgather-ring",
	.summary = "one trip around a ring, bytes / p per step",
	.operation = ALLGATHER,
	.compile = allgather_ring_compile,
};
