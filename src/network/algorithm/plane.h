/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef NETWORK_ALGORITHM_PLANE_H
#define NETWORK_ALGORITHM_PLANE_H

#include "network/algorithm/line_exchange.h"

/*
 * Reports whether the group is a whole grid of n x p ranks, rank = column + n row, that does not wrap around: its rows
 * and columns are fully connected, or those of a mesh, where messages take several hops.
 */
static inline bool plane_applies(const struct communicator *comm)
{
	return comm->grid_count == 2 && !comm->grid_is_torus && comm->grid[0] > 1 && comm->grid[1] > 1 &&
	       comm->grid[0] * comm->grid[1] == comm->size;
}
static inline struct lines plane_rows(const struct communicator *comm)
{
	return lines_along(comm, comm->grid, 0);
}
static inline struct lines plane_columns(const struct communicator *comm)
{
	return lines_along(comm, comm->grid, 1);
}

#endif
