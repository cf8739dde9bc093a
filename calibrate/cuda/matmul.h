/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Products by cuBLASLt. Matrices are column-major, D (m x n) = op(A) op(B), as the library has it; a product of row-major
 * matrices Y (M x N) = X W is one with m = N, n = M, A = W and B = X.
 */
#ifndef CALIBRATE_CUDA_MATMUL_H
#define CALIBRATE_CUDA_MATMUL_H

#include <cublasLt.h>

#include "device.h"
#include "precision.h"

struct product {
	const struct precision *precision;
	size_t m, n, k, count;         /* count products, one behind the other in memory */
	bool transpose_a, transpose_b; /* A is stored k x m instead of m x k, B n x k instead of k x n */
};

struct matmul {
	struct product product;
	cublasLtMatmulDesc_t operation;
	cublasLtMatrixLayout_t a, b, d;
	cublasLtMatmulAlgo_t algorithm;
};

/* Adds the library's version to the environment, if it is here. */
void matmul_begin(void);
/* Bytes of all A, B and D of a product. */
size_t product_bytes_a(const struct product *product);
size_t product_bytes_b(const struct product *product);
size_t product_bytes_d(const struct product *product);

/* Loads the library; ABSENT if it is not here or the device does not have the precision. */
enum ready matmul_library(struct run *run, const struct precision *precision);
/* Descriptors, and the library's first choice of an algorithm. ABSENT if it has none for this product. */
enum ready matmul_make(struct run *run, struct matmul *matmul, const struct product *product);
void matmul_free(struct matmul *matmul);
enum ready matmul_enqueue(
	struct run *run, const struct matmul *matmul, const void *a, const void *b, void *d);
/* Frees what all products share. */
void matmul_end(void);

#endif
