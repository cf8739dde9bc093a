/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rings in the nodes and, for each leader, halving and doubling between the nodes ("lr_rab" when all lead). */
#include <stdio.h>

#include "network/algorithm/fold.h"
#include "network/algorithm/leaders.h"

static void near_first(const struct lines *lines, double share, struct schedule *schedule)
{
	lines_rabenseifner_allreduce(lines, share, false, schedule);
}

static void far_first(const struct lines *lines, double share, struct schedule *schedule)
{
	lines_rabenseifner_allreduce(lines, share, true, schedule);
}

static unsigned allreduce_leaders_rabenseifner_variants(const struct communicator *comm)
{
	return 2 * leaders_variants(comm);
}

static bool is_far(const struct communicator *comm, unsigned *variant)
{
	const unsigned each = leaders_variants(comm);
	const bool far = *variant >= each && each > 0;
	*variant -= far ? each : 0;
	return far;
}

static void allreduce_leaders_rabenseifner_emit(
	const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	const bool far = is_far(comm, &variant);
	const struct leaders leaders = leaders_of(comm, variant);
	leaders_emit(comm, &leaders, far ? far_first : near_first, schedule);
}

static void allreduce_leaders_rabenseifner_describe(
	const struct communicator *comm, unsigned variant, char *text, size_t size)
{
	const bool far = is_far(comm, &variant);
	char leaders[32];
	leaders_describe(comm, variant, leaders, sizeof leaders);
	snprintf(text, size, "%s%s", leaders, far ? " order=far" : "");
}

const struct collective collective_allreduce_leaders_rabenseifner = {
	.name = "allreduce-leaders-rabenseifner",
	.summary = "rings in the nodes, Rabenseifner's between them",
	.source = "Nguyen, Wahib and Takano, Concurr. Comput. Pract. Exp. 33 (2021)",
	.operation = ALLREDUCE,
	.variants = allreduce_leaders_rabenseifner_variants,
	.emit = allreduce_leaders_rabenseifner_emit,
	.describe = allreduce_leaders_rabenseifner_describe,
};
