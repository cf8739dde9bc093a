/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "library.h"
#include "watch.h"
#include "world.h"

struct world world;

static double world_agree(double mine)
{
	watch_progress();
	MPI_Bcast(&mine, 1, MPI_DOUBLE, 0, world.control);
	watch_progress();
	return mine;
}

static double world_most(double mine)
{
	double most = mine;
	watch_progress();
	MPI_Allreduce(&mine, &most, 1, MPI_DOUBLE, MPI_MAX, world.control);
	watch_progress();
	return most;
}

enum ready world_settle(struct run *run, enum ready mine)
{
	struct {
		int ready, rank;
	} own = {(int)mine, (int)world.rank}, worst;
	MPI_Allreduce(&own, &worst, 1, MPI_2INT, MPI_MAXLOC, world.control);
	if (worst.ready != READY)
		MPI_Bcast(run->reason, REASON_LENGTH, MPI_CHAR, worst.rank, world.control);
	return (enum ready)worst.ready;
}

/* Ranks of a node name it by the first of them. */
static void find_places(struct world *all)
{
	MPI_Comm node;
	struct place mine = {.package = place_package()};
	MPI_Comm_split_type(all->all, MPI_COMM_TYPE_SHARED, (int)all->rank, MPI_INFO_NULL, &node);
	mine.node = (int)all->rank;
	MPI_Bcast(&mine.node, 1, MPI_INT, 0, node);
	int length = 0;
	char name[MPI_MAX_PROCESSOR_NAME];
	MPI_Get_processor_name(name, &length);
	for (int i = 0; i < length && i < HOST_LENGTH - 1; i++)
		mine.host[i] = name[i];
	MPI_Allgather(&mine, sizeof mine, MPI_BYTE, all->places, sizeof mine, MPI_BYTE, all->all);
	MPI_Comm_free(&node);
}

/* Processors and memory of this node over its ranks; the least of all nodes counts. */
static void share_node(struct world *all)
{
	unsigned ranks = 0;
	for (unsigned rank = 0; rank < all->count; rank++)
		ranks += all->places[rank].node == all->places[all->rank].node;
	const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
	const long processors = sysconf(_SC_NPROCESSORS_ONLN);
	const double memory = pages > 0 && page > 0 ? (double)pages * (double)page : 1 << 30;
	double least[2] = {memory / 4 / ranks, processors > 0 ? (double)processors / ranks : 1};
	MPI_Allreduce(MPI_IN_PLACE, least, 2, MPI_DOUBLE, MPI_MIN, all->all);
	all->memory_bytes = (size_t)least[0];
	all->oversubscribed = least[1] < 1;
}

bool world_create(struct world *all)
{
	int rank, count, length;
	char version[MPI_MAX_LIBRARY_VERSION_STRING];
	MPI_Comm_dup(MPI_COMM_WORLD, &all->all);
	MPI_Comm_dup(MPI_COMM_WORLD, &all->control);
	MPI_Comm_rank(all->all, &rank);
	MPI_Comm_size(all->all, &count);
	MPI_Get_library_version(version, &length);
	library_name(version, all->library, sizeof all->library);
	all->rank = (unsigned)rank;
	all->count = (unsigned)count;
	all->ranks = (struct ranks){
		.rank = all->rank, .count = all->count, .agree = world_agree, .most = world_most};
	all->places = calloc(all->count, sizeof *all->places);
	if (!all->places)
		return false;
	find_places(all);
	share_node(all);
	return map_create(&all->map, all->places, all->count);
}

void world_free(struct world *all)
{
	map_free(&all->map);
	free(all->places);
	MPI_Comm_free(&all->all);
	MPI_Comm_free(&all->control);
}
