/* SPDX-License-Identifier: BSD-3-Clause */
#include "matmul.h"

#include <string.h>

#include "loader.h"

#define TEXT_(x) #x
#define TEXT(x)  TEXT_(x)

enum { WORKSPACE_BYTES = 32 << 20 }; /* what cuBLAS itself takes on compute capability 9.0 */

#define FUNCTIONS(X)                                                                                         \
	X(cublasLtCreate)                                                                                    \
	X(cublasLtDestroy)                                                                                   \
	X(cublasLtGetStatusString)                                                                           \
	X(cublasLtGetVersion)                                                                                \
	X(cublasLtMatmulDescCreate)                                                                          \
	X(cublasLtMatmulDescDestroy)                                                                         \
	X(cublasLtMatmulDescSetAttribute)                                                                    \
	X(cublasLtMatrixLayoutCreate)                                                                        \
	X(cublasLtMatrixLayoutDestroy)                                                                       \
	X(cublasLtMatrixLayoutSetAttribute)                                                                  \
	X(cublasLtMatmulPreferenceCreate)                                                                    \
	X(cublasLtMatmulPreferenceDestroy)                                                                   \
	X(cublasLtMatmulPreferenceSetAttribute)                                                              \
	X(cublasLtMatmulAlgoGetHeuristic)                                                                    \
	X(cublasLtMatmul)

struct cublaslt {
#define X(function) MEMBER(function)
	FUNCTIONS(X)
#undef X
};
static const struct symbol symbols[] = {
#define X(function) {#function, offsetof(struct cublaslt, function)},
	FUNCTIONS(X)
#undef X
		{NULL, 0},
};

/* What is used of it has not changed since version 12; of a newer one than the header's nothing is known. */
static struct library library = {
	"libcublasLt.so.", CUBLAS_VER_MAJOR, 12, "cuBLAS " TEXT(CUBLAS_VER_MAJOR), NULL};
static struct cublaslt lt;
static cublasLtHandle_t handle;
static void *workspace;
static float *unit_scale; /* on the device: fp8 operands are taken as they are */

static enum ready lt_status(
	struct run *run, cublasStatus_t status, const char *call, const char *file, int line)
{
	if (status == CUBLAS_STATUS_ALLOC_FAILED) {
		(void)cudaGetLastError();
		return run_say(run, ABSENT, "out of memory");
	}
	return library_status(
		run, status == CUBLAS_STATUS_SUCCESS, lt.cublasLtGetStatusString(status), call, file, line);
}
#define LT(run, call) lt_status(run, lt.call, #call, __FILE__, __LINE__)

enum ready matmul_library(struct run *run, const struct precision *precision)
{
	static const float one = 1;
	if (10 * device.major + device.minor < precision->least_capability)
		return run_say(run, ABSENT, "no %s on compute capability %d.%d", precision->name,
			device.major, device.minor);
	if (!library_load(&library, &lt, symbols))
		return run_say(run, ABSENT, "%s", library_hint());
	if (!handle)
		TRY(LT(run, cublasLtCreate(&handle)));
	if (!workspace)
		TRY(CUDA(run, cudaMalloc(&workspace, WORKSPACE_BYTES)));
	if (!unit_scale) {
		TRY(CUDA(run, cudaMalloc((void **)&unit_scale, sizeof one)));
		TRY(CUDA(run, cudaMemcpy(unit_scale, &one, sizeof one, cudaMemcpyHostToDevice)));
	}
	return READY;
}

void matmul_begin(void)
{
	if (!library_load(&library, &lt, symbols))
		return;
	size_t version = lt.cublasLtGetVersion();
	environment_add("cublaslt", "%zu.%zu.%zu", version / 10000, version / 100 % 100, version % 100);
}

void matmul_end(void)
{
	if (device.lost)
		return;
	if (handle)
		(void)lt.cublasLtDestroy(handle);
	if (workspace)
		(void)cudaFree(workspace);
	if (unit_scale)
		(void)cudaFree(unit_scale);
	handle = NULL;
	workspace = NULL;
	unit_scale = NULL;
}

size_t product_bytes_a(const struct product *p)
{
	return p->count * p->m * p->k * p->precision->bytes;
}
size_t product_bytes_b(const struct product *p)
{
	return p->count * p->k * p->n * p->precision->bytes;
}
size_t product_bytes_d(const struct product *p)
{
	return p->count * p->m * p->n * p->precision->result_bytes;
}

static cudaDataType_t operand_type(const struct precision *precision)
{
	switch (precision->item) {
	case ITEM_FP16:
		return CUDA_R_16F;
	case ITEM_BF16:
		return CUDA_R_16BF;
	case ITEM_FP8:
		return CUDA_R_8F_E4M3;
	case ITEM_FP32:
		break;
	}
	return CUDA_R_32F;
}

/* Column-major and without gaps: the leading dimension is the number of rows. */
static enum ready make_layout(struct run *run, cublasLtMatrixLayout_t *layout, cudaDataType_t type,
	size_t rows, size_t columns, size_t count)
{
	int32_t batch = (int32_t)count;
	int64_t stride = (int64_t)(rows * columns);
	TRY(LT(run, cublasLtMatrixLayoutCreate(layout, type, rows, columns, (int64_t)rows)));
	if (count == 1)
		return READY;
	TRY(LT(run, cublasLtMatrixLayoutSetAttribute(
			    *layout, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &batch, sizeof batch)));
	return LT(run, cublasLtMatrixLayoutSetAttribute(
			       *layout, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &stride, sizeof stride));
}

