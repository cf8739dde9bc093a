/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study/diagnose.h"

static bool applies(const struct diagnosing *diagnosing)
{
	return diagnosing->oracle->machine->devices_per_node > 1 && diagnosing->estimate->devices > 1;
}

static double rate(const struct diagnosing *diagnosing)
{
	return machine_ring_bytes_per_s(diagnosing->oracle->machine, false);
}

static void range(const struct diagnosing *diagnosing, double assumed, double *low, double *high)
{
	(void)diagnosing;
	*low = assumed / 100;
	*high = assumed * 4;
}

static bool change(const struct diagnosing *diagnosing, double value, struct counterfactual *model)
{
	counterfactual_rates(model, false, value / rate(diagnosing));
	return true;
}

const struct cause cause_node_link_rate = {
	.name = "node-link-rate",
	.summary = "links inside nodes at another rate than in their profile",
	.category = "communication",
	.kind = PARADL_BOTTLENECK,
	.origin = "system",
	.quantity = "the rate of a ring inside a node",
	.dimension = DIMENSION_BYTES_PER_S,
	.check = "nvidia-smi topo -m and nvlink -s; NCCL_DEBUG=INFO: P2P/CUMEM or SHM; NCCL_P2P_DISABLE; "
		 "nccl-tests in one node",
	.phases = PHASES_COMMUNICATION | 1 << PARADL_BUBBLE,
	.applies = applies,
	.assumed = rate,
	.range = range,
	.change = change,
};
