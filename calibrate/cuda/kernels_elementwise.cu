// SPDX-License-Identifier: BSD-3-Clause
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "kernels.h"

// 16 bytes of items.
template <typename T> struct alignas(16) pack {
	static const int items = 16 / sizeof(T);
	T item[items];
};
// Threads that hold one row, a pack each.
template <typename T> struct row {
	static const int threads = ROW_ITEMS / pack<T>::items;
};

__device__ static float block_sum(float value, float *shared)
{
	for (int offset = 16; offset > 0; offset /= 2)
		value += __shfl_xor_sync(0xffffffffu, value, offset);
	if (threadIdx.x % 32 == 0)
		shared[threadIdx.x / 32] = value;
	__syncthreads();
	value = 0;
	for (int warp = 0; warp < blockDim.x / 32; warp++)
		value += shared[warp];
	__syncthreads();
	return value;
}

__device__ static float block_most(float value, float *shared)
{
	for (int offset = 16; offset > 0; offset /= 2)
		value = fmaxf(value, __shfl_xor_sync(0xffffffffu, value, offset));
	if (threadIdx.x % 32 == 0)
		shared[threadIdx.x / 32] = value;
	__syncthreads();
	value = shared[0];
	for (int warp = 1; warp < blockDim.x / 32; warp++)
		value = fmaxf(value, shared[warp]);
	__syncthreads();
	return value;
}

__device__ static float gelu(float x) { return 0.5f * x * (1 + erff(x * 0.70710678f)); }
__device__ static float gelu_slope(float x)
{
	return 0.5f * (1 + erff(x * 0.70710678f)) + x * 0.39894228f * expf(-0.5f * x * x);
}

// One item of the kinds that need no other item; `s` are the two floats of its channel.
template <int KIND, bool BACKWARD>
__device__ static float one(float x, float dy, float first, float second, float per_channel)
{
	if (KIND == KIND_RELU)
		return BACKWARD ? (x > 0 ? dy : 0) : fmaxf(x, 0);
	if (KIND == KIND_BIAS_GELU)
		return BACKWARD ? dy * gelu_slope(x + first) : gelu(x + first);
	if (BACKWARD) // batch norm; first: sum of dy, second: sum of dy x
		return dy - (first + x * second) * per_channel;
	float mean = first * per_channel, variance = second * per_channel - mean * mean;
	return (x - mean) * rsqrtf(fmaxf(variance, 0) + 1e-5f);
}

template <int KIND, bool BACKWARD, typename T>
__global__ void items(const pack<T> *__restrict__ x, const pack<T> *__restrict__ dy, pack<T> *__restrict__ y,
	const float *__restrict__ statistics, size_t packs, float per_channel)
{
	size_t step = (size_t)gridDim.x * blockDim.x;
	for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < packs; i += step) {
		pack<T> in = x[i], slope = {}, out;
		if (BACKWARD)
			slope = dy[i];
		int channel = (int)(i % row<T>::threads) * pack<T>::items;
#pragma unroll
		for (int j = 0; j < pack<T>::items; j++) {
			float first = 0, second = 0;
			if (KIND != KIND_RELU)
				first = statistics[channel + j];
			if (KIND == KIND_BATCH_NORM)
				second = statistics[ROW_ITEMS + channel + j];
			out.item[j] = (T)one<KIND, BACKWARD>(
				(float)in.item[j], BACKWARD ? (float)slope.item[j] : 0, first, second, per_channel);
		}
		y[i] = out;
	}
}

// Sums over rows of x and x^2, or of dy and dy x; a block is as wide as a row.
template <bool BACKWARD, typename T>
__global__ void channel_sums(
	const pack<T> *__restrict__ x, const pack<T> *__restrict__ dy, float *statistics, size_t rows)
{
	float first[pack<T>::items] = {}, second[pack<T>::items] = {};
	for (size_t r = blockIdx.x; r < rows; r += gridDim.x) {
		pack<T> in = x[r * row<T>::threads + threadIdx.x], slope = {};
		if (BACKWARD)
			slope = dy[r * row<T>::threads + threadIdx.x];
#pragma unroll
		for (int j = 0; j < pack<T>::items; j++) {
			float value = (float)in.item[j], other = BACKWARD ? (float)slope.item[j] : value;
			first[j] += other;
			second[j] += other * value;
		}
	}
	for (int j = 0; j < pack<T>::items; j++) {
		atomicAdd(&statistics[threadIdx.x * pack<T>::items + j], first[j]);
		atomicAdd(&statistics[ROW_ITEMS + threadIdx.x * pack<T>::items + j], second[j]);
	}
}

