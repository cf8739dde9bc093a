/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "network/collective.h"

const struct collective *const collectives[] = {
#define X(id) &collective_##id,
#include "network/collective/list.def"
#undef X
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
