/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rings in the nodes and, for each leader, recursive doubling between the nodes ("lr_rdb" when all lead). */
#include "network/algorithm/fold.h"
#include "network/algorithm/leaders.h"

static void allreduce_leaders_doubling_emit(
	const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	const struct leaders leaders = leaders_of(comm, variant);
	leaders_emit(comm, &leaders, lines_doubling_allreduce, schedule);
}

const struct collective collective_allreduce_leaders_doubling = {
	.name = "allreduce-leaders-doubling",
	.summary = "rings in the nodes, recursive doubling between them",
	.source = "Nguyen, Wahib and Takano, Concurr. Comput. Pract. Exp. 33 (2021)",
	.operation = ALLREDUCE,
	.variants = leaders_variants,
	.emit = allreduce_leaders_doubling_emit,
	.describe = leaders_describe,
};
