/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kernels are short, and the host does not start them fast enough. */
#include "study/diagnose.h"

static double host_s(const struct diagnosing *diagnosing)
{
	return diagnosing_rules(diagnosing)->host_layer_s;
}

static bool applies(const struct diagnosing *diagnosing)
{
	return !diagnosing->oracle->options.inference && diagnosing->oracle->model->order_count > 0;
}

static void range(const struct diagnosing *diagnosing, double assumed, double *low, double *high)
{
	(void)diagnosing;
	*low = assumed > 0 ? assumed / 20 : 1e-6;
	*high = assumed > 0 ? assumed * 200 : 0.1;
}

/* A framework that never waits for the host waits for the longer of host and device, layer by layer, when it does. */
static bool change(const struct diagnosing *diagnosing, double value, struct counterfactual *model)
{
	struct rules *rules = counterfactual_rules(diagnosing, model);
	rules->host_layer_s = value;
	for (unsigned axis = 0; axis < PARADL_AXIS_COUNT && !diagnosing->oracle->model->tokens; ++axis)
		rules->blocking[axis] = true;
	model->changed = true;
	return true;
}

/* A trace says how long the device had nothing to do. */
static double evidence(const struct diagnosing *diagnosing)
{
	static const double idle = 0.15, busy = 0.03;
	const double waiting = diagnosing->measurement->waiting_share;
	return waiting < 0 ? 1 : waiting > idle ? 2 : waiting < busy ? 0 : 1;
}

const struct cause cause_host_time = {
	.name = "host-time",
	.summary = "kernels too short for the host to keep the device busy",
	.category = "compute",
	.kind = PARADL_BOTTLENECK,
	.origin = "framework",
	.quantity = "the host time of each layer",
	.dimension = DIMENSION_TIME,
	.check = "gaps between kernels (nsys), a larger batch per device, CUDA graphs or torch.compile, "
		 "calls that "
		 "synchronise (.item(), printing of losses)",
	.phases = PHASES_PASSES | 1 << PARADL_BUBBLE,
	.applies = applies,
	.assumed = host_s,
	.range = range,
	.change = change,
	.evidence = evidence,
};
