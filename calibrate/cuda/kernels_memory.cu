// SPDX-License-Identifier: BSD-3-Clause
#include "kernels.h"

enum { THREADS = 512 };

__device__ static float4 scaled(float4 v, float s) { return make_float4(s * v.x, s * v.y, s * v.z, s * v.w); }
__device__ static float4 sum(float4 v, float4 w)
{
	return make_float4(v.x + w.x, v.y + w.y, v.z + w.z, v.w + w.w);
}

template <int KIND> __device__ static void one(float4 *a, const float4 *b, const float4 *c, size_t i)
{
	if (KIND == MEMORY_COPY)
		a[i] = b[i];
	else if (KIND == MEMORY_SCALE)
		a[i] = scaled(b[i], 1.5f);
	else if (KIND == MEMORY_ADD)
		a[i] = sum(b[i], c[i]);
	else
		a[i] = sum(b[i], scaled(c[i], 1.5f));
}

// Four independent accesses of 16 bytes in flight for each thread.
template <int KIND> 
__global__ void stream_arrays(
	float4 *__restrict__ a, const float4 *__restrict__ b, const float4 *__restrict__ c, size_t count)
{
	size_t threads = (size_t)gridDim.x * blockDim.x, i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
	for (; i + 3 * threads < count; i += 4 * threads) {
#pragma unroll
		for (int j = 0; j < 4; j++)
			one<KIND>(a, b, c, i + j * threads);
	}
	for (; i < count; i += threads)
		one<KIND>(a, b, c, i);
}

cudaError_t kernel_memory(enum memory_kind kind, float *a, const float *b, const float *c, size_t count,
	unsigned blocks, cudaStream_t stream)
{
	float4 *to = (float4 *)a;
	const float4 *from = (const float4 *)b, *other = (const float4 *)c;
	size_t vectors = count / 4;
	switch (kind) {
	case MEMORY_COPY:
		stream_arrays<MEMORY_COPY><<<blocks, THREADS, 0, stream>>>(to, from, other, vectors);
		break;
	case MEMORY_SCALE:
		stream_arrays<MEMORY_SCALE><<<blocks, THREADS, 0, stream>>>(to, from, other, vectors);
		break;
	case MEMORY_ADD:
		stream_arrays<MEMORY_ADD><<<blocks, THREADS, 0, stream>>>(to, from, other, vectors);
		break;
	case MEMORY_TRIAD:
		stream_arrays<MEMORY_TRIAD><<<blocks, THREADS, 0, stream>>>(to, from, other, vectors);
		break;
	}
	return cudaGetLastError();
}
