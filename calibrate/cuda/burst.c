/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One product of each precision twice: from rest, for less time than the power limit takes to lower the clock, and after it has run without
 * pause for most of the time of its point. All other products are measured as the second.
 */
#include <string.h>
#include <time.h>

#include "gemm.h"
#include "list.h"

static const char rested[] = "rested", settled[] = "settled";

/* Clocks that were lowered are back after so long a rest. */
static const double rest_s = 0.1;

/* Part of the time of its point for which a product runs before it is measured as settled. */
static const double settling_share = 0.75;

/* Large enough for all multiprocessors, and below 4 ms on any device whose precision it is. */
static double size_of(const struct precision *precision)
{
	return strcmp(precision->name, "fp32") == 0 ? 2048 : 4096;
}

static void add(struct points *points, const struct precision *precision, const char *kind)
{
	const double size = size_of(precision);
	struct point *point =
		points_add(points, &bench_burst, "burst/%s/%.0f/%s", precision->name, size, kind);
	point_text(point, "kind", kind);
	if (kind == rested)
		point_number(point, "rest_s", rest_s);
	gemm_point_work(point, precision, size, size, size, 1);
}

static void list(const struct plan *plan, struct points *points)
{
	(void)plan;
	for (const char *const *name = precision_names; *name; name++) {
		const struct precision *precision = precision_find(*name);
		add(points, precision, rested);
		add(points, precision, settled);
	}
}

static enum ready prepare(struct run *run)
{
	const bool rests = point_get(run->point, "rest_s") > 0;
	TRY(gemm_prepare(run));
	return rests ? READY : device_run(run, gemm_enqueue, settling_share * run_left_s(run));
}

static double sample(struct run *run, unsigned long long calls)
{
	const struct timespec rest = {.tv_nsec = (long)(1e9 * point_get(run->point, "rest_s"))};
	if (rest.tv_nsec > 0)
		nanosleep(&rest, NULL);
	return device_time(run, calls, gemm_enqueue);
}

const struct bench bench_burst = {
	.name = "burst",
	.summary = "a product from rest, and after clocks have settled",
	.least_sample_s = 2e-3,
	.list = list,
	.prepare = prepare,
	.sample = sample,
	.release = gemm_release,
};
