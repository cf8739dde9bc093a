/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kernels that touch nothing but check that all they would touch is there. */
#include "kernels.h"

#include <stdint.h>

#include "fake_device.h"

static const double bytes_per_s = 1e11, start_s = 3e-6;

static cudaError_t done(bool fine, double bytes)
{
	fake_work(start_s + bytes / bytes_per_s);
	return fine ? cudaSuccess : cudaErrorInvalidValue;
}

static size_t item_bytes(enum item_type type)
{
	return type == ITEM_FP32 ? 4 : type == ITEM_FP8 ? 1 : 2;
}

static bool vector(const char *what, const void *address, size_t bytes)
{
	return (uintptr_t)address % 16 == 0 && fake_check(what, address, bytes);
}

cudaError_t kernel_fill_normal(
	enum item_type type, void *items, size_t count, unsigned long long seed, cudaStream_t stream)
{
	(void)seed, (void)stream;
	return done(fake_check("fill", items, count * item_bytes(type)), (double)count);
}

/* The one that is really done: results of collectives are sums of these. */
cudaError_t kernel_fill_constant(float *items, size_t count, float value, cudaStream_t stream)
{
	(void)stream;
	bool fine = fake_check("fill", items, count * sizeof *items);
	for (size_t i = 0; fine && i < count; i++)
		items[i] = value;
	return done(fine, (double)count);
}

cudaError_t kernel_empty(cudaStream_t stream)
{
	(void)stream;
	return done(true, 0);
}

cudaError_t kernel_gate(const volatile unsigned *gate, unsigned ticket, cudaStream_t stream)
{
	(void)stream;
	return done(gate && ticket > *gate, 0);
}

cudaError_t kernel_memory(enum memory_kind kind, float *a, const float *b, const float *c, size_t count,
	unsigned blocks, cudaStream_t stream)
{
	size_t bytes = count * sizeof *a;
	bool fine = blocks > 0 && count % 4 == 0;
	(void)stream;
	if (kind != MEMORY_READ)
		fine = fine && vector("a", a, bytes);
	if (kind != MEMORY_WRITE)
		fine = fine && vector("b", b, bytes);
	if (kind == MEMORY_ADD || kind == MEMORY_TRIAD)
		fine = fine && vector("c", c, bytes);
	return done(fine, (double)bytes);
}

cudaError_t kernel_elementwise(enum elementwise_kind kind, int backward, enum item_type type,
	const struct elementwise_buffers *buffers, size_t rows, cudaStream_t stream)
{
	size_t bytes = rows * ROW_ITEMS * item_bytes(type);
	bool fine = rows > 0 && vector("x", buffers->x, bytes) &&
		    vector("y", buffers->y, kind == KIND_MAX_POOL ? bytes / 4 : bytes);
	(void)stream;
	if (backward)
		fine = fine && buffers->dy != buffers->x && vector("dy", buffers->dy, bytes);
	if (kind == KIND_BATCH_NORM || kind == KIND_BIAS_GELU)
		fine = fine && fake_check("statistics", buffers->statistics, 2 * ROW_ITEMS * sizeof(float));
	return done(fine, 2 * (double)bytes);
}

cudaError_t kernel_update(enum update_kind kind, enum item_type type, const struct update_buffers *buffers,
	size_t count, cudaStream_t stream)
{
	size_t bytes = count * sizeof(float), narrow = count * item_bytes(type);
	bool fine = count % 4 == 0 && vector("master", buffers->master, bytes) &&
		    vector("gradient", buffers->gradient, narrow);
	(void)stream;
	if (kind != UPDATE_SGD)
		fine = fine && vector("momentum", buffers->momentum, bytes);
	/* Arrays of their own: one that was forgotten begins where the next one does. */
	if (kind != UPDATE_SGD)
		fine = fine && (const void *)buffers->momentum != buffers->gradient;
	if (kind == UPDATE_ADAM)
		fine = fine && buffers->momentum != buffers->variance &&
		       (const void *)buffers->variance != buffers->gradient;
	if (type != ITEM_FP32)
		fine = fine && buffers->weights != buffers->gradient;
	if (kind == UPDATE_ADAM)
		fine = fine && vector("variance", buffers->variance, bytes);
	if (type != ITEM_FP32)
		fine = fine && vector("weights", buffers->weights, narrow);
	return done(fine, 3 * (double)bytes);
}
