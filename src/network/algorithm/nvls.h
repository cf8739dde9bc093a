/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef NETWORK_ALGORITHM_NVLS_H
#define NETWORK_ALGORITHM_NVLS_H

#include "network/algorithm/collective.h"

/*
 * Collectives in the switch of a node (NVLink SHARP). The switch sums up what it reads from all devices, and copies to
 * all what one device writes. Each of the g devices reads its g-th of the sum, or writes its g-th of the vector to
 * all, so the vector crosses each port at most once in each direction:
 *     T = start + alpha + share bytes beta / efficiency       share: 1; (g + 1) / g for an allreduce, which does both
 */

/* Returns 1 if the group is several devices of one node whose switch reduces, else 0. */
static inline unsigned nvls_variants(const struct communicator *comm)
{
	return comm->nvls.efficiency > 0 && comm->size > 1 && comm->nodes == 1;
}

/* Emits the step in which `share` of the vector crosses each port, in a phase of this name. */
static inline void nvls_emit(
	const struct communicator *comm, double share, const char *phase, struct schedule *schedule)
{
	schedule_phase(schedule, phase);
	schedule_step(schedule, 1, 0);
	for (unsigned rank = 0; rank < comm->size; ++rank)
		schedule_flow(schedule, rank, (rank + 1) % comm->size, share / comm->nvls.efficiency);
	schedule_wait(schedule, comm->nvls.start_s);
}

#endif
