/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Steps in which every member of a line sends: to one further on, to all others, or parts down a tree. */
#ifndef NETWORK_COLLECTIVE_EXCHANGE_H
#define NETWORK_COLLECTIVE_EXCHANGE_H

#include "network/collective/fold.h"

static inline bool is_power_of_two(unsigned count)
{
	return count && !(count & (count - 1));
}

/* One step: each member to the one `by` further on, around the line. */
void lines_shift(const struct lines *lines, unsigned by, double share, struct schedule *schedule);

/* Each member to every other, in the current step; or in one of their own. */
void lines_pairs_flows(const struct lines *lines, double share, struct schedule *schedule);
void lines_pairs(const struct lines *lines, double share, struct schedule *schedule);

/*
 * Member 0 deals out the parts of `whole` down a binomial tree, or collects them up it: ceil(log2 count) steps, in each
 * a message of all parts of the subtree; in all (count - 1) / count of the whole.
 */
void lines_scatter(const struct lines *lines, double whole, struct schedule *schedule);
void lines_gather(const struct lines *lines, double whole, struct schedule *schedule);

/* Allgather of parts of `whole` in ceil(log2 count) steps, by doubling if count is a power of two, else as Bruck. */
void lines_gather_all(const struct lines *lines, double whole, struct schedule *schedule);

/* P - 1 different steps of P flows: above this size an all-at-once exchange stands for them. */
enum { SHIFTS_MAX = 4096 };

static inline bool shifts_apply(const struct party *party)
{
	return party->size > 1 && party->size <= SHIFTS_MAX;
}

/* P - 1 steps: in step s every rank sends `share` to the one s further on, which combines `reduce`. */
void shifts_tell(const struct party *party, double share, double reduce, struct schedule *schedule);

#endif
