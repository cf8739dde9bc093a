/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This header has a replay while it runs: replay.c has the engines, replay_lists.c where their requests stand,
 * replay_readers.c those who read prompts for them, replay_times.c what comes of it.
 */
#ifndef ORACLE_REPLAY_STATE_H
#define ORACLE_REPLAY_STATE_H

#include "oracle/replay.h"

enum { SEQUENCES = 48 }; /* numbers of sequences for which steps are priced */

struct request {
	struct replica *replica;
	double sent_s, ready_s; /* ready_s: when it comes to its next place, readers or the engine */
	double input, output, unread, held, got,
		first_s;     /* held, got: when its tokens began to come, from then on */
	double begins, ends; /* the engine's decode steps before its tokens come, and after its last one */
	size_t place;        /* among those that end */
	bool reads;          /* its prompt is read in this step */
	struct request *next, *back; /* behind and before it, where it waits, comes or runs */
};

/* Requests on their way, by the time at which they come, or under way, the newest last. */
struct request_list {
	struct request *first, *last;
};

/* An engine of one replica. */
struct replica {
	struct request *requests,
		**ending;             /* ending: those whose tokens come, a heap, the first to end on top */
	struct request *first, *last; /* requests that wait */
	struct request_list coming, running;
	size_t count, runs, waits, asked, done; /* asked: requests that were sent */
	size_t decodes;                         /* requests whose tokens come */
	double now_s, free;
	double steps;  /* decode steps that were taken */
	bool short_of; /* memory was taken in this step */
};

struct replay {
	const struct engine *engine;
	const struct engine_steps *steps;
	const struct replayed *replayed;
	struct request *requests, **ending; /* those of all replicas, one after the other */
	struct replica *replicas;
	size_t replica_count, done;
	struct request_list unread; /* on their way to readers, or waiting for one */
	double *free_s;             /* when readers have read what they have: a heap, the first one on top */
	double *first_s, *token_s;
	double sequences[SEQUENCES];             /* numbers of sequences that are priced */
	double price_s[SEQUENCES][REPLAY_PARTS]; /* time of steps; negative: not priced yet */
	double chunk;                            /* prompts that a step has room for */
	double sequences_s, busy_s, preempted, under_s;
};

/* Inserts a request behind those that come no later, and takes the first. */
void request_insert(struct request_list *list, struct request *request);
struct request *request_pop(struct request_list *list);
/* Finds the part of a chunk below a share of it; *beyond: place of the share between this part and the next. */
size_t replay_part_of(double share, double *beyond);
/* Lets a request wait behind all others, or before them. */
void wait_last(struct replica *replica, struct request *request);
void wait_first(struct replica *replica, struct request *request);
/* Adds a request to those under way, as the newest, and takes one out, wherever it stands. */
void running_add(struct replica *replica, struct request *request);
void running_remove(struct replica *replica, const struct request *request);
/* Adds a request to those whose tokens come, and takes one out. */
void ending_add(struct replica *replica, struct request *request);
void ending_remove(struct replica *replica, const struct request *request);
/*
 * Takes the steps that begin before until_s and in which the same happens, one at least, or rests until the next
 * request comes; false: a request has no room, and never will.
 */
bool replica_step(struct replay *replay, struct replica *replica, double until_s);
/* Fills mean and percentiles of times, which it puts into another order; negative ones do not count. */
void times_fill(double *times, size_t count, double *percentile_s);
/* Runs engines and those who read prompts for them until all is answered; false: a request has no room. */
bool readers_run(struct replay *replay);

#endif
