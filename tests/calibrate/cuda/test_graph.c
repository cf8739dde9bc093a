/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The library itself takes the graphs of convolutions and of attention: test_graph LIBRARY. It is told of an H200 that is not there, for which
 * it chooses engines and compiles their kernels, and a driver that is made up takes these. So plans are made as they would be on that
 * device. Where the library is of a version that knows no such device, all up to the handle is what it takes. Exits with 77 without it.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "cudnn_attention.h"
#include "cudnn_parts.h"

/* What an H200 tells of itself, in the words of cuDNN 9.19. */
static const char h200[] = "{\"deviceId\": 0, \"cudaDeviceId\": 0, \"deviceName\": \"NVIDIA H200\", "
			   "\"deviceVer\": 900, \"driverVer\": 13000, "
			   "\"totalGlobalMem\": 150120562688, \"maxGridSize\": [2147483647, 65535, 65535], "
			   "\"maxBlockSize\": [1024, 1024, 64], "
			   "\"regsPerBlock\": 65536, \"maxRegistersPerSM\": 65536, \"multiProcessorCount\": "
			   "132, \"warpSize\": 32, "
			   "\"maxSharedMemoryPerBlock\": 49152, \"maxSharedMemoryPerBlockOptin\": 232448, "
			   "\"reservedSharedMemoryPerBlock\": 1024, "
			   "\"maxCtasPerSM\": 32, \"maxThreadsPerBlock\": 1024, \"maxThreadsPerSM\": 2048, "
			   "\"pciDeviceId\": 0, \"isTccDriver\": 0, "
			   "\"supportCoopLaunch\": 1, \"smClockRateKHz\": 1980000, \"memClockRateKHz\": "
			   "3201000, \"l2CacheSize\": 62914560}";

struct cudnn dnn;
cudnnHandle_t dnn_handle;
const size_t dnn_workspace_most = (size_t)2 << 30;
struct device device;

enum ready run_say(struct run *run, enum ready ready, const char *format, ...)
{
	snprintf(run->reason, sizeof run->reason, "%s", format);
	return ready;
}

enum ready dnn_status(struct run *run, cudnnStatus_t status, const char *call, const char *file, int line)
{
	(void)call;
	if (status == CUDNN_STATUS_SUCCESS)
		return READY;
	snprintf(run->reason, sizeof run->reason, "%s at %s:%d", dnn.cudnnGetErrorString(status), file, line);
	return FAILED;
}

