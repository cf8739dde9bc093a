/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Many small messages, each with a start-up of its own: per tensor, per call, per bucket. */
#include "study/diagnose.h"

/* As the framework counts them: gradient tensors, or collective calls of layers of tokens. */
static double start_s(const struct diagnosing *diagnosing)
{
	const struct rules *rules = diagnosing_rules(diagnosing);
	return diagnosing->oracle->model->tokens ? rules->collective_call_s : rules->gradient_tensor_s;
}

static bool applies(const struct diagnosing *diagnosing)
{
	return diagnosing->estimate->communication_s > 0;
}

/* Between processes on one machine and over TCP to another: nothing that is still a start-up takes longer. */
static const double longest_s = 5e-3;

static void range(const struct diagnosing *diagnosing, double assumed, double *low, double *high)
{
	(void)diagnosing;
	*low = assumed > 0 ? assumed / 20 : 1e-7;
	*high = assumed > longest_s ? assumed : longest_s;
}

static bool change(const struct diagnosing *diagnosing, double value, struct counterfactual *model)
{
	const double more_s = value - start_s(diagnosing);
	struct rules *rules = counterfactual_rules(diagnosing, model);
	if (!diagnosing->oracle->model->tokens)
		rules->gradient_tensor_s += more_s;
	if (rules->collective_call_s + more_s > 0)
		rules->collective_call_s += more_s;
	model->changed = true;
	return true;
}

const struct cause cause_message_start = {
	.name = "message-start",
	.summary = "the start-up of many small messages",
	.category = "communication",
	.kind = PARADL_BOTTLENECK,
	.origin = "framework",
	.quantity = "the start-up of each message",
	.dimension = DIMENSION_TIME,
	.check = "how many collectives a step has and how large they are (nsys; NCCL_DEBUG_SUBSYS=COLL): "
		 "bucket_cap_mb "
		 "of DDP, fusion of tensors; the latency of an allreduce of 8 bytes (nccl-tests)",
	.phases = 1 << PARADL_GRADIENT_EXCHANGE | 1 << PARADL_ACTIVATION_EXCHANGE,
	.applies = applies,
	.assumed = start_s,
	.range = range,
	.change = change,
};
