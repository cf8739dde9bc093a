/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Curves that need no routes: the paper's own, and those of a host-staged path. */
#include "network/network.h"

void nominal_ring(
	const struct paradl_machine *machine, const struct group *group, double trips, struct curve *curve)
{
	const struct level *level = &machine->levels[group->level];
	const double p = group->size;
	*curve = (struct curve){.count = 1};
	if (group->size < 2)
		return;
	curve->segments[0].a_s = trips * (p - 1) * level->latency_s;
	curve->segments[0].b_s_per_byte = trips * (p - 1) / p / level->bandwidth_bytes_per_s;
}

void nominal_message(const struct paradl_machine *machine, const struct group *group, struct curve *curve)
{
	const struct level *level = &machine->levels[group->level];
	*curve = (struct curve){.count = 1};
	if (group->size < 2)
		return;
	curve->segments[0].a_s = level->latency_s;
	curve->segments[0].b_s_per_byte = 1 / level->bandwidth_bytes_per_s;
}

void curve_of_segments(const struct message_segment *segments, unsigned count, struct curve *curve)
{
	curve->count = count;
	for (unsigned i = 0; i < count; ++i)
		curve->segments[i] = (struct curve_segment){.upto_bytes = segments[i].upto_bytes,
			.a_s = segments[i].latency_s,
			.b_s_per_byte = 1 / segments[i].bytes_per_s};
}
