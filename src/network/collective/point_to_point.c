/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One message between neighbours of a group: T = alpha + bytes * beta (Tp2p of ParaDL). Inside a node over one link,
 * across nodes over one port, shared as group_bytes_per_s shares it.
 */
#include "network/network.h"

static void point_to_point_compile(
	const struct paradl_machine *machine, const struct exchange *exchange, struct curve *curve)
{
	const struct group *group = &exchange->group;
	const struct level *level = &machine->levels[group->level];
	*curve = (struct curve){.count = 1};
	if (group->size < 2)
		return;
	const bool link = exchange->ideal || group->level == 0;
	curve->segments[0].a_s = level->latency_s;
	curve->segments[0].b_s_per_byte =
		1 / (link ? level->bandwidth_bytes_per_s : group_bytes_per_s(machine, group, 1));
}

const struct collective collective_point_to_point = {
	.name = "point-to-point",
	.summary = "one message between two neighbours",
	.operation = POINT_TO_POINT,
	.compile = point_to_point_compile,
};
