/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "network/collective/sparse.h"

#include <math.h>

#include "network/collective/ring.h"

double sparse_fill(const struct party *party, double merged)
{
	const double d = party->density, rho = party->support_overlap;
	return rho * d - (1 - rho) * expm1(merged * log1p(-d));
}

double sparse_share(const struct party *party, double part, double merged)
{
	const double item = (party->value_bytes + party->index_bytes) / party->value_bytes;
	const double fill = item * sparse_fill(party, merged);
	return fill < 1 ? part * fill : part;
}

void sparse_select(const struct party *party, double searches, struct schedule *schedule)
{
	if (!party->charge_selection)
		return;
	schedule_phase(schedule, "selection");
	schedule_step(schedule, 1, 0);
	schedule_memory(schedule, searches + 3);
}

static void flows(
	const struct party *party, const struct sparse_trip *trip, double share, struct schedule *schedule)
{
	if (trip->lines)
		lines_ring_flows(trip->lines, share, schedule);
	else
		ring_step(party, share, schedule);
}

void sparse_trip_tell(const struct party *party, const struct sparse_trip *trip, struct schedule *schedule)
{
	const unsigned ring = trip->lines ? trip->lines->count : party->size, steps = trip->steps;
	const double full = sparse_share(party, trip->part, trip->first + (steps - 1.0) * trip->more);
	double told = 0;
	for (unsigned i = 0; i < steps;) {
		const double share = sparse_share(party, trip->part, trip->first + i * trip->more);
		const unsigned repeat = share < full ? 1 : steps - i; /* parts only grow */
		i += repeat;
		if (told > 0 && schedule_again(schedule, share / told, repeat))
			continue;
		schedule_step(schedule, repeat, ring);
		flows(party, trip, share, schedule);
		if (trip->reduces)
			schedule_reduce(schedule, share);
		told = share;
	}
}
