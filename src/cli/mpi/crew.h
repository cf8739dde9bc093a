/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A team of processes under MPI. The first, the leader, gathers what the members found in a round and sends all of it to each: so
 * all agree on who took part. A thread of each process speaks to the others and says every now and then that it is there;
 * a member that is silent for too long is lost, and its findings are left out from then on. MPI's collectives would wait for it
 * for ever.
 */
#ifndef CLI_MPI_CREW_H
#define CLI_MPI_CREW_H

#include <pthread.h>
#include <stdio.h>

#include "cli/mpi/wire.h"
#include "cli/session.h"

enum { CREW_NAME_BYTES = MPI_MAX_PROCESSOR_NAME + 64 };

struct place {
	char host[MPI_MAX_PROCESSOR_NAME];
	long process;
};

struct peer {
	struct place place;
	double heard_s; /* when it was heard of last, by crew->clock_s */
	bool lost, left, broken;
	char reason[512]; /* why it left; "": it was done */
	struct parcel *findings;
};

/* What the program does while the thread speaks. */
enum crew_state {
	CREW_WORKS,
	CREW_OFFERS, /* it waits in exchange() for the findings of all */
	CREW_LEAVES, /* it waits for the others to come to their end */
	CREW_OVER    /* the thread ends */
};

struct crew {
	struct team team;
	struct wire wire;
	struct peer *peers; /* by rank; a member hears of the leader only */
	unsigned rank, size;
	double lost_after_s;
	FILE *complaints; /* where this process says that it cannot go on */
	pthread_t thread;
	pthread_mutex_t lock;  /* of all that follows, and of MPI */
	pthread_cond_t turned; /* the state is another */
	enum crew_state state;
	bool begun;
	bool told; /* what this state has to say to the others */
	unsigned long long round;
	const void *mine;
	size_t mine_bytes;
	struct parcel *all; /* of the round before, with its number first */
	char reason[512];   /* of leaving before the work was done; "": it was done */
	bool failed;        /* there are no more rounds */
	bool closed;        /* all are at their end */
	bool aborts;        /* some are silent: MPI_Finalize would wait for them */
	bool stranded;      /* of a member: nothing is heard of the leader */
	double clock_s; /* time that the thread has listened: a process that was stopped hears old news first */
	double tick_s; /* when it did last, by the system's clock */
	double beat_s; /* when the others were told last that this process is there */
};

/* join.c */
bool crew_join(struct crew *crew, int *argc, char ***argv); /* false: there is no MPI; nothing to leave */
/* Waits for the others, and ends MPI; the status to exit with. Failures of members are told to the leader. */
int crew_leave(struct crew *crew, int status, const struct paradl_error *error);

/* crew.c */
void crew_begin(struct team *team, double lost_after_s);
bool crew_exchange(void *context, const void *mine, size_t bytes, const void **all, size_t *all_bytes);
void crew_turn(struct crew *crew, enum crew_state state);
bool crew_silent(const struct crew *crew, const struct peer *peer);
/* "rank 2 (host, process 4711)" */
const char *crew_name(const struct crew *crew, unsigned rank, char text[CREW_NAME_BYTES]);

/* leader.c, member.c: what to do with a message, which is theirs to free, and what without one. */
void leader_take(struct crew *crew, struct parcel *parcel);
void leader_act(struct crew *crew);
void member_take(struct crew *crew, struct parcel *parcel);
void member_act(struct crew *crew);

/* threads.c: of this process, when the processors of a host are dealt out to the processes that may use them. */
unsigned threads_share(void);

#endif
