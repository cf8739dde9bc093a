/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cuBLASLt as its documentation has it, without the arithmetic: shapes of D = op(A) op(B) must agree, leading dimensions and
 * strides must hold the matrices, types must be a combination that is supported, and operands must lie in allocations.
 * What is wrong is told, and the call fails.
 */
#include <cublasLt.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fake_device.h"

struct layout {
	cudaDataType type;
	uint64_t rows, columns;
	int64_t leading, stride;
	int32_t batch;
};
struct operation {
	cublasComputeType_t compute;
	cudaDataType scale;
	int32_t transpose_a, transpose_b;
	int8_t is_fast;
	const void *scale_a, *scale_b;
};

static const uint64_t algorithm_mark = 0x70617261646c; /* what a caller must hand back */
static cublasStatus_t wrong(const char *what)
{
	fprintf(stderr, "FAKE: cuBLASLt: %s\n", what);
	return CUBLAS_STATUS_INVALID_VALUE;
}

cublasStatus_t cublasLtCreate(cublasLtHandle_t *handle)
{
	*handle = malloc(1);
	return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle)
{
	free(handle);
	return CUBLAS_STATUS_SUCCESS;
}
const char *cublasLtGetStatusString(cublasStatus_t status)
{
	return status == CUBLAS_STATUS_SUCCESS ? "fine" : "CUBLAS_STATUS_INVALID_VALUE";
}
size_t cublasLtGetVersion(void)
{
	return CUBLAS_VERSION;
}

