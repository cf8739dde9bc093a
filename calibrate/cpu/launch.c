/* SPDX-License-Identifier: BSD-3-Clause */
/* A call of a function that does nothing: what stands for a kernel launch where kernels are functions. */
#include "kernel.h"

extern const struct bench bench_launch;

static void nothing(struct run *run)
{
	(void)run;
}

static void list(const struct plan *plan, struct points *points)
{
	struct point *point = points_add(points, &bench_launch, "launch/call");
	(void)plan;
	point_text(point, "kind", "call");
	point_number(point, "busy", 1);
}

static enum ready prepare(struct run *run)
{
	(void)run;
	return READY;
}

static double sample(struct run *run, unsigned long long calls)
{
	void (*volatile call)(struct run *) = nothing;
	double start = clock_s();
	for (unsigned long long i = 0; i < calls; i++)
		call(run);
	return clock_s() - start;
}

const struct bench bench_launch = {
	.name = "launch",
	.summary = "a call that does nothing",
	.list = list,
	.prepare = prepare,
	.sample = sample,
};
