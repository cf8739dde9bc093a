/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "network/collective/ring.h"

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
		curve->segments[0].a_s = trips * (p - 1) * level->latency_s;
		curve->segments[0].b_s_per_byte = trips * (p - 1) / p / level->bandwidth_bytes_per_s;
		return;
	}
	const double steps_s = (n - 1) * level->latency_s + (p - n) * machine->levels[0].latency_s;
	curve->segments[0].a_s = trips * steps_s;
	curve->segments[0].b_s_per_byte =
		trips * (p - 1) / p / group_bytes_per_s(machine, group, exchange->rings);
}
