/* SPDX-License-Identifier: BSD-3-Clause */
/* Passes over arrays in a cache and outside. */
#include "fake.h"

extern const struct bench bench_memory;

void truth_memory(void)
{
	environment_add("truth/memory/bytes_per_s", "%.9g", memory_bytes_per_s);
	environment_add("truth/memory/cache/bytes", "%.9g", cache_bytes);
	environment_add("truth/memory/cache/bytes_per_s", "%.9g", cache_bytes_per_s);
}

static void list(const struct plan *plan, struct points *points)
{
	static const char *const kinds[] = {"copy", "scale", "add", "triad"};
	static const double least = 1 << 16, most = 1 << 28;
	fake_plan(plan);
	for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; ++i)
		for (double bytes = least; bytes > 0; bytes = size_next(plan, bytes, most)) {
			struct point *point =
				points_add(points, &bench_memory, "memory/%s/%.0f", kinds[i], bytes);
			point_text(point, "kind", kinds[i]);
			point_number(point, "footprint", bytes);
			point_number(point, "busy", 1);
			point->bytes = bytes;
		}
}

static enum ready prepare(struct run *run)
{
	const double rate =
		point_get(run->point, "footprint") <= cache_bytes ? cache_bytes_per_s : memory_bytes_per_s;
	return fake_prepare(run, run->point->bytes / rate);
}

const struct bench bench_memory = {
	.name = "memory",
	.summary = "copy, scale, add and triad over arrays of many sizes",
	.list = list,
	.prepare = prepare,
	.sample = fake_sample,
	.made_up = true,
	.release = fake_release,
};
