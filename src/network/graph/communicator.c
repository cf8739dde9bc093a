/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Groups as algorithms see them (algorithm/collective.h): how the ranks lie in nodes and larger domains, and which
 * shape they have in the network's own grid.
 */
#include "network/graph/topology.h"
#include "network/machine_network.h"

static unsigned device_at(const struct group *group, unsigned base, unsigned rank)
{
	const unsigned place = base + group_offset(group, rank);
	return group->placement ? group->placement[place] : place;
}

/* Returns how many consecutive ranks are in one domain of `devices`; 1 when domains hold unequal numbers. */
static unsigned ranks_inside(const struct group *group, unsigned devices)
{
	unsigned inside = 1;
	const unsigned base = group_base(group, 0), first = device_at(group, base, 0) / devices;
	while (inside < group->size && device_at(group, base, inside) / devices == first)
		++inside;
	if (group->size % inside)
		return 1;
	for (unsigned rank = inside, home = first; rank < group->size; ++rank) {
		const unsigned here = device_at(group, base, rank) / devices;
		if ((here == home) == (rank % inside == 0))
			return 1;
		home = here;
	}
	return inside;
}

/* Returns whether all copies of the group go to another node after this rank, or all stay where they are. */
static bool copies_agree(const struct group *group, unsigned per_node, unsigned rank, bool leaves)
{
	const unsigned size = group->size > 0 ? group->size : 1;
	const unsigned copies = group->devices > size ? group->devices / size : 1;
	const unsigned most = group->concurrent && group->concurrent < copies ? group->concurrent : copies;
	for (unsigned s = 1; s < most; ++s) {
		const unsigned base = group_base(group, s);
		const unsigned node = device_at(group, base, rank) / per_node;
		if ((device_at(group, base, rank + 1) / per_node != node) != leaves)
			return false;
	}
	return true;
}

/* Counts a node that holds `held` ranks; false: the first ones hold fewer, or the others another number. */
static bool node_count(struct communicator *comm, unsigned held)
{
	if (comm->nodes == 0)
		comm->full = held;
	if (comm->full < 2 || held > comm->full || (comm->rest && held != comm->rest))
		return false;
	if (held < comm->full)
		comm->rest = held;
	comm->full_nodes += held == comm->full;
	++comm->nodes;
	return true;
}

/*
 * Finds nodes that hold unequal numbers of ranks: one number on each of the first, a smaller one on each of the
 * others, in all copies alike. False: the nodes hold other numbers; *comm is then as it was.
 */
static bool uneven_fill(const struct group *group, unsigned devices, struct communicator *comm)
{
	const unsigned base = group_base(group, 0), last = group->size - 1;
	struct communicator counted = *comm;
	unsigned held = 0;
	counted.nodes = counted.full = counted.full_nodes = counted.rest = 0;
	for (unsigned rank = 0; rank <= last; ++rank) {
		const unsigned here = device_at(group, base, rank) / devices;
		const unsigned next = rank < last ? device_at(group, base, rank + 1) / devices : here + 1;
		++held;
		if (next > here) {
			if (!node_count(&counted, held))
				return false;
			held = 0;
		}
		if (next < here || (rank < last && !copies_agree(group, devices, rank, next > here)))
			return false;
	}
	if (counted.rest == 0)
		return false;
	*comm = counted;
	return true;
}

/* Returns the cables, or lanes of one, that a device has to the others of a group inside a node. */
static unsigned lanes_inside(const struct network *network, unsigned members)
{
	const struct graph *graph = network->graph;
	if (graph->mesh)
		return graph->mesh * (members - 1);
	if (!graph->tree)
		return 1;
	const struct level *node = graph->tree->machine->levels;
	return node->mesh ? node->ports * (members - 1) / (node->devices - 1) : node->ports;
}

