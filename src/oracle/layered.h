/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plans that differ from layer to layer: each plan ("way") is evaluated once, parts pick from its costs. */
#ifndef ORACLE_LAYERED_H
#define ORACLE_LAYERED_H

#include "oracle/layout.h"
#include "oracle/stage.h"

struct way {
	struct evaluation evaluation;
	struct prepared net; /* the evaluation's, with costs of its own */
	struct unit_classes classes;
};

/* Never moved once it began: the evaluation points into it. */
bool way_begin(struct way *way, struct paradl_oracle *oracle, const struct paradl_plan *plan,
	double micro_batches, struct paradl_arena *arena, struct paradl_error *error);
/* The same, but only good until the next evaluation. */
bool way_peek(struct way *way, struct paradl_oracle *oracle, const struct paradl_plan *plan,
	double micro_batches, struct paradl_error *error);
/* Estimates it as the plan of all layers; false: it cannot be that. */
bool way_estimate(struct way *way, struct paradl_arena *arena, struct paradl_estimate *estimate);

/* How the output of one position reaches another, in one micro-batch: forward, and its gradient back. */
struct redistribution {
	unsigned from, to;          /* positions */
	struct layout_move move[2]; /* by enum pass */
	unsigned nodes[2];          /* of a block that exchanges */
	double bytes[2], s[2];
	double copy_items; /* of the reader's part of the tensor */
};

/* Moves that came before, with their exchanges. */
struct redistributor {
	struct paradl_arena *arena; /* for what it remembers; NULL: nothing */
	struct known_move *known;
};
bool redistribute(const struct way *from, unsigned position, const struct way *to, unsigned reader,
	struct redistributor *movers, struct redistribution *result, struct paradl_error *error);

/* Gathers of spatial pieces that one plan has before a layer: no branch is open there. Seconds of one micro-batch. */
double way_gather_s(const struct way *way, unsigned reader);

/* Can each of the layers [first, end) run under this plan? */
bool way_runs(const struct way *way, unsigned first, unsigned end, struct paradl_error *error);
/* The unit that a position is in. */
unsigned unit_at(const struct paradl_model *model, unsigned position);
/* Adds the terms of layers [first, end) under one plan: of units as wholes, or of those layers if a unit is not wholly there. */
void way_add(const struct way *way, unsigned first, unsigned end, double *term);

/* A plan under evaluation. */
struct layered_run {
	const struct paradl_model *model; /* in which layers may be fewer than as a way runs it */
	struct way *ways;
	unsigned way_count;
	unsigned *way_of, *stage_of; /* of each position; the first stage is 0 */
	struct redistribution *moves;
	unsigned move_count;
	struct paradl_arena *arena; /* that outlives it */
};
/* The plan of a part as one of a pipeline: stages are neighbouring devices, the pipeline is the outermost axis. */
void stage_plan_set(struct paradl_plan *plan, unsigned stages);
/* Not of the ideal model, nor of inference. */
bool layered_possible(const struct paradl_oracle *oracle, struct paradl_error *error);
/* Checks and evaluates all but the sums, in an arena that outlives the run. */
bool layered_begin(struct layered_run *run, struct paradl_oracle *oracle,
	const struct paradl_layered *layered, struct paradl_arena *arena, struct paradl_error *error);
/* Returns the end of the layers from this position on that have one plan and are in one stage. */
unsigned run_end(const struct layered_run *run, unsigned first);
/* Estimates a step of training whose layers have plans of their own; layered_step.c. */
bool layered_estimate(
	const struct layered_run *run, struct paradl_estimate *estimate, struct paradl_error *error);

#endif
