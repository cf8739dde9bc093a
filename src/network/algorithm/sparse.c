/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "network/algorithm/sparse.h"

#include <math.h>

#include "network/algorithm/ring.h"

double sparse_fill(const struct communicator *comm, double merged)
{
	const double d = comm->density, rho = comm->support_overlap;
	return rho * d - (1 - rho) * expm1(merged * log1p(-d));
}

double sparse_share(const struct communicator *comm, double part, double merged)
{
	const double item = (comm->value_bytes + comm->index_bytes) / comm->value_bytes;
	const double fill = item * sparse_fill(comm, merged);
	return fill < 1 ? part * fill : part;
}

void sparse_select(const struct communicator *comm, double searches, struct schedule *schedule)
{
	if (!comm->charge_selection)
		return;
	schedule_phase(schedule, "selection");
	schedule_step(schedule, 1, 0);
	schedule_memory(schedule, searches + 3);
}

static void flows(const struct communicator *comm, const struct sparse_trip *trip, double share,
	struct schedule *schedule)
{
	if (trip->lines)
		lines_ring_flows(trip->lines, share, schedule);
	else
		ring_step(comm, share, schedule);
}

void sparse_trip_emit(
	const struct communicator *comm, const struct sparse_trip *trip, struct schedule *schedule)
{
	const unsigned ring = trip->lines ? trip->lines->count : comm->size, steps = trip->steps;
	const double full = sparse_share(comm, trip->part, trip->first + (steps - 1.0) * trip->more);
	double emitted = 0;
	for (unsigned i = 0; i < steps;) {
		const double share = sparse_share(comm, trip->part, trip->first + i * trip->more);
		const unsigned repeat = share < full ? 1 : steps - i; /* parts only grow */
		i += repeat;
		if (emitted > 0 && schedule_again(schedule, share / emitted, repeat))
			continue;
		schedule_step(schedule, repeat, ring);
		flows(comm, trip, share, schedule);
		if (trip->reduces)
			schedule_reduce(schedule, share);
		emitted = share;
	}
}
