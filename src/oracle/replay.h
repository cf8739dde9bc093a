/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An engine answers the requests of a trace step by step: what serving.c has in closed form for requests alike. */
#ifndef ORACLE_REPLAY_H
#define ORACLE_REPLAY_H

#include "oracle/serving.h"
#include "paradl/oracle.h"

enum { REPLAY_PARTS = 10 };
extern const double
	replay_part[REPLAY_PARTS]; /* parts of a chunk for which steps are priced, from 0 to all */

/* Requests of a trace, and the memory that an engine of one replica has for them. */
struct replayed {
	const struct paradl_trace *trace;
	double replicas;     /* they are dealt out in turn */
	double clients;      /* clients of a replica, where the trace has no times */
	double cache_tokens; /* tokens whose keys and values have room */
	double seqs;         /* most sequences at a time */
	/*
	 * Where others read prompts: seconds in which they read the parts of a chunk, tokens of it, and the time until
	 * an engine has keys and values of the shortest prompt.
	 */
	const double *reading_s;
	double reading_chunk, latency_s;
};

/* Scratch for a trace: what is known of each request. */
struct replay;
struct replay *replay_create(struct paradl_arena *arena, const struct paradl_trace *trace);

/*
 * Fills means and percentiles of all requests, for an answer that has steps, gains and most_per_s. A step's sequences
 * have caches of the mean length; false: a request has more tokens than there is room for.
 */
bool engine_replay(struct replay *replay, const struct engine *engine, const struct engine_steps *steps,
	const struct replayed *replayed, struct engine_answer *answer);

#endif
