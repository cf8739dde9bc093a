/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study/diagnose.h"

static bool applies(const struct diagnosing *diagnosing)
{
	return diagnosing_nodes(diagnosing) > 1;
}

static double rate(const struct diagnosing *diagnosing)
{
	return machine_ring_bytes_per_s(diagnosing->oracle->machine, true);
}

static void range(const struct diagnosing *diagnosing, double assumed, double *low, double *high)
{
	(void)diagnosing;
	*low = assumed / 100;
	*high = assumed * 4;
}

static bool change(const struct diagnosing *diagnosing, double value, struct counterfactual *model)
{
	counterfactual_rates(model, true, value / rate(diagnosing));
	return true;
}

const struct cause cause_link_rate = {
	.name = "link-rate",
	.summary = "links between nodes at another rate than in their profile",
	.category = "communication",
	.kind = PARADL_BOTTLENECK,
	.origin = "system",
	.quantity = "the rate of a ring between nodes",
	.dimension = DIMENSION_BYTES_PER_S,
	.check = "nccl-tests or OSU between two nodes; NCCL_DEBUG=INFO: NET/IB, not NET/Socket (TCP); "
		 "GPUDirect; link width and speed (ibstat); paradl calibrate mpi",
	.phases = PHASES_COMMUNICATION | 1 << PARADL_BUBBLE,
	.applies = applies,
	.assumed = rate,
	.range = range,
	.change = change,
};
