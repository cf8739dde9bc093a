/* SPDX-License-Identifier: BSD-3-Clause */
/* Help with lists of points; the benches of this program. */
#ifndef CALIBRATE_CUDA_LIST_H
#define CALIBRATE_CUDA_LIST_H

#include <stdio.h>

#include "bench.h"

#define X(id) extern const struct bench bench_##id;
#include "list.def"
#undef X

/* Points of layers that are alike come once. */
bool list_has(const struct points *points, const char *name);
/* Of a case: NULL, or what stands for it, where it does not say. */
const char *case_text(const struct case_line *line, const char *name);
double case_number(const struct case_line *line, const char *name, double otherwise);
/* "7x7x1", numbers up to three; missing ones are 1. */
void case_extents(const struct case_line *line, const char *name, int extents[3]);

#endif
