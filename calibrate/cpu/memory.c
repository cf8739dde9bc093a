/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * STREAM (McCalpin 1995) on floats, at footprints from a first cache to beyond the last one; and reading or writing alone.
 * copy and write are memcpy and memset of the C library; the others are loops as the compiler of this build makes them,
 * like those of the training step. What a write reads first (write-allocate) is not counted.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arrays.h"
#include "host.h"
#include "kernel.h"

extern const struct bench bench_memory;

enum { LANES = 16 };
static const float factor = 0.4F;

struct streams {
	float *a, *b, *c;
	size_t count; /* of each */
	float sum;
	void (*pass)(struct streams *s);
};

static void copy(struct streams *s)
{
	memcpy(s->a, s->b, s->count * sizeof *s->a);
}

static void scale(struct streams *s)
{
	float *restrict a = s->a;
	const float *restrict b = s->b;
	for (size_t i = 0; i < s->count; i++)
		a[i] = factor * b[i];
}

static void add(struct streams *s)
{
	float *restrict a = s->a;
	const float *restrict b = s->b, *restrict c = s->c;
	for (size_t i = 0; i < s->count; i++)
		a[i] = b[i] + c[i];
}

static void triad(struct streams *s)
{
	float *restrict a = s->a;
	const float *restrict b = s->b, *restrict c = s->c;
	for (size_t i = 0; i < s->count; i++)
		a[i] = b[i] + factor * c[i];
}

/* Sums that do not wait for one another; `count` is a multiple of LANES. */
static void read_all(struct streams *s)
{
	float sums[LANES] = {0};
	const float *a = s->a;
	s->sum = 0;
	for (size_t i = 0; i < s->count; i += LANES)
		for (size_t lane = 0; lane < LANES; lane++)
			sums[lane] += a[i + lane];
	for (size_t lane = 0; lane < LANES; lane++)
		s->sum += sums[lane];
}

static void write_all(struct streams *s)
{
	memset(s->a, 0x3f, s->count * sizeof *s->a);
}

static const struct kind {
	const char *name;
	unsigned arrays;
	enum effort from;
	void (*pass)(struct streams *s);
} kinds[] = {
	{"copy", 2, EFFORT_QUICK, copy},
	{"triad", 3, EFFORT_QUICK, triad},
	{"read", 1, EFFORT_USUAL, read_all},
	{"write", 1, EFFORT_USUAL, write_all},
	{"scale", 2, EFFORT_FULL, scale},
	{"add", 3, EFFORT_FULL, add},
};

static const struct kind *kind_of(const struct point *point)
{
	const struct kind *kind = kinds;
	while (strcmp(kind->name, point_get_text(point, "kind")) != 0)
		kind++;
	return kind;
}

static double bytes(const struct point *point)
{
	return point_get(point, "footprint");
}

static bool create(struct run *run)
{
	const struct kind *kind = kind_of(run->point);
	struct streams *s = calloc(1, sizeof *s);
	run->state = s;
	if (!s)
		return false;
	s->pass = kind->pass;
	s->count = (size_t)bytes(run->point) / sizeof(float) / kind->arrays / LANES * LANES;
	s->a = floats_create(s->count, 1);
	s->b = kind->arrays > 1 ? floats_create(s->count, 2) : s->a;
	s->c = kind->arrays > 2 ? floats_create(s->count, 3) : s->a;
	return s->a && s->b && s->c;
}

static void once(struct run *run)
{
	struct streams *s = run->state;
	s->pass(s);
}

static float expected(const struct streams *s, size_t i)
{
	return s->pass == copy    ? s->b[i]
	       : s->pass == scale ? factor * s->b[i]
	       : s->pass == add   ? s->b[i] + s->c[i]
				  : s->b[i] + factor * s->c[i];
}

static bool right(struct run *run)
{
	const struct streams *s = run->state;
	struct exact_sum exact = {0, 0};
	float written;
	if (s->pass == read_all) {
		for (size_t i = 0; i < s->count; i++)
			exact_add(&exact, s->a[i], 1.0F);
		return exact_agrees(&exact, s->sum);
	}
	memset(&written, 0x3f, sizeof written);
	for (size_t spot = 0; spot < LANES; spot++) {
		size_t i = spot * (s->count - 1) / (LANES - 1);
		float want = s->pass == write_all ? written : expected(s, i);
		if (s->a[i] < want - 1e-6F || s->a[i] > want + 1e-6F)
			return false;
	}
	return true;
}

static void free_streams(struct run *run)
{
	struct streams *s = run->state;
	if (s->b != s->a)
		free(s->b);
	if (s->c != s->a)
		free(s->c);
	free(s->a);
	free(s);
}

static const struct kernel kernel = {bytes, create, once, right, free_streams};

static void list_kind(
	const struct plan *plan, const struct kind *kind, double footprint, struct points *points)
{
	bool also_alone = kind->pass == triad || plan->effort == EFFORT_FULL;
	double count = (double)((size_t)footprint / sizeof(float) / kind->arrays / LANES * LANES);
	for (unsigned busy = 0; (busy = busy_next(busy, also_alone)) > 0;) {
		char name[POINT_NAME_LENGTH];
		struct point *point;
		snprintf(name, sizeof name, "memory/%s/%.0f/busy%u", kind->name, footprint, busy);
		point = points_add(points, &bench_memory, "%s", name);
		point_text(point, "kind", kind->name);
		point_number(point, "footprint", footprint);
		point_text(point, "precision", "fp32");
		point_number(point, "busy", busy);
		point->bytes = count * kind->arrays * sizeof(float);
		if (kind->pass == scale || kind->pass == add || kind->pass == triad)
			point->flop = count * (kind->pass == triad ? 2 : 1);
	}
}

/* From what is in a first cache to four times the last one, at least 512 MiB. */
static void list(const struct plan *plan, struct points *points)
{
	const double largest = fmax(512.0 * 1048576, 4 * host_last_cache_bytes());
	double step = plan->effort == EFFORT_QUICK ? 8 : plan->effort == EFFORT_USUAL ? 4 : 2;
	for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
		if (kinds[k].from > plan->effort)
			continue;
		for (double footprint = 16384; footprint < largest; footprint *= step)
			list_kind(plan, &kinds[k], footprint, points);
		list_kind(plan, &kinds[k], largest, points);
	}
}

KERNEL_FUNCTIONS

const struct bench bench_memory = {
	.name = "memory",
	.summary = "copy, triad, reads and writes by footprint",
	.list = list,
	.prepare = prepare,
	.sample = sample,
	.release = release,
};
