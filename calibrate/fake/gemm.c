/* SPDX-License-Identifier: BSD-3-Clause */
/* Products: squares, and thin ones by which half-lengths show. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fake.h"

extern const struct bench bench_gemm;

static const double half[EXTENTS] = {4, 10, 24};

static const struct format {
	const char *name;
	double rate, bytes; /* times product_flop_per_s; of an item */
} formats[] = {{"fp32", 1, 4}, {"bf16", 3, 2}};
enum { FORMATS = sizeof formats / sizeof *formats };

void truth_gemm(void)
{
	char name[40];
	for (unsigned i = 0; i < EXTENTS; ++i) {
		snprintf(name, sizeof name, "truth/product/half/%c", "mnk"[i]);
		environment_add(name, "%.9g", half[i]);
	}
	for (unsigned i = 0; i < FORMATS; ++i) {
		snprintf(name, sizeof name, "truth/product/%s", formats[i].name);
		environment_add(name, "%.9g", formats[i].rate * product_flop_per_s);
	}
}

static void add(struct points *points, const struct format *format, double m, double n, double k)
{
	struct point *point =
		points_add(points, &bench_gemm, "gemm/%s/%.0fx%.0fx%.0f", format->name, m, n, k);
	point_text(point, "precision", format->name);
	point_number(point, "m", m);
	point_number(point, "n", n);
	point_number(point, "k", k);
	point_number(point, "count", 1);
	point_number(point, "busy", 1);
	point->flop = 2 * m * n * k;
	point->bytes = format->bytes * (m * k + n * k + m * n);
}

static void list(const struct plan *plan, struct points *points)
{
	static const double squares[] = {32, 64, 128, 256, 512, 1024, 48, 96, 384, 2048}, large = 512;
	const unsigned count = plan->effort == EFFORT_QUICK ? 6 : sizeof squares / sizeof *squares;
	fake_plan(plan);
	for (unsigned f = 0; f < FORMATS; ++f) {
		for (unsigned i = 0; i < count; ++i)
			add(points, &formats[f], squares[i], squares[i], squares[i]);
		for (double thin = 1; thin <= 64; thin *= plan->effort == EFFORT_QUICK ? 4 : 2) {
			add(points, &formats[f], thin, large, large);
			add(points, &formats[f], large, thin, large);
			add(points, &formats[f], large, large, thin);
		}
	}
}

static enum ready prepare(struct run *run)
{
	const struct point *point = run->point;
	const char *precision = point_get_text(point, "precision");
	unsigned f = 0;
	while (strcmp(formats[f].name, precision) != 0)
		++f;
	const double m = point_get(point, "m"), n = point_get(point, "n"), k = point_get(point, "k");
	const double compute_s =
		2 * (m + half[0]) * (n + half[1]) * (k + half[2]) / (formats[f].rate * product_flop_per_s);
	return fake_prepare(run, fmax(compute_s, point->bytes / memory_bytes_per_s));
}

const struct bench bench_gemm = {
	.name = "gemm",
	.summary = "products of matrices in two formats: squares and thin ones",
	.list = list,
	.prepare = prepare,
	.sample = fake_sample,
	.made_up = true,
	.release = fake_release,
};
