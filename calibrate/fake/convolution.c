/* SPDX-License-Identifier: BSD-3-Clause */
/* Convolutions as the products that they are, without patches: lengths and a rate of their own. */
#include <math.h>

#include "fake.h"

extern const struct bench bench_convolution;

static const double half[EXTENTS] = {30, 6, 12}, share = 0.8; /* of the rate of products */

void truth_convolution(void)
{
	environment_add("truth/contraction/half/m", "%.9g", half[0]);
	environment_add("truth/contraction/half/n", "%.9g", half[1]);
	environment_add("truth/contraction/half/k", "%.9g", half[2]);
	environment_add("truth/contraction/fp32", "%.9g", share * product_flop_per_s);
}

struct layer {
	double batch, channels, filters, side, extent; /* square images and kernels */
};

static const char *const passes[] = {"forward", "backward-data", "backward-filter"};
enum { FORWARD, BACKWARD_DATA, BACKWARD_FILTER, PASSES };

static void add(struct points *points, const struct layer *layer, unsigned pass)
{
	const double positions = layer->side * layer->side, volume = layer->extent * layer->extent;
	const double rows = layer->batch * positions, f = layer->filters, c = layer->channels;
	struct point *point =
		points_add(points, &bench_convolution, "convolution/%s/%.0fx%.0fx%.0fx%.0fx%.0f",
			passes[pass], layer->batch, c, f, layer->side, layer->extent);
	point_text(point, "precision", "fp32");
	point_text(point, "pass", passes[pass]);
	point_number(point, "batch", layer->batch);
	point_number(point, "dimensions", 2);
	point_number(point, "channels", c);
	point_number(point, "filters", f);
	point_number(point, "groups", 1);
	point_number(point, "volume", volume);
	point_number(point, "positions", positions);
	point_number(point, "x_positions", positions);
	point_number(point, "stride", 1);
	point_number(point, "m", pass == BACKWARD_FILTER ? f : rows);
	point_number(point, "n", pass == FORWARD ? f : pass == BACKWARD_DATA ? c : c * volume);
	point_number(point, "k", pass == FORWARD ? c * volume : pass == BACKWARD_DATA ? f * volume : rows);
	point_number(point, "patch_items", 0);
	point_number(point, "busy", 1);
	point->flop = 2 * rows * f * c * volume;
	point->bytes = 4 * (rows * c + rows * f + f * c * volume);
}

static void list(const struct plan *plan, struct points *points)
{
	static const struct layer layers[] = {
		{1, 3, 16, 32, 5},
		{4, 16, 32, 16, 3},
		{2, 64, 8, 28, 3},
		{8, 32, 32, 7, 1},
		{1, 128, 128, 14, 3},
		{16, 4, 64, 8, 5},
		{2, 256, 64, 7, 1},
		{1, 64, 256, 4, 3},
		{4, 8, 8, 56, 7},
		{1, 512, 16, 7, 1},
	};
	fake_plan(plan);
	for (unsigned i = 0; i < sizeof layers / sizeof *layers; ++i)
		for (unsigned pass = 0; pass < PASSES; ++pass)
			add(points, &layers[i], pass);
}

/* Of the forward pass m is samples times positions, n filters, k channels times volume; the others swap them. */
static enum ready prepare(struct run *run)
{
	const struct point *point = run->point;
	double m = point_get(point, "m"), n = point_get(point, "n");
	const double k = point_get(point, "k");
	if (point_get_text(point, "pass")[sizeof "backward-" - 1] == 'f') {
		const double filters = m; /* the long side is that of the weights */
		m = n;
		n = filters;
	}
	const double compute_s =
		2 * (m + half[0]) * (n + half[1]) * (k + half[2]) / (share * product_flop_per_s);
	const double rate = point->bytes <= cache_bytes ? cache_bytes_per_s : memory_bytes_per_s;
	return fake_prepare(run, fmax(compute_s, point->bytes / rate));
}

const struct bench bench_convolution = {
	.name = "convolution",
	.summary = "passes of layers of images",
	.list = list,
	.prepare = prepare,
	.sample = fake_sample,
	.made_up = true,
	.release = fake_release,
};
