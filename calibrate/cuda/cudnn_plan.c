/* SPDX-License-Identifier: BSD-3-Clause */
#include "convolution.h"

#include <stdlib.h>
#include <string.h>

#include "loader.h"

#ifdef WITH_CUDNN
#include <cudnn.h>

#define TEXT_(x) #x
#define TEXT(x)  TEXT_(x)

#define FUNCTIONS(X)                                                                                         \
	X(cudnnCreate)                                                                                       \
	X(cudnnDestroy)                                                                                      \
	X(cudnnSetStream)                                                                                    \
	X(cudnnGetVersion)                                                                                   \
	X(cudnnGetErrorString)                                                                               \
	X(cudnnCreateTensorDescriptor)                                                                       \
	X(cudnnDestroyTensorDescriptor)                                                                      \
	X(cudnnSetTensorNdDescriptorEx)                                                                      \
	X(cudnnCreateFilterDescriptor)                                                                       \
	X(cudnnDestroyFilterDescriptor)                                                                      \
	X(cudnnSetFilterNdDescriptor)                                                                        \
	X(cudnnCreateConvolutionDescriptor)                                                                  \
	X(cudnnDestroyConvolutionDescriptor)                                                                 \
	X(cudnnSetConvolutionNdDescriptor)                                                                   \
	X(cudnnSetConvolutionGroupCount)                                                                     \
	X(cudnnSetConvolutionMathType)                                                                       \
	X(cudnnGetConvolutionNdForwardOutputDim)                                                             \
	X(cudnnGetConvolutionForwardAlgorithm_v7)                                                            \
	X(cudnnGetConvolutionBackwardDataAlgorithm_v7)                                                       \
	X(cudnnGetConvolutionBackwardFilterAlgorithm_v7)                                                     \
	X(cudnnConvolutionForward)                                                                           \
	X(cudnnConvolutionBackwardData)                                                                      \
	X(cudnnConvolutionBackwardFilter)

struct cudnn {
#define X(function) MEMBER(function)
	FUNCTIONS(X)
#undef X
};
static const struct symbol symbols[] = {
#define X(function) {#function, offsetof(struct cudnn, function)},
	FUNCTIONS(X)
#undef X
		{NULL, 0},
};

static struct library library = {"libcudnn.so.", CUDNN_MAJOR, 8, "cuDNN " TEXT(CUDNN_MAJOR), NULL};
static struct cudnn dnn;
static cudnnHandle_t handle;

/* Candidates of a choice; workspaces above the limit are passed over, as training programs do. */
enum { CANDIDATES = 10 };
static const size_t workspace_limit_bytes = (size_t)2 << 30;

struct cudnn_plan {
	struct convolution convolution;
	cudnnTensorDescriptor_t x, y;
	cudnnFilterDescriptor_t w;
	cudnnConvolutionDescriptor_t operation;
	union {
		cudnnConvolutionFwdAlgo_t forward;
		cudnnConvolutionBwdDataAlgo_t data;
		cudnnConvolutionBwdFilterAlgo_t filter;
	} algorithm;
	void *workspace;
	size_t workspace_bytes;
};

static enum ready dnn_status(
	struct run *run, cudnnStatus_t status, const char *call, const char *file, int line)
{
	if (status == CUDNN_STATUS_SUCCESS)
		return READY;
	if (status == CUDNN_STATUS_ALLOC_FAILED) {
		(void)cudaGetLastError();
		return run_say(run, ABSENT, "out of memory");
	}
	/* 3000..3999: not supported; of versions before 9 one value. */
	if (status == CUDNN_STATUS_NOT_SUPPORTED || (status > 3000 && status < 4000))
		return run_say(run, ABSENT, "cuDNN has no kernel for this layer (%s)",
			dnn.cudnnGetErrorString(status));
	return library_status(run, false, dnn.cudnnGetErrorString(status), call, file, line);
}
#define DNN(run, call) dnn_status(run, dnn.call, #call, __FILE__, __LINE__)

static enum ready load(struct run *run)
{
	if (!library_load(&library, &dnn, symbols))
		return run_say(run, ABSENT, "%s", library_hint());
	if (!handle) {
		TRY(DNN(run, cudnnCreate(&handle)));
		TRY(DNN(run, cudnnSetStream(handle, device.stream)));
	}
	return READY;
}

/* 90100 is 9.1.0; 8902, before version 9, is 8.9.2. */
void cudnn_begin(void)
{
	if (!library_load(&library, &dnn, symbols))
		return;
	size_t version = dnn.cudnnGetVersion(), major = version >= 10000 ? 10000 : 1000;
	environment_add("cudnn", "%zu.%zu.%zu", version / major, version % major / 100, version % 100);
}

void cudnn_end(void)
{
	if (handle && !device.lost)
		(void)dnn.cudnnDestroy(handle);
	handle = NULL;
}

