/* SPDX-License-Identifier: BSD-3-Clause */
/* Our own kernels, of the .cu files. All enqueue into a stream and return the status of the launch. */
#ifndef CALIBRATE_CUDA_KERNELS_H
#define CALIBRATE_CUDA_KERNELS_H

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

enum item_type { ITEM_FP32, ITEM_FP16, ITEM_BF16, ITEM_FP8 };

/* kernels_fill.cu: zeros draw less power and run faster than data, so operands are random, standard normal. */
cudaError_t kernel_fill_normal(
	enum item_type type, void *items, size_t count, unsigned long long seed, cudaStream_t stream);
cudaError_t kernel_fill_constant(float *items, size_t count, float value, cudaStream_t stream);
cudaError_t kernel_empty(cudaStream_t stream);
/* Holds the stream until the host has set *gate to `ticket` or more, for at most a fifth of a second. */
cudaError_t kernel_gate(const volatile unsigned *gate, unsigned ticket, cudaStream_t stream);

/* kernels_memory.cu: on arrays of `count` floats, a multiple of 4. */
enum memory_kind { MEMORY_COPY, MEMORY_SCALE, MEMORY_ADD, MEMORY_TRIAD, MEMORY_READ, MEMORY_WRITE };
cudaError_t kernel_memory(enum memory_kind kind, float *a, const float *b, const float *c, size_t count,
	unsigned blocks, cudaStream_t stream);

/*
 * kernels_elementwise.cu: each reads its inputs and writes its output once; batch norm reads twice, for its statistics.
 * Rows of ROW_ITEMS items, the last dimension: normalised over for layer norm and softmax, channels of batch norm and bias.
 */
enum { ROW_ITEMS = 1024 };
enum elementwise_kind {
	KIND_RELU,
	KIND_BATCH_NORM,
	KIND_LAYER_NORM,
	KIND_SOFTMAX,
	KIND_MAX_POOL,
	KIND_BIAS_GELU
};
struct elementwise_buffers {
	const void *x, *dy;
	void *y;
	float *statistics; /* 2 * ROW_ITEMS floats */
};
cudaError_t kernel_elementwise(enum elementwise_kind kind, int backward, enum item_type type,
	const struct elementwise_buffers *buffers, size_t rows, cudaStream_t stream);

/* kernels_update.cu: fused, one pass. `weights` is NULL in fp32; else 16-bit copies of the fp32 `master`. */
enum update_kind { UPDATE_SGD, UPDATE_MOMENTUM, UPDATE_ADAM };
struct update_buffers {
	float *master, *momentum, *variance;
	const void *gradient;
	void *weights;
};
cudaError_t kernel_update(enum update_kind kind, enum item_type type, const struct update_buffers *buffers,
	size_t count, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
