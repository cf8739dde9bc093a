/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Passes of inference go through the stages of a plan, and the steps of an engine are made of such passes. */
#ifndef ORACLE_SERVING_PASSES_H
#define ORACLE_SERVING_PASSES_H

#include "oracle/serving.h"
#include "oracle/training.h"

/* Passes of one kind: their stages on the common schedule, forward only, and what bounds their kernels. */
struct passes {
	struct step step;
	double bound_s[BOUNDS], cast_s,
		flop; /* seconds and flop of one pass of the whole network, on one device of each stage */
	double times; /* passes of this kind that a request has */
};

/* Kinds of passes of a batch: over prompts, once, and for each token but the first. */
enum { PROMPTS, TOKENS, KINDS };
struct request {
	struct passes passes[KINDS];
	struct engine_answer answer; /* answer to requests of text */
	double readers, transfer_s;  /* others that read prompts, for each replica */
	double total_s, idle_s;      /* idle_s: part of total_s in which no pass runs for anybody */
};

/* Returns the replicas that requests are spread over. */
double serving_replicas(const struct paradl_plan *plan);
/* Returns into how many passes a replica's samples go, of at most `most` each; as many as keep the stages busy. */
double serving_passes(const struct paradl_plan *plan, double local, double most);
/* Fills the costs of the evaluation's layers, for the pass that its fields describe. */
void serving_costs_fill(const struct evaluation *evaluation);
/* Runs `count` passes with these costs; cut: chooses the stages, too. Returns false with an error. */
bool serving_passes_run(struct evaluation *evaluation, double count, bool cut, struct passes *passes,
	struct paradl_error *error);
/*
 * Serves `local` clients of a replica, of which `seats` have memory at a time. Call it after a pass that cut the
 * stages; the costs of that pass give way to others.
 */
bool serving_answers_run(struct evaluation *evaluation, double local, double seats, struct request *request,
	struct paradl_error *error);

#endif
