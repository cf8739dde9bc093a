/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sparse vectors on the wire. Each member has d N non-zeros among N items. After the non-zeros of j members have been
 * merged, the fill is
 *     d_j = rho d + (1 - rho) (1 - (1 - d)^j)
 * between equal supports (rho = 1) and random ones (rho = 0), and a part of c items takes
 *     min((value + index) c d_j, value c)    bytes: it is sent dense once that is less.
 */
#ifndef NETWORK_ALGORITHM_SPARSE_H
#define NETWORK_ALGORITHM_SPARSE_H

#include "network/algorithm/lines.h"

/* Returns d_j, the share of items that are not zero after those of `merged` members have been merged. */
double sparse_fill(const struct communicator *comm, double merged);
/*
 * Returns the bytes of `part` (0 .. 1) of the vector after `merged` members are merged, as a share of the dense
 * vector's.
 */
double sparse_share(const struct communicator *comm, double part, double merged);

/*
 * Emits the selection of the non-zeros as a step of its own, if the group has charge_selection: finding them reads the
 * vector `searches` times; adding up the residual, which is not sent, reads gradient and residual and writes the
 * residual.
 */
void sparse_select(const struct communicator *comm, double searches, struct schedule *schedule);
/*
 * Returns the passes of a radix selection, which looks at one byte of each value at a time and collects in a last one.
 */
static inline double sparse_searches(const struct communicator *comm)
{
	return comm->value_bytes + 1;
}

#endif
