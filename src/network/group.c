/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "network/network.h"

/*
 * A run is a stretch of neighbouring axes that a group spans: `degree` members, `stride` ranks apart. Its worst
 * placement when runs do not tile domains of `domain` devices.
 */
struct run {
	double stride, degree;
};

static bool tiles(double domain, double block)
{
	const double blocks = domain / block;
	return blocks - (double)(long long)blocks <= 0;
}

/* Members of a run inside one domain; *straddles when a block of the run may lie across two. */
static double members_inside(const struct run *run, double domain, bool *straddles)
{
	const double block = run->stride * run->degree;
	if (block <= domain) {
		if (tiles(domain, block))
			return run->degree;
		*straddles = run->degree > 1;
		return (double)(long long)((run->degree + 1) /
					   2); /* half of the worst block is on the next domain */
	}
	const double inside = run->stride < domain ? (double)(long long)(domain / run->stride) : 1;
	return inside < run->degree ? inside : run->degree;
}

/* Domains that the worst-placed members of a run touch; blocks that tile domains, or the only block, start with one. */
static double domains_touched(const struct run *run, double domain, double devices)
{
	const double reach = run->stride * (run->degree - 1), block = run->stride * run->degree;
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
			group->members[l] *= (unsigned)run->degree;
			continue;
		}
		group->members[l] *= (unsigned)members_inside(run, domain, &straddles[l]);
		if (l == 0)
			nodes = domains_touched(run, domain, devices);
	}
	group->size *= (unsigned)run->degree;
	group->nodes *= (unsigned)nodes;
}

struct group group_of(const struct paradl_machine *machine, const struct paradl_plan *plan, unsigned axes)
{
	struct group group = {.size = 1, .nodes = 1};
	const double devices = paradl_plan_devices(plan);
	bool straddles[LEVELS_MAX] = {false};
	double stride = 1, extent = 1;
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
	return group;
}

static double least(double a, double b)
{
	return a < b ? a : b;
}

double group_bytes_per_s(const struct paradl_machine *machine, const struct group *group, unsigned rings)
{
	const struct level *node = &machine->levels[0];
	if (group->level == 0)
		return least(rings, node->ports) * node->ring_bytes_per_s;
	const double siblings = machine->devices_per_node / (double)group->members[0];
	double rate = -1;
	for (unsigned l = 1; l <= group->level; ++l) {
		const struct level *level = &machine->levels[l], *below = &machine->levels[l - 1];
		const double used = least(
			least(rings, level->ports), siblings > 1 ? level->ports / siblings : level->ports);
		const double groups = below->devices / (double)group->members[l - 1];
		const double nodes = below->devices / (double)machine->devices_per_node;
		const double uplinks =
			nodes * level->ports * level->bandwidth_bytes_per_s / level->oversubscription;
		const double here =
			least(used * level->ring_bytes_per_s, uplinks / (groups > 1 ? groups : 1));
		rate = rate < 0 ? here : least(rate, here);
	}
	return rate;
}

void curve_of_segments(const struct message_segment *segments, unsigned count, struct curve *curve)
{
	curve->count = count;
	for (unsigned i = 0; i < count; ++i)
		curve->segments[i] = (struct curve_segment){
			segments[i].upto_bytes, segments[i].latency_s, 1 / segments[i].bytes_per_s};
}
