/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A team of processes under MPI. In each round the leader, rank 0, gathers the findings of the members and sends the
 * whole to each, so all agree on who took part. A thread of each process speaks to the others and says every now and
 * then that it is there. A member that is silent for too long is lost, and its findings are left out from then on;
 * MPI's collectives would wait for it for ever.
 */
#ifndef CLI_MPI_MPI_CREW_H
#define CLI_MPI_MPI_CREW_H

#include <pthread.h>
#include <stdio.h>

#include "cli/mpi/mpi_wire.h"
#include "cli/session.h"

enum { CREW_NAME_BYTES = MPI_MAX_PROCESSOR_NAME + 64 };

struct place {
	char host[MPI_MAX_PROCESSOR_NAME];
	long process;
};

struct peer {
	struct place place;
	double heard_s; /* time of its last message, by crew->clock_s */
	bool lost, left, broken;
	char reason[512]; /* reason why it left; "": its work was done */
	struct parcel *findings;
};

/* States of the program while the thread speaks. */
enum crew_state {
	CREW_WORKS,
	CREW_OFFERS, /* the program waits in crew_exchange() for the findings of all */
	CREW_LEAVES, /* the program waits for the others to come to their end */
	CREW_OVER    /* the thread ends */
};

struct crew {
	struct team team;
	struct wire wire;
	struct peer *peers; /* peers by rank; a member hears of the leader only */
	unsigned rank, size;
	double lost_after_s;
	FILE *complaints; /* stream for lost members, and for why this process cannot go on */
	pthread_t thread;
	pthread_mutex_t lock;  /* guard of all that follows, and of MPI */
	pthread_cond_t turned; /* signal that the state has changed */
	enum crew_state state;
	bool begun;
	bool told; /* whether the others were sent what this state has to say */
	unsigned long long round;
	const void *mine;
	size_t mine_bytes;
	struct parcel *all; /* findings of the round before, after the round's number */
	char reason[512];   /* reason for leaving before the work was done; "": it was done */
	bool failed;        /* whether there are no more rounds */
	bool closed;        /* whether all are at their end */
	bool aborts;        /* whether some are silent, so that MPI_Finalize would wait for them */
	bool stranded;      /* whether this member hears nothing of the leader */
	double clock_s; /* time that the thread has listened, without stops: a stopped process hears old news first */
	double tick_s; /* time when it listened last, by the system's clock */
	double beat_s; /* time of the last beat to the others, by clock_s */
};

/* ---- mpi_join.c ---- */

/* Starts MPI and meets the other processes. False: there is no MPI, and nothing to leave. */
bool crew_join(struct crew *crew, int *argc, char ***argv);
/*
 * Waits for the others and ends MPI. A member tells the leader its error. Returns the status to exit with: `status`
 * for the leader, 0 for members.
 */
int crew_leave(struct crew *crew, int status, const struct paradl_error *error);

/* ---- mpi_crew.c ---- */

void crew_begin(struct team *team, double lost_after_s);
bool crew_exchange(void *context, const void *mine, size_t bytes, const void **all, size_t *all_bytes);
void crew_turn(struct crew *crew, enum crew_state state);
bool crew_silent(const struct crew *crew, const struct peer *peer);
/* Writes the name of a rank, such as "rank 2 (host, process 4711)", to `text` and returns it. */
const char *crew_name(const struct crew *crew, unsigned rank, char text[CREW_NAME_BYTES]);

/* ---- mpi_leader.c, mpi_member.c ---- */

/* Handles a message, which it frees or keeps. */
void leader_take(struct crew *crew, struct parcel *parcel);
/* Performs what is due without a message. */
void leader_act(struct crew *crew);
void member_take(struct crew *crew, struct parcel *parcel);
void member_act(struct crew *crew);

/* ---- mpi_threads.c ---- */

/* Returns the threads of this process: the processors of a host are divided among the processes that may use them. */
unsigned threads_share(void);

#endif
