/* SPDX-License-Identifier: BSD-3-Clause */
#include <time.h>

#include "bench.h"
#include "synchronise.h"

enum { PINGS = 20, BURSTS = 12 };
static const struct timespec between_bursts = {.tv_nsec = 20000000}; /* so that drift shows */

static struct ping ask(MPI_Comm group)
{
	struct ping pings[PINGS];
	for (int i = 0; i < PINGS; i++) {
		pings[i].sent_s = clock_s();
		MPI_Send(NULL, 0, MPI_DOUBLE, 0, 0, group);
		MPI_Recv(&pings[i].other_s, 1, MPI_DOUBLE, 0, 0, group, MPI_STATUS_IGNORE);
		pings[i].received_s = clock_s();
	}
	return *ping_best(pings, PINGS);
}

static void answer(MPI_Comm group, int client)
{
	for (int i = 0; i < PINGS; i++) {
		MPI_Recv(NULL, 0, MPI_DOUBLE, client, 0, group, MPI_STATUS_IGNORE);
		const double now_s = clock_s();
		MPI_Send(&now_s, 1, MPI_DOUBLE, client, 0, group);
	}
}

struct ping ping_burst(MPI_Comm group, int client)
{
	int rank;
	MPI_Comm_rank(group, &rank);
	if (rank == client)
		return ask(group);
	if (rank == 0)
		answer(group, client);
	return (struct ping){0};
}

struct clock_model synchronise(MPI_Comm group)
{
	struct ping best[BURSTS] = {0};
	int rank, size;
	MPI_Comm_rank(group, &rank);
	MPI_Comm_size(group, &size);
	for (int burst = 0; burst < BURSTS; burst++) {
		for (int client = 1; rank == 0 && client < size; client++)
			ping_burst(group, client);
		if (rank > 0)
			best[burst] = ping_burst(group, rank);
		nanosleep(&between_bursts, NULL);
	}
	return rank > 0 ? clock_model_fit(best, BURSTS) : (struct clock_model){0};
}
