// SPDX-License-Identifier: BSD-3-Clause
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "kernels.h"

// Small enough that weights stay finite over a million calls.
__device__ const float rate = 1e-6f, decay = 0.9f, decay_of_squares = 0.999f;

// Four items, 16 bytes of fp32 or 8 of 16-bit types.
template <typename T> struct alignas(4 * sizeof(T)) quad {
	T item[4];
};

template <int KIND> __device__ static void step(float gradient, float *weight, float *momentum, float *variance)
{
	if (KIND == UPDATE_SGD) {
		*weight -= rate * gradient;
	} else if (KIND == UPDATE_MOMENTUM) {
		*momentum = decay * *momentum + gradient;
		*weight -= rate * *momentum;
	} else {
		*momentum = decay * *momentum + (1 - decay) * gradient;
		*variance = decay_of_squares * *variance + (1 - decay_of_squares) * gradient * gradient;
		*weight -= rate * *momentum / (sqrtf(*variance) + 1e-8f);
	}
}

template <int KIND, typename T, bool MIXED>
__global__ void update(quad<float> *master, quad<float> *momentum, quad<float> *variance, const quad<T> *gradient,
	quad<T> *weights, size_t count)
{
	size_t threads = (size_t)gridDim.x * blockDim.x;
	for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += threads) {
		quad<T> g = gradient[i], copy;
		quad<float> w = master[i], m = {}, v = {};
		if (KIND != UPDATE_SGD)
			m = momentum[i];
		if (KIND == UPDATE_ADAM)
			v = variance[i];
#pragma unroll
		for (int j = 0; j < 4; j++) {
			step<KIND>((float)g.item[j], &w.item[j], &m.item[j], &v.item[j]);
			copy.item[j] = (T)w.item[j];
		}
		master[i] = w;
		if (KIND != UPDATE_SGD)
			momentum[i] = m;
		if (KIND == UPDATE_ADAM)
			variance[i] = v;
		if (MIXED)
			weights[i] = copy;
	}
}

template <int KIND, typename T, bool MIXED>
static void launch_update(const struct update_buffers *b, size_t quads, cudaStream_t stream)
{
	size_t blocks = (quads + 255) / 256;
	unsigned grid = (unsigned)(blocks < 1 ? 1 : blocks > 65535 ? 65535 : blocks);
	update<KIND, T, MIXED><<<grid, 256, 0, stream>>>((quad<float> *)b->master, (quad<float> *)b->momentum,
		(quad<float> *)b->variance, (const quad<T> *)b->gradient, (quad<T> *)b->weights, quads);
}

template <int KIND>
static cudaError_t of_type(enum item_type type, const struct update_buffers *b, size_t quads, cudaStream_t stream)
{
	if (type == ITEM_FP32)
		launch_update<KIND, float, false>(b, quads, stream);
	else if (type == ITEM_FP16)
		launch_update<KIND, __half, true>(b, quads, stream);
	else if (type == ITEM_BF16)
		launch_update<KIND, __nv_bfloat16, true>(b, quads, stream);
	else
		return cudaErrorInvalidValue;
	return cudaGetLastError();
}

cudaError_t kernel_update(enum update_kind kind, enum item_type type, const struct update_buffers *buffers,
	size_t count, cudaStream_t stream)
{
	switch (kind) {
	case UPDATE_SGD:
		return of_type<UPDATE_SGD>(type, buffers, count / 4, stream);
	case UPDATE_MOMENTUM:
		return of_type<UPDATE_MOMENTUM>(type, buffers, count / 4, stream);
	case UPDATE_ADAM:
		return of_type<UPDATE_ADAM>(type, buffers, count / 4, stream);
	}
	return cudaErrorInvalidValue;
}
