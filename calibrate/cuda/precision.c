/* SPDX-License-Identifier: BSD-3-Clause */
#include "precision.h"

#include <string.h>

static const struct precision precisions[] = {
	{"fp32", ITEM_FP32, 4, 4, 75}, {"tf32", ITEM_FP32, 4, 4, 80}, {"fp16", ITEM_FP16, 2, 2, 75},
	{"bf16", ITEM_BF16, 2, 2, 80}, {"fp8", ITEM_FP8, 1, 2, 89}, /* e4m3 operands, bf16 result */
};

const char *const precision_names[] = {"fp32", "tf32", "fp16", "bf16", "fp8", NULL};

const struct precision *precision_find(const char *name)
{
	for (size_t i = 0; i < sizeof precisions / sizeof *precisions; i++)
		if (strcmp(precisions[i].name, name) == 0)
			return &precisions[i];
	return NULL;
}
