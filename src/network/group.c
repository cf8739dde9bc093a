/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "network/network.h"

/* Members of one axis inside a domain of `domain` devices; *straddles when blocks do not tile domains. */
static unsigned members_inside(double stride, unsigned degree, double domain, double devices, bool *straddles)
{
	const double block = stride * degree;
	if (devices <= domain)
		return degree;
	if (block <= domain) {
		const double blocks = domain / block;
		if (blocks - (double)(long long)blocks <= 0)
			return degree;
		*straddles = degree > 1;
		return (degree + 1) / 2; /* the worst block has half its members on the next domain */
	}
	const unsigned inside = stride < domain ? (unsigned)(domain / stride) : 1;
	return inside ? inside : 1;
}

struct group group_of(const struct paradl_machine *machine, const struct paradl_plan *plan, unsigned axes)
{
	struct group group = {.size = 1};
	const double devices = paradl_plan_devices(plan);
	bool straddles[LEVELS_MAX] = {false};
	double stride = 1, extent = 1;
	for (unsigned l = 0; l < machine->level_count; ++l)
		group.members[l] = 1;
	for (unsigned i = PARADL_AXIS_COUNT; i-- > 0;) {
		const unsigned axis = plan->order[i], degree = plan->degree[axis];
		if (axes & 1u << axis && degree > 1) {
			group.size *= degree;
			extent = stride * degree;
			for (unsigned l = 0; l < machine->level_count; ++l)
				group.members[l] *= members_inside(
					stride, degree, machine->levels[l].devices, devices, &straddles[l]);
		}
		stride *= degree;
	}
	const unsigned last = machine->level_count - 1;
	while (group.level < last &&
		(extent > machine->levels[group.level].devices || straddles[group.level]))
		++group.level;
	group.nodes = (group.size + group.members[0] - 1) / group.members[0];
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
