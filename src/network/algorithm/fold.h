/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Exchanges in pairs at distances that are powers of two, for any number of ranks P. P' is the largest power of two
 * that is at most P, and r = P - P'. The even ranks among the first 2 r hand all they have to their odd neighbours
 * before the exchanges and get the result back after them, as MPICH does (Thakur, Rabenseifner and Gropp 2005). Member
 * i of the P' that remain is rank fold_rank(i).
 */
#ifndef NETWORK_ALGORITHM_FOLD_H
#define NETWORK_ALGORITHM_FOLD_H

#include "network/algorithm/lines.h"

struct fold {
	unsigned kept, folded; /* P' ranks that remain, r that hand over */
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

/* Emits the step before the exchanges, in which r ranks hand over `share`; nothing when P is a power of two. */
void lines_fold(const struct lines *lines, double share, struct schedule *schedule);
/* Emits the step after the exchanges, in which those r ranks get `share` back; nothing when P is a power of two. */
void lines_unfold(const struct lines *lines, double share, struct schedule *schedule);

/*
 * Emits the exchange of `share` between each of the P' members and the one whose number differs in the bit `distance`:
 * in the current step.
 */
void lines_exchange_flows(
	const struct lines *lines, unsigned distance, double share, struct schedule *schedule);
/* Emits the same exchange as a step of its own. */
void lines_exchange(const struct lines *lines, unsigned distance, double share, struct schedule *schedule);

/*
 * Emits a reduce-scatter among the P' members by recursive halving: log2 P' steps of share / 2, share / 4 .. share /
 * P'. With `far` the halves go P' / 2 away, the quarters P' / 4 and so on; else 1, 2, ..
 */
void lines_halve(const struct lines *lines, double share, bool far, struct schedule *schedule);
/* Emits the allgather among them by recursive doubling: the same steps backwards. */
void lines_double(const struct lines *lines, double share, bool far, struct schedule *schedule);

/* Emits Rabenseifner's allreduce: the fold, halving, doubling and the step back. */
void lines_rabenseifner_allreduce(
	const struct lines *lines, double share, bool far, struct schedule *schedule);
/* Emits an allreduce by recursive doubling, with all of `share` in every step, the fold and the step back included. */
void lines_doubling_allreduce(const struct lines *lines, double share, struct schedule *schedule);

#endif
