/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "machine/machine.h"

/* Bytes of an activation, of a weight as computed with, and of the fp32 master copy (Micikevicius et al., ICLR'18). */
static const struct precision {
	const char *name;
	double activation_bytes, weight_bytes, master_bytes;
} precisions[PARADL_PRECISION_COUNT] = {
	[PARADL_FP32] = {"fp32", 4, 4, 0},
	[PARADL_TF32] = {"tf32", 4, 4, 0},
	[PARADL_FP16] = {"fp16", 2, 2, 0},
	[PARADL_BF16] = {"bf16", 2, 2, 0},
	[PARADL_FP16_MIXED] = {"fp16-mixed", 2, 2, 4},
	[PARADL_BF16_MIXED] = {"bf16-mixed", 2, 2, 4},
	[PARADL_FP8_MIXED] = {"fp8-mixed", 2, 2, 4},
	[PARADL_MXFP8_MIXED] = {"mxfp8-mixed", 2, 2, 4},
	[PARADL_FP4_MIXED] = {"fp4-mixed", 2, 2, 4},
};

const char *paradl_precision_name(enum paradl_precision precision)
{
	return precisions[precision].name;
}

double precision_activation_bytes(enum paradl_precision precision)
{
	return precisions[precision].activation_bytes;
}

double precision_weight_bytes(enum paradl_precision precision)
{
	return precisions[precision].weight_bytes;
}

double precision_master_bytes(enum paradl_precision precision)
{
	return precisions[precision].master_bytes;
}
