/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Groups of devices that communicate. This file finds the group along axes of a plan, its copies that run at the
 * same time, and what an algorithm may know about the group: how its ranks lie in nodes and larger domains, and the
 * network's own extents.
 *
 * Where links join a domain of many boards (device_link.devices: a rack of NVLink), boards are free to go into any
 * domain and the last domain need not be full. A group whose blocks do not tile domains is then spread over as few
 * domains as have room for it:
 *     r = ceil(p / floor(D / s)) domains for p members, s apart, in domains of D; floor(p / r) members in each
 * The number of members is that of the domain with the fewest, so that a remainder makes no port count that does not
 * exist.
 */
#include <math.h>

#include "network/machine_network.h"

/* Returns whether blocks of `block` devices tile a domain. */
static bool tiles(double domain, double block)
{
	const double blocks = domain / block;
	return blocks - (double)(long long)blocks <= 0;
}

/*
 * Returns how many members of a run are inside one domain, at the worst placement when runs do not tile domains;
 * sets *straddles when a block of the run may lie across two domains.
 */
static double members_inside(const struct run *run, double domain, bool *straddles)
{
	const double stride = run->stride, block = stride * run->degree;
	if (block <= domain) {
		if (tiles(domain, block))
			return run->degree;
		*straddles = run->degree > 1;
		return floor((run->degree + 1.0) / 2); /* half of the worst block is on the next domain */
	}
	const double inside = stride < domain ? (double)(long long)(domain / stride) : 1;
	return inside < run->degree ? inside : run->degree;
}

/*
 * Returns how many domains the worst-placed members of a run touch; blocks that tile domains, or the only block,
 * start with one.
 */
static double domains_touched(const struct run *run, double domain, double devices)
{
	const double stride = run->stride, reach = stride * (run->degree - 1), block = stride * run->degree;
	if (run->stride >= domain)
		return run->degree;
	const bool aligned =
		(block > domain ? tiles(block, domain) : tiles(domain, block)) || block >= devices;
	if (aligned && tiles(domain, run->stride))
		return (double)(long long)(reach / domain) + 1;
	const double most = (double)(long long)((reach + domain - 1) / domain) + 1;
	return most < run->degree ? most : run->degree;
}

static void run_add(struct group *group, const struct paradl_machine *machine, const struct run *run,
	double devices, bool straddles[LEVELS_MAX])
{
	double nodes = 1;
	for (unsigned l = 0; l < machine->level_count; ++l) {
		const double domain = machine->levels[l].devices;
		if (devices <= domain) {
			group->members[l] *= run->degree;
			continue;
		}
		group->members[l] *= (unsigned)members_inside(run, domain, &straddles[l]);
		if (l == 0)
			nodes = domains_touched(run, domain, devices);
	}
	group->size *= run->degree;
	group->nodes *= (unsigned)nodes;
	group->runs[group->run_count++] = *run;
}

/* Returns whether a run keeps to domains, or fills them, in order. */
static bool run_tiles(const struct run *run, double domain)
{
	const double stride = run->stride, block = stride * run->degree;
	return block <= domain ? tiles(domain, block) : tiles(block, domain) && tiles(domain, stride);
}

/*
 * Appends the run as it lies in domains of its own. `taken` is the number of devices that the runs inside it take;
 * returns that number with this run.
 */
static unsigned run_pack(struct group *group, const struct run *run, unsigned domain, unsigned taken)
{
	struct run *out = &group->runs[group->run_count++];
	if (taken < domain && (double)run->stride * run->degree <= domain) {
		*out = *run;
		return run->stride * run->degree;
	}
	const unsigned most = taken < domain ? domain / run->stride : 0;
	if (most < 2) {
		*out = (struct run){taken > domain ? taken : domain, run->degree};
		group->nodes *= run->degree;
		return out->stride * run->degree;
	}
	const unsigned domains = (run->degree - 1) / most + 1;
	*out = (struct run){run->stride, run->degree / domains};
	group->runs[group->run_count++] = (struct run){domain, domains};
	group->nodes *= domains;
	return domain * domains;
}

/*
 * Returns whether the machine's first level is the domain that the device's own links join, rather than one of
 * several nodes in that domain.
 */
static bool is_linked_domain(const struct paradl_machine *machine)
{
	return machine->device.link.devices > 1 &&
	       2.0 * machine->levels[0].devices > machine->device.link.devices;
}

/*
 * Spreads a group that does not tile the machine's first domains over as few as have room, among those that the plan
 * takes.
 */
static void group_pack(struct group *group, const struct paradl_machine *machine)
{
	const unsigned domain = machine->levels[0].devices, domains = (group->devices - 1) / domain + 1;
	struct group packed = *group;
	bool is_tiled = true;
	unsigned taken = 1;
	for (unsigned i = 0; i < group->run_count; ++i)
		is_tiled = is_tiled && run_tiles(&group->runs[i], domain);
	if (is_tiled || !is_linked_domain(machine) || group->devices <= domain)
		return;
	packed.run_count = 0;
	packed.nodes = 1;
	for (unsigned i = 0; i < group->run_count; ++i)
		taken = run_pack(&packed, &group->runs[i], domain, taken);
	if (taken < domain)
		packed.runs[packed.run_count++] = (struct run){domain, 1};
	if (taken > domains * domain || packed.nodes == 0)
		return;
	packed.members[0] = packed.size / packed.nodes;
	packed.level = packed.nodes == 1 ? 0 : group->level;
	*group = packed;
}