static cudnnDataType_t type_of(const struct precision *precision)
{
	return precision->item == ITEM_FP16   ? CUDNN_DATA_HALF
	       : precision->item == ITEM_BF16 ? CUDNN_DATA_BFLOAT16
					      : CUDNN_DATA_FLOAT;
}

/* Only these may use tensor cores: plain fp32 stays on the ordinary units, tf32 is what "default" means for floats. */
static cudnnMathType_t math_of(const struct precision *precision)
{
	if (precision->item != ITEM_FP32)
		return CUDNN_TENSOR_OP_MATH;
	return strcmp(precision->name, "tf32") == 0 ? CUDNN_DEFAULT_MATH : CUDNN_FMA_MATH;
}

static void dims(int sizes[5], int first, int second, const int *extents, int dimensions)
{
	sizes[0] = first;
	sizes[1] = second;
	for (int i = 0; i < dimensions; i++)
		sizes[2 + i] = extents[i];
}

static enum ready describe(struct run *run, struct cudnn_plan *plan)
{
	const struct convolution *c = &plan->convolution;
	cudnnTensorFormat_t format = c->channels_last ? CUDNN_TENSOR_NHWC : CUDNN_TENSOR_NCHW;
	cudnnDataType_t type = type_of(c->precision);
	int n = c->dimensions, x[5], y[5], w[5], expected[5];
	dims(x, c->batch, c->channels, c->x, n);
	dims(y, c->batch, c->filters, c->y, n);
	dims(w, c->filters, c->channels / c->groups, c->kernel, n);
	TRY(DNN(run, cudnnCreateTensorDescriptor(&plan->x)));
	TRY(DNN(run, cudnnCreateTensorDescriptor(&plan->y)));
	TRY(DNN(run, cudnnCreateFilterDescriptor(&plan->w)));
	TRY(DNN(run, cudnnCreateConvolutionDescriptor(&plan->operation)));
	TRY(DNN(run, cudnnSetTensorNdDescriptorEx(plan->x, format, type, n + 2, x)));
	TRY(DNN(run, cudnnSetTensorNdDescriptorEx(plan->y, format, type, n + 2, y)));
	TRY(DNN(run, cudnnSetFilterNdDescriptor(plan->w, type, format, n + 2, w)));
	TRY(DNN(run, cudnnSetConvolutionNdDescriptor(plan->operation, n, c->pad, c->stride, c->dilation,
			     CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT)));
	TRY(DNN(run, cudnnSetConvolutionGroupCount(plan->operation, c->groups)));
	TRY(DNN(run, cudnnSetConvolutionMathType(plan->operation, math_of(c->precision))));
	TRY(DNN(run,
		cudnnGetConvolutionNdForwardOutputDim(plan->operation, plan->x, plan->w, n + 2, expected)));
	for (int i = 0; i < n; i++)
		if (expected[2 + i] != y[2 + i])
			return run_say(run, ABSENT,
				"padding on one side only: cuDNN would make %d positions, not %d",
				expected[2 + i], y[2 + i]);
	return READY;
}

enum ready cudnn_plan_make(struct run *run, const struct convolution *convolution, struct cudnn_plan **plan)
{
	if (10 * device.major + device.minor < convolution->precision->least_capability)
		return run_say(run, ABSENT, "no %s on compute capability %d.%d", convolution->precision->name,
			device.major, device.minor);
	TRY(load(run));
	*plan = calloc(1, sizeof **plan);
	if (!*plan)
		return run_say(run, FAILED, "no memory on the host");
	(*plan)->convolution = *convolution;
	return describe(run, *plan);
}

void cudnn_plan_free(struct cudnn_plan *plan)
{
	if (!plan)
		return;
	if (plan->x)
		(void)dnn.cudnnDestroyTensorDescriptor(plan->x);
	if (plan->y)
		(void)dnn.cudnnDestroyTensorDescriptor(plan->y);
	if (plan->w)
		(void)dnn.cudnnDestroyFilterDescriptor(plan->w);
	if (plan->operation)
		(void)dnn.cudnnDestroyConvolutionDescriptor(plan->operation);
	if (plan->workspace)
		(void)cudaFree(plan->workspace);
	free(plan);
}

static bool allowed(const struct precision *precision, cudnnMathType_t math)
{
	if (math == CUDNN_TENSOR_OP_MATH_ALLOW_CONVERSION)
		return false;
	return strcmp(precision->name, "fp32") != 0 || math != CUDNN_TENSOR_OP_MATH;
}

/* Some versions report "default" for what they run by FMA; as a setting it would allow tf32. */
static cudnnMathType_t math_taken(const struct precision *precision, cudnnMathType_t found)
{
	return strcmp(precision->name, "fp32") == 0 ? CUDNN_FMA_MATH : found;
}

