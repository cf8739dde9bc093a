/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "network/algorithm/leaders.h"

#include <stdio.h>

enum { NODES_MOST = 8 };

static unsigned divisors(unsigned number)
{
	unsigned count = 0;
	for (unsigned i = 1; i <= number; ++i)
		count += number % i == 0;
	return count;
}

unsigned leaders_variants(const struct communicator *comm)
{
	if (comm->nodes < 2 || comm->per_node < 2)
		return 0;
	unsigned count = divisors(comm->per_node);
	for (unsigned nodes = 2; nodes <= NODES_MOST; nodes *= 2)
		count += comm->nodes % nodes == 0 && comm->nodes > nodes;
	return count;
}

struct leaders leaders_of(const struct communicator *comm, unsigned variant)
{
	for (unsigned count = 1; count <= comm->per_node; ++count)
		if (comm->per_node % count == 0 && variant-- == 0)
			return (struct leaders){comm->per_node, count};
	for (unsigned nodes = 2; nodes < NODES_MOST; nodes *= 2)
		if (comm->nodes % nodes == 0 && comm->nodes > nodes && variant-- == 0)
			return (struct leaders){nodes * comm->per_node, nodes * comm->per_node};
	return (struct leaders){NODES_MOST * comm->per_node, NODES_MOST * comm->per_node};
}

void leaders_describe(const struct communicator *comm, unsigned variant, char *text, size_t size)
{
	const struct leaders leaders = leaders_of(comm, variant);
	if (leaders.block == comm->per_node)
		snprintf(text, size, "leaders=%u", leaders.count);
	else
		snprintf(text, size, "leaders=%u nodes=%u", leaders.count, leaders.block / comm->per_node);
}

/*
 * Emits a step in which leaders gather the parts of the ranks after them in their block or, with `back`, scatter them.
 */
static void gather_step(const struct communicator *comm, const struct leaders *leaders, bool back,
	double share, double times, struct schedule *schedule)
{
	const struct lines lines = lines_near(comm, leaders->block);
	const unsigned each = leaders->block / leaders->count;
	if (each < 2)
		return;
	schedule_step(schedule, times, 0);
	for (unsigned i = 0; i < leaders->block; ++i) {
		const unsigned leader = i - i % each;
		lines_flow(&lines, back ? leader : i, back ? i : leader, share / leaders->block, schedule);
	}
}

void leaders_collect(const struct communicator *comm, const struct leaders *leaders, double share,
	double times, struct schedule *schedule)
{
	struct lines near = lines_near(comm, leaders->block);
	near.times = times;
	schedule_turn(schedule, false);
	lines_ring_reduce_scatter(&near, share, schedule);
	gather_step(comm, leaders, false, share, times, schedule);
}

void leaders_spread(const struct communicator *comm, const struct leaders *leaders, double share,
	double times, struct schedule *schedule)
{
	struct lines near = lines_near(comm, leaders->block);
	near.times = times;
	schedule_turn(schedule, true);
	gather_step(comm, leaders, true, share, times, schedule);
	lines_ring_allgather(&near, share, schedule);
}

void leaders_emit(const struct communicator *comm, const struct leaders *leaders, lines_allreduce *allreduce,
	struct schedule *schedule)
{
	const struct lines across = lines_across(comm, leaders->block, leaders->count);
	schedule_phase(schedule, "reduce-scatter in blocks");
	leaders_collect(comm, leaders, 1, 1, schedule);
	schedule_phase(schedule, "allreduce across blocks");
	allreduce(&across, 1.0 / leaders->count, schedule);
	schedule_phase(schedule, "allgather in blocks");
	leaders_spread(comm, leaders, 1, 1, schedule);
}
