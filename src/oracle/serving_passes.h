/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Passes of inference through the stages of a plan, and the steps of an engine that are made of them. */
#ifndef ORACLE_SERVING_PASSES_H
#define ORACLE_SERVING_PASSES_H

#include "oracle/serving.h"
#include "oracle/training.h"

/* Passes of one kind: their stages on the common schedule, forward only, and what bounds their kernels. */
struct passes {
	struct step step;
	double bound_s[BOUNDS], cast_s,
		flop; /* of one pass of the whole network, on one device of each stage */
	double times; /* that a request has them */
};

/* What a batch takes: passes over prompts, once, and those for each token but the first. */
enum { PROMPTS, TOKENS, KINDS };
struct request {
	struct passes passes[KINDS];
	struct engine_answer answer; /* of text */
	double readers, transfer_s;  /* others that read prompts, for each replica */
	double total_s, idle_s;      /* idle: of it, no pass runs for anybody */
};

/* Replicas that requests are spread over. */
double serving_replicas(const struct paradl_plan *plan);
/* Into how many passes a replica's samples go, of at most so many each; as many as keep the stages busy. */
double serving_passes(const struct paradl_plan *plan, double local, double most);
/* Costs of the evaluation's layers, for the pass that its fields say. */
void serving_costs_fill(const struct evaluation *evaluation);
/* Runs so many passes with these costs; cut: chooses the stages, too. */
bool serving_passes_run(struct evaluation *evaluation, double count, bool cut, struct passes *passes,
	struct paradl_error *error);
/*
 * Answers `local` clients of a replica, of which so many have memory at a time; after a pass that cut the stages, whose costs give way
 * to others.
 */
bool serving_answers_run(struct evaluation *evaluation, double local, double seats, struct request *request,
	struct paradl_error *error);

#endif
