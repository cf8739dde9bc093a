/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef NETWORK_ALGORITHM_RING_H
#define NETWORK_ALGORITHM_RING_H

#include "network/algorithm/collective.h"

/*
 * Emits the flows of one channel of ring_step as runs over all nodes: from device to device, and on to the next node.
 */
static inline void ring_runs(
	const struct communicator *comm, unsigned turn, double share, struct schedule *schedule)
{
	const unsigned g = comm->per_node, last = comm->size - g, leaves = (g - 1 + turn) % g;
	for (unsigned i = 0; i + 1 < g; ++i)
		schedule_flows(schedule, (i + turn) % g, (i + 1 + turn) % g, share, comm->size / g, g);
	schedule_flows(schedule, leaves, g + turn % g, share, comm->size / g - 1, g);
	schedule_flow(schedule, last + leaves, turn % g, share);
}

/*
 * Emits the flows of one step of a ring over the whole group, in rank order: `share` from each rank to the next,
 * spread over the group's channels. Channel c of k walks each node from its device c * per_node / k on, so that it
 * enters and leaves nodes by ports that the other channels do not use. Inside one node all channels are alike: the
 * compiler gives a flow the lanes of all.
 */
static inline void ring_step(const struct communicator *comm, double share, struct schedule *schedule)
{
	const unsigned g = comm->per_node;
	const unsigned channels = comm->nodes > 1 && comm->channels > 1 ? comm->channels : 1;
	for (unsigned c = 0; c < channels; ++c) {
		const unsigned turn = c * g / channels;
		if (schedule->reorders) {
			ring_runs(comm, turn, share / channels, schedule);
			continue;
		}
		for (unsigned rank = 0; rank < comm->size; ++rank) {
			const unsigned next = rank + 1 < comm->size ? rank + 1 : 0;
			const unsigned from = rank / g * g + (rank % g + turn) % g;
			const unsigned to = next / g * g + (next % g + turn) % g;
			schedule_flow(schedule, from, to, share / channels);
		}
	}
}

#endif
