/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an algorithm may know of a group: how its ranks lie in nodes and larger domains, and the network's own extents. */
#include "network/network.h"

static unsigned device_of(const struct group *group, unsigned rank)
{
	const unsigned place = group_base(group, 0) + group_offset(group, rank);
	return group->placement ? group->placement[place] : place;
}

/* Consecutive ranks in one domain of `devices`; 1 when domains hold unequal numbers. */
static unsigned members_inside(const struct group *group, unsigned devices)
{
	unsigned inside = 1;
	const unsigned first = device_of(group, 0) / devices;
	while (inside < group->size && device_of(group, inside) / devices == first)
		++inside;
	if (group->size % inside)
		return 1;
	for (unsigned rank = 0; rank < group->size; ++rank) {
		const unsigned home = device_of(group, rank - rank % inside) / devices;
		if (device_of(group, rank) / devices != home)
			return 1;
		if (rank % inside == 0 && rank && device_of(group, rank - 1) / devices == home)
			return 1;
	}
	return inside;
}

/* Each domain holds a whole number of those below it. */
static void domains_fill(const struct network *network, const struct group *group, struct party *party)
{
	const struct graph *graph = network->graph;
	const bool levels = network->machine != NULL;
	const unsigned count = levels ? network->machine->level_count : graph->domain_count;
	unsigned below = 1;
	for (unsigned l = 0; l < count && below < group->size; ++l) {
		const unsigned devices = levels ? network->machine->levels[l].devices : graph->domain[l];
		const unsigned inside = members_inside(group, devices);
		if (inside > below && inside % below == 0) {
			party->domains[party->domain_count++] = inside / below;
			below = inside;
		}
	}
	if (below < group->size && party->domain_count < LEVELS_MAX)
		party->domains[party->domain_count++] = group->size / below;
}

struct party party_of(const struct network *network, const struct group *group)
{
	const struct graph *graph = network->graph;
	const struct machine_network *rules = network->rules;
	struct party party = {.size = group->size, .per_node = 1, .nodes = group->size};
	party.ports = network->ports ? network->ports : 1;
	party.nvls = (struct in_network){rules->nvls_start_s, rules->nvls_efficiency};
	party.sharp = (struct in_network){rules->sharp_start_s, rules->sharp_efficiency};
	party.density = 1;
	party.value_bytes = party.index_bytes = 4;
	if (network->devices_per_node > 1) {
		party.per_node = members_inside(group, network->devices_per_node);
		party.nodes = group->size / party.per_node;
	}
	party.channels = !rules->synchronous && party.nodes > 1 && party.per_node > 1 ? party.ports : 1;
	domains_fill(network, group, &party);
	if (group->size == graph->devices && !group->placement) {
		for (unsigned i = 0; i < graph->grid_count; ++i)
			party.grid[i] = graph->grid[i];
		party.grid_count = graph->grid_count;
		party.grid_is_torus = graph->wraps;
		party.kautz = graph->kautz;
	}
	return party;
}
