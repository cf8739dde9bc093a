/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Waiting for samples. */
#include "study/diagnose.h"

static bool applies(const struct diagnosing *diagnosing)
{
	return !diagnosing->measurement->without_input && !diagnosing->oracle->options.inference;
}

static void range(const struct diagnosing *diagnosing, double assumed, double *low, double *high)
{
	*low = assumed;
	*high = diagnosing->measured_s[PARADL_PART_TOTAL] > 0 ? diagnosing->measured_s[PARADL_PART_TOTAL]
							      : 10 * diagnosing->part_s[PARADL_PART_TOTAL];
	if (diagnosing->measured_s[PARADL_INPUT] >= 0)
		*high = diagnosing->measured_s[PARADL_INPUT] + assumed;
}

static double assumed_s(const struct diagnosing *diagnosing)
{
	return diagnosing->part_s[PARADL_INPUT];
}

static bool change(const struct diagnosing *diagnosing, double value, struct counterfactual *model)
{
	model->more_s[PARADL_INPUT] = value - diagnosing->part_s[PARADL_INPUT];
	return true;
}

/* Of a total alone it is one guess of many. */
static double evidence(const struct diagnosing *diagnosing)
{
	return diagnosing->measured_s[PARADL_INPUT] >= 0 ? 2 : 0.8;
}

const struct cause cause_input_stall = {
	.name = "input-stall",
	.summary = "waiting for input",
	.category = "input",
	.kind = PARADL_BOTTLENECK,
	.origin = "framework",
	.quantity = "waiting for samples in each step",
	.dimension = DIMENSION_TIME,
	.linear = true,
	.check = "paradl io with the same plan; workers of the loader, their processor time, and the same "
		 "run with "
		 "samples made up in memory",
	.phases = 1 << PARADL_INPUT,
	.applies = applies,
	.assumed = assumed_s,
	.range = range,
	.change = change,
	.evidence = evidence,
};
