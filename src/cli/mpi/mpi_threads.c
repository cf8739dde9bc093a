/* SPDX-License-Identifier: GPL-3.0-or-later */
/* This file needs Linux: POSIX does not tell which processors a process may use. */
#define _GNU_SOURCE /* NOLINT: the name is that of glibc */
#include <sched.h>

#include "cli/mpi/mpi_crew.h"

/*
 * Adds up this process's shares of processors, each divided among the processes of its host that may use it; at least
 * 1.
 */
unsigned threads_share(void)
{
	int mine[CPU_SETSIZE] = {0}, users[CPU_SETSIZE] = {0};
	cpu_set_t set;
	MPI_Comm host;
	double share = 0;
	CPU_ZERO(&set);
	sched_getaffinity(0, sizeof set, &set);
	for (int i = 0; i < CPU_SETSIZE; i++)
		mine[i] = CPU_ISSET((size_t)i, &set) != 0;
	MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
	MPI_Allreduce(mine, users, CPU_SETSIZE, MPI_INT, MPI_SUM, host);
	MPI_Comm_free(&host);
	for (int i = 0; i < CPU_SETSIZE; i++)
		if (mine[i])
			share += 1.0 / users[i];
	const double rounding = 1e-6;
	return share >= 1 ? (unsigned)(share + rounding) : 1;
}
