/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Communication is hidden behind compute less, or more, than the framework's profile says. */
#include "study/diagnose.h"

static double share_now(const struct diagnosing *diagnosing)
{
	return diagnosing_rules(diagnosing)->overlap_gradients;
}

/* Traffic with others, some of which compute hides. */
static bool applies(const struct diagnosing *diagnosing)
{
	const struct paradl_estimate *estimate = diagnosing->estimate;
	return share_now(diagnosing) > 0 && estimate->communication_s > estimate->exposed_communication_s;
}

static void range(const struct diagnosing *diagnosing, double assumed, double *low, double *high)
{
	(void)diagnosing;
	*low = 0;
	*high = assumed;
}

static bool change(const struct diagnosing *diagnosing, double value, struct counterfactual *model)
{
	struct rules *rules = counterfactual_rules(diagnosing, model);
	const double factor = value / share_now(diagnosing);
	if (value <= 0)
		model->plan.apart = PARADL_OVERLAP_GRADIENTS | PARADL_OVERLAP_TENSOR | PARADL_OVERLAP_EXPERTS;
	rules->overlap_gradients *= factor;
	rules->overlap_gathers *= factor;
	rules->overlap_tensor *= factor;
	rules->overlap_experts *= factor;
	rules->overlap_shards *= factor;
	model->changed = true;
	return true;
}

const struct cause cause_overlap = {
	.name = "overlap",
	.summary = "less overlap of communication with compute than assumed",
	.category = "communication",
	.kind = PARADL_BOTTLENECK,
	.origin = "framework",
	.quantity = "the share of compute that hides communication",
	.linear = true,
	.share = true,
	.check = "whether kernels of NCCL run beside those of backward (nsys, streams); bucket sizes, "
		 "find_unused_parameters, CUDA_DEVICE_MAX_CONNECTIONS, synchronising calls",
	.phases = 1 << PARADL_GRADIENT_EXCHANGE | 1 << PARADL_ACTIVATION_EXCHANGE,
	.applies = applies,
	.assumed = share_now,
	.range = range,
	.change = change,
};