cudnnDataType_t dnn_type(const struct precision *precision)
{
	return precision->item == ITEM_FP16   ? CUDNN_DATA_HALF
	       : precision->item == ITEM_BF16 ? CUDNN_DATA_BFLOAT16
					      : CUDNN_DATA_FLOAT;
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

enum ready dnn_load(struct run *run)
{
	(void)run;
	return READY;
}

bool dnn_has_graphs(void)
{
	return true;
}

const char *dnn_version(void)
{
	return "9";
}

size_t aligned(size_t bytes)
{
	return bytes;
}

cudaError_t cudaMalloc(void **address, size_t bytes)
{
	static char somewhere;
	(void)bytes;
	*address = &somewhere;
	return cudaSuccess;
}

cudaError_t cudaFree(void *address)
{
	(void)address;
	return cudaSuccess;
}

cudaError_t cudaMemsetAsync(void *address, int value, size_t bytes, cudaStream_t stream)
{
	(void)address, (void)value, (void)bytes, (void)stream;
	return cudaSuccess;
}

static cudnnStatus_t (*set_attribute)(cudnnBackendDescriptor_t, cudnnBackendAttributeName_t,
	cudnnBackendAttributeType_t, int64_t, const void *);
static part told; /* the device; NULL: the library knows no devices that are not there */
static bool
	has_operation; /* a graph was given its handle, the last that it is given: all that it is made of is final by then */

/* Puts the device that is told where there would be a handle of one. */
static cudnnStatus_t watched(cudnnBackendDescriptor_t to, cudnnBackendAttributeName_t name,
	cudnnBackendAttributeType_t type, int64_t count, const void *values)
{
	has_operation = has_operation || name == CUDNN_ATTR_OPERATIONGRAPH_HANDLE;
	if (!told)
		return set_attribute(to, name, type, count, values);
	if (name == CUDNN_ATTR_OPERATIONGRAPH_HANDLE)
		return CUDNN_STATUS_SUCCESS;
	if (name == CUDNN_ATTR_EXECUTION_PLAN_HANDLE)
		return set_attribute(
			to, CUDNN_ATTR_EXECUTION_PLAN_DEVICEPROP, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &told);
	if (name == CUDNN_ATTR_ENGINEHEUR_MODE) {
		const cudnnStatus_t status = set_attribute(
			to, CUDNN_ATTR_ENGINEHEUR_DEVICEPROP, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &told);
		if (status != CUDNN_STATUS_SUCCESS)
			return status;
	}
	return set_attribute(to, name, type, count, values);
}

static void tell_device(void)
{
	if (dnn.cudnnBackendCreateDescriptor(CUDNN_BACKEND_DEVICEPROP_DESCRIPTOR, &told) !=
			CUDNN_STATUS_SUCCESS ||
		set_attribute(told, CUDNN_ATTR_DEVICEPROP_JSON_REPRESENTATION, CUDNN_TYPE_CHAR,
			(int64_t)sizeof h200 - 1, h200) != CUDNN_STATUS_SUCCESS ||
		dnn.cudnnBackendFinalize(told) != CUDNN_STATUS_SUCCESS)
		told = NULL;
}

/* Returns whether the library went as far as it can. */
static bool is_taken(enum ready ready)
{
	return told ? ready == READY : has_operation;
}

static bool takes_convolution(const struct convolution *convolution)
{
	struct run run = {.reason = ""};
	void *made = NULL;
	has_operation = false;
	enum ready ready = cudnn_graph.make(&run, convolution, &made);
	if (ready == READY && told)
		ready = cudnn_graph.choose(&run, made);
	if (!is_taken(ready))
		fprintf(stderr, "%s, pass %d, %d groups, %d dimensions: %s\n", convolution->precision->name,
			(int)convolution->pass, convolution->groups, convolution->dimensions, run.reason);
	cudnn_graph.free(made);
	return is_taken(ready);
}

static bool takes_attention(const struct attention *attention, const struct precision *precision)
{
	struct run run = {.reason = ""};
	struct attention_plan *made = NULL;
	has_operation = false;
	const enum ready ready = attention_plan_make(&run, attention, precision, &made);
	if (!is_taken(ready))
		fprintf(stderr, "%s, %s, %d heads on %d: %s\n", precision->name,
			attention->is_backward ? "backward" : "forward", attention->heads,
			attention->kv_heads, run.reason);
	attention_plan_free(made);
	return is_taken(ready);
}

/* Halves and floats, passes, groups, dimensions, padding on both sides and on one. */
static unsigned convolutions(unsigned *all)
{
	static const struct precision precisions[] = {
		{"fp16", ITEM_FP16, 2, 2, 75}, {"fp32", ITEM_FP32, 4, 4, 75}};
	unsigned taken = 0;
	for (int i = 0; i < 2 * 3 * 2 * 2 * 2; i++, ++*all) {
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
		taken += takes_convolution(&convolution);
	}
	return taken;
}

/* Heads with keys of their own and with shared ones, of 64 and of 128 items, both passes. */
static unsigned attentions(unsigned *all)
{
	static const struct precision precisions[] = {
		{"bf16", ITEM_BF16, 2, 2, 80}, {"fp16", ITEM_FP16, 2, 2, 75}};
	unsigned taken = 0;
	for (int i = 0; i < 2 * 2 * 2; i++, ++*all) {
		const bool is_shared = i / 2 % 2;
		const struct attention attention = {.is_backward = i % 2,
			.batch = 4,
			.heads = 32,
			.kv_heads = is_shared ? 8 : 32,
			.tokens = 2048,
			.head = i / 4 ? 64 : 128};
		taken += takes_attention(&attention, &precisions[i / 4]);
	}
	return taken;
}

int main(int argc, char **argv)
{
	void *const library = argc > 1 ? dlopen(argv[1], RTLD_NOW) : NULL;
	unsigned all_convolutions = 0, all_attentions = 0;
	if (!library)
		return 77;
#define X(function) *(void **)(void *)&dnn.function = dlsym(library, #function);
	CUDNN_FUNCTIONS(X)
#undef X
	set_attribute = dnn.cudnnBackendSetAttribute;
	if (!set_attribute || dnn.cudnnGetVersion() < 90000)
		return 77;
	dnn.cudnnBackendSetAttribute = watched;
	tell_device();
	const unsigned taken_convolutions = convolutions(&all_convolutions),
		       taken_attentions = attentions(&all_attentions);
	printf("cuDNN %zu %s %u of %u convolutions and %u of %u passes of attention\n", dnn.cudnnGetVersion(),
		told ? "plans for an H200" : "takes", taken_convolutions, all_convolutions, taken_attentions,
		all_attentions);
	return taken_convolutions < all_convolutions || taken_attentions < all_attentions;
}
