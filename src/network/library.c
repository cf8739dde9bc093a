/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Collectives inside a node as the library of a device's links runs them: by which algorithms, and what it adds to the wires. */
#include <math.h>
#include <string.h>

#include "network/network.h"

const char *library_algorithms(const char *library, enum operation operation)
{
	/* Its trees are chains inside a node, which rings are as fast as. */
	static const char *const nccl[OPERATION_COUNT] = {[ALLREDUCE] = "ring,nvls",
		[ALLGATHER] = "ring",
		[REDUCE_SCATTER] = "ring",
		[BROADCAST] = "chain",
		[REDUCE] = "chain",
		[ALL_TO_ALL] = "direct"};
	return library && strcmp(library, "nccl") == 0 ? nccl[operation] : NULL;
}

bool library_runs(const char *library, const struct collective *collective)
{
	const char *list = library_algorithms(library, collective->operation);
	const char *own = collective->name + strlen(operation_names[collective->operation]) + 1;
	while (list) {
		const size_t length = strcspn(list, ",");
		if (strlen(own) == length && strncmp(list, own, length) == 0)
			return true;
		list = list[length] ? list + length + 1 : NULL;
	}
	return false;
}

struct library_call group_library(const struct paradl_machine *machine, const struct group *group,
	enum operation operation, double latency_s)
{
	const double node = machine->devices_per_node;
	const double span = group->placement ? node : group_offset(group, group->size - 1) + 1.0;
	const struct link_group called = {.members = group->size,
		.steps = ring_parts(operation, group->size),
		.span = group->nodes == 1 ? fmin(span, node) : 0,
		.node = node};
	return link_call(&machine->device.link, &called, latency_s);
}
