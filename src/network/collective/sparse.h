/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sparse vectors on the wire. Of N items each member has d N non-zeros. After j members' have been merged, the fill is
 *     d_j = rho d + (1 - rho) (1 - (1 - d)^j)
 * between equal supports (rho = 1) and random ones (rho = 0), and a part of c items takes
 *     min((value + index) c d_j, value c)    bytes: it is sent dense once that is less.
 */
#ifndef NETWORK_COLLECTIVE_SPARSE_H
#define NETWORK_COLLECTIVE_SPARSE_H

#include "network/collective/exchange.h"

/* d_j */
double sparse_fill(const struct party *party, double merged);
/* Bytes of a part of the vector, as a share of the dense vector's. */
double sparse_share(const struct party *party, double part, double merged);

/*
 * If the party wants it charged, a step of its own: finding the non-zeros reads the vector `searches` times, and adding
 * up what stays behind reads the gradient and the rest and writes the rest.
 */
void sparse_select(const struct party *party, double searches, struct schedule *schedule);
/* Radix selection looks at one byte of each value at a time, and collects in one more pass. */
static inline double sparse_searches(const struct party *party)
{
	return party->value_bytes + 1;
}

/*
 * Steps around rings: in step i = 0 .. steps - 1 every member passes on a part that holds first + i * more members'
 * non-zeros.
 */
struct sparse_trip {
	const struct lines *lines; /* NULL: the whole party, on its channels */
	double part, first, more;
	unsigned steps;
	bool reduces;
};
void sparse_trip_tell(const struct party *party, const struct sparse_trip *trip, struct schedule *schedule);

#endif
