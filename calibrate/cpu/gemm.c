/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * C (m, n) = A (m, k) B^T (n, k), row by row as the forward pass of a layer has it. Squares; one or two sides thin, as
 * cutting a layer makes them; sides of layers of images; and `gemm` lines of cases.
 */
#include <cblas.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "arrays.h"
#include "kernel.h"
#include "layers.h"

extern const struct bench bench_gemm;

static const char fp32[] = "fp32";

struct product {
	int m, n, k;
	size_t count;
	float *a, *b, *c;
};

static struct product sides(const struct point *point)
{
	double count = point_get(point, "count");
	struct product p = {.m = (int)point_get(point, "m"),
		.n = (int)point_get(point, "n"),
		.k = (int)point_get(point, "k"),
		.count = count > 1 ? (size_t)count : 1};
	return p;
}

static double bytes(const struct point *point)
{
	return point->bytes;
}

static bool create(struct run *run)
{
	struct product *p = malloc(sizeof *p);
	run->state = p;
	if (!p)
		return false;
	*p = sides(run->point);
	p->a = floats_create(p->count * (size_t)p->m * (size_t)p->k, 1);
	p->b = floats_create(p->count * (size_t)p->n * (size_t)p->k, 2);
	p->c = floats_create(p->count * (size_t)p->m * (size_t)p->n, 3);
	return p->a && p->b && p->c;
}

static void once(struct run *run)
{
	const struct product *p = run->state;
	size_t a = (size_t)p->m * (size_t)p->k, b = (size_t)p->n * (size_t)p->k,
	       c = (size_t)p->m * (size_t)p->n;
	for (size_t i = 0; i < p->count; i++)
		cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, p->m, p->n, p->k, 1.0F, p->a + i * a,
			p->k, p->b + i * b, p->k, 0.0F, p->c + i * c, p->n);
}

/* Some items of the last product. */
static bool right(struct run *run)
{
	const struct product *p = run->state;
	size_t m = (size_t)p->m, n = (size_t)p->n, k = (size_t)p->k, last = p->count - 1;
	const float *a = p->a + last * m * k, *b = p->b + last * n * k, *c = p->c + last * m * n;
	for (size_t spot = 0; spot < 16; spot++) {
		size_t row = spot * (m - 1) / 15, column = (spot * 7 % 16) * (n - 1) / 15;
		struct exact_sum exact = {0};
		for (size_t i = 0; i < k; i++)
			exact_add(&exact, a[row * k + i], b[column * k + i]);
		if (!exact_agrees(&exact, c[row * n + column]))
			return false;
	}
	return true;
}

static void free_product(struct run *run)
{
	struct product *p = run->state;
	free(p->a);
	free(p->b);
	free(p->c);
	free(p);
}

static const struct kernel kernel = {bytes, create, once, right, free_product};

struct shape {
	int m, n, k;
};

static struct point *add_point(struct points *points, const char *name, const char *precision,
	const struct shape *s, double count, unsigned busy)
{
	struct point *point = points_add(points, &bench_gemm, "%s", name);
	double m = s->m, n = s->n, k = s->k;
	point_text(point, "precision", precision);
	point_number(point, "m", m);
	point_number(point, "n", n);
	point_number(point, "k", k);
	point_number(point, "count", count);
	point_number(point, "busy", busy);
	point->flop = 2 * m * n * k * count;
	point->bytes = 4 * (m * k + n * k + m * n) * count;
	return point;
}

static void list_shape(struct points *points, struct shape s, bool also_alone)
{
	for (unsigned busy = 0; (busy = busy_next(busy, also_alone)) > 0;) {
		char name[POINT_NAME_LENGTH];
		snprintf(name, sizeof name, "gemm/fp32/%dx%dx%d/busy%u", s.m, s.n, s.k, busy);
		if (!points_has(points, name))
			(void)add_point(points, name, fp32, &s, 1, busy);
	}
}

static void list_squares(const struct plan *plan, struct points *points)
{
	static const int quick[] = {64, 128, 256, 512, 1024}, usual[] = {96, 200, 384, 768, 1000, 2048};
	for (size_t i = 0; i < sizeof quick / sizeof *quick; i++)
		list_shape(points, (struct shape){quick[i], quick[i], quick[i]}, true);
	for (size_t i = 0; plan->effort != EFFORT_QUICK && i < sizeof usual / sizeof *usual; i++)
		list_shape(points, (struct shape){usual[i], usual[i], usual[i]}, true);
	if (plan->effort == EFFORT_FULL)
		list_shape(points, (struct shape){4096, 4096, 4096}, true);
}

