/* SPDX-License-Identifier: BSD-3-Clause */
/* Products as points, for the benches that measure them: gemm and burst. */
#ifndef CALIBRATE_CUDA_GEMM_H
#define CALIBRATE_CUDA_GEMM_H

#include "device.h"
#include "precision.h"

/* Adds what a product of `count` matrices of m x k and k x n is, and its work, to a point. */
void gemm_point_work(
	struct point *point, const struct precision *precision, double m, double n, double k, double count);
/* Makes the operands and the product of such a point, and runs it until clocks are where they stay. */
enum ready gemm_prepare(struct run *run);
enum ready gemm_enqueue(struct run *run, unsigned long long index);
void gemm_release(struct run *run);

#endif
