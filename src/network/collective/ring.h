/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef NETWORK_COLLECTIVE_RING_H
#define NETWORK_COLLECTIVE_RING_H

#include "network/collective.h"

/*
 * Emits the flows of one channel of ring_step as runs over all nodes: from device to device, and on to the next node.
 */
static inline void ring_runs(
	const struct party *party, unsigned turn, double share, struct schedule *schedule)
{
	const unsigned g = party->per_node, last = party->size - g, leaves = (g - 1 + turn) % g;
	for (unsigned i = 0; i + 1 < g; ++i)
		schedule_flows(schedule, (i + turn) % g, (i + 1 + turn) % g, share, party->size / g, g);
	schedule_flows(schedule, leaves, g + turn % g, share, party->size / g - 1, g);
	schedule_flow(schedule, last + leaves, turn % g, share);
}

/*
 * Emits the flows of one step of a ring over the whole group, in rank order: `share` from each rank to the next,
 * spread over the group's channels. Channel c of k walks each node from its device c * per_node / k on, so that it
 * enters and leaves nodes by ports that the other channels do not use. Inside one node all channels are alike: the
 * compiler gives a flow the lanes of all.
 */
static inline void ring_step(const struct party *party, double share, struct schedule *schedule)
{
	const unsigned g = party->per_node;
	const unsigned channels = party->nodes > 1 && party->channels > 1 ? party->channels : 1;
	for (unsigned c = 0; c < channels; ++c) {
		const unsigned turn = c * g / channels;
		if (schedule->reorders) {
			ring_runs(party, turn, share / channels, schedule);
			continue;
		}
		for (unsigned rank = 0; rank < party->size; ++rank) {
			const unsigned next = rank + 1 < party->size ? rank + 1 : 0;
			const unsigned from = rank / g * g + (rank % g + turn) % g;
			const unsigned to = next / g * g + (next % g + turn) % g;
			schedule_flow(schedule, from, to, share / channels);
		}
	}
}

#endif
