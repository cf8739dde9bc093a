/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lower bounds on the time and memory of all plans that begin like an evaluation, whatever they choose for the rest. The
 * further the evaluation has come, the tighter; bounds.c proves them.
 */
#ifndef ORACLE_BOUNDS_H
#define ORACLE_BOUNDS_H

#include "oracle/training.h"

struct bounds {
	double iteration_s, compute_s, memory_bytes;
	double update_s; /* of the first two */
};

/* The most that the rest of a plan may choose. */
struct freedom {
	unsigned zero;    /* highest level */
	unsigned offload; /* set of enum paradl_offload */
	bool keeps_less;  /* some of them recompute, or have several stages on a device */
};

/* Memory of a device, whatever the plan. */
double always_bytes(const struct paradl_oracle *oracle);
/* After evaluation_cut: for any placement and any option but those that evaluation_cut reads. */
void bounds_of_kernels(
	const struct evaluation *evaluation, const struct freedom *freedom, struct bounds *bounds);
/*
 * After evaluation_connect and unit_costs_fill, of what training.c evaluates: for any schedule and any way to share, and as
 * much overlap as evaluation->plan leaves.
 */
void bounds_of_units(
	const struct evaluation *evaluation, const struct freedom *freedom, struct bounds *bounds);
/* After training_stages: before the schedule runs; tightens what bounds_of_units found. */
void bounds_of_stages(const struct evaluation *evaluation, const struct step *step, struct bounds *bounds);
/* After training_schedule: for any way to share. */
void bounds_of_schedule(const struct step *step, struct bounds *bounds);

#endif
