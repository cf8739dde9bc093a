/* SPDX-License-Identifier: BSD-3-Clause */
/* Convolutions by the interface of cuDNN 7, which programs use up to version 8. */
#include <stdlib.h>
#include <string.h>

#ifdef WITH_CUDNN
#include "cudnn_library.h"

enum { CANDIDATES = 10 };

struct plan_v7 {
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

/* Only these may use tensor cores: plain fp32 stays on the ordinary units, tf32 is what "default" means for floats. */
static cudnnMathType_t math_of(const struct precision *precision)
{
	if (precision->item != ITEM_FP32)
		return CUDNN_TENSOR_OP_MATH;
	return strcmp(precision->name, "tf32") == 0 ? CUDNN_DEFAULT_MATH : CUDNN_FMA_MATH;
}

static enum ready describe(struct run *run, struct plan_v7 *plan)
{
	const struct convolution *c = &plan->convolution;
	cudnnTensorFormat_t format = c->channels_last ? CUDNN_TENSOR_NHWC : CUDNN_TENSOR_NCHW;
	cudnnDataType_t type = dnn_type(c->precision);
	int n = c->dimensions, x[EXTENTS_MAX], y[EXTENTS_MAX], w[EXTENTS_MAX], expected[EXTENTS_MAX];
	dnn_extents(x, c->batch, c->channels, c->x, n);
	dnn_extents(y, c->batch, c->filters, c->y, n);
	dnn_extents(w, c->filters, c->channels / c->groups, c->kernel, n);
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

static enum ready make_v7(struct run *run, const struct convolution *convolution, void **made)
{
	struct plan_v7 *const plan = calloc(1, sizeof *plan);
	*made = plan;
	if (!plan)
		return run_say(run, FAILED, "no memory on the host");
	plan->convolution = *convolution;
	return describe(run, plan);
}

static void free_v7(void *made)
{
	struct plan_v7 *const plan = made;
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

static enum ready choose_forward(struct run *run, struct plan_v7 *p)
{
	cudnnConvolutionFwdAlgoPerf_t results[CANDIDATES];
	int found = 0;
	TRY(DNN(run, cudnnGetConvolutionForwardAlgorithm_v7(
			     dnn_handle, p->x, p->w, p->operation, p->y, CANDIDATES, &found, results)));
	TAKE(p, forward, found, results, dnn_workspace_most);
}

static enum ready choose_data(struct run *run, struct plan_v7 *p)
{
	cudnnConvolutionBwdDataAlgoPerf_t results[CANDIDATES];
	int found = 0;
	TRY(DNN(run, cudnnGetConvolutionBackwardDataAlgorithm_v7(
			     dnn_handle, p->w, p->y, p->operation, p->x, CANDIDATES, &found, results)));
	TAKE(p, data, found, results, dnn_workspace_most);
}

static enum ready choose_filter(struct run *run, struct plan_v7 *p)
{
	cudnnConvolutionBwdFilterAlgoPerf_t results[CANDIDATES];
	int found = 0;
	TRY(DNN(run, cudnnGetConvolutionBackwardFilterAlgorithm_v7(
			     dnn_handle, p->x, p->y, p->operation, p->w, CANDIDATES, &found, results)));
	TAKE(p, filter, found, results, dnn_workspace_most);
}

static enum ready choose_v7(struct run *run, void *made)
{
	struct plan_v7 *const plan = made;
	static enum ready (*const choose[])(struct run *, struct plan_v7 *) = {
		[PASS_FORWARD] = choose_forward,
		[PASS_BACKWARD_DATA] = choose_data,
		[PASS_BACKWARD_FILTER] = choose_filter,
	};
	TRY(choose[plan->convolution.pass](run, plan));
	if (plan->workspace_bytes > 0)
		TRY(CUDA(run, cudaMalloc(&plan->workspace, plan->workspace_bytes)));
	return READY;
}

static enum ready enqueue_v7(struct run *run, const void *made, void *x, void *w, void *y)
{
	const struct plan_v7 *const p = made;
	static const float one = 1, zero = 0;
	switch (p->convolution.pass) {
	case PASS_FORWARD:
		return DNN(
			run, cudnnConvolutionForward(dnn_handle, &one, p->x, x, p->w, w, p->operation,
				     p->algorithm.forward, p->workspace, p->workspace_bytes, &zero, p->y, y));
	case PASS_BACKWARD_DATA:
		return DNN(run, cudnnConvolutionBackwardData(dnn_handle, &one, p->w, w, p->y, y, p->operation,
					p->algorithm.data, p->workspace, p->workspace_bytes, &zero, p->x, x));
	case PASS_BACKWARD_FILTER:
		break;
	}
	return DNN(run, cudnnConvolutionBackwardFilter(dnn_handle, &one, p->x, x, p->y, y, p->operation,
				p->algorithm.filter, p->workspace, p->workspace_bytes, &zero, p->w, w));
}

const struct cudnn_interface cudnn_v7 = {make_v7, choose_v7, enqueue_v7, free_v7};
#endif
