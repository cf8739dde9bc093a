/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Links as text. */
#include <limits.h>

#include "network/ask.h"

/*
 * Returns the text of a cable of a port, which goes from a device, a node or its port to a switch; `way` is its
 * direction.
 */
static const char *port_text(const struct paradl_network *network, struct paradl_arena *arena,
	const struct cable *cable, const char *way)
{
	const unsigned ports = network->network->ports, devices = network->network->graph->devices,
		       index = cable->from - devices;
	if (cable->from < devices)
		return arena_printf(arena, "port of device %u, %s", cable->from, way);
	if (paradl_network_info(network).schematic)
		return arena_printf(arena, "a port of node %u, %s", index, way);
	return arena_printf(arena, "port %u of node %u, %s", index % ports, index / ports, way);
}

/* Returns a link as text: "port 1 of node 3, out", "switch link, switch 5 to switch 9". */
const char *ask_link(const struct paradl_network *network, struct paradl_arena *arena, unsigned link)
{
	static const char *const kinds[LINK_KINDS] = {
		"device link", "PCIe", "port", "switch link", "global link", "backplane"};
	const struct graph *graph = network->network->graph;
	if (link == UINT_MAX)
		return "";
	const struct cable *cable = &graph->cables[link / graph->ways];
	const bool against = graph->ways == 2 && link % 2;
	const unsigned from = against ? cable->to : cable->from, to = against ? cable->from : cable->to;
	const char *const ends[] = {
		from < graph->devices ? "device" : "switch", to < graph->devices ? "device" : "switch"};
	if (cable->from == cable->to)
		return arena_printf(arena, "%s of switch %u", kinds[cable->kind], from - graph->devices);
	if (cable->kind == LINK_PORT)
		return port_text(network, arena, cable,
			graph->ways == 1 ? "both ways"
			: against        ? "in"
					 : "out");
	return arena_printf(arena, "%s, %s %u to %s %u", kinds[cable->kind], ends[0],
		from < graph->devices ? from : from - graph->devices, ends[1],
		to < graph->devices ? to : to - graph->devices);
}