/*
 * The three passes have types of their own for the same five facts. `found` results come fastest first; the first that
 * works, in a workspace within `limit`, and with arithmetic no coarser than asked for, is taken.
 */
#define TAKE(plan, member, found, results, limit)                                                            \
	for (int i = 0; i < (found); i++) {                                                                  \
		if ((results)[i].status != CUDNN_STATUS_SUCCESS || (results)[i].memory > (limit) ||          \
			!allowed((plan)->convolution.precision, (results)[i].mathType))                      \
			continue;                                                                            \
		(plan)->algorithm.member = (results)[i].algo;                                                \
		(plan)->workspace_bytes = (results)[i].memory;                                               \
		return DNN(run, cudnnSetConvolutionMathType((plan)->operation,                               \
					math_taken((plan)->convolution.precision, (results)[i].mathType)));  \
	}                                                                                                    \
	return run_say(run, ABSENT, "cuDNN has no algorithm for this layer")

static enum ready choose_forward(struct run *run, struct cudnn_plan *p)
{
	cudnnConvolutionFwdAlgoPerf_t results[CANDIDATES];
	int found = 0;
	TRY(DNN(run, cudnnGetConvolutionForwardAlgorithm_v7(
			     handle, p->x, p->w, p->operation, p->y, CANDIDATES, &found, results)));
	TAKE(p, forward, found, results, workspace_limit_bytes);
}

static enum ready choose_data(struct run *run, struct cudnn_plan *p)
{
	cudnnConvolutionBwdDataAlgoPerf_t results[CANDIDATES];
	int found = 0;
	TRY(DNN(run, cudnnGetConvolutionBackwardDataAlgorithm_v7(
			     handle, p->w, p->y, p->operation, p->x, CANDIDATES, &found, results)));
	TAKE(p, data, found, results, workspace_limit_bytes);
}

static enum ready choose_filter(struct run *run, struct cudnn_plan *p)
{
	cudnnConvolutionBwdFilterAlgoPerf_t results[CANDIDATES];
	int found = 0;
	TRY(DNN(run, cudnnGetConvolutionBackwardFilterAlgorithm_v7(
			     handle, p->x, p->y, p->operation, p->w, CANDIDATES, &found, results)));
	TAKE(p, filter, found, results, workspace_limit_bytes);
}

enum ready cudnn_plan_choose(struct run *run, struct cudnn_plan *plan)
{
	static enum ready (*const choose[])(struct run *, struct cudnn_plan *) = {
		[PASS_FORWARD] = choose_forward,
		[PASS_BACKWARD_DATA] = choose_data,
		[PASS_BACKWARD_FILTER] = choose_filter,
	};
	TRY(choose[plan->convolution.pass](run, plan));
	if (plan->workspace_bytes > 0)
		TRY(CUDA(run, cudaMalloc(&plan->workspace, plan->workspace_bytes)));
	return READY;
}

enum ready cudnn_plan_enqueue(struct run *run, const struct cudnn_plan *p, void *x, void *w, void *y)
{
	static const float one = 1, zero = 0;
	switch (p->convolution.pass) {
	case PASS_FORWARD:
		return DNN(
			run, cudnnConvolutionForward(handle, &one, p->x, x, p->w, w, p->operation,
				     p->algorithm.forward, p->workspace, p->workspace_bytes, &zero, p->y, y));
	case PASS_BACKWARD_DATA:
		return DNN(run, cudnnConvolutionBackwardData(handle, &one, p->w, w, p->y, y, p->operation,
					p->algorithm.data, p->workspace, p->workspace_bytes, &zero, p->x, x));
	case PASS_BACKWARD_FILTER:
		break;
	}
	return DNN(run, cudnnConvolutionBackwardFilter(handle, &one, p->x, x, p->y, y, p->operation,
				p->algorithm.filter, p->workspace, p->workspace_bytes, &zero, p->w, w));
}

#else

enum ready cudnn_plan_make(struct run *run, const struct convolution *convolution, struct cudnn_plan **plan)
{
	(void)convolution;
	*plan = NULL;
	return run_say(run, ABSENT, "built without cuDNN: install its headers and build again");
}

enum ready cudnn_plan_choose(struct run *run, struct cudnn_plan *plan)
{
	return cudnn_plan_enqueue(run, plan, NULL, NULL, NULL);
}

enum ready cudnn_plan_enqueue(struct run *run, const struct cudnn_plan *plan, void *x, void *w, void *y)
{
	(void)plan, (void)x, (void)w, (void)y;
	return run_say(run, ABSENT, "built without cuDNN");
}

void cudnn_plan_free(struct cudnn_plan *plan)
{
	(void)plan;
}
void cudnn_begin(void)
{
}
void cudnn_end(void)
{
}
#endif
