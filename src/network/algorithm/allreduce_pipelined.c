/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Multi-leader allreduce in S segments: while one segment is between the nodes, others are inside them. T_in and T_out
 * are the times of the whole vector inside and between nodes, with start-ups paid for every segment:
 *     T = T_in / S + T_out / S + (S - 1) / S max(T_in, T_out)
 * This holds where inside and between use different links.
 */
#include <stdio.h>

#include "network/algorithm/fold.h"
#include "network/algorithm/leaders.h"
#include "network/algorithm/pat.h"

enum { SEGMENTS = 3 };
static const unsigned segments[SEGMENTS] = {4, 16, 64};

static void rabenseifner(const struct lines *lines, double share, struct schedule *schedule)
{
	lines_rabenseifner_allreduce(lines, share, false, schedule);
}

static const struct between {
	const char *name;
	lines_allreduce *allreduce;
} between[] = {
	{"ring", lines_ring_allreduce}, {"pat", lines_pat_allreduce},
	{"rabenseifner", rabenseifner}, /* last: it has no halves where nodes fold (fold.h) */
};

static unsigned allreduce_pipelined_variants(const struct communicator *comm)
{
	return comm->nodes > 1 && comm->per_node > 1 ? SEGMENTS * sizeof between / sizeof *between : 0;
}

static void inside(const struct communicator *comm, double share, double times, struct schedule *schedule)
{
	const struct leaders all = {comm->per_node, comm->per_node};
	leaders_collect(comm, &all, share, times, schedule);
	leaders_spread(comm, &all, share, times, schedule);
}

static void outside(
	const struct communicator *comm, unsigned variant, double times, struct schedule *schedule)
{
	struct lines across = lines_across(comm, comm->per_node, comm->per_node);
	across.times = times;
	between[variant / SEGMENTS].allreduce(
		&across, 1.0 / comm->per_node / segments[variant % SEGMENTS], schedule);
}

static void allreduce_pipelined_emit(
	const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	const unsigned count = segments[variant % SEGMENTS];
	schedule_phase(schedule, "first segment in the nodes, last between them");
	inside(comm, 1.0 / count, 1, schedule);
	outside(comm, variant, 1, schedule);
	schedule_phase(schedule, "other segments, in the nodes and between them at once");
	schedule_fork(schedule);
	inside(comm, 1.0 / count, count - 1, schedule);
	schedule_branch(schedule);
	outside(comm, variant, count - 1, schedule);
	schedule_join(schedule);
}

static void allreduce_pipelined_describe(
	const struct communicator *comm, unsigned variant, char *text, size_t size)
{
	(void)comm;
	snprintf(text, size, "segments=%u between=%s", segments[variant % SEGMENTS],
		between[variant / SEGMENTS].name);
}

const struct collective collective_allreduce_pipelined = {
	.name = "allreduce-pipelined",
	.summary = "multi-leader in segments, inside and between nodes at once",
	.source = "our reading: segments of a two-stage pipeline",
	.operation = ALLREDUCE,
	.variants = allreduce_pipelined_variants,
	.emit = allreduce_pipelined_emit,
	.describe = allreduce_pipelined_describe,
};
