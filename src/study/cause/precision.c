/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The program computes and sends in another number format. */
#include "study/diagnose.h"

static const char *const texts[PARADL_PRECISION_COUNT] = {
	[PARADL_FP32] = "it ran in fp32",
	[PARADL_TF32] = "it ran in tf32",
	[PARADL_FP16] = "it ran in fp16",
	[PARADL_BF16] = "it ran in bf16",
	[PARADL_FP16_MIXED] = "it ran in fp16-mixed",
	[PARADL_BF16_MIXED] = "it ran in bf16-mixed",
	[PARADL_FP8_MIXED] = "it ran in fp8-mixed",
	[PARADL_MXFP8_MIXED] = "it ran in mxfp8-mixed",
	[PARADL_FP4_MIXED] = "it ran in fp4-mixed",
};

static bool change(const struct diagnosing *diagnosing, double value, struct counterfactual *model)
{
	(void)diagnosing;
	if (value >= PARADL_PRECISION_COUNT)
		return false;
	model->options.override_precision = true;
	model->options.precision = (enum paradl_precision)value;
	model->changed = true;
	return true;
}

static const char *call(const struct diagnosing *diagnosing, double value)
{
	(void)diagnosing;
	return texts[(unsigned)value];
}

const struct cause cause_precision = {
	.name = "precision",
	.summary = "another number format than projected",
	.category = "compute",
	.kind = PARADL_BOTTLENECK,
	.origin = "framework",
	.check = "autocast and TF32 switches of the program, and the names of its kernels (nsys: sgemm, "
		 "hgemm, "
		 "s1688, s16816)",
	.phases = PHASES_COMPUTE | PHASES_COMMUNICATION,
	.change = change,
	.call = call,
};
