/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Builds the machine of a published row: a device by its spelling, nodes of "gpus_per_node" devices (8 where that
 * is empty), and a network port for each device. Aliases of kind "cluster" have the share of its rate that
 * collectives reach on a cluster's network; aliases of kind "port" have a rate that the source does not print, in
 * Gb/s.
 */
#include "base/error.h"
#include "fit/validate/published_library.h"

static const double usual_port_gbps = 200; /* an HDR port for each device, as in most clusters of A100 */
/* The latency to a device on another node, over InfiniBand with the library's proxy: nccl-tests of small messages. */
static const double network_step_s = 5e-6;

static const struct alias *cluster_of(const struct published *row, const struct aliases *aliases)
{
	return alias_find(aliases, "cluster", row->origin);
}

static double port_gbps(const struct published *row, const struct aliases *aliases)
{
	return row->net_gbps > 0 ? row->net_gbps : alias_value(aliases, "port", row->origin, usual_port_gbps);
}

const char *published_hw_key(
	struct paradl_arena *arena, const struct published *row, const struct aliases *aliases)
{
	const struct alias *cluster = cluster_of(row, aliases);
	return arena_printf(arena, "%s; %g of %g; %g Gb/s; %s", row->gpu, row->gpus, row->gpus_per_node,
		port_gbps(row, aliases), cluster ? cluster->name : "");
}

const struct paradl_machine *library_published_machine(
	struct library *library, const struct published *row, struct paradl_error *failure)
{
	const struct aliases *aliases = library->aliases;
	const struct alias *device = alias_find(aliases, "device", row->gpu);
	const struct alias *cluster = cluster_of(row, aliases);
	if (!device || !*device->name) {
		char quoted[80];
		error_set(failure, PARADL_SCHEMA, "no device file stands for %s",
			error_quote(quoted, sizeof quoted, row->gpu));
		error_hint(failure, "hw-profiles/aliases.csv says what spellings mean");
		return NULL;
	}
	const char *path = library_find(library, device->name, "hw-profiles/devices", false, failure);
	const double per_node = row->gpus_per_node > 0 ? row->gpus_per_node : 8;
	const struct paper_machine paper = {
		.device_path = path,
		.framework = "nccl",
		.devices = (unsigned)row->gpus,
		.devices_per_node = (unsigned)(per_node < row->gpus ? per_node : row->gpus),
		.port_bytes_per_s = port_gbps(row, aliases) / 8 * 1e9,
		.network_share = cluster ? cluster->value : 0,
		.latency_s = network_step_s,
	};
	return path ? machine_on_paper(library->arena, &paper, failure) : NULL;
}