/* One side down to 1 while the others are large: what half-lengths are found by. */
static void list_thin(const struct plan *plan, struct points *points)
{
	static const int sides_of_all[] = {1, 2, 4, 8, 16, 32, 64};
	bool quick = plan->effort == EFFORT_QUICK;
	int large = quick ? 512 : 1024;
	for (size_t i = 0; i < sizeof sides_of_all / sizeof *sides_of_all; i++) {
		int thin = sides_of_all[i];
		if (quick && thin != 1 && thin != 4 && thin != 16 && thin != 64)
			continue;
		list_shape(points, (struct shape){thin, large, large}, plan->effort == EFFORT_FULL);
		list_shape(points, (struct shape){large, thin, large}, plan->effort == EFFORT_FULL);
		list_shape(points, (struct shape){large, large, thin}, plan->effort == EFFORT_FULL);
	}
}

/* Layers of images: many positions, few channels; and the product for their weights, where these are the long side. */
static void list_tall(const struct plan *plan, struct points *points)
{
	static const int filters[] = {8, 16, 64, 256}, lengths[] = {27, 72, 288, 1152};
	bool quick = plan->effort == EFFORT_QUICK;
	for (size_t f = 0; f < 4; f++)
		for (size_t l = 0; l < 4; l++) {
			int positions = 8192;
			if (quick ? f != l : plan->effort == EFFORT_USUAL && (f + l) % 2 != 0)
				continue;
			list_shape(points, (struct shape){positions, filters[f], lengths[l]},
				plan->effort == EFFORT_FULL);
			list_shape(points, (struct shape){positions, lengths[l], filters[f]},
				plan->effort == EFFORT_FULL);
			list_shape(points, (struct shape){filters[f], lengths[l], positions},
				plan->effort == EFFORT_FULL);
		}
}

static bool side_of(const struct case_line *line, const char *name, int *side)
{
	double number = case_number(line, name);
	*side = number >= 1 && number <= INT_MAX ? (int)number : 0;
	return *side > 0;
}

/* "gemm layer=... model=... m=512 n=512 k=64 count=96 precision=fp32" */
static void list_case(const struct case_line *line, struct points *points)
{
	const char *precision = case_text(line, "precision");
	double count = case_number(line, "count") >= 1 ? case_number(line, "count") : 1;
	char label[CASE_LABEL_LENGTH];
	struct shape s;
	if (strcmp(line->kind, "gemm") != 0 || !side_of(line, "m", &s.m) || !side_of(line, "n", &s.n) ||
		!side_of(line, "k", &s.k))
		return;
	if (!*precision)
		precision = fp32;
	case_label(line, label);
	for (unsigned busy = 0; (busy = busy_next(busy, true)) > 0;) {
		char name[POINT_NAME_LENGTH];
		struct point *point;
		snprintf(name, sizeof name, "gemm/%s/%s/%dx%dx%dx%.0f/busy%u", label, precision, s.m, s.n,
			s.k, count, busy);
		if (points_has(points, name))
			continue;
		point = add_point(points, name, precision, &s, count, busy);
		point_text(point, "layer", case_text(line, "layer"));
		point_text(point, "model", case_text(line, "model"));
	}
}

static void list(const struct plan *plan, struct points *points)
{
	list_squares(plan, points);
	list_thin(plan, points);
	list_tall(plan, points);
	for (size_t i = 0; i < plan->case_count; i++)
		list_case(&plan->cases[i], points);
}

static enum ready prepare(struct run *run)
{
	const char *precision = point_get_text(run->point, "precision");
	if (strcmp(precision, fp32) != 0)
		return run_say(run, ABSENT, "products of %s are not measured on processors, only of fp32",
			precision);
	return kernel_prepare(run, &kernel);
}

static double sample(struct run *run, unsigned long long calls)
{
	return kernel_sample(run, &kernel, calls);
}

static void release(struct run *run)
{
	kernel_release(run, &kernel);
}

const struct bench bench_gemm = {
	.name = "gemm",
	.summary = "products of matrices: squares, thin ones, those of layers of images",
	.list = list,
	.prepare = prepare,
	.sample = sample,
	.release = release,
};
