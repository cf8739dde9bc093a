/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * These are lower bounds on the time and memory of all plans that begin like an evaluation, whatever they choose for
 * the rest. The further the evaluation has come, the tighter they are; bounds.c proves them.
 */
#ifndef ORACLE_BOUNDS_H
#define ORACLE_BOUNDS_H

#include "oracle/training.h"

struct bounds {
	double iteration_s, compute_s, memory_bytes;
	double update_s; /* part of the first two */
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
 * Fills bounds after evaluation_connect and unit_costs_fill, for what training.c evaluates: for any schedule and any
 * way to share, and as much overlap as evaluation->plan leaves.
 */
void bounds_of_units(
	const struct evaluation *evaluation, const struct open_choices *open_choices, struct bounds *bounds);
/* Tightens what bounds_of_units found, after training_stages and before the schedule runs. */
void bounds_of_stages(const struct evaluation *evaluation, const struct step *step, struct bounds *bounds);
/* Tightens the bounds after training_schedule: for any way to share. */
void bounds_of_schedule(const struct step *step, struct bounds *bounds);

#endif
