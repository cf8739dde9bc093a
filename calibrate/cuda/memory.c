/* SPDX-License-Identifier: BSD-3-Clause */
/* Streams over arrays, from what stays in the L2 cache to what does not; the best of several grids is kept. */
#include <stdlib.h>
#include <string.h>

#include "device.h"
#include "kernels.h"
#include "list.h"

static const struct {
	const char *name;
	enum memory_kind kind;
	unsigned arrays; /* that move */
} kinds[] = {
	{"copy", MEMORY_COPY, 2},
	{"scale", MEMORY_SCALE, 2},
	{"add", MEMORY_ADD, 3},
	{"triad", MEMORY_TRIAD, 3},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

struct state {
	unsigned kind, blocks;
	size_t floats; /* of one array */
	float *arrays[3];
};

static void list(const struct plan *plan, struct points *points)
{
	/* Down from 2 GiB; halves, so that the knee at the L2 cache is seen. A quick run takes each fourth. */
	unsigned step = plan->effort == EFFORT_QUICK ? 3 : 1;
	for (unsigned kind = 0; kind < KINDS; kind++)
		for (int power = 31; power >= 20; power -= (int)step) {
			double least = (double)(1ull << power), floats = least / kinds[kind].arrays / 4,
			       whole = (double)((unsigned long long)floats / 4 * 4);
			struct point *point =
				points_add(points, &bench_memory, "memory/%s/%.0f", kinds[kind].name, least);
			point->bytes = whole * 4 * kinds[kind].arrays;
			point_text(point, "kind", kinds[kind].name);
			point_number(point, "footprint", point->bytes);
			point_number(point, "busy", device.measured_together);
		}
}

static enum ready enqueue(struct run *run, unsigned long long index)
{
	const struct state *s = run->state;
	(void)index;
	return CUDA(run, kernel_memory(kinds[s->kind].kind, s->arrays[0], s->arrays[1], s->arrays[2],
				 s->floats, s->blocks, device.stream));
}

/* Array 0 is written, 1 and 2 are read. */
static enum ready allocate(struct run *run, struct state *s)
{
	size_t bytes = s->floats * sizeof(float);
	for (unsigned i = 0; i < 3; i++) {
		bool used = i < kinds[s->kind].arrays;
		TRY(CUDA(run, cudaMalloc((void **)&s->arrays[i], used ? bytes : 256)));
		if (i > 0 && used)
			TRY(CUDA(run,
				kernel_fill_normal(ITEM_FP32, s->arrays[i], s->floats, i, device.stream)));
	}
	return CUDA(run, cudaStreamSynchronize(device.stream));
}

/* Occupancy decides by up to a sixth what a stream reaches. */
static enum ready choose_grid(struct run *run, struct state *s)
{
	static const unsigned per_multiprocessor[] = {1, 2, 4, 8, 16, 32, 64};
	double best_s = -1;
	unsigned best = 0;
	for (size_t i = 0; i < sizeof per_multiprocessor / sizeof *per_multiprocessor; i++) {
		s->blocks = per_multiprocessor[i] * (unsigned)device.multiprocessors;
		if (device_time(run, 2, enqueue) < 0)
			return FAILED;
		double seconds = device_time(run, 10, enqueue);
		if (seconds < 0)
			return FAILED;
		if (best_s < 0 || seconds < best_s) {
			best_s = seconds;
			best = s->blocks;
		}
	}
	s->blocks = best;
	return READY;
}

static enum ready prepare(struct run *run)
{
	struct state *s = calloc(1, sizeof *s);
	run->state = s;
	if (!s)
		return run_say(run, FAILED, "no memory on the host");
	while (strcmp(kinds[s->kind].name, point_get_text(run->point, "kind")) != 0)
		s->kind++;
	s->floats = (size_t)(point_get(run->point, "footprint") / kinds[s->kind].arrays) / sizeof(float);
	TRY(device_usable(run));
	TRY(allocate(run, s));
	TRY(choose_grid(run, s));
	return device_warm(run, enqueue);
}

static double sample(struct run *run, unsigned long long calls)
{
	return device_time(run, calls, enqueue);
}

static void release(struct run *run)
{
	struct state *s = run->state;
	if (!s)
		return;
	for (unsigned i = 0; i < 3; i++)
		if (s->arrays[i])
			(void)cudaFree(s->arrays[i]);
	free(s);
	run->state = NULL;
}

const struct bench bench_memory = {
	.name = "memory",
	.summary = "streams over device memory and the L2 cache",
	.least_sample_s = 200e-6,
	.list = list,
	.prepare = prepare,
	.sample = sample,
	.release = release,
};
