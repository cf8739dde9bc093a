/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Passes over activations (passes.h): what the layers of a network of images do besides products. `items` are those of x.
 * Bytes are those that each loop reads and writes, what several loops of a pass do counted for each.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arrays.h"
#include "kernel.h"
#include "passes.h"

extern const struct bench bench_elementwise;

enum { CHANNELS = 64, WIDTH = 16, ARRAYS = 4, SPOT = 5 };

/* x, y and gradients are items long; vectors are one float for each channel. */
struct layer {
	size_t items, rows;
	float *x, *y, *dy, *dx;
	float scale[CHANNELS], shift[CHANNELS], mean[CHANNELS], inverse[CHANNELS], dscale[CHANNELS],
		dshift[CHANNELS];
	int32_t *from;
	const struct pass *pass;
};

struct pass {
	const char *kind, *pass;
	double bytes_per_item;
	enum effort from;
	void (*once)(struct layer *l);
	bool (*right)(const struct layer *l);
};

static bool near(float got, double want)
{
	return fabs((double)got - want) <= 1e-4 * (fabs(want) + 1);
}

static void relu_once(struct layer *l)
{
	relu_forward(l->items, l->x, l->y);
}

static bool relu_right(const struct layer *l)
{
	for (size_t i = 0; i < l->items; i += 1 + l->items / 64)
		if (!near(l->y[i], l->x[i] > 0 ? (double)l->x[i] : 0))
			return false;
	return true;
}

static void relu_back_once(struct layer *l)
{
	relu_backward(l->items, l->x, l->dy, l->dx);
}

static bool relu_back_right(const struct layer *l)
{
	for (size_t i = 0; i < l->items; i += 1 + l->items / 64)
		if (!near(l->dx[i], l->x[i] > 0 ? (double)l->dy[i] : 0))
			return false;
	return true;
}

static void bias_once(struct layer *l)
{
	bias_forward(l->rows, CHANNELS, l->shift, l->y);
}

/* y was dy's twin before the one call that is checked. */
static bool bias_right(const struct layer *l)
{
	for (size_t i = 0; i < l->items; i += 1 + l->items / 64)
		if (!near(l->y[i], (double)l->dy[i] + (double)l->shift[i % CHANNELS]))
			return false;
	return true;
}

static double column_sum(const struct layer *l, const float *values, size_t channel)
{
	double sum = 0;
	for (size_t row = 0; row < l->rows; row++)
		sum += (double)values[row * CHANNELS + channel];
	return sum;
}

static void bias_back_once(struct layer *l)
{
	bias_backward(l->rows, CHANNELS, l->dy, l->dshift);
}

static bool bias_back_right(const struct layer *l)
{
	return fabs((double)l->dshift[SPOT] - column_sum(l, l->dy, SPOT)) <= 1e-5 * (double)l->rows;
}

static void norm_once(struct layer *l)
{
	batch_norm_forward(l->rows, CHANNELS, l->x, l->scale, l->shift, l->y, l->mean, l->inverse);
}

/* What comes out has the mean and the variance that were asked for. */
static bool norm_right(const struct layer *l)
{
	double mean = column_sum(l, l->y, SPOT) / (double)l->rows, squares = 0;
	for (size_t row = 0; row < l->rows; row++)
		squares += pow((double)l->y[row * CHANNELS + SPOT] - mean, 2) / (double)l->rows;
	return fabs(mean - (double)l->shift[SPOT]) < 1e-2 &&
	       fabs(sqrt(squares) - fabs((double)l->scale[SPOT])) < 1e-2;
}

static void norm_back_once(struct layer *l)
{
	batch_norm_backward(
		l->rows, CHANNELS, l->x, l->dy, l->scale, l->mean, l->inverse, l->dx, l->dscale, l->dshift);
}

/* dx changes neither mean nor variance of x. */
static bool norm_back_right(const struct layer *l)
{
	double sum = 0, along = 0, size = 0;
	for (size_t row = 0; row < l->rows; row++) {
		size_t i = row * CHANNELS + SPOT;
		sum += (double)l->dx[i];
		along += (double)l->dx[i] * ((double)l->x[i] - (double)l->mean[SPOT]);
		size += fabs((double)l->dx[i]);
	}
	return size > 0 && fabs(sum) < 1e-3 * size && fabs(along) < 1e-3 * size;
}

static void pool_once(struct layer *l)
{
	max_pool_forward(l->rows / WIDTH / WIDTH, WIDTH, WIDTH, CHANNELS, l->x, l->y, l->from);
}

/* Place in x of one of the four items of output item i. */
static size_t window_item(size_t i, size_t which)
{
	size_t column = i / CHANNELS % (WIDTH / 2), row = i / CHANNELS / (WIDTH / 2);
	return ((row * 2 + which / 2) * WIDTH + column * 2 + which % 2) * CHANNELS + i % CHANNELS;
}

static bool pool_right(const struct layer *l)
{
	for (size_t i = 0; i < l->items / 4; i += 1 + l->items / 4 / 64) {
		float most = l->x[window_item(i, 0)];
		for (size_t which = 1; which < 4; which++)
			most = fmaxf(most, l->x[window_item(i, which)]);
		if (!near(l->y[i], (double)most) ||
			!near(l->x[window_item(i, (size_t)l->from[i])], (double)most))
			return false;
	}
	return true;
}

