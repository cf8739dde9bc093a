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
enum memory_kind { MEMORY_COPY, MEMORY_SCALE, MEMORY_ADD, MEMORY_TRIAD };
cudaError_t kernel_memory(enum memory_kind kind, float *a, const float *b, const float *c, size_t count,
	unsigned blocks, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
