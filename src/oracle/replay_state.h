/* SPDX-License-Identifier: GPL-3.0-or-later */
/* This header has a replay while it runs: replay.c has the engines, replay_readers.c those who read for them. */
#ifndef ORACLE_REPLAY_STATE_H
#define ORACLE_REPLAY_STATE_H

#include "oracle/replay.h"

enum { SEQUENCES = 48 }; /* numbers of sequences for which steps are priced */

struct request {
	struct replica *replica;
	double sent_s, ready_s; /* ready_s: when it comes to its next place, readers or the engine */
	double input, output, unread, held, got, first_s;
	bool reads;                  /* its prompt is read in this step */
	struct request *next, *back; /* behind and before it, where it waits or comes */
};

/* Requests on their way, by the time at which they come. */
struct request_list {
	struct request *first, *last;
};

/* An engine of one replica. */
struct replica {
	struct request *requests, **running;
	struct request *first, *last; /* requests that wait */
	struct request_list coming;
	size_t count, runs, waits, asked, done; /* asked: requests that were sent */
	double now_s, free;
	bool short_of; /* memory was taken in this step */
};

struct replay {
	const struct engine *engine;
	const struct engine_steps *steps;
	const struct replayed *replayed;
	struct request *requests, **running; /* those of all replicas, one after the other */
	struct replica *replicas;
	size_t replica_count, done;
	struct request_list unread; /* on their way to readers, or waiting for one */
	double *free_s;             /* when readers have read what they have: a heap, the first one on top */
	double *first_s, *token_s;
	double price_s[SEQUENCES][REPLAY_PARTS]; /* time of steps; negative: not priced yet */
	double chunk;                            /* prompts that a step has room for */
	double sequences_s, busy_s, preempted, under_s;
};

/* Inserts a request behind those that come no later, and takes the first. */
void request_insert(struct request_list *list, struct request *request);
struct request *request_pop(struct request_list *list);
/* Finds the part of a chunk below a share of it; *beyond: place of the share between this part and the next. */
size_t replay_part_of(double share, double *beyond);
/* Takes one step, or rests until the next request comes; false: a request has no room, and never will. */
bool replica_step(struct replay *replay, struct replica *replica);
/* Runs engines and those who read prompts for them until all is answered; false: a request has no room. */
bool readers_run(struct replay *replay);

#endif
