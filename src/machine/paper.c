/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Builds a machine that no profile describes: devices with their own links, and a network port for each. It has two
 * levels:
 *     links     a node, or the nodes of a larger domain (device_link.devices); the last domain need not be full
 *     network   full bisection, ports of the given rate
 * Collectives and messages get the share of the nominal rates that large collectives reach. Inside a domain no
 * algorithm gets more than that, so the level has it as its rate.
 */
#include <string.h>

#include "base/error.h"
#include "machine/machine.h"

static const double usual_network_share = 0.833; /* InfiniBand ports reach it; hw-profiles/aliases.csv */

/* Returns the devices of a domain: a node, or as many nodes as the links join; no more than there are. */
static unsigned domain_devices(const struct paper_machine *paper, const struct device *device)
{
	const unsigned node =
		paper->devices_per_node < paper->devices ? paper->devices_per_node : paper->devices;
	const unsigned nodes = (paper->devices - 1) / node + 1;
	const unsigned most = device->link.devices / node;
	return node * (most < 1 ? 1 : most < nodes ? most : nodes);
}

static bool paper_expect(const struct paper_machine *paper, struct paradl_error *error)
{
	if (!paper->devices || !paper->devices_per_node)
		return error_set(error, PARADL_USAGE, "a machine needs at least one device in a node");
	return (paper->link_share >= 0 && paper->link_share <= 1 && paper->network_share >= 0 &&
		       paper->network_share <= 1) ||
	       error_set(error, PARADL_USAGE, "shares of links are from 0 to 1");
}

static bool levels_fill(
	struct paradl_machine *machine, const struct paper_machine *paper, struct paradl_error *error)
{
	const struct device_link *link = &machine->device.link;
	const unsigned node = domain_devices(paper, &machine->device);
	const unsigned nodes = (paper->devices - 1) / node + 1;
	const double share = paper->link_share > 0 ? paper->link_share : link_share(link, node);
	if (node > 1 && !(link->bytes_per_s > 0))
		return error_at(error, PARADL_SCHEMA, machine->device.path, 0, 0,
			"no \"link\" joins the devices of a node");
	if (nodes > 1 && !(paper->port_bytes_per_s > 0))
		return error_set(error, PARADL_USAGE, "%u nodes need the rate of a network port", nodes);
	const double rate = link->bytes_per_s > 0 ? link->bytes_per_s : paper->port_bytes_per_s;
	machine->levels[0] = (struct level){.name = "links",
		.devices = node,
		.latency_s = link->latency_s,
		.bandwidth_bytes_per_s = rate * share,
		.ring_bytes_per_s = rate * share,
		.ports = 1,
		.oversubscription = 1};
	machine->levels[1] = (struct level){.name = "network",
		.devices = nodes * node,
		.latency_s = paper->latency_s,
		.bandwidth_bytes_per_s = paper->port_bytes_per_s,
		.ring_bytes_per_s = paper->port_bytes_per_s *
				    (paper->network_share > 0 ? paper->network_share : usual_network_share),
		.ports = node,
		.oversubscription = 1};
	machine->level_count = nodes > 1 ? 2 : 1;
	machine->devices_per_node = machine->devices_per_host = node;
	machine->devices = nodes * node;
	return true;
}

const struct paradl_machine *machine_on_paper(
	struct paradl_arena *arena, const struct paper_machine *paper, struct paradl_error *error)
{
	static const char *const assumed[] = {"levels/1/ring"};
	struct paradl_machine *machine = arena_alloc(arena, 1, sizeof *machine);
	if (!machine)
		return out_of_memory_null(error);
	if (!paper_expect(paper, error) ||
		!device_load(arena, paper->device_path, NULL, &machine->device, error) ||
		!levels_fill(machine, paper, error))
		return NULL;
	machine->name = arena_printf(arena, "%u x %s", machine->devices, machine->device.name);
	programs_set(machine, paper->framework ? paper->framework : "nccl");
	machine->pue = 1;
	/* The path is as if the machine lay beside the folder of devices, so that frameworks are found. */
	const char *slash = strrchr(paper->device_path, '/');
	const char *folder = slash ? slash : paper->device_path;
	while (folder > paper->device_path && folder[-1] != '/')
		--folder;
	machine->path = slash ? arena_printf(arena, "%.*spaper", (int)(folder - paper->device_path),
					paper->device_path)
			      : "../paper";
	if (!machine->name || !machine->path)
		return out_of_memory_null(error);
	machine->assumed = assumed;
	machine->assumed_count = machine->level_count > 1 && !(paper->network_share > 0);
	return machine;
}