/* Fills in how the ranks lie on nodes, and how many rings the library runs side by side: one for each port that is theirs. */
static void nodes_fill(const struct network *network, const struct group *group, struct communicator *comm)
{
	const unsigned devices = network->devices_per_node;
	comm->channels = 1;
	if (devices < 2)
		return;
	comm->per_node = ranks_inside(group, devices);
	comm->nodes = group->size / comm->per_node;
	const bool uneven = comm->per_node == 1 && uneven_fill(group, devices, comm);
	if (network->rules->synchronous)
		return;
	comm->meshed = comm->nodes == 1 && network->graph->mesh > 0;
	if (uneven)
		comm->channels = (comm->rest * comm->ports - 1) / comm->full + 1;
	else if (comm->nodes == 1)
		comm->channels = lanes_inside(network, comm->size);
	else if (comm->per_node > 1)
		comm->channels = comm->ports;
}

/* Fills in the communicator's domains, each of which holds a whole number of those below it. */
static void domains_fill(const struct network *network, const struct group *group, struct communicator *comm)
{
	const struct graph *graph = network->graph;
	const bool levels = network->machine != NULL;
	const unsigned count = levels ? network->machine->level_count : graph->domain_count;
	unsigned below = 1;
	for (unsigned l = 0; l < count && below < group->size; ++l) {
		const unsigned devices = levels ? network->machine->levels[l].devices : graph->domain[l];
		const unsigned inside = ranks_inside(group, devices);
		if (inside > below && inside % below == 0) {
			comm->domains[comm->domain_count++] = inside / below;
			below = inside;
		}
	}
	if (below < group->size && comm->domain_count < LEVELS_MAX)
		comm->domains[comm->domain_count++] = group->size / below;
}

static bool extent_add(struct communicator *comm, unsigned count)
{
	if (comm->grid_count == GRID_MAX)
		return false;
	comm->grid[comm->grid_count++] = count;
	return true;
}

/*
 * Lays one run of the group along the extents of the grid, from the extent that its stride reaches on. False where
 * it has no shape there: its members, or those of a copy beside it, would not be alike from line to line.
 */
static bool run_shape(const struct graph *graph, const struct run *run, bool alone, struct communicator *comm)
{
	unsigned below = 1, step = run->stride, left = run->degree;
	for (unsigned d = 0; d < graph->grid_count && left > 1; below *= graph->grid[d++]) {
		const unsigned extent = graph->grid[d];
		if (step >= below * extent)
			continue;
		const unsigned apart = step / below;
		if (apart == 0 || step % below || extent % apart)
			return false;
		const unsigned room = extent / apart, count = left < room ? left : room;
		if (left % count || (!alone && room % count) || (count > 1 && !extent_add(comm, count)))
			return false;
		left /= count;
		step = below * extent;
	}
	return left == 1;
}

/*
 * Fills in the shape that the group has in the network's grid: lines, planes and blocks, in whole or in part, in the
 * order of its ranks.
 */
static void grid_fill(const struct graph *graph, const struct group *group, struct communicator *comm)
{
	const bool alone = group->devices == group->size;
	bool shaped = !group->placement;
	unsigned size = 1;
	for (unsigned i = 0; shaped && i < group->run_count; ++i) {
		shaped = run_shape(graph, &group->runs[i], alone, comm);
		size *= group->runs[i].degree;
	}
	shaped = shaped && size == group->size;
	comm->grid_count = shaped ? comm->grid_count : 0;
	comm->grid_is_torus = comm->grid_count > 0 && graph->wraps;
	comm->grid_is_lattice = comm->grid_count > 0 && graph->lattice;
	if (group->size == graph->devices && !group->placement) {
		comm->kautz = graph->kautz;
		comm->shortcuts = graph->shortcuts;
	}
}

struct communicator communicator_of(const struct network *network, const struct group *group)
{
	const struct graph *graph = network->graph;
	const struct machine_network *rules = network->rules;
	struct communicator comm = {.size = group->size, .per_node = 1, .nodes = group->size};
	comm.ports = network->ports ? network->ports : 1;
	comm.nvls = (struct in_network){rules->nvls_start_s, rules->nvls_efficiency};
	comm.sharp = (struct in_network){rules->sharp_start_s, rules->sharp_efficiency};
	comm.density = 1;
	comm.value_bytes = comm.index_bytes = 4;
	nodes_fill(network, group, &comm);
	domains_fill(network, group, &comm);
	grid_fill(graph, group, &comm);
	return comm;
}