cublasStatus_t cublasLtMatmulDescCreate(
	cublasLtMatmulDesc_t *made, cublasComputeType_t compute, cudaDataType_t scale)
{
	struct operation *operation = calloc(1, sizeof *operation);
	operation->compute = compute;
	operation->scale = scale;
	operation->transpose_a = operation->transpose_b = CUBLAS_OP_N;
	*made = (cublasLtMatmulDesc_t)(void *)operation;
	return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t operation)
{
	free(operation);
	return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulDescSetAttribute(
	cublasLtMatmulDesc_t made, cublasLtMatmulDescAttributes_t attribute, const void *value, size_t bytes)
{
	struct operation *operation = (struct operation *)(void *)made;
	void *to = NULL;
	size_t size = sizeof(int32_t);
	if (attribute == CUBLASLT_MATMUL_DESC_TRANSA)
		to = &operation->transpose_a;
	else if (attribute == CUBLASLT_MATMUL_DESC_TRANSB)
		to = &operation->transpose_b;
	else if (attribute == CUBLASLT_MATMUL_DESC_A_SCALE_POINTER)
		to = &operation->scale_a;
	else if (attribute == CUBLASLT_MATMUL_DESC_B_SCALE_POINTER)
		to = &operation->scale_b;
	if (attribute == CUBLASLT_MATMUL_DESC_FAST_ACCUM) {
		to = &operation->is_fast;
		size = sizeof operation->is_fast;
	}
	if (attribute == CUBLASLT_MATMUL_DESC_A_SCALE_POINTER ||
		attribute == CUBLASLT_MATMUL_DESC_B_SCALE_POINTER)
		size = sizeof(void *);
	if (!to || bytes != size)
		return wrong("an attribute of the operation, or its size");
	memcpy(to, value, size);
	return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatrixLayoutCreate(
	cublasLtMatrixLayout_t *made, cudaDataType type, uint64_t rows, uint64_t columns, int64_t leading)
{
	if (rows == 0 || columns == 0 || leading < (int64_t)rows)
		return wrong("a leading dimension below the rows of a column-major matrix");
	struct layout *layout = calloc(1, sizeof *layout);
	*layout = (struct layout){type, rows, columns, leading, 0, 1};
	*made = (cublasLtMatrixLayout_t)(void *)layout;
	return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t layout)
{
	free(layout);
	return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t made,
	cublasLtMatrixLayoutAttribute_t attribute, const void *value, size_t bytes)
{
	struct layout *layout = (struct layout *)(void *)made;
	if (attribute == CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT && bytes == sizeof layout->batch)
		memcpy(&layout->batch, value, bytes);
	else if (attribute == CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET && bytes == sizeof layout->stride)
		memcpy(&layout->stride, value, bytes);
	else
		return wrong("an attribute of a layout, or its size");
	return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t *preference)
{
	*preference = calloc(1, sizeof **preference);
	return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t preference)
{
	free(preference);
	return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t preference,
	cublasLtMatmulPreferenceAttributes_t attribute, const void *value, size_t bytes)
{
	if (attribute != CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES || bytes != sizeof(uint64_t))
		return wrong("an attribute of a preference, or its size");
	memcpy(preference, value, bytes);
	return CUBLAS_STATUS_SUCCESS;
}

static size_t type_bytes(cudaDataType type)
{
	return type == CUDA_R_32F ? 4 : type == CUDA_R_8F_E4M3 ? 1 : 2;
}

static size_t extent(const struct layout *l)
{
	uint64_t one = (uint64_t)l->leading * (l->columns - 1) + l->rows;
	return (size_t)((uint64_t)l->stride * (uint64_t)(l->batch - 1) + one) * type_bytes(l->type);
}

/* Tables of the documentation: which types go together, and that fp8 wants A transposed, B not, and multiples of 16. */
static cublasStatus_t check_types(
	const struct operation *o, const struct layout *a, const struct layout *b, const struct layout *d)
{
	if (o->scale != CUDA_R_32F || a->type != b->type)
		return wrong("types of operands or of the scale");
	if (o->compute == CUBLAS_COMPUTE_32F_FAST_TF32 && a->type != CUDA_R_32F)
		return wrong("tf32 of other than fp32 operands");
	if (a->type != CUDA_R_8F_E4M3)
		return d->type == a->type ? CUBLAS_STATUS_SUCCESS : wrong("type of the result");
	if (d->type != CUDA_R_16BF || o->transpose_a != CUBLAS_OP_T || o->transpose_b != CUBLAS_OP_N)
		return wrong("fp8: result in bf16, A transposed, B not");
	if (!o->scale_a || !o->scale_b || !fake_check("scale", o->scale_a, 4) ||
		!fake_check("scale", o->scale_b, 4))
		return wrong("fp8 without scales on the device");
	if (d->rows % 16 || a->rows % 16)
		return CUBLAS_STATUS_NOT_SUPPORTED;
	return CUBLAS_STATUS_SUCCESS;
}

static cublasStatus_t check(const struct operation *o, const struct layout *a, const struct layout *b,
	const struct layout *c, const struct layout *d)
{
	bool ta = o->transpose_a == CUBLAS_OP_T, tb = o->transpose_b == CUBLAS_OP_T;
	uint64_t m = ta ? a->columns : a->rows, k = ta ? a->rows : a->columns, n = tb ? b->rows : b->columns;
	if ((tb ? b->columns : b->rows) != k || d->rows != m || d->columns != n || c != d)
		return wrong("shapes that do not fit");
	if (a->batch != b->batch || a->batch != d->batch)
		return wrong("batches that differ");
	if (a->batch > 1 && (a->stride < a->leading * (int64_t)a->columns ||
				    b->stride < b->leading * (int64_t)b->columns ||
				    d->stride < d->leading * (int64_t)d->columns))
		return wrong("strides that overlap");
	return check_types(o, a, b, d);
}

cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t handle, cublasLtMatmulDesc_t operation,
	cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b, cublasLtMatrixLayout_t c,
	cublasLtMatrixLayout_t d, cublasLtMatmulPreference_t preference, int requested,
	cublasLtMatmulHeuristicResult_t results[], int *returned)
{
	cublasStatus_t status = check((void *)operation, (void *)a, (void *)b, (void *)c, (void *)d);
	*returned = 0;
	if (status != CUBLAS_STATUS_SUCCESS)
		return status;
	if (!handle || !preference || requested < 2)
		return wrong("the heuristic's own arguments");
	for (int i = 0; i < 2; i++) {
		memset(&results[i], 0, sizeof results[i]);
		results[i].algo.data[0] = algorithm_mark;
		results[i].algo.data[1] = (uint64_t)i;
		results[i].workspaceSize = 1 << 20;
		results[i].state = i == 0 && getenv("FAKE_FIRST_CHOICE_FAILS") ? CUBLAS_STATUS_NOT_SUPPORTED
									       : CUBLAS_STATUS_SUCCESS;
	}
	*returned = 2;
	return CUBLAS_STATUS_SUCCESS;
}

/* The second algorithm is twice as fast as the first, which programs get; so it is seen which one a point has. */
cublasStatus_t cublasLtMatmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t operation, const void *alpha,
	const void *a, cublasLtMatrixLayout_t a_layout, const void *b, cublasLtMatrixLayout_t b_layout,
	const void *beta, const void *c, cublasLtMatrixLayout_t c_layout, void *d,
	cublasLtMatrixLayout_t d_layout, const cublasLtMatmulAlgo_t *algorithm, void *workspace,
	size_t workspace_bytes, cudaStream_t stream)
{
	const struct layout *la = (void *)a_layout, *lb = (void *)b_layout, *ld = (void *)d_layout;
	cublasStatus_t status = check((void *)operation, la, lb, (void *)c_layout, ld);
	if (status != CUBLAS_STATUS_SUCCESS)
		return status;
	if (!handle || !stream || *(const float *)alpha != 1 || *(const float *)beta != 0 || c != d)
		return wrong("the call's own arguments");
	if ((uintptr_t)a % 16 || (uintptr_t)b % 16 || (uintptr_t)d % 16 || (uintptr_t)workspace % 256)
		return wrong("alignment");
	if (!fake_check("A", a, extent(la)) || !fake_check("B", b, extent(lb)) ||
		!fake_check("D", d, extent(ld)) || !fake_check("workspace", workspace, workspace_bytes))
		return wrong("operands outside of memory");
	if (!algorithm || algorithm->data[0] != algorithm_mark || workspace_bytes < 1 << 20)
		return wrong("an algorithm that the heuristic did not give");
	double flop = 2.0 * (double)ld->rows * (double)ld->columns * (double)(la->rows * la->columns) *
		      ld->batch /
		      (((const struct operation *)(void *)operation)->transpose_a == CUBLAS_OP_T
				      ? (double)la->columns
				      : (double)la->rows);
	/* Operands come from memory at the rate at which kernels copy (fake_kernels.c). */
	const double memory_s = (double)(extent(la) + extent(lb) + extent(ld)) / 2e11;
	/* fp8 that sums up in 32 bits takes half as much again. */
	const bool is_exact =
		la->type == CUDA_R_8F_E4M3 && !((const struct operation *)(void *)operation)->is_fast;
	fake_work((algorithm->data[1] == 1 ? 1 : 2) *
		  (5e-6 + fmax((is_exact ? 1.5 : 1) * flop / 1e14, memory_s)));
	return CUBLAS_STATUS_SUCCESS;
}