// Forward: y of x. Backward: dx of x (layer norm's input, softmax's output) and dy.
template <int KIND, bool BACKWARD, typename T>
__global__ void whole_rows(const pack<T> *__restrict__ x, const pack<T> *__restrict__ dy, pack<T> *__restrict__ y)
{
	__shared__ float shared[32];
	size_t at = (size_t)blockIdx.x * row<T>::threads + threadIdx.x;
	pack<T> in = x[at], slope = {}, out;
	if (BACKWARD)
		slope = dy[at];
	float value[pack<T>::items], sum = 0, product = 0, most = -3e38f;
	for (int j = 0; j < pack<T>::items; j++) {
		value[j] = (float)in.item[j];
		most = fmaxf(most, value[j]);
	}
	if (KIND == KIND_SOFTMAX && !BACKWARD) {
		most = block_most(most, shared);
		for (int j = 0; j < pack<T>::items; j++)
			sum += value[j] = expf(value[j] - most);
		sum = block_sum(sum, shared);
		for (int j = 0; j < pack<T>::items; j++)
			out.item[j] = (T)(value[j] / sum);
	} else if (!BACKWARD) {
		for (int j = 0; j < pack<T>::items; j++) {
			sum += value[j];
			product += value[j] * value[j];
		}
		float mean = block_sum(sum, shared) / ROW_ITEMS, square = block_sum(product, shared) / ROW_ITEMS;
		float scale = rsqrtf(fmaxf(square - mean * mean, 0) + 1e-5f);
		for (int j = 0; j < pack<T>::items; j++)
			out.item[j] = (T)((value[j] - mean) * scale);
	} else {
		for (int j = 0; j < pack<T>::items; j++) {
			sum += (float)slope.item[j];
			product += (float)slope.item[j] * value[j];
		}
		sum = KIND == KIND_SOFTMAX ? 0 : block_sum(sum, shared) / ROW_ITEMS;
		product = block_sum(product, shared);
		for (int j = 0; j < pack<T>::items; j++) {
			float dy_j = (float)slope.item[j];
			out.item[j] = (T)(KIND == KIND_SOFTMAX ? value[j] * (dy_j - product)
							       : dy_j - sum - value[j] * product / ROW_ITEMS);
		}
	}
	y[at] = out;
}

// The largest of four pixels, as a window of 2 x 2 has them; a pixel is a row of channels.
template <typename T>
__global__ void max_pool(const pack<T> *__restrict__ x, pack<T> *__restrict__ y, size_t packs)
{
	size_t step = (size_t)gridDim.x * blockDim.x;
	for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < packs; i += step) {
		size_t pixel = i / row<T>::threads, column = i % row<T>::threads;
		pack<T> in[4], out;
#pragma unroll
		for (int k = 0; k < 4; k++)
			in[k] = x[(4 * pixel + k) * row<T>::threads + column];
#pragma unroll
		for (int j = 0; j < pack<T>::items; j++)
			out.item[j] = (T)fmaxf(fmaxf((float)in[0].item[j], (float)in[1].item[j]),
				fmaxf((float)in[2].item[j], (float)in[3].item[j]));
		y[i] = out;
	}
}

template <int KIND, bool BACKWARD, typename T>
static cudaError_t launch(const struct elementwise_buffers *b, size_t rows, cudaStream_t stream)
{
	const pack<T> *x = (const pack<T> *)b->x, *dy = (const pack<T> *)b->dy;
	pack<T> *y = (pack<T> *)b->y;
	size_t packs = rows * row<T>::threads, blocks = (packs + 255) / 256;
	unsigned grid = (unsigned)(blocks < 1 ? 1 : blocks > 65535 ? 65535 : blocks);
	if (KIND == KIND_BATCH_NORM) {
		cudaError_t status = cudaMemsetAsync(b->statistics, 0, 2 * ROW_ITEMS * sizeof(float), stream);
		if (status != cudaSuccess)
			return status;
		unsigned sums = (unsigned)(rows < 1024 ? rows : 1024);
		channel_sums<BACKWARD, T><<<sums, row<T>::threads, 0, stream>>>(x, dy, b->statistics, rows);
	}
	if (KIND == KIND_SOFTMAX || KIND == KIND_LAYER_NORM)
		whole_rows<KIND, BACKWARD, T><<<(unsigned)rows, row<T>::threads, 0, stream>>>(x, dy, y);
	else if (KIND == KIND_MAX_POOL)
		max_pool<T><<<grid, 256, 0, stream>>>(x, y, packs / 4);
	else
		items<KIND, BACKWARD, T>
			<<<grid, 256, 0, stream>>>(x, dy, y, b->statistics, packs, 1.0f / (float)rows);
	return cudaGetLastError();
}

template <bool BACKWARD, typename T>
static cudaError_t of_kind(
	enum elementwise_kind kind, const struct elementwise_buffers *b, size_t rows, cudaStream_t stream)
{
	switch (kind) {
	case KIND_RELU:
		return launch<KIND_RELU, BACKWARD, T>(b, rows, stream);
	case KIND_BATCH_NORM:
		return launch<KIND_BATCH_NORM, BACKWARD, T>(b, rows, stream);
	case KIND_LAYER_NORM:
		return launch<KIND_LAYER_NORM, BACKWARD, T>(b, rows, stream);
	case KIND_SOFTMAX:
		return launch<KIND_SOFTMAX, BACKWARD, T>(b, rows, stream);
	case KIND_MAX_POOL:
		return launch<KIND_MAX_POOL, false, T>(b, rows, stream);
	case KIND_BIAS_GELU:
		return launch<KIND_BIAS_GELU, BACKWARD, T>(b, rows, stream);
	}
	return cudaErrorInvalidValue;
}

cudaError_t kernel_elementwise(enum elementwise_kind kind, int backward, enum item_type type,
	const struct elementwise_buffers *buffers, size_t rows, cudaStream_t stream)
{
	if (type == ITEM_FP32)
		return backward ? of_kind<true, float>(kind, buffers, rows, stream)
				: of_kind<false, float>(kind, buffers, rows, stream);
	if (type == ITEM_FP16)
		return backward ? of_kind<true, __half>(kind, buffers, rows, stream)
				: of_kind<false, __half>(kind, buffers, rows, stream);
	if (type == ITEM_BF16)
		return backward ? of_kind<true, __nv_bfloat16>(kind, buffers, rows, stream)
				: of_kind<false, __nv_bfloat16>(kind, buffers, rows, stream);
	return cudaErrorInvalidValue;
}