static enum ready make_operation(struct run *run, struct matmul *matmul)
{
	const struct product *p = &matmul->product;
	cublasComputeType_t compute =
		strcmp(p->precision->name, "tf32") == 0 ? CUBLAS_COMPUTE_32F_FAST_TF32 : CUBLAS_COMPUTE_32F;
	int32_t a = p->transpose_a ? CUBLAS_OP_T : CUBLAS_OP_N,
		b = p->transpose_b ? CUBLAS_OP_T : CUBLAS_OP_N;
	const void *scale = unit_scale;
	const int8_t fast = 1;
	TRY(LT(run, cublasLtMatmulDescCreate(&matmul->operation, compute, CUDA_R_32F)));
	TRY(LT(run, cublasLtMatmulDescSetAttribute(
			    matmul->operation, CUBLASLT_MATMUL_DESC_TRANSA, &a, sizeof a)));
	TRY(LT(run, cublasLtMatmulDescSetAttribute(
			    matmul->operation, CUBLASLT_MATMUL_DESC_TRANSB, &b, sizeof b)));
	if (p->precision->item != ITEM_FP8)
		return READY;
	TRY(LT(run, cublasLtMatmulDescSetAttribute(
			    matmul->operation, CUBLASLT_MATMUL_DESC_FAST_ACCUM, &fast, sizeof fast)));
	TRY(LT(run, cublasLtMatmulDescSetAttribute(
			    matmul->operation, CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, &scale, sizeof scale)));
	return LT(run, cublasLtMatmulDescSetAttribute(matmul->operation, CUBLASLT_MATMUL_DESC_B_SCALE_POINTER,
			       &scale, sizeof scale));
}

/* The first of the library's choices that works, as programs get it. ABSENT if it has none for this product. */
static enum ready choose_algorithm(struct run *run, struct matmul *matmul)
{
	enum { CHOICES = 8 };
	cublasLtMatmulHeuristicResult_t choices[CHOICES];
	cublasLtMatmulPreference_t preference;
	uint64_t most = WORKSPACE_BYTES;
	int count = 0, first = 0;
	TRY(LT(run, cublasLtMatmulPreferenceCreate(&preference)));
	enum ready ready = LT(run, cublasLtMatmulPreferenceSetAttribute(preference,
					   CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &most, sizeof most));
	if (ready == READY) {
		cublasStatus_t status = lt.cublasLtMatmulAlgoGetHeuristic(handle, matmul->operation,
			matmul->a, matmul->b, matmul->d, matmul->d, preference, CHOICES, choices, &count);
		if (status == CUBLAS_STATUS_NOT_SUPPORTED)
			count = 0;
		else
			ready = lt_status(
				run, status, "cublasLtMatmulAlgoGetHeuristic()", __FILE__, __LINE__);
	}
	(void)lt.cublasLtMatmulPreferenceDestroy(preference);
	TRY(ready);
	while (first < count && choices[first].state != CUBLAS_STATUS_SUCCESS)
		first++;
	if (first >= count)
		return run_say(run, ABSENT, "cuBLASLt has no algorithm for this product");
	matmul->algorithm = choices[first].algo;
	return READY;
}

enum ready matmul_make(struct run *run, struct matmul *matmul, const struct product *product)
{
	const struct product *p = product;
	cudaDataType_t type = operand_type(p->precision),
		       result = p->precision->item == ITEM_FP8 ? CUDA_R_16BF : type;
	*matmul = (struct matmul){.product = *product};
	TRY(make_operation(run, matmul));
	TRY(make_layout(
		run, &matmul->a, type, p->transpose_a ? p->k : p->m, p->transpose_a ? p->m : p->k, p->count));
	TRY(make_layout(
		run, &matmul->b, type, p->transpose_b ? p->n : p->k, p->transpose_b ? p->k : p->n, p->count));
	TRY(make_layout(run, &matmul->d, result, p->m, p->n, p->count));
	return choose_algorithm(run, matmul);
}

void matmul_free(struct matmul *matmul)
{
	if (matmul->operation)
		(void)lt.cublasLtMatmulDescDestroy(matmul->operation);
	if (matmul->a)
		(void)lt.cublasLtMatrixLayoutDestroy(matmul->a);
	if (matmul->b)
		(void)lt.cublasLtMatrixLayoutDestroy(matmul->b);
	if (matmul->d)
		(void)lt.cublasLtMatrixLayoutDestroy(matmul->d);
	*matmul = (struct matmul){.operation = NULL};
}

enum ready matmul_enqueue(struct run *run, const struct matmul *matmul, const void *a, const void *b, void *d)
{
	static const float alpha = 1, beta = 0;
	return LT(run, cublasLtMatmul(handle, matmul->operation, &alpha, a, matmul->a, b, matmul->b, &beta, d,
			       matmul->d, d, matmul->d, &matmul->algorithm, workspace, WORKSPACE_BYTES,
			       device.stream));
}
