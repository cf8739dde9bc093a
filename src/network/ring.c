/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "network/ring.h"

void ring_compile(const struct paradl_machine *machine, const struct exchange *exchange, double trips,
	struct curve *curve)
{
	const struct group *group = &exchange->group;
	const struct level *level = &machine->levels[group->level];
	const double p = group->size, n = group->nodes;
	*curve = (struct curve){.count = 1};
	if (group->size < 2)
		return;
	if (exchange->ideal) {
		nominal_ring(machine, group, trips, curve);
		return;
	}
	const double steps_s = (n - 1) * level->latency_s + (p - n) * machine->levels[0].latency_s;
	curve->segments[0].a_s = trips * steps_s;
	curve->segments[0].b_s_per_byte =
		trips * (p - 1) / p / group_bytes_per_s(machine, group, exchange->rings);
}

void message_compile(
	const struct paradl_machine *machine, const struct exchange *exchange, struct curve *curve)
{
	const struct group *group = &exchange->group;
	const struct level *level = &machine->levels[group->level];
	*curve = (struct curve){.count = 1};
	if (group->size < 2)
		return;
	if (exchange->ideal) {
		nominal_message(machine, group, curve);
		return;
	}
	curve->segments[0].a_s = level->latency_s;
	curve->segments[0].b_s_per_byte =
		1 / (group->level == 0 ? level->bandwidth_bytes_per_s : group_bytes_per_s(machine, group, 1));
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
