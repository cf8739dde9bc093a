/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef NETWORK_COLLECTIVE_NVLS_H
#define NETWORK_COLLECTIVE_NVLS_H

#include "network/collective.h"

/*
 * In the switch of a node (NVLink SHARP), which sums up what it reads of all devices and copies what one writes to all. Of g devices,
 * each has its g-th of the sum read from all, or of the whole written to all: the vector crosses each port once, each way at most.
 *     T = start + alpha + share bytes beta / efficiency       share: 1, or (g + 1) / g of an allreduce, which does both
 */
static inline unsigned nvls_variants(const struct party *party)
{
	return party->nvls.efficiency > 0 && party->size > 1 && party->nodes == 1;
}

static inline void nvls_tell(
	const struct party *party, double share, const char *phase, struct schedule *schedule)
{
	schedule_phase(schedule, phase);
	schedule_step(schedule, 1, 0);
	for (unsigned rank = 0; rank < party->size; ++rank)
		schedule_flow(schedule, rank, (rank + 1) % party->size, share / party->nvls.efficiency);
	schedule_wait(schedule, party->nvls.start_s);
}

#endif
