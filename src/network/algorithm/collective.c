/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "network/algorithm/collective.h"

#include <string.h>

const struct collective *const collectives[] = {
#define X(id)                             &collective_##id,
#define REDUCES(id, name, most)           X(reduce_scatter_##id)
#define GATHERS(id, name, most)           X(allgather_##id)
#define FROM_ROOT(id, name, of, whole)    X(broadcast_##id)
#define TO_ROOT(id, name, of, whole)      X(reduce_##id)
#define SCATTERS_ALL(id, name, of, whole) X(reduce_scatter_##id)
#define GATHERS_ALL(id, name, of, whole)  X(allgather_##id)
#include "network/algorithm/list.def"
#undef X
#undef REDUCES
#undef GATHERS
#undef FROM_ROOT
#undef TO_ROOT
#undef SCATTERS_ALL
#undef GATHERS_ALL
	NULL,
};

const char *const operation_names[OPERATION_COUNT + 1] = {
	[ALLREDUCE] = "allreduce",
	[ALLGATHER] = "allgather",
	[REDUCE_SCATTER] = "reduce-scatter",
	[BROADCAST] = "broadcast",
	[REDUCE] = "reduce",
	[ALL_TO_ALL] = "all-to-all",
	[POINT_TO_POINT] = "point-to-point",
};

unsigned collective_index(const struct collective *collective)
{
	unsigned index = 0;
	while (collectives[index] && collectives[index] != collective)
		++index;
	return index;
}

const struct collective *collective_find(enum operation operation, const char *name)
{
	const size_t length = strlen(operation_names[operation]);
	for (unsigned i = 0; collectives[i]; ++i) {
		const struct collective *collective = collectives[i];
		const char *own = collective->name;
		if (collective->operation != operation)
			continue;
		if (strcmp(own, name) == 0 ||
			(strncmp(own, operation_names[operation], length) == 0 && own[length] == '-' &&
				strcmp(own + length + 1, name) == 0))
			return collective;
	}
	return NULL;
}

double bus_factor(enum operation operation, double devices)
{
	return ring_parts(operation, 2) > 0 ? ring_parts(operation, devices) / devices : 1;
}
