/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Groups of devices that communicate. This file finds the group along axes of a plan and its copies that run at the
 * same time; communicator.c what an algorithm may know about the group.
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

void group_pack(struct group *group, const struct paradl_machine *machine)
{
	const unsigned domain = machine->levels[0].devices;
	if (group->devices <= domain || !is_linked_domain(machine))
		return;
	const unsigned domains = (group->devices - 1) / domain + 1;
	struct group packed = *group;
	bool is_tiled = true;
	unsigned taken = 1;
	for (unsigned i = 0; i < group->run_count; ++i)
		is_tiled = is_tiled && run_tiles(&group->runs[i], domain);
	if (is_tiled)
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
