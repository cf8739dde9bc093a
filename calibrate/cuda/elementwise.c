/* SPDX-License-Identifier: BSD-3-Clause */
/* Layers that compute little for what they move. Items are those of x; moved is what our kernels read and write. */
#include <stdlib.h>
#include <string.h>

#include "device.h"
#include "list.h"
#include "precision.h"

static const struct {
	const char *name;
	enum elementwise_kind kind;
	double forward, backward; /* items moved for each of x; 0: there is no such pass */
} kinds[] = {
	{"relu", KIND_RELU, 2, 3},
	{"batch-norm", KIND_BATCH_NORM, 3, 5},
	{"layer-norm", KIND_LAYER_NORM, 2, 3},
	{"softmax", KIND_SOFTMAX, 2, 3},
	{"max-pool", KIND_MAX_POOL, 1.25, 0},
	{"bias-gelu", KIND_BIAS_GELU, 2, 3},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

struct state {
	unsigned kind;
	int backward;
	enum item_type item;
	size_t rows, at_dy, at_y;
	struct rotation rotation;
	float *statistics;
};

static void add(struct points *points, unsigned kind, bool backward, const char *precision, double items)
{
	const struct precision *p = precision_find(precision);
	const char *pass = backward ? "backward" : "forward";
	struct point *point = points_add(points, &bench_elementwise, "elementwise/%s/%s/%s/%.0f",
		kinds[kind].name, pass, precision, items);
	point_text(point, "kind", kinds[kind].name);
	point_text(point, "pass", pass);
	point_number(point, "items", items);
	point_text(point, "precision", p->name);
	point_number(point, "busy", device.measured_together);
	point->bytes = items * p->bytes * (backward ? kinds[kind].backward : kinds[kind].forward);
}

static void list(const struct plan *plan, struct points *points)
{
	static const char *const precisions[] = {"fp32", "fp16", "bf16"};
	int step = plan->effort == EFFORT_QUICK ? 6 : plan->effort == EFFORT_USUAL ? 3 : 1;
	for (size_t p = 0; p < (plan->effort == EFFORT_FULL ? 3u : 2u); p++)
		for (unsigned kind = 0; kind < KINDS; kind++)
			for (int power = 28; power >= 16; power -= step)
				for (int backward = 0; backward < 2; backward++)
					if (!backward || kinds[kind].backward > 0)
						add(points, kind, backward, precisions[p],
							(double)(1u << power));
}

static enum ready enqueue(struct run *run, unsigned long long index)
{
	const struct state *s = run->state;
	const struct elementwise_buffers buffers = {
		.x = rotation_at(&s->rotation, index, 0),
		.dy = rotation_at(&s->rotation, index, s->at_dy),
		.y = rotation_at(&s->rotation, index, s->at_y),
		.statistics = s->statistics,
	};
	return CUDA(run, kernel_elementwise(kinds[s->kind].kind, s->backward, s->item, &buffers, s->rows,
				 device.stream));
}

static enum ready allocate(struct run *run, struct state *s, size_t items, const struct precision *precision)
{
	size_t bytes = aligned(items * precision->bytes);
	s->at_dy = s->backward ? bytes : 0;
	s->at_y = s->at_dy + bytes;
	TRY(rotation_allocate(run, &s->rotation, s->at_y + bytes));
	TRY(CUDA(run, cudaMalloc((void **)&s->statistics, 2 * ROW_ITEMS * sizeof(float))));
	TRY(CUDA(run, kernel_fill_normal(ITEM_FP32, s->statistics, 2 * ROW_ITEMS, 1, device.stream)));
	for (unsigned i = 0; i < s->rotation.copies; i++)
		TRY(CUDA(run, kernel_fill_normal(precision->item, rotation_at(&s->rotation, i, 0),
				      s->at_y / precision->bytes, i + 2, device.stream)));
	return CUDA(run, cudaStreamSynchronize(device.stream));
}

static enum ready prepare(struct run *run)
{
	const struct point *point = run->point;
	const struct precision *precision = precision_find(point_get_text(point, "precision"));
	size_t items = (size_t)point_get(point, "items");
	struct state *s = calloc(1, sizeof *s);
	run->state = s;
	if (!s)
		return run_say(run, FAILED, "no memory on the host");
	while (strcmp(kinds[s->kind].name, point_get_text(point, "kind")) != 0)
		s->kind++;
	s->backward = strcmp(point_get_text(point, "pass"), "backward") == 0;
	s->item = precision->item;
	s->rows = items / ROW_ITEMS;
	TRY(device_usable(run));
	TRY(allocate(run, s, items, precision));
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
	rotation_free(&s->rotation);
	if (s->statistics)
		(void)cudaFree(s->statistics);
	free(s);
	run->state = NULL;
}

const struct bench bench_elementwise = {
	.name = "elementwise",
	.summary = "activations, normalisations, softmax, pooling",
	.least_sample_s = 200e-6,
	.list = list,
	.prepare = prepare,
	.sample = sample,
	.release = release,
};
