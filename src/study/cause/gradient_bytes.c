/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gradients are sent with more or fewer bytes than the framework's profile says. */
#include "study/diagnose.h"

enum { CHOICES = 3 };
static const double factors[CHOICES] = {2, 0.5, 4};

static bool applies(const struct diagnosing *diagnosing)
{
	return diagnosing->part_s[PARADL_GRADIENT_EXCHANGE] > 0;
}

static double now_bytes(const struct diagnosing *diagnosing)
{
	const double bytes = diagnosing_rules(diagnosing)->gradient_bytes;
	return bytes > 0 ? bytes : precision_weight_bytes(diagnosing->oracle->precision);
}

static bool change(const struct diagnosing *diagnosing, double value, struct counterfactual *model)
{
	const struct paradl_oracle *oracle = diagnosing->oracle;
	const unsigned index = (unsigned)value;
	if (index >= CHOICES)
		return false;
	if (oracle->model->tokens)
		counterfactual_rules(diagnosing, model)->gradient_bytes =
			now_bytes(diagnosing) * factors[index];
	else if (index == 1 && precision_activation_bytes(oracle->precision) > 2)
		model->options.compress = "fp16";
	else if (index == 0 && precision_activation_bytes(oracle->precision) <= 2)
		model->times[PARADL_GRADIENT_EXCHANGE] *= 2;
	else
		return index + 1 < CHOICES; /* nothing changes: never better */
	model->changed = true;
	return true;
}

static const char *call(const struct diagnosing *diagnosing, double value)
{
	static const char *const texts[CHOICES] = {
		"gradients were sent with twice the bytes (fp32, not 16 bits)",
		"gradients were sent with half the bytes (16 bits, not fp32)",
		"gradients were sent with four times the bytes"};
	(void)diagnosing;
	return texts[(unsigned)value];
}

const struct cause cause_gradient_bytes = {
	.name = "gradient-bytes",
	.summary = "gradients of another size",
	.category = "communication",
	.kind = PARADL_BOTTLENECK,
	.origin = "framework",
	.check = "the number format of gradients (DDP: fp16_compress_hook; Megatron: "
		 "--accumulate-allreduce-grads-in-fp32); NCCL_DEBUG=INFO NCCL_DEBUG_SUBSYS=COLL prints "
		 "counts and "
		 "types",
	.phases = 1 << PARADL_GRADIENT_EXCHANGE,
	.applies = applies,
	.change = change,
	.call = call,
};
