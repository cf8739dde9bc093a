/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * T = log2 P alpha + (P - 1) / P bytes beta for powers of two. Libraries begin with the nearest partner and send the
 * most to the farthest; the other order sends the most to the nearest. For another P one rank of each folded pair
 * (halving.h) hands its part to the other before, and gets everything after.
 */
#include <stdio.h>

#include "network/algorithm/halving.h"

static unsigned allgather_doubling_variants(const struct communicator *comm)
{
	return comm->size > 3 ? 2 : comm->size > 1;
}

static void allgather_doubling_emit(
	const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	const struct halving halving = halving_of(comm, variant == 0, true);
	halving_allgather(&halving, schedule);
}

static void allgather_doubling_describe(
	const struct communicator *comm, unsigned variant, char *text, size_t size)
{
	(void)comm;
	snprintf(text, size, "order=%s", variant == 0 ? "near" : "far");
}

const struct collective collective_allgather_doubling = {
	.name = "allgather-doubling",
	.summary = "pairs exchange all they have",
	.source = "Thakur, Rabenseifner and Gropp, Int. J. High Perform. Comput. Appl. 19 (2005)",
	.operation = ALLGATHER,
	.variants = allgather_doubling_variants,
	.emit = allgather_doubling_emit,
	.describe = allgather_doubling_describe,
};
