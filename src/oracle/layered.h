/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plans may differ from layer to layer: each plan is evaluated once, and parts pick from its costs. */
#ifndef ORACLE_LAYERED_H
#define ORACLE_LAYERED_H

#include "oracle/stage.h"
#include "paradl/oracle.h"
#include "plan/strategy.h"

/*
 * A layout says which part of a tensor each device has. Channels are whole everywhere; samples are cut along data and
 * expert, extents along spatial, tokens along context, and along tensor with sequence parallelism. A layout is pure
 * numbers: it has no network and no time.
 */

/* Returns the greatest common divisor; a where b is 0. */
unsigned common_divisor(unsigned a, unsigned b);

/* Dimensions of a layout: samples, then extents (or tokens). */
enum { LAYOUT_DIMENSIONS = 1 + DIMENSIONS_MAX };

/* Digit of the device's number; stride 1 where it cuts nothing. */
struct layout_digit {
	unsigned stride, degree;
};
/* Digits of a layout: pieces of each dimension go by up to two, the outer one first. */
enum { LAYOUT_DIGITS = 2 * LAYOUT_DIMENSIONS };
struct layout {
	unsigned devices;
	struct layout_digit digits[LAYOUT_DIGITS];
};

/* Returns the layout of what a layer makes under a plan; extents_cut: the spatial axis cuts it. */
struct layout layout_of(const struct paradl_plan *plan, bool extents_cut);

/* Move of a tensor from one layout to another. */
struct layout_move {
	/* Items of one channel that the device which lacks most lacks; 0: nothing moves. */
	double items;
	unsigned devices; /* devices of the smallest aligned blocks that hold all their devices need */
	bool gathers;     /* all devices of a block need the same */
};
struct layout_change {
	struct layout from, to;
	/* Items of each dimension: samples, rows. Piece i of n goes from floor(i e / n) to floor((i+1) e / n). */
	double extent[LAYOUT_DIMENSIONS];
};
struct layout_move layout_move(struct layout_change change);

/* Returns the items of one channel that the fullest device holds. */
double layout_items(const struct layout *layout, const double extent[LAYOUT_DIMENSIONS]);

struct layer_plan {
	struct evaluation evaluation;
	struct prepared net; /* network of the evaluation, with costs of its own */
	struct unit_classes classes;
};

/*
 * Begins a layer plan, which must never move afterwards: the evaluation points into it. Returns false with an error.
 */
bool layer_plan_begin(struct layer_plan *layer_plan, struct paradl_oracle *oracle,
	const struct paradl_plan *plan, double micro_batches, struct paradl_arena *arena,
	struct paradl_error *error);
/* Begins a layer plan that is only good until the next evaluation. */
bool layer_plan_peek(struct layer_plan *layer_plan, struct paradl_oracle *oracle,
	const struct paradl_plan *plan, double micro_batches, struct paradl_error *error);
/* Estimates a layer plan as the plan of all layers; false: it cannot be that. */
bool layer_plan_estimate(
	struct layer_plan *layer_plan, struct paradl_arena *arena, struct paradl_estimate *estimate);

/* Redistribution of the output of one position for another, in one micro-batch: forward, and its gradient back. */
struct redistribution {
	unsigned from, to;          /* positions of the maker and of the reader */
	struct layout_move move[2]; /* moves by enum pass */
	unsigned nodes[2];          /* nodes of a block that exchanges */
	double bytes[2], s[2];
	double copy_items; /* items of the reader's part of the tensor */
};

/* Moves that came before, with their exchanges. */
struct redistributor {
	struct paradl_arena *arena; /* memory for known moves; NULL: none is remembered */
	struct known_move *known;
};
bool redistribute(const struct layer_plan *from, unsigned position, const struct layer_plan *to,
	unsigned reader, struct redistributor *movers, struct redistribution *result,
	struct paradl_error *error);

/* Returns the seconds per micro-batch in which a plan gathers pieces before a layer; no branch is open there. */
double layer_plan_gather_s(const struct layer_plan *layer_plan, unsigned reader);

/* Returns whether each of the layers [first, end) can run under this plan; sets an error if not. */
bool layer_plan_runs(
	const struct layer_plan *layer_plan, unsigned first, unsigned end, struct paradl_error *error);
/* Returns the unit that a position is in. */
unsigned unit_at(const struct paradl_model *model, unsigned position);
/* Adds the terms of layers [first, end) under one plan: of units, or of layers where a unit is not wholly there. */
void layer_plan_add(const struct layer_plan *layer_plan, unsigned first, unsigned end, double *term);

/* Plan with parts under evaluation. */
struct layered_run {
	const struct paradl_model *model; /* as loaded; may have fewer distinct layers than a layer plan's */
	struct layer_plan *layer_plans;
	unsigned layer_plan_count;
	unsigned *plan_of, *stage_of; /* layer plan and stage of each position; the first stage is 0 */
	struct redistribution *moves;
	unsigned move_count;
	struct paradl_arena *arena; /* arena that outlives the run */
};
/* Makes a part's plan that of a pipeline: stages are neighbouring devices, the pipeline is the outermost axis. */
void stage_plan_set(struct paradl_plan *plan, unsigned stages);
/* Returns whether layers may have plans of their own, not in the ideal model nor in inference; else sets an error. */
bool layered_possible(const struct paradl_oracle *oracle, struct paradl_error *error);
/* Checks and evaluates all but the sums, in an arena that outlives the run; false with an error. */
bool layered_begin(struct layered_run *run, struct paradl_oracle *oracle,
	const struct paradl_layered *layered, struct paradl_arena *arena, struct paradl_error *error);
/* Returns the end of the layers from this position on that have one plan and are in one stage. */
unsigned run_end(const struct layered_run *run, unsigned first);
/* Estimates a step of training whose layers have plans of their own; layered_step.c. */
bool layered_estimate(
	const struct layered_run *run, struct paradl_estimate *estimate, struct paradl_error *error);

#endif
