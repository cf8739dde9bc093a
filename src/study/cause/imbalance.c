/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Stages of a pipeline take unequal times. All wait for the slowest in each micro-batch, so a slowest stage of v times the
 * mean adds (v - 1) of a stage's busy time to the bubble.
 */
#include "study/diagnose.h"

static bool applies(const struct diagnosing *diagnosing)
{
	return diagnosing->estimate->plan.degree[PARADL_PIPELINE] > 1;
}

static double balanced(const struct diagnosing *diagnosing)
{
	(void)diagnosing;
	return 1;
}

static void range(const struct diagnosing *diagnosing, double assumed, double *low, double *high)
{
	(void)diagnosing;
	*low = assumed;
	*high = 20;
}

static bool change(const struct diagnosing *diagnosing, double value, struct counterfactual *model)
{
	const double *phase_s = diagnosing->estimate->phase_s;
	model->more_s[PARADL_BUBBLE] += (value - 1) * (phase_s[PARADL_FORWARD] + phase_s[PARADL_BACKWARD] +
							      phase_s[PARADL_RECOMPUTE]);
	return true;
}

const struct cause cause_imbalance = {
	.name = "imbalance",
	.summary = "stages that are loaded unequally",
	.category = "compute",
	.kind = PARADL_LIMITATION,
	.origin = "",
	.quantity = "the slowest stage over the mean, beyond what is projected",
	.linear = true,
	.check = "compute of each stage (one trace a rank); split= of the plan deals blocks out by hand, and "
		 "paradl "
		 "search --per-layer looks for better stages",
	.phases = 1 << PARADL_BUBBLE,
	.applies = applies,
	.assumed = balanced,
	.range = range,
	.change = change,
};
