/* SPDX-License-Identifier: BSD-3-Clause */
#include "team.h"

#include <stdlib.h>

#include "device.h"

struct team team = {.count = 1, .on_node = 1, .nodes = 1, .even = true};

unsigned team_members(void)
{
	return team.processes ? team.count : (unsigned)device_count_listed();
}
unsigned team_members_per_node(void)
{
	return team.processes ? team.on_node : (unsigned)device_count_listed();
}

#ifdef WITH_MPI
#include <mpi.h>

static double agree(double mine)
{
	(void)MPI_Bcast(&mine, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
	return mine;
}

static double most(double mine)
{
	double all = mine;
	(void)MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
	return all;
}

static struct ranks ranks = {.agree = agree, .most = most};

/* MPI_Init without mpirun would start a runtime of its own, or fail; launchers leave their traces in the environment. */
static bool under_mpirun(void)
{
	static const char *const traces[] = {
		"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK", "MV2_COMM_WORLD_SIZE", "MPI_LOCALNRANKS"};
	for (size_t i = 0; i < sizeof traces / sizeof *traces; i++)
		if (getenv(traces[i]))
			return true;
	return false;
}

const struct ranks *team_join(int *argc, char ***argv)
{
	int rank, count, local_rank, on_node, least, most_on_node, first, nodes;
	MPI_Comm node;
	if (!under_mpirun() || MPI_Init(argc, argv) != MPI_SUCCESS)
		return NULL;
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &count);
	MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &node);
	MPI_Comm_rank(node, &local_rank);
	MPI_Comm_size(node, &on_node);
	MPI_Comm_free(&node);
	first = local_rank == 0;
	MPI_Allreduce(&first, &nodes, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	MPI_Allreduce(&on_node, &least, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
	MPI_Allreduce(&on_node, &most_on_node, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
	/* Ranks of a node must follow one another, as `mpirun --map-by ppr:N:node` places them. */
	int ordered = rank % on_node == local_rank, all_ordered = ordered;
	MPI_Allreduce(&ordered, &all_ordered, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
	team = (struct team){count > 1, (unsigned)rank, (unsigned)count, (unsigned)local_rank,
		(unsigned)on_node, (unsigned)nodes, least == most_on_node && all_ordered};
	ranks.rank = (unsigned)rank;
	ranks.count = (unsigned)count;
	return count > 1 ? &ranks : NULL;
}

void team_leave(void)
{
	int started = 0, finished = 0;
	if (MPI_Initialized(&started) == MPI_SUCCESS && started && MPI_Finalized(&finished) == MPI_SUCCESS &&
		!finished)
		(void)MPI_Finalize();
}

void team_barrier(void)
{
	if (team.processes)
		(void)MPI_Barrier(MPI_COMM_WORLD);
}

void team_tell(void *bytes, size_t count, unsigned root)
{
	if (team.processes)
		(void)MPI_Bcast(bytes, (int)count, MPI_BYTE, (int)root, MPI_COMM_WORLD);
}

double team_most(double mine)
{
	return team.processes ? most(mine) : mine;
}

#else

const struct ranks *team_join(int *argc, char ***argv)
{
	(void)argc, (void)argv;
	return NULL;
}
void team_leave(void)
{
}
void team_barrier(void)
{
}
void team_tell(void *bytes, size_t count, unsigned root)
{
	(void)bytes, (void)count, (void)root;
}
double team_most(double mine)
{
	return mine;
}
#endif
