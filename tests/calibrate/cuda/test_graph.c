/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The library itself takes the graphs of convolutions: test_graph LIBRARY. Without a device it says so where the graph is given the handle,
 * after tensors, positions and operation were finalized; what it says before is a fault of ours. Exits with 77 without the library.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "cudnn_library.h"

struct cudnn dnn;
cudnnHandle_t dnn_handle;
const size_t dnn_workspace_most = 0;
struct device device;

enum ready run_say(struct run *run, enum ready ready, const char *format, ...)
{
	(void)run;
	fprintf(stderr, "%s\n", format);
	return ready;
}

enum ready dnn_status(struct run *run, cudnnStatus_t status, const char *call, const char *file, int line)
{
	(void)run;
	(void)call;
	if (status == CUDNN_STATUS_SUCCESS)
		return READY;
	snprintf(run->reason, sizeof run->reason, "%s at %s:%d", dnn.cudnnGetErrorString(status), file, line);
	return FAILED;
}

cudnnDataType_t dnn_type(const struct precision *precision)
{
	return precision->item == ITEM_FP16 ? CUDNN_DATA_HALF : CUDNN_DATA_FLOAT;
}

void dnn_extents(int sizes[EXTENTS_MAX], int first, int second, const int *extents, int dimensions)
{
	sizes[0] = first;
	sizes[1] = second;
	memcpy(sizes + 2, extents, (size_t)dimensions * sizeof *extents);
}

enum ready cuda_status(struct run *run, cudaError_t status, const char *call, const char *file, int line)
{
	(void)run, (void)call, (void)file, (void)line;
	return status == cudaSuccess ? READY : FAILED;
}

cudaError_t cudaMalloc(void **address, size_t bytes)
{
	(void)bytes;
	*address = NULL;
	return cudaErrorMemoryAllocation;
}

cudaError_t cudaFree(void *address)
{
	(void)address;
	return cudaSuccess;
}

static cudnnStatus_t (*set_attribute)(cudnnBackendDescriptor_t, cudnnBackendAttributeName_t,
	cudnnBackendAttributeType_t, int64_t, const void *);
static bool has_operation;

/* The handle is the last that a graph is given: all that it is made of is final by then. */
static cudnnStatus_t watched(cudnnBackendDescriptor_t to, cudnnBackendAttributeName_t name,
	cudnnBackendAttributeType_t type, int64_t count, const void *values)
{
	has_operation = has_operation || name == CUDNN_ATTR_OPERATIONGRAPH_HANDLE;
	return set_attribute(to, name, type, count, values);
}

/* Returns whether the library takes all of a convolution but the handle, which it has only where there is a device. */
static bool is_taken(const struct convolution *convolution)
{
	struct run run = {.reason = ""};
	void *made = NULL;
	has_operation = false;
	const enum ready ready = cudnn_graph.make(&run, convolution, &made);
	if (ready != READY && !has_operation)
		fprintf(stderr, "%s, pass %d, %d groups, %d dimensions: %s\n", convolution->precision->name,
			(int)convolution->pass, convolution->groups, convolution->dimensions, run.reason);
	cudnn_graph.free(made);
	return ready == READY || has_operation;
}

int main(int argc, char **argv)
{
	static const struct precision precisions[] = {
		{"fp16", ITEM_FP16, 2, 2, 75}, {"fp32", ITEM_FP32, 4, 4, 75}};
	void *const library = argc > 1 ? dlopen(argv[1], RTLD_NOW) : NULL;
	unsigned taken = 0, all = 0;
	if (!library)
		return 77;
#define X(function) *(void **)(void *)&dnn.function = dlsym(library, #function);
	CUDNN_FUNCTIONS(X)
#undef X
	set_attribute = dnn.cudnnBackendSetAttribute;
	if (!set_attribute || dnn.cudnnGetVersion() < 90000)
		return 77;
	dnn.cudnnBackendSetAttribute = watched;
	/* Halves and floats, passes, groups, dimensions, padding on both sides and on one. */
	for (int i = 0; i < 2 * 3 * 2 * 2 * 2; i++, all++) {
		const struct convolution convolution = {.precision = &precisions[i % 2],
			.pass = (enum pass)(i / 2 % 3),
			.channels_last = i % 2 == 0,
			.batch = 8,
			.dimensions = 2 + i / 6 % 2,
			.channels = 64,
			.filters = 64,
			.groups = 1 + i / 12 % 2,
			.x = {56 - i / 24, 56, 56},
			.y = {28, 28, 28},
			.kernel = {3, 3, 3},
			.stride = {2, 2, 2},
			.pad = {1 - i / 24, 1, 1},
			.dilation = {1, 1, 1}};
		taken += is_taken(&convolution);
	}
	printf("cuDNN %zu takes %u of %u convolutions\n", dnn.cudnnGetVersion(), taken, all);
	return taken < all;
}
