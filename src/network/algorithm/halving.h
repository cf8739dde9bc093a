/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef NETWORK_ALGORITHM_HALVING_H
#define NETWORK_ALGORITHM_HALVING_H

#include "network/algorithm/fold.h"

/*
 * A reduce-scatter by recursive halving in which each of the P ranks has a part of its own. A place is one of the P'
 * members that remain after folding (fold.h); it ends with its own part, and the place of a folded pair with two.
 */
struct halving {
	struct fold fold;
	unsigned size; /* P */
	bool odd;      /* the odd rank of a folded pair stays, else the even one */
	bool far;      /* halving begins with partners at distance P' / 2, else at distance 1 */
};

/* Returns the halving of all ranks of the group. */
struct halving halving_of(const struct communicator *comm, bool far, bool odd);
/* Returns the rank at a place. */
unsigned halving_rank(const struct halving *halving, unsigned place);
/* Returns the rank of a folded pair that does not stay. */
unsigned halving_other(const struct halving *halving, unsigned pair);
/*
 * Returns the parts, as a share of the vector, of the places that equal `place` in all bits below `period` (a power of
 * two).
 */
double halving_residue(const struct halving *halving, unsigned place, unsigned period);

/* Emits the reduce-scatter; the places of folded pairs end with the parts of both ranks. */
void halving_reduce_scatter(const struct halving *halving, struct schedule *schedule);
/* Emits an allgather: the same backwards; both ranks of a folded pair get the whole vector. */
void halving_allgather(const struct halving *halving, struct schedule *schedule);

#endif
