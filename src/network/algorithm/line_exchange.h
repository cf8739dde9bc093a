/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Steps in which every member of a line sends: to the one some places further on, to all others, or parts along a
 * tree.
 */
#ifndef NETWORK_ALGORITHM_LINE_EXCHANGE_H
#define NETWORK_ALGORITHM_LINE_EXCHANGE_H

#include "network/algorithm/fold.h"

static inline bool is_power_of_two(unsigned count)
{
	return count && !(count & (count - 1));
}

/* Emits one step in which each member sends `share` to the member `by` places further on, around the line. */
void lines_shift(const struct lines *lines, unsigned by, double share, struct schedule *schedule);

/* Emits the messages of `share` from each member to every other: in the current step. */
void lines_pairs_flows(const struct lines *lines, double share, struct schedule *schedule);
/* Emits the same messages as a step of their own. */
void lines_pairs(const struct lines *lines, double share, struct schedule *schedule);

/*
 * Scatters the parts of `whole` from member 0 down a binomial tree: ceil(log2 count) steps; a message carries all
 * parts of the subtree that it goes to; member 0 sends (count - 1) / count of the whole in total.
 */
void lines_scatter(const struct lines *lines, double whole, struct schedule *schedule);
/* Gathers the parts of `whole` at member 0 by the same messages backwards. */
void lines_gather(const struct lines *lines, double whole, struct schedule *schedule);

/*
 * Emits an allgather of `whole` in ceil(log2 count) steps: by doubling if count is a power of two, else by Bruck's
 * algorithm.
 */
void lines_gather_all(const struct lines *lines, double whole, struct schedule *schedule);

/*
 * Most ranks P for which P - 1 different steps of P flows are emitted; above, one exchange of all at once stands for
 * them.
 */
enum { SHIFTS_MAX = 4096 };

static inline bool shifts_apply(const struct communicator *comm)
{
	return comm->size > 1 && comm->size <= SHIFTS_MAX;
}

/*
 * Emits P - 1 steps: in step s every rank sends `share` to the rank s further on, which combines the share `reduce`.
 */
void shifts_emit(const struct communicator *comm, double share, double reduce, struct schedule *schedule);

#endif
