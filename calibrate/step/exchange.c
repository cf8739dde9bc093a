/* SPDX-License-Identifier: BSD-3-Clause */
#include "exchange.h"

#include <mpi.h>
#include <stdlib.h>

#include "bench.h"

enum { FACE_UP = 1, FACE_DOWN = 2 };

void exchange_allreduce(float *items, size_t count, double *spent_s)
{
	const double begin_s = clock_s();
	MPI_Allreduce(MPI_IN_PLACE, items, (int)count, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
	*spent_s += clock_s() - begin_s;
}

void exchange_allgather(const float *mine, float *all, size_t count, double *spent_s)
{
	const double begin_s = clock_s();
	MPI_Allgather(mine, (int)count, MPI_FLOAT, all, (int)count, MPI_FLOAT, MPI_COMM_WORLD);
	*spent_s += clock_s() - begin_s;
}

void exchange_reduce_scatter(const float *all, float *mine, size_t count, double *spent_s)
{
	const double begin_s = clock_s();
	MPI_Reduce_scatter_block(all, mine, (int)count, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
	*spent_s += clock_s() - begin_s;
}

void exchange_faces(const struct peers *peers, const struct faces *faces, double *spent_s)
{
	const double begin_s = clock_s();
	const int count = (int)faces->count;
	const int before = peers->rank > 0 ? (int)peers->rank - 1 : MPI_PROC_NULL;
	const int after = peers->rank + 1 < peers->count ? (int)peers->rank + 1 : MPI_PROC_NULL;
	MPI_Request requests[4];
	MPI_Irecv(faces->from_before, count, MPI_FLOAT, before, FACE_DOWN, MPI_COMM_WORLD, &requests[0]);
	MPI_Irecv(faces->from_after, count, MPI_FLOAT, after, FACE_UP, MPI_COMM_WORLD, &requests[1]);
	MPI_Isend(faces->to_before, count, MPI_FLOAT, before, FACE_UP, MPI_COMM_WORLD, &requests[2]);
	MPI_Isend(faces->to_after, count, MPI_FLOAT, after, FACE_DOWN, MPI_COMM_WORLD, &requests[3]);
	MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
	*spent_s += clock_s() - begin_s;
}

struct sending {
	unsigned count;
	MPI_Request requests[];
};

struct sending *sending_create(unsigned most)
{
	struct sending *sending = malloc(sizeof *sending + most * sizeof sending->requests[0]);
	if (sending)
		sending->count = 0;
	return sending;
}

void sending_free(struct sending *sending)
{
	free(sending);
}

void exchange_send(
	struct sending *sending, const float *items, size_t count, unsigned to, int tag, double *spent_s)
{
	const double begin_s = clock_s();
	MPI_Isend(items, (int)count, MPI_FLOAT, (int)to, tag, MPI_COMM_WORLD,
		&sending->requests[sending->count++]);
	*spent_s += clock_s() - begin_s;
}

void exchange_receive(float *items, size_t count, unsigned from, int tag, double *spent_s)
{
	const double begin_s = clock_s();
	MPI_Recv(items, (int)count, MPI_FLOAT, (int)from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	*spent_s += clock_s() - begin_s;
}

void exchange_sent(struct sending *sending, double *spent_s)
{
	const double begin_s = clock_s();
	MPI_Waitall((int)sending->count, sending->requests, MPI_STATUSES_IGNORE);
	sending->count = 0;
	*spent_s += clock_s() - begin_s;
}

static double reduced(double mine, MPI_Op op)
{
	double all;
	MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, op, MPI_COMM_WORLD);
	return all;
}

double exchange_most(double mine)
{
	return reduced(mine, MPI_MAX);
}

double exchange_sum(double mine)
{
	return reduced(mine, MPI_SUM);
}

double exchange_first(double mine)
{
	MPI_Bcast(&mine, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
	return mine;
}

void exchange_barrier(void)
{
	MPI_Barrier(MPI_COMM_WORLD);
}
