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
	fine = fine && vector("a", a, bytes) && vector("b", b, bytes);
	if (kind == MEMORY_ADD || kind == MEMORY_TRIAD)
		fine = fine && vector("c", c, bytes);
	return done(fine, (double)bytes);
}