static void pool_back_once(struct layer *l)
{
	max_pool_backward(l->rows / WIDTH / WIDTH, WIDTH, WIDTH, CHANNELS, l->dy, l->from, l->dx);
}

static bool pool_back_right(const struct layer *l)
{
	for (size_t i = 0; i < l->items / 4; i += 1 + l->items / 4 / 64)
		for (size_t which = 0; which < 4; which++)
			if (!near(l->dx[window_item(i, which)],
				    (size_t)l->from[i] == which ? (double)l->dy[i] : 0))
				return false;
	return true;
}

static const struct pass passes[] = {
	{"relu", "forward", 8, EFFORT_QUICK, relu_once, relu_right},
	{"relu", "backward", 12, EFFORT_QUICK, relu_back_once, relu_back_right},
	{"bias", "forward", 8, EFFORT_USUAL, bias_once, bias_right},
	{"bias", "backward", 4, EFFORT_USUAL, bias_back_once, bias_back_right},
	{"batch-norm", "forward", 4 + 8, EFFORT_QUICK, norm_once, norm_right},
	{"batch-norm", "backward", 8 + 12, EFFORT_QUICK, norm_back_once, norm_back_right},
	{"max-pool", "forward", 4 + 2, EFFORT_USUAL, pool_once, pool_right},
	{"max-pool", "backward", 4 + 2, EFFORT_USUAL, pool_back_once, pool_back_right},
};

static double bytes(const struct point *point)
{
	return point_get(point, "items") * (ARRAYS * sizeof(float) + sizeof(int32_t));
}

static bool create(struct run *run)
{
	const char *kind = point_get_text(run->point, "kind"), *pass = point_get_text(run->point, "pass");
	struct layer *l = calloc(1, sizeof *l);
	run->state = l;
	if (!l)
		return false;
	for (size_t i = 0; i < sizeof passes / sizeof *passes; i++)
		if (strcmp(passes[i].kind, kind) == 0 && strcmp(passes[i].pass, pass) == 0)
			l->pass = &passes[i];
	l->items = (size_t)point_get(run->point, "items");
	l->rows = l->items / CHANNELS;
	l->x = floats_create(l->items, 1);
	l->y = floats_create(l->items, 2);
	l->dy = floats_create(l->items, 2);
	l->dx = floats_create(l->items, 3);
	l->from = calloc(l->items, sizeof *l->from);
	floats_fill(l->scale, CHANNELS, 4);
	floats_fill(l->shift, CHANNELS, 5);
	if (!l->pass || !l->x || !l->y || !l->dy || !l->dx || !l->from)
		return false;
	if (l->pass->once == norm_back_once)
		norm_once(l);
	if (l->pass->once == pool_back_once)
		pool_once(l);
	return true;
}

static void once(struct run *run)
{
	struct layer *l = run->state;
	l->pass->once(l);
}

static bool right(struct run *run)
{
	const struct layer *l = run->state;
	return l->pass->right(l);
}

static void free_layer(struct run *run)
{
	struct layer *l = run->state;
	free(l->x);
	free(l->y);
	free(l->dy);
	free(l->dx);
	free(l->from);
	free(l);
}

static const struct kernel kernel = {bytes, create, once, right, free_layer};

static void list_pass(struct points *points, const struct pass *pass, double items, bool also_alone)
{
	for (unsigned busy = 0; (busy = busy_next(busy, also_alone)) > 0;) {
		struct point *point = points_add(points, &bench_elementwise, "elementwise/%s/%s/%.0f/busy%u",
			pass->kind, pass->pass, items, busy);
		point_text(point, "kind", pass->kind);
		point_text(point, "pass", pass->pass);
		point_number(point, "items", items);
		point_number(point, "channels", CHANNELS);
		point_text(point, "precision", "fp32");
		point_number(point, "busy", busy);
		point->bytes = items * pass->bytes_per_item;
	}
}

/* Multiples of a sample of WIDTH x WIDTH x CHANNELS: 2^14 items. */
static void list(const struct plan *plan, struct points *points)
{
	static const struct {
		double items;
		enum effort from;
	} sizes[] = {
		{16384, EFFORT_FULL},
		{131072, EFFORT_QUICK},
		{1048576, EFFORT_USUAL},
		{4194304, EFFORT_QUICK},
		{33554432, EFFORT_FULL},
	};
	for (size_t p = 0; p < sizeof passes / sizeof *passes; p++)
		for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
			if (passes[p].from <= plan->effort && sizes[s].from <= plan->effort)
				list_pass(points, &passes[p], sizes[s].items, plan->effort == EFFORT_FULL);
}

KERNEL_FUNCTIONS

const struct bench bench_elementwise = {
	.name = "elementwise",
	.summary = "ReLU, bias, batch normalisation and pooling, forward and backward",
	.list = list,
	.prepare = prepare,
	.sample = sample,
	.release = release,
};
