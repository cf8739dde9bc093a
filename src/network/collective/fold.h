/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pairs at distances of powers of two, for any number of ranks P: with P' the power of two below and r = P - P', the even
 * ones of the first 2 r ranks hand everything to their odd neighbours before, and get the result back after, as MPICH
 * does (Thakur, Rabenseifner and Gropp 2005). Member i of the P' that remain is rank fold_rank(i).
 */
#ifndef NETWORK_COLLECTIVE_FOLD_H
#define NETWORK_COLLECTIVE_FOLD_H

#include "network/collective/lines.h"

struct fold {
	unsigned kept, folded; /* P', r */
	unsigned steps;        /* log2 P' */
};

static inline struct fold fold_of(unsigned ranks)
{
	struct fold fold = {.kept = 1};
	for (; fold.kept <= ranks / 2; fold.kept *= 2)
		++fold.steps;
	fold.folded = ranks - fold.kept;
	return fold;
}

static inline unsigned fold_rank(const struct fold *fold, unsigned member)
{
	return member < fold->folded ? 2 * member + 1 : member + fold->folded;
}

/* The step before and the step after; nothing when P is a power of two. */
void lines_fold(const struct lines *lines, double share, struct schedule *schedule);
void lines_unfold(const struct lines *lines, double share, struct schedule *schedule);

/* Each of the P' members and the one whose number differs by `distance` in one bit send to each other: in the current step, or in one
 * of their own. */
void lines_exchange_flows(
	const struct lines *lines, unsigned distance, double share, struct schedule *schedule);
void lines_exchange(const struct lines *lines, unsigned distance, double share, struct schedule *schedule);

/*
 * Among the P' members: log2 P' steps of share / 2, share / 4 .. share / P' that reduce and scatter, and the same back
 * that gather. `far`: the halves go P' / 2 away, the quarters P' / 4 ..; else 1, 2, ..
 */
void lines_halve(const struct lines *lines, double share, bool far, struct schedule *schedule);
void lines_double(const struct lines *lines, double share, bool far, struct schedule *schedule);

/* Whole allreduces, folds included: Rabenseifner's, and recursive doubling with everything in every step. */
void lines_rabenseifner_allreduce(
	const struct lines *lines, double share, bool far, struct schedule *schedule);
void lines_doubling_allreduce(const struct lines *lines, double share, struct schedule *schedule);

#endif
