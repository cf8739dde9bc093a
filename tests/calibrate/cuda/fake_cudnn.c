/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cuDNN's convolutions as up to version 8, which it is by FAKE_CUDNN_VERSION, without the arithmetic: extents must follow from one another, types and layouts must agree, operands
 * must lie in allocations, in the order that each pass has them.
 */
#include <cudnn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fake_device.h"

enum { DIMENSIONS_MAX = 5 };
struct tensor {
	cudnnTensorFormat_t format;
	cudnnDataType_t type;
	int count, extents[DIMENSIONS_MAX];
};
struct operation {
	int count, pad[3], stride[3], dilation[3], groups;
	cudnnMathType_t math;
	cudnnDataType_t compute;
};

static cudnnStatus_t wrong(const char *what)
{
	fprintf(stderr, "FAKE: cuDNN: %s\n", what);
	return CUDNN_STATUS_BAD_PARAM;
}
static cudnnStatus_t made(void **object, size_t bytes)
{
	*object = calloc(1, bytes);
	return CUDNN_STATUS_SUCCESS;
}
static cudnnStatus_t gone(void *object)
{
	free(object);
	return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnCreate(cudnnHandle_t *handle)
{
	return made((void **)handle, 1);
}
cudnnStatus_t cudnnDestroy(cudnnHandle_t handle)
{
	return gone(handle);
}
cudnnStatus_t cudnnSetStream(cudnnHandle_t handle, cudaStream_t stream)
{
	return handle && stream ? CUDNN_STATUS_SUCCESS : wrong("stream");
}
size_t cudnnGetVersion(void)
{
	const char *text = getenv("FAKE_CUDNN_VERSION");
	return text ? strtoull(text, NULL, 10) : CUDNN_VERSION;
}
const char *cudnnGetErrorString(cudnnStatus_t status)
{
	return status == CUDNN_STATUS_NOT_SUPPORTED ? "not supported" : "bad parameter";
}
cudnnStatus_t cudnnCreateTensorDescriptor(cudnnTensorDescriptor_t *tensor)
{
	return made((void **)tensor, sizeof(struct tensor));
}
cudnnStatus_t cudnnDestroyTensorDescriptor(cudnnTensorDescriptor_t tensor)
{
	return gone(tensor);
}
cudnnStatus_t cudnnCreateFilterDescriptor(cudnnFilterDescriptor_t *filter)
{
	return made((void **)filter, sizeof(struct tensor));
}
cudnnStatus_t cudnnDestroyFilterDescriptor(cudnnFilterDescriptor_t filter)
{
	return gone(filter);
}
cudnnStatus_t cudnnCreateConvolutionDescriptor(cudnnConvolutionDescriptor_t *operation)
{
	return made((void **)operation, sizeof(struct operation));
}
cudnnStatus_t cudnnDestroyConvolutionDescriptor(cudnnConvolutionDescriptor_t operation)
{
	return gone(operation);
}

static cudnnStatus_t set(
	void *made, cudnnTensorFormat_t format, cudnnDataType_t type, int count, const int *extents)
{
	struct tensor *tensor = made;
	if (count < 4 || count > DIMENSIONS_MAX ||
		(format != CUDNN_TENSOR_NCHW && format != CUDNN_TENSOR_NHWC))
		return wrong("a tensor's dimensions or format");
	tensor->format = format;
	tensor->type = type;
	tensor->count = count;
	for (int i = 0; i < count; i++)
		if ((tensor->extents[i] = extents[i]) < 1)
			return wrong("an extent below 1");
	return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnSetTensorNdDescriptorEx(cudnnTensorDescriptor_t tensor, cudnnTensorFormat_t format,
	cudnnDataType_t type, int count, const int extents[])
{
	return set(tensor, format, type, count, extents);
}
cudnnStatus_t cudnnSetFilterNdDescriptor(cudnnFilterDescriptor_t filter, cudnnDataType_t type,
	cudnnTensorFormat_t format, int count, const int extents[])
{
	return set(filter, format, type, count, extents);
}
cudnnStatus_t cudnnSetConvolutionNdDescriptor(cudnnConvolutionDescriptor_t made, int count, const int pad[],
	const int stride[], const int dilation[], cudnnConvolutionMode_t mode, cudnnDataType_t compute)
{
	struct operation *operation = (void *)made;
	if (count < 2 || count > 3 || mode != CUDNN_CROSS_CORRELATION || compute != CUDNN_DATA_FLOAT)
		return wrong("an operation's dimensions, mode or type");
	*operation = (struct operation){.count = count, .groups = 1, .compute = compute};
	for (int i = 0; i < count; i++) {
		operation->pad[i] = pad[i];
		operation->stride[i] = stride[i];
		operation->dilation[i] = dilation[i];
		if (pad[i] < 0 || stride[i] < 1 || dilation[i] < 1)
			return wrong("pad, stride or dilation");
	}
	return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnSetConvolutionGroupCount(cudnnConvolutionDescriptor_t operation, int groups)
{
	((struct operation *)(void *)operation)->groups = groups;
	return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnSetConvolutionMathType(cudnnConvolutionDescriptor_t operation, cudnnMathType_t math)
{
	((struct operation *)(void *)operation)->math = math;
	return CUDNN_STATUS_SUCCESS;
}

static int positions(const struct operation *o, const struct tensor *x, const struct tensor *w, int i)
{
	int reach = o->dilation[i] * (w->extents[2 + i] - 1) + 1;
	return (x->extents[2 + i] + 2 * o->pad[i] - reach) / o->stride[i] + 1;
}
cudnnStatus_t cudnnGetConvolutionNdForwardOutputDim(const cudnnConvolutionDescriptor_t operation,
	const cudnnTensorDescriptor_t input, const cudnnFilterDescriptor_t filter, int count, int extents[])
{
	const struct operation *o = (void *)operation;
	const struct tensor *x = (void *)input, *w = (void *)filter;
	if (count != x->count)
		return wrong("dimensions of the output");
	extents[0] = x->extents[0];
	extents[1] = w->extents[0];
	for (int i = 0; i < o->count; i++)
		extents[2 + i] = positions(o, x, w, i);
	return CUDNN_STATUS_SUCCESS;
}

static size_t bytes_of(const struct tensor *tensor)
{
	size_t bytes = tensor->type == CUDNN_DATA_FLOAT ? 4 : 2;
	for (int i = 0; i < tensor->count; i++)
		bytes *= (size_t)tensor->extents[i];
	return bytes;
}

static cudnnStatus_t check(
	const struct operation *o, const struct tensor *x, const struct tensor *w, const struct tensor *y)
{
	if (x->count != o->count + 2 || w->count != x->count || y->count != x->count)
		return wrong("dimensions that differ");
	if (x->format != w->format || x->format != y->format || x->type != w->type || x->type != y->type)
		return wrong("formats or types that differ");
	if (o->groups < 1 || x->extents[1] != w->extents[1] * o->groups || w->extents[0] % o->groups)
		return wrong("channels that do not fit the groups");
	if (y->extents[0] != x->extents[0] || y->extents[1] != w->extents[0])
		return wrong("an output of another batch or number of filters");
	for (int i = 0; i < o->count; i++)
		if (y->extents[2 + i] != positions(o, x, w, i))
			return wrong("an output of other extents");
	return CUDNN_STATUS_SUCCESS;
}

static cudnnStatus_t check_operands(const struct operation *o, const struct tensor *tx, const void *x,
	const struct tensor *tw, const void *w, const struct tensor *ty, const void *y)
{
	cudnnStatus_t status = check(o, tx, tw, ty);
	if (status != CUDNN_STATUS_SUCCESS)
		return status;
	return fake_check("x", x, bytes_of(tx)) && fake_check("w", w, bytes_of(tw)) &&
			       fake_check("y", y, bytes_of(ty))
		       ? CUDNN_STATUS_SUCCESS
		       : wrong("operands outside of memory");
}

static cudnnStatus_t check_call(
	const void *one, const void *zero, const void *workspace, size_t bytes, int algorithm)
{
	if (*(const float *)one != 1 || *(const float *)zero != 0 || algorithm != 1)
		return wrong("scale factors, or an algorithm that was not offered");
	if (bytes != 4096 || !fake_check("workspace", workspace, bytes))
		return wrong("workspace");
	return CUDNN_STATUS_SUCCESS;
}

/* One that fails, one that needs more room than there is, and one that works. */
#define OFFER(results, returned, requested, ours)                                                            \
	do {                                                                                                 \
		if ((requested) < 3)                                                                         \
			return wrong("too few results asked for");                                           \
		memset(results, 0, 3 * sizeof *(results));                                                   \
		(results)[0].status = CUDNN_STATUS_NOT_SUPPORTED;                                            \
		(results)[1].memory = (size_t)1 << 40;                                                       \
		(results)[2].algo = 1;                                                                       \
		(results)[2].memory = 4096;                                                                  \
		(results)[2].mathType = (ours)->math;                                                        \
		*(returned) = 3;                                                                             \
	} while (0)

typedef const cudnnTensorDescriptor_t td;
typedef const cudnnFilterDescriptor_t fd;
typedef const cudnnConvolutionDescriptor_t cd;

cudnnStatus_t cudnnGetConvolutionForwardAlgorithm_v7(cudnnHandle_t h, td x, fd w, cd o, td y,
	const int requested, int *returned, cudnnConvolutionFwdAlgoPerf_t *results)
{
	(void)h;
	OFFER(results, returned, requested, (struct operation *)(void *)o);
	return check((void *)o, (void *)x, (void *)w, (void *)y);
}
cudnnStatus_t cudnnGetConvolutionBackwardDataAlgorithm_v7(cudnnHandle_t h, fd w, td y, cd o, td x,
	const int requested, int *returned, cudnnConvolutionBwdDataAlgoPerf_t *results)
{
	(void)h;
	OFFER(results, returned, requested, (struct operation *)(void *)o);
	return check((void *)o, (void *)x, (void *)w, (void *)y);
}
cudnnStatus_t cudnnGetConvolutionBackwardFilterAlgorithm_v7(cudnnHandle_t h, td x, td y, cd o, fd w,
	const int requested, int *returned, cudnnConvolutionBwdFilterAlgoPerf_t *results)
{
	(void)h;
	OFFER(results, returned, requested, (struct operation *)(void *)o);
	return check((void *)o, (void *)x, (void *)w, (void *)y);
}
/* Takes a start and the work of a layer, 2 y (w without its filters), at a rate. */
static cudnnStatus_t run(
	cudnnStatus_t operands, cudnnStatus_t call, const struct tensor *w, const struct tensor *y)
{
	static const double start_s = 5e-6, flop_per_s = 8e13;
	double flop = 2;
	for (int i = 0; i < y->count; i++)
		flop *= (double)y->extents[i] * (i > 0 ? w->extents[i] : 1);
	fake_work(start_s + flop / flop_per_s);
	return operands != CUDNN_STATUS_SUCCESS ? operands : call;
}
cudnnStatus_t cudnnConvolutionForward(cudnnHandle_t h, const void *one, td x, const void *px, fd w,
	const void *pw, cd o, cudnnConvolutionFwdAlgo_t algorithm, void *space, size_t bytes,
	const void *zero, td y, void *py)
{
	(void)h;
	return run(check_operands((void *)o, (void *)x, px, (void *)w, pw, (void *)y, py),
		check_call(one, zero, space, bytes, (int)algorithm), (void *)w, (void *)y);
}
cudnnStatus_t cudnnConvolutionBackwardData(cudnnHandle_t h, const void *one, fd w, const void *pw, td y,
	const void *py, cd o, cudnnConvolutionBwdDataAlgo_t algorithm, void *space, size_t bytes,
	const void *zero, td x, void *px)
{
	(void)h;
	return run(check_operands((void *)o, (void *)x, px, (void *)w, pw, (void *)y, py),
		check_call(one, zero, space, bytes, (int)algorithm), (void *)w, (void *)y);
}
cudnnStatus_t cudnnConvolutionBackwardFilter(cudnnHandle_t h, const void *one, td x, const void *px, td y,
	const void *py, cd o, cudnnConvolutionBwdFilterAlgo_t algorithm, void *space, size_t bytes,
	const void *zero, fd w, void *pw)
{
	(void)h;
	return run(check_operands((void *)o, (void *)x, px, (void *)w, pw, (void *)y, py),
		check_call(one, zero, space, bytes, (int)algorithm), (void *)w, (void *)y);
}
