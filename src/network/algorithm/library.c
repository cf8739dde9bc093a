/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Collectives as libraries run them: by which algorithms, and what the libraries add to the time on the wires. */
#include <math.h>
#include <string.h>

#include "network/machine_network.h"

/*
 * The algorithms of any reduce-scatter, except those of P - 1 different steps: these take as many routes as there
 * are pairs, and one step or a ring is as fast.
 */
static const char every_scatter[] = "ring,halving,pat,hierarchical,pipelined,neighbour,direct,blueconnect,"
				    "bucket,swing,shd,kautz,nvls,sharp,whole-doubling,whole-direct";
#define EVERY [REDUCE_SCATTER] = every_scatter, [ALL_TO_ALL] = "direct,bruck,hierarchical,rows,two-way"

/*
 * The algorithms of each library, by operation, as names with commas between; NULL: all that are not for sparse
 * vectors.
 */
static const struct library {
	const char *name;
	const char *algorithms[OPERATION_COUNT];
	const char *inside[OPERATION_COUNT]; /* inside a node, where they are not known to be the same */
} libraries[] = {
	/*
	 * NCCL's trees are chains inside a node, and rings are as fast as these. It reduces in the switches between nodes
	 * only where users say so (NCCL_COLLNET_ENABLE, 0 by default).
	 */
	{"nccl",
		{[ALLREDUCE] = "ring,double-tree,nvls,nvls-tree",
			[ALLGATHER] = "ring,nvls",
			[REDUCE_SCATTER] = "ring,nvls",
			[BROADCAST] = "chain",
			[REDUCE] = "chain",
			[ALL_TO_ALL] = "direct"},
		{[ALLREDUCE] = "ring,nvls",
			[ALLGATHER] = "ring,nvls",
			[REDUCE_SCATTER] = "ring,nvls",
			[BROADCAST] = "chain",
			[REDUCE] = "chain",
			[ALL_TO_ALL] = "direct"}},
	{"rccl",
		{[ALLREDUCE] = "ring,double-tree",
			[ALLGATHER] = "ring",
			[REDUCE_SCATTER] = "ring",
			[BROADCAST] = "chain",
			[REDUCE] = "chain",
			[ALL_TO_ALL] = "direct"},
		{NULL}},
	/* XLA runs rings along the dimensions of a torus, as public descriptions have it. */
	{"xla",
		{[ALLREDUCE] = "bucket,ring",
			[ALLGATHER] = "bucket,ring",
			[REDUCE_SCATTER] = "bucket,ring",
			[BROADCAST] = "bucket,chain",
			[REDUCE] = "bucket,chain",
			[ALL_TO_ALL] = "direct"},
		{NULL}},
	/* These are modules "tuned" and "base" of 4.1 and 5.0, as far as paradl has their algorithms. */
	{"openmpi",
		{[ALLREDUCE] = "linear,tree,doubling,ring,ring-segmented,rabenseifner",
			[ALLGATHER] = "bruck,doubling,ring,neighbour",
			[REDUCE_SCATTER] = "halving,ring",
			[BROADCAST] = "chain,tree,binomial,scatter-doubling,scatter-ring",
			[REDUCE] = "chain,tree,binomial,rabenseifner",
			[ALL_TO_ALL] = "direct,shift,bruck"},
		{NULL}},
	/* MPICH chooses among these by itself. */
	{"mpich",
		{[ALLREDUCE] = "doubling,rabenseifner",
			[ALLGATHER] = "doubling,bruck,ring",
			[REDUCE_SCATTER] = "halving,pairwise",
			[BROADCAST] = "binomial,scatter-doubling,scatter-ring",
			[REDUCE] = "binomial,rabenseifner",
			[ALL_TO_ALL] = "bruck,direct,shift,xor"},
		{NULL}},
	{"mpi", {EVERY}, {NULL}},
	{"fpga", {EVERY}, {NULL}},
};

static const struct library *library_named(const char *name)
{
	for (size_t i = 0; name && i < sizeof libraries / sizeof *libraries; ++i)
		if (strcmp(libraries[i].name, name) == 0)
			return &libraries[i];
	return NULL;
}

bool library_exists(const char *name)
{
	return library_named(name);
}

const char *library_algorithms(const char *library, enum operation operation)
{
	const struct library *known = library_named(library);
	return known ? known->inside[operation] : NULL;
}

const char *library_offers(const char *library, enum operation operation, bool in_node)
{
	const struct library *known = library_named(library);
	if (!known)
		return NULL;
	return in_node && known->inside[operation] ? known->inside[operation] : known->algorithms[operation];
}

/* Returns whether the collective's name, without its operation's, is in the list. */
static bool is_listed(const char *list, const struct collective *collective)
{
	const char *own = collective->name + strlen(operation_names[collective->operation]) + 1;
	while (list) {
		const size_t length = strcspn(list, ",");
		if (strlen(own) == length && strncmp(list, own, length) == 0)
			return true;
		list = list[length] ? list + length + 1 : NULL;
	}
	return false;
}

bool library_runs(const char *library, const struct collective *collective)
{
	return is_listed(library_algorithms(library, collective->operation), collective);
}

bool library_has(const char *library, const struct collective *collective)
{
	const struct library *known = library_named(library);
	const char *list = known ? known->algorithms[collective->operation] : NULL;
	return !collective->sparse && collective->operation != POINT_TO_POINT &&
	       (!list || is_listed(list, collective));
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
	struct library_call call = link_call(&machine->device.link, &called, latency_s);
	if (group->nodes > 1)
		protocols_account(machine, operation, &call);
	return call;
}
