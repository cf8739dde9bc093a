/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Kernels of cut layers do not get shorter in proportion (redundant computation: fewer filters fill a device badly, and what
 * is not cut runs everywhere):  t(p) = r t(1) + (1 - r) t_projected(p).
 */
#include "study/diagnose.h"

static bool applies(const struct diagnosing *diagnosing)
{
	return diagnosing->whole_s[0] > diagnosing->part_s[PARADL_FORWARD];
}

static void range(const struct diagnosing *diagnosing, double assumed, double *low, double *high)
{
	(void)diagnosing;
	*low = assumed;
	*high = 1.5;
}

static bool change(const struct diagnosing *diagnosing, double value, struct counterfactual *model)
{
	for (unsigned pass = 0; pass < 2; ++pass) {
		const unsigned phase = pass ? PARADL_BACKWARD : PARADL_FORWARD;
		model->more_s[phase] +=
			value * (diagnosing->whole_s[pass] - diagnosing->estimate->phase_s[phase]);
	}
	return true;
}

const struct cause cause_redundancy = {
	.name = "redundancy",
	.summary = "cut layers that do not get faster in proportion",
	.category = "compute",
	.kind = PARADL_BOTTLENECK,
	.origin = "framework",
	.quantity = "the share of the undivided kernel time that stays on each device",
	.linear = true,
	.share = true,
	.check = "times of the cut layers' kernels at two degrees (nsys); which layers the program really "
		 "cuts; a "
		 "lower degree with a larger local batch",
	.phases = PHASES_PASSES,
	.applies = applies,
	.range = range,
	.change = change,
};
