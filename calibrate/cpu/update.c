/* SPDX-License-Identifier: BSD-3-Clause */
/* Updates of weights (passes.h). Bytes: what is read and written of weights, gradients and moments. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arrays.h"
#include "kernel.h"
#include "passes.h"

extern const struct bench bench_update;

/* Gradients stay what they are, so weights move on evenly: far from where single precision slows down. */
static const float rate = 1e-3F, momentum = 0.9F;

struct optimizer {
	const char *name;
	double bytes_per_weight;
	unsigned moments;
};

static const struct optimizer optimizers[] = {{"sgd", 12, 0}, {"momentum", 20, 1}, {"adam", 28, 2}};

struct weights {
	const struct optimizer *optimizer;
	size_t count;
	float *weight, *gradient, *first, *second;
};

static double bytes(const struct point *point)
{
	return point_get(point, "parameters") * 4 * sizeof(float);
}

static bool create(struct run *run)
{
	struct weights *w = calloc(1, sizeof *w);
	run->state = w;
	if (!w)
		return false;
	w->optimizer = optimizers;
	while (strcmp(w->optimizer->name, point_get_text(run->point, "optimizer")) != 0)
		w->optimizer++;
	w->count = (size_t)point_get(run->point, "parameters");
	w->weight = floats_create(w->count, 1);
	w->gradient = floats_create(w->count, 2);
	w->first = calloc(w->optimizer->moments > 0 ? w->count : 1, sizeof *w->first);
	w->second = calloc(w->optimizer->moments > 1 ? w->count : 1, sizeof *w->second);
	return w->weight && w->gradient && w->first && w->second;
}

static void once(struct run *run)
{
	struct weights *w = run->state;
	if (w->optimizer->moments == 0)
		update_sgd(w->count, rate, w->gradient, w->weight);
	else if (w->optimizer->moments == 1)
		update_momentum(w->count, rate, momentum, w->gradient, w->first, w->weight);
	else
		update_adam(w->count, rate, w->gradient, w->first, w->second, w->weight);
}

static bool near(float got, double want)
{
	return fabs((double)got - want) <= 1e-4 * fabs(want) + 1e-12;
}

/* After the first step: moments are (1 - decay) of the gradient, or the gradient itself, and weights are about the same. */
static bool right(struct run *run)
{
	const struct weights *w = run->state;
	float *fresh = floats_create(w->count, 1);
	bool all = fresh != NULL;
	for (size_t i = 0; all && i < w->count; i += 1 + w->count / 64) {
		double g = (double)w->gradient[i], step = g;
		if (w->optimizer->moments == 1)
			all = near(w->first[i], g);
		if (w->optimizer->moments == 2) {
			all = near(w->first[i], 0.1 * g) && near(w->second[i], 0.001 * g * g);
			step = 0.1 * g / (sqrt(0.001 * g * g) + 1e-8);
		}
		all &= fabs((double)w->weight[i] - ((double)fresh[i] - (double)rate * step)) < 1e-6;
	}
	free(fresh);
	return all;
}

static void free_weights(struct run *run)
{
	struct weights *w = run->state;
	free(w->weight);
	free(w->gradient);
	free(w->first);
	free(w->second);
	free(w);
}

static const struct kernel kernel = {bytes, create, once, right, free_weights};

static void list(const struct plan *plan, struct points *points)
{
	static const struct {
		double parameters;
		enum effort from;
	} sizes[] = {{1e4, EFFORT_USUAL}, {1e5, EFFORT_QUICK}, {1e6, EFFORT_USUAL}, {1e7, EFFORT_QUICK},
		{1e8, EFFORT_FULL}};
	for (size_t o = 0; o < sizeof optimizers / sizeof *optimizers; o++)
		for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
			for (unsigned busy = 0; (busy = busy_next(busy, plan->effort == EFFORT_FULL)) > 0;) {
				struct point *point;
				if (sizes[s].from > plan->effort)
					continue;
				point = points_add(points, &bench_update, "update/%s/%.0f/busy%u",
					optimizers[o].name, sizes[s].parameters, busy);
				point_text(point, "optimizer", optimizers[o].name);
				point_number(point, "parameters", sizes[s].parameters);
				point_text(point, "precision", "fp32");
				point_number(point, "busy", busy);
				point->bytes = sizes[s].parameters * optimizers[o].bytes_per_weight;
			}
}

KERNEL_FUNCTIONS

const struct bench bench_update = {
	.name = "update",
	.summary = "steps of SGD, SGD with momentum and Adam",
	.list = list,
	.prepare = prepare,
	.sample = sample,
	.release = release,
};
