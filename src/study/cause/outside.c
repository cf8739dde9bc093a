/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Time of the run that belongs to no phase: start-up, evaluation, checkpoints, logging. */
#include "study/diagnose.h"

static void range(const struct diagnosing *diagnosing, double assumed, double *low, double *high)
{
	*low = assumed;
	*high = diagnosing->measured_s[PARADL_PART_TOTAL];
}

static bool applies(const struct diagnosing *diagnosing)
{
	return diagnosing->measured_s[PARADL_PART_TOTAL] > 0;
}

static bool change(const struct diagnosing *diagnosing, double value, struct counterfactual *model)
{
	(void)diagnosing;
	model->outside_s = value;
	return true;
}

const struct cause cause_outside = {
	.name = "outside",
	.summary = "time outside of the training step",
	.category = "measurement",
	.kind = PARADL_BOTTLENECK,
	.origin = "framework",
	.quantity = "time of an iteration in none of its phases",
	.dimension = DIMENSION_TIME,
	.linear = true,
	.check = "what the total includes: the first iterations, evaluation, checkpoints, logging; leave out "
		 "the "
		 "first steps and time the phases of one step",
	.phases = 0,
	.outside = true,
	.applies = applies,
	.range = range,
	.change = change,
};
