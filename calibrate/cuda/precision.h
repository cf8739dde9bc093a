/* SPDX-License-Identifier: BSD-3-Clause */
/* Number formats: names as in samples, bytes, and the first compute capability that multiplies them in hardware. */
#ifndef CALIBRATE_CUDA_PRECISION_H
#define CALIBRATE_CUDA_PRECISION_H

#include "kernels.h"

struct precision {
	const char *name;
	enum item_type item;
	unsigned bytes, result_bytes;
	int least_capability; /* 10 major + minor */
};

/* NULL: no such name. */
const struct precision *precision_find(const char *name);
/* NULL-terminated: "fp32", "tf32", "fp16", "bf16", "fp8". */
extern const char *const precision_names[];

#endif
