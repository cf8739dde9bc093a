/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * These are lower bounds on the time and memory of all plans that begin like an evaluation, whatever they choose for
 * the rest. The further the evaluation has come, the tighter they are; bounds.c proves them.
 */
#ifndef ORACLE_BOUNDS_H
#define ORACLE_BOUNDS_H

#include "oracle/layered.h"
#include "oracle/replicas.h"
#include "oracle/training.h"

struct bounds {
	double iteration_s, compute_s, memory_bytes;
	double update_s; /* part of the first two */
	/* Of the whole network: states of all stages; what works on most. */
	double states_bytes, worked_bytes;
	/* What it keeps, and works on, as one stage with one micro-batch: from bounds_of_units. */
	double kept_bytes, working_bytes;
};

/* Upper limits of what the rest of a plan may choose. */
struct open_choices {
	unsigned zero;    /* highest level of zero */
	unsigned offload; /* set of enum paradl_offload */
	bool keeps_less;  /* some plans recompute, or have several stages on a device */
};

/* Returns the bytes that a device holds, whatever the plan. */
double always_bytes(const struct paradl_oracle *oracle);
/* Fills bounds after evaluation_cut: for any placement and any option but those that evaluation_cut reads. */
void bounds_of_kernels(
	const struct evaluation *evaluation, const struct open_choices *open_choices, struct bounds *bounds);
/*
 * Goes on from bounds_of_kernels after evaluation_connect and unit_costs_fill, for what training.c evaluates: for any
 * schedule and any way to share, and as much overlap as evaluation->plan leaves.
 */
void bounds_of_units(
	const struct evaluation *evaluation, const struct open_choices *open_choices, struct bounds *bounds);
/*
 * Tightens the memory that bounds_of_units found, once the plan's schedule is chosen and before stages are cut: by
 * how many micro-batches a fixed order of work holds on each device.
 */
void bounds_of_held(const struct evaluation *evaluation, struct bounds *bounds);
/* Tightens what bounds_of_units found, after training_stages and before the schedule runs. */
void bounds_of_stages(const struct evaluation *evaluation, const struct step *step, struct bounds *bounds);
/* Tightens the bounds after training_schedule: for any way to share. */
void bounds_of_schedule(const struct step *step, struct bounds *bounds);

/*
 * Each layer adds a floor to a plan of parts. The sums are never more than the estimate (quiet network), and for one
 * plan everywhere (nearly) the same. A search over all choices of plans adds these floors up.
 */

/* Kinds of exchange that hide: gradients, gathers of updated weights, sharded weights. */
enum { FLOOR_HIDES = 3 };
/* Point from which sums that are not sums of layers are bounded: one plan for all layers. */
struct floor_point {
	double device[2],
		host[2]; /* weights of device and host time, by enum pass: the slower of them counts */
	bool shows[FLOOR_HIDES]; /* by kind: the exchange is longer than what may hide it */
};
/* Least seconds for each weight that replicas exchange. */
struct plan_floor {
	struct replica_times rates[2]; /* for all weights but experts', and for those */
};
struct layer_floor {
	double cost_s;
	double exposed_s; /* counts where the sum over layers is above 0 */
	double memory_bytes;
	/* More bytes at a moment when all memory_bytes are held: the most of any layer counts. */
	double transient_bytes;
};

/*
 * Returns the rates, and the point, of the whole network under this layer plan, whose estimate the floors then meet.
 */
struct plan_floor plan_floor_of(const struct layer_plan *layer_plan);
struct floor_point floor_point_at(const struct layer_plan *layer_plan, const struct plan_floor *floor);
/* Fills the floor of positions [first, end); false: the plan cannot run one of them. */
bool layer_floor(const struct layer_plan *layer_plan, const struct plan_floor *floor,
	const struct floor_point *point, unsigned first, unsigned end, struct layer_floor *result);
/* Returns the floor of what no layer adds, the same for every plan. */
double fixed_floor_s(const struct layer_plan *layer_plan, const struct floor_point *point);
/*
 * Returns the floor, with input, of a step of busy_s or more without: a plan of parts reads as one of its layer plans.
 */
double plans_input_floor_s(const struct layer_plan *layer_plans, unsigned count, double busy_s);

#endif
