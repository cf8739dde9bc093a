/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lower bounds on exchanges, found without any route. Whatever the algorithm, what the group's members in a node and
 * the others need of each other goes through the node's ports. With g of n members in the node, and B bytes of vector:
 *     allgather        (1 - g/n) B come in
 *     reduce-scatter   (1 - g/n) B of partial sums go out
 *     all-to-all       g (1 - g/n) B go out
 *     allreduce        B go out. Where no switch adds up, 2 (1 - g/n) B on average over nodes with g members each, as
 *                      N nodes send (N - 1) B to sum up and (N - 1) B to spread the sum (Patarasuk and Yuan, 2009)
 * The copies of the group that run at the same time share the ports. In a node the same holds for a device (g = 1) and
 * its own links.
 */
#include "network/cost/curve_table.h"

enum { NODE_MOST = 256 }; /* devices of a node; larger ones have no floor */

/* Returns the bytes, by vector, that g of n members and the others need of each other in one direction, at least. */
static double crossing(enum operation operation, double g, double n, bool adds_up)
{
	const double others = 1 - g / n;
	if (operation == ALLREDUCE)
		return adds_up || 2 * others < 1 ? others > 0 : 2 * others;
	if (operation == ALL_TO_ALL)
		return g * others;
	return operation == ALLGATHER || operation == REDUCE_SCATTER ? others : 0;
}

/* Returns how many members of one copy a node of `devices` may have at most. */
static double members_most(const struct group *group, unsigned devices)
{
	double most = 1;
	for (unsigned i = 0; i < group->run_count; ++i) {
		const struct run *run = &group->runs[i];
		const unsigned fit = (devices - 1) / run->stride + 1;
		most *= fit < run->degree ? fit : run->degree;
	}
	return most < devices ? most : devices;
}

/* Returns how many of a copy's members are among the first `devices` devices. */
static unsigned members_within(const struct group *group, unsigned base, unsigned devices)
{
	unsigned within = 0;
	for (unsigned rank = 0; rank < group->size && rank < devices; ++rank)
		within += base + group_offset(group, rank) < devices;
	return within;
}

/* Returns the seconds per byte of vector that the ports of the first node are busy, at least. */
static double node_s_per_byte(
	const struct network *network, const struct group *group, enum operation operation)
{
	const unsigned devices = network->devices_per_node;
	const bool adds_up = network->rules->sharp_efficiency > 0;
	const double most = members_most(group, devices);
	unsigned bases[NODE_MOST];
	double bytes = 0;
	if (devices > NODE_MOST || !(network->node_bytes_per_s > 0))
		return 0;
	const unsigned copies = group_copies(group, devices, bases);
	for (unsigned i = 0; i < copies; ++i) {
		const double here = members_within(group, bases[i], devices);
		bytes += crossing(operation, operation == ALLREDUCE ? most : here, group->size, adds_up);
	}
	return bytes / network->node_bytes_per_s;
}

void curve_floor(const struct network *network, const struct group *group, const struct choice *choice,
	struct curve *curve)
{
	double s_per_byte = 0;
	*curve = (struct curve){.count = 1};
	if (group->placement || choice->density > 0)
		return;
	if (members_most(group, network->devices_per_node) < group->size)
		s_per_byte = node_s_per_byte(network, group, choice->operation);
	else if (group->nodes == 1 && network->device_bytes_per_s > 0)
		s_per_byte =
			crossing(choice->operation, 1, group->size, network->rules->nvls_efficiency > 0) /
			network->device_bytes_per_s;
	curve->segments[0].line.b_s_per_byte = s_per_byte;
}
