/* SPDX-License-Identifier: BSD-3-Clause */
/* Weight updates, one fused pass: in fp32, or with 16-bit gradients and weights beside an fp32 master copy. */
#include <stdlib.h>
#include <string.h>

#include "device.h"
#include "list.h"
#include "precision.h"

static const struct {
	const char *name;
	enum update_kind kind;
	unsigned states; /* fp32 numbers for each parameter beside the weight */
} kinds[] = {
	{"sgd", UPDATE_SGD, 0},
	{"momentum", UPDATE_MOMENTUM, 1},
	{"adam", UPDATE_ADAM, 2},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

struct state {
	unsigned kind;
	const struct precision *precision;
	size_t parameters, at[5]; /* master, momentum, variance, gradient, 16-bit weights */
	struct rotation rotation;
};

static void add(struct points *points, unsigned kind, const char *precision, double parameters)
{
	const struct precision *p = precision_find(precision);
	struct point *point = points_add(
		points, &bench_update, "update/%s/%s/%.0f", kinds[kind].name, precision, parameters);
	point_text(point, "optimizer", kinds[kind].name);
	point_number(point, "parameters", parameters);
	point_text(point, "precision", p->name);
	point_number(point, "busy", device.measured_together);
	/* Master and states are read and written, the gradient is read, a 16-bit copy written. */
	double each = 8 + 8.0 * kinds[kind].states + p->bytes + (p->bytes == 2 ? 2 : 0);
	point->bytes = parameters * each;
}

static void list(const struct plan *plan, struct points *points)
{
	static const double sizes[] = {1e8, 1e7, 1e6, 1e5, 1e9, 3e7, 3e6, 3e5};
	static const char *const precisions[] = {"fp32", "fp16", "bf16"};
	size_t count = plan->effort == EFFORT_QUICK ? 3 : plan->effort == EFFORT_USUAL ? 5 : 8;
	for (size_t p = 0; p < (plan->effort == EFFORT_FULL ? 3u : 2u); p++)
		for (unsigned kind = 0; kind < KINDS; kind++)
			for (size_t i = 0; i < count; i++)
				add(points, kind, precisions[p], sizes[i]);
}

static enum ready enqueue(struct run *run, unsigned long long index)
{
	const struct state *s = run->state;
	const struct update_buffers buffers = {
		.master = rotation_at(&s->rotation, index, s->at[0]),
		.momentum = rotation_at(&s->rotation, index, s->at[1]),
		.variance = rotation_at(&s->rotation, index, s->at[2]),
		.gradient = rotation_at(&s->rotation, index, s->at[3]),
		.weights = s->precision->bytes == 2 ? rotation_at(&s->rotation, index, s->at[4]) : NULL,
	};
	return CUDA(run, kernel_update(kinds[s->kind].kind, s->precision->item, &buffers, s->parameters,
				 device.stream));
}

static enum ready allocate(struct run *run, struct state *s)
{
	size_t wide = aligned(s->parameters * 4), narrow = aligned(s->parameters * s->precision->bytes),
	       total = 0;
	for (unsigned i = 0; i < 5; i++) {
		bool used =
			i == 0 || i == 3 || (i == 4 ? s->precision->bytes == 2 : i <= kinds[s->kind].states);
		s->at[i] = total;
		total += !used ? 0 : i < 3 ? wide : narrow;
	}
	TRY(rotation_allocate(run, &s->rotation, total));
	for (unsigned i = 0; i < s->rotation.copies; i++) {
		/* Zeros for the states, whose squares have no sign; data for weights and gradients. */
		TRY(CUDA(run, cudaMemsetAsync(rotation_at(&s->rotation, i, 0), 0, total, device.stream)));
		TRY(CUDA(run, kernel_fill_normal(ITEM_FP32, rotation_at(&s->rotation, i, 0), s->parameters,
				      i + 1, device.stream)));
		TRY(CUDA(run, kernel_fill_normal(s->precision->item, rotation_at(&s->rotation, i, s->at[3]),
				      s->parameters, i + 100, device.stream)));
	}
	return CUDA(run, cudaStreamSynchronize(device.stream));
}

static enum ready prepare(struct run *run)
{
	const struct point *point = run->point;
	struct state *s = calloc(1, sizeof *s);
	run->state = s;
	if (!s)
		return run_say(run, FAILED, "no memory on the host");
	while (strcmp(kinds[s->kind].name, point_get_text(point, "optimizer")) != 0)
		s->kind++;
	s->precision = precision_find(point_get_text(point, "precision"));
	s->parameters = (size_t)point_get(point, "parameters");
	TRY(device_usable(run));
	TRY(allocate(run, s));
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
	free(s);
	run->state = NULL;
}

const struct bench bench_update = {
	.name = "update",
	.summary = "optimizers: SGD, momentum, Adam",
	.least_sample_s = 200e-6,
	.list = list,
	.prepare = prepare,
	.sample = sample,
	.release = release,
};
