/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef NETWORK_COLLECTIVE_HALVING_H
#define NETWORK_COLLECTIVE_HALVING_H

#include "network/collective/fold.h"

/*
 * A reduce-scatter by recursive halving that counts parts: each of the P' places (fold.h) ends with its own part, and
 * the places of folded pairs with two.
 */
struct halving {
	struct fold fold;
	unsigned size;
	bool odd; /* of a pair the odd rank stays, else the even one */
	bool far; /* partners at distance P' / 2 first, else 1 first */
};

struct halving halving_of(const struct party *party, bool far, bool odd);
unsigned halving_rank(const struct halving *halving, unsigned place);
unsigned halving_other(const struct halving *halving, unsigned pair);
/* Parts, as a share of the vector, of the places that equal this one in all bits below `period` (a power of two). */
double halving_residue(const struct halving *halving, unsigned place, unsigned period);

void halving_reduce_scatter(const struct halving *halving, struct schedule *schedule);
/* The same backwards; of folded pairs both ranks get all. */
void halving_allgather(const struct halving *halving, struct schedule *schedule);

#endif
