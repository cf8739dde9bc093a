/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A team of processes under MPI. In each round the leader, rank 0, gathers the findings of the members and sends the
 * whole to each, so all agree on who took part. A thread of each process speaks to the others and says every now and
 * then that it is there. A member that is silent for too long is lost, and its findings are left out from then on;
 * MPI's collectives would wait for it for ever.
 */
#ifndef CLI_MPI_MPI_CREW_H
#define CLI_MPI_MPI_CREW_H

#include <mpi.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "cli/session.h"

/* ---- mpi_wire.c ---- */

/*
 * Messages between the processes of a team. No process waits for another: one that was killed or stopped leaves
 * requests that never complete, and those are left alone. Only one of all these calls may run at a time.
 */
enum wire_kind {
	WIRE_BEAT,     /* the sender is there */
	WIRE_FINDINGS, /* a member's findings: the round's number (unsigned long long), then bytes */
	WIRE_ROUND,    /* the findings of all, in the same form */
	WIRE_LEFT,     /* the sender does no more work: the reason as text; "": it is done */
	WIRE_END,      /* the first process has its answer: there are no more rounds */
	WIRE_CLOSE,    /* all have left: a byte says whether some are silent and the job is to be aborted */
	WIRE_BROKEN    /* no message: mark of one that could not be received */
};

struct parcel {
	struct parcel *next;
	int peer; /* rank that it is from or goes to */
	enum wire_kind kind;
	size_t bytes;
	MPI_Request request;
	char *data; /* followed by a zero byte */
};

struct wire {
	struct parcel *coming, *going;
};

/* Returns a parcel with zeroed data. NULL: memory ran out, or it is too long. */
struct parcel *parcel_create(int peer, enum wire_kind kind, size_t bytes);
void parcel_free(struct parcel *parcel);
/* Sends a message without waiting. False: it cannot be sent, for want of memory or because it is too long. */
bool wire_send(struct wire *wire, int peer, enum wire_kind kind, const void *data, size_t bytes);
/* Returns a message that has arrived, which is the caller's to free; NULL: there is none. */
struct parcel *wire_receive(struct wire *wire);
/* Reports whether all messages to this peer have been sent. */
bool wire_sent(struct wire *wire, int peer);

/* ---- the team ---- */

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
