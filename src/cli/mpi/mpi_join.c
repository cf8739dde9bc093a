/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A team meets here once MPI has begun, and parts before MPI ends. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "cli/mpi/mpi_crew.h"

static const double usual_silence_s = 30;
static const struct timespec abort_pause = {
	.tv_sec = 1}; /* mpirun throws away the output of an aborted job that it has not read */

/*
 * Exchanges the hosts and process ids of all processes. Nobody is lost yet, so the collective may wait for all. False:
 * it failed, or memory ran out.
 */
static bool meet(struct crew *crew)
{
	struct place mine = {.process = getpid()};
	int length = 0;
	struct place *const places = calloc(crew->size, sizeof *places);
	crew->peers = calloc(crew->size, sizeof *crew->peers);
	MPI_Get_processor_name(mine.host, &length);
	const bool ok = places && crew->peers &&
			MPI_Allgather(&mine, sizeof mine, MPI_BYTE, places, sizeof mine, MPI_BYTE,
				MPI_COMM_WORLD) == MPI_SUCCESS;
	for (unsigned rank = 0; ok && rank < crew->size; rank++)
		crew->peers[rank].place = places[rank];
	free(places);
	return ok;
}

static bool prepare_thread(struct crew *crew)
{
	pthread_condattr_t clock;
	return pthread_condattr_init(&clock) == 0 &&
	       pthread_condattr_setclock(&clock, CLOCK_MONOTONIC) == 0 &&
	       pthread_cond_init(&crew->turned, &clock) == 0 && pthread_mutex_init(&crew->lock, NULL) == 0 &&
	       pthread_condattr_destroy(&clock) == 0;
}

bool crew_join(struct crew *crew, int *argc, char ***argv)
{
	int provided = 0, rank = 0, size = 0;
	*crew = (struct crew){.state = CREW_WORKS, .complaints = stderr};
	if (MPI_Init_thread(argc, argv, MPI_THREAD_SERIALIZED, &provided) != MPI_SUCCESS)
		return false;
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	crew->rank = (unsigned)rank;
	crew->size = (unsigned)size;
	if (provided < MPI_THREAD_SERIALIZED || !prepare_thread(crew) || !meet(crew)) {
		MPI_Abort(MPI_COMM_WORLD, EXIT_INTERNAL);
		return false;
	}
	crew->team = (struct team){
		.members = {.rank = crew->rank,
			.size = crew->size,
			.exchange = crew_exchange,
			.context = crew},
		.threads = threads_share(),
		.begin = crew_begin,
	};
	return true;
}

/* Waits until all are at their end; until then mpirun must not see that this process has ended. */
static void part(struct crew *crew)
{
	if (!crew->begun)
		crew_begin(&crew->team, usual_silence_s);
	pthread_mutex_lock(&crew->lock);
	if (crew->begun)
		crew_turn(crew, CREW_LEAVES);
	pthread_mutex_unlock(&crew->lock);
	if (crew->begun)
		pthread_join(crew->thread, NULL);
}

static void complain(struct crew *crew)
{
	char mine[CREW_NAME_BYTES], leader[CREW_NAME_BYTES];
	fprintf(crew->complaints, "paradl-mpi: %s: nothing was heard of %s for %g s; there is no answer\n",
		crew_name(crew, crew->rank, mine), crew_name(crew, 0, leader), crew->lost_after_s);
}

/*
 * Aborts the job. MPI_Finalize waits for all, and mpirun for those that are stopped: only an abort ends them. Rank 0
 * aborts for all, since several aborts at once make mpirun's status a matter of chance. The others do so 3 s later,
 * in case it cannot; those that are stranded, or whose thread never began, do so at once.
 */
static void abort_team(const struct crew *crew, int status)
{
	static const struct timespec behind_leader = {.tv_sec = 3};
	fflush(NULL);
	nanosleep(&abort_pause, NULL);
	if (crew->rank != 0 && crew->begun && !crew->stranded)
		nanosleep(&behind_leader, NULL);
	MPI_Abort(MPI_COMM_WORLD, status);
}

int crew_leave(struct crew *crew, int status, const struct paradl_error *error)
{
	if (error->status != PARADL_OK)
		paradl_error_format(error, crew->reason, sizeof crew->reason);
	part(crew);
	if (crew->stranded) {
		complain(crew);
		status = EXIT_INTERNAL;
	}
	if (crew->stranded || crew->aborts || !crew->begun)
		abort_team(crew, status);
	MPI_Finalize();
	return crew->rank == 0 ? status : 0;
}