struct group group_wired(const struct group *group)
{
	struct group wired = *group;
	const unsigned copies = group->devices > group->size ? group->devices / group->size : 1;
	wired.size = 1;
	for (unsigned i = 0; i < group->run_count; ++i)
		wired.size *= group->runs[i].degree;
	if (wired.size != group->size)
		wired.devices = copies * wired.size;
	return wired;
}

struct group group_of(const struct paradl_machine *machine, const struct paradl_plan *plan, unsigned axes)
{
	const double devices = paradl_plan_devices(plan);
	struct group group = {.size = 1, .nodes = 1, .devices = (unsigned)devices};
	bool straddles[LEVELS_MAX] = {false};
	unsigned stride = 1, extent = 1;
	struct run run = {1, 1};
	for (unsigned l = 0; l < machine->level_count; ++l)
		group.members[l] = 1;
	for (unsigned i = PARADL_AXIS_COUNT; i-- > 0;) {
		const unsigned axis = plan->order[i], degree = plan->degree[axis];
		if (degree < 2)
			continue;
		if (!(axes & 1U << axis)) {
			if (run.degree > 1)
				run_add(&group, machine, &run, devices, straddles);
			run.degree = 1;
		} else {
			run.stride = run.degree > 1 ? run.stride : stride;
			run.degree *= degree;
			extent = stride * degree;
		}
		stride *= degree;
	}
	if (run.degree > 1)
		run_add(&group, machine, &run, devices, straddles);
	const unsigned last = machine->level_count - 1;
	while (group.level < last &&
		(extent > machine->levels[group.level].devices || straddles[group.level]))
		++group.level;
	group_pack(&group, machine);
	return group;
}

void group_silence(struct group *group, const struct paradl_plan *plan, unsigned axes)
{
	unsigned stride = 1;
	for (unsigned i = PARADL_AXIS_COUNT; i-- > 0;) {
		const unsigned axis = plan->order[i], degree = plan->degree[axis];
		if (axes & 1u << axis && degree > 1)
			group->silent[group->silent_count++] = (struct run){stride, degree};
		stride *= degree;
	}
}

/* Returns the offset of a rank, whose digits count along the runs, innermost run first. */
unsigned group_offset(const struct group *group, unsigned rank)
{
	unsigned offset = 0;
	for (unsigned i = 0; i < group->run_count; ++i) {
		offset += rank % group->runs[i].degree * group->runs[i].stride;
		rank /= group->runs[i].degree;
	}
	return offset;
}

/*
 * Returns the base of a copy. The copies' number counts through the places that no run takes: below the first run,
 * between runs, above the last.
 */
unsigned group_base(const struct group *group, unsigned sibling)
{
	unsigned base = 0, taken = 1;
	for (unsigned i = 0; i < group->run_count; ++i) {
		const unsigned gap = group->runs[i].stride / taken;
		base += sibling % gap * taken;
		sibling /= gap;
		taken = group->runs[i].stride * group->runs[i].degree;
	}
	return base + sibling * taken;
}

static bool is_silent(const struct group *group, unsigned base)
{
	for (unsigned i = 0; i < group->silent_count; ++i)
		if (base / group->silent[i].stride % group->silent[i].degree)
			return true;
	return false;
}

unsigned group_copies(const struct group *group, unsigned below, unsigned *bases)
{
	const unsigned copies = group->devices > group->size ? group->devices / group->size : 1;
	const unsigned most = group->concurrent && group->concurrent < copies ? group->concurrent : copies;
	unsigned count = 0;
	for (unsigned s = 0; s < copies && count < most; ++s) {
		const unsigned base = group_base(group, s);
		if (base >= below)
			break;
		if (!is_silent(group, base))
			bases[count++] = base;
	}
	return count;
}

static unsigned device_of(const struct group *group, unsigned rank)
{
	const unsigned place = group_base(group, 0) + group_offset(group, rank);
	return group->placement ? group->placement[place] : place;
}

/* Returns how many consecutive ranks are in one domain of `devices`; 1 when domains hold unequal numbers. */
static unsigned ranks_inside(const struct group *group, unsigned devices)
{
	unsigned inside = 1;
	const unsigned first = device_of(group, 0) / devices;
	while (inside < group->size && device_of(group, inside) / devices == first)
		++inside;
	if (group->size % inside)
		return 1;
	for (unsigned rank = inside, home = first; rank < group->size; ++rank) {
		const unsigned here = device_of(group, rank) / devices;
		if ((here == home) == (rank % inside == 0))
			return 1;
		home = here;
	}
	return inside;
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
	if (network->devices_per_node > 1) {
		comm.per_node = ranks_inside(group, network->devices_per_node);
		comm.nodes = group->size / comm.per_node;
	}
	comm.channels = !rules->synchronous && comm.nodes > 1 && comm.per_node > 1 ? comm.ports : 1;
	domains_fill(network, group, &comm);
	grid_fill(graph, group, &comm);
	return comm;
}
