/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The three passes of convolutions by explicit lowering (lowering.h), as the training step computes them: some shapes of
 * networks of images, whole and cut, and every `convolution` and `linear` line of cases. A linear layer is a convolution of
 * one position. m, n, k are the product of one group; flop is that of all groups.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arrays.h"
#include "kernel.h"
#include "layers.h"
#include "spots.h"

extern const struct bench bench_convolution;

enum pass { FORWARD, BACKWARD_DATA, BACKWARD_FILTER, PASSES };
static const char *const pass_names[PASSES] = {"forward", "backward-data", "backward-filter"};

struct state {
	struct convolution c;
	enum pass pass;
	float *x, *w, *y, *work; /* or their gradients */
};

static bool read_shape(const struct point *point, struct convolution *c)
{
	char texts[6][64];
	*c = (struct convolution){.batch = (size_t)point_get(point, "batch"),
		.channels = (size_t)point_get(point, "channels"),
		.filters = (size_t)point_get(point, "filters"),
		.groups = (size_t)point_get(point, "groups")};
	return sscanf(point_get_text(point, "shape"),
		       "kernel=%63s stride=%63s pad=%63s dilation=%63s x=%63s y=%63s", texts[0], texts[1],
		       texts[2], texts[3], texts[4], texts[5]) == 6 &&
	       extents_read(texts[0], 1, c->kernel) && extents_read(texts[1], 1, c->stride) &&
	       extents_read(texts[2], 0, c->pad) && extents_read(texts[3], 1, c->dilation) &&
	       extents_read(texts[4], 1, c->x) && extents_read(texts[5], 1, c->y);
}

static double bytes(const struct point *point)
{
	struct convolution c;
	if (!read_shape(point, &c))
		return 0;
	return 4 * ((double)convolution_x_items(&c) + (double)convolution_y_items(&c) +
			   (double)convolution_weights(&c) + (double)convolution_patches(&c));
}

static bool create(struct run *run)
{
	struct state *s = calloc(1, sizeof *s);
	run->state = s;
	if (!s || !read_shape(run->point, &s->c))
		return false;
	while (s->pass < PASSES - 1 && strcmp(pass_names[s->pass], point_get_text(run->point, "pass")) != 0)
		s->pass++;
	s->x = floats_create(convolution_x_items(&s->c), 1);
	s->w = floats_create(convolution_weights(&s->c), 2);
	s->y = floats_create(convolution_y_items(&s->c), 3);
	s->work = floats_create(convolution_patches(&s->c), 4);
	return s->x && s->w && s->y && s->work;
}

static void once(struct run *run)
{
	const struct state *s = run->state;
	switch (s->pass) {
	case FORWARD:
		convolution_forward(&s->c, s->x, s->w, s->y, s->work);
		break;
	case BACKWARD_DATA:
		convolution_backward_data(&s->c, s->y, s->w, s->x, s->work);
		break;
	case BACKWARD_FILTER:
	case PASSES:
		convolution_backward_filter(&s->c, s->x, s->y, s->w, s->work);
		break;
	}
}

static bool right(struct run *run)
{
	const struct state *s = run->state;
	if (s->pass == FORWARD)
		return spots_forward(&s->c, s->x, s->w, s->y);
	if (s->pass == BACKWARD_DATA)
		return spots_backward_data(&s->c, s->y, s->w, s->x);
	return spots_backward_filter(&s->c, s->x, s->y, s->w);
}

static void free_state(struct run *run)
{
	struct state *s = run->state;
	free(s->x);
	free(s->w);
	free(s->y);
	free(s->work);
	free(s);
}

static const struct kernel kernel = {bytes, create, once, right, free_state};

/* What is listed. */
struct layer {
	struct convolution c;
	unsigned dimensions;
	const char *label, *layer, *model, *wrong;
};

enum { SHAPE_LENGTH = 400, TAG_LENGTH = 120 };

/* "3x3" of the dimensions that there are, "3" when they are alike; nothing when all are as usual. */
static void add_extents(char *tag, const char *mark, const size_t e[CONVOLUTION_DIMENSIONS],
	unsigned dimensions, size_t usual, bool all)
{
	size_t length = strlen(tag);
	bool alike = !all, as_usual = !all;
	for (unsigned d = 0; d < dimensions; d++) {
		alike &= e[d] == e[0];
		as_usual &= e[d] == usual;
	}
	for (unsigned d = 0; !as_usual && d < (alike ? 1 : dimensions); d++) {
		snprintf(tag + length, TAG_LENGTH - length, "%s%zu", d ? "x" : mark, e[d]);
		length = strlen(tag);
	}
}

/* "8x56x56x64-28x28x128/k3s2p1": batch, extents and channels of x and y; what the kernel does. */
static void make_tag(const struct layer *l, char tag[TAG_LENGTH])
{
	const struct convolution *c = &l->c;
	snprintf(tag, TAG_LENGTH, "%zu", c->batch);
	add_extents(tag, "x", c->x, l->dimensions, 0, true);
	snprintf(tag + strlen(tag), TAG_LENGTH - strlen(tag), "x%zu", c->channels);
	add_extents(tag, "-", c->y, l->dimensions, 0, true);
	snprintf(tag + strlen(tag), TAG_LENGTH - strlen(tag), "%s%zu", l->dimensions ? "x" : "-", c->filters);
	if (l->dimensions == 0)
		return;
	add_extents(tag, "/k", c->kernel, l->dimensions, 0, false);
	add_extents(tag, "s", c->stride, l->dimensions, 1, false);
	add_extents(tag, "p", c->pad, l->dimensions, 0, false);
	add_extents(tag, "d", c->dilation, l->dimensions, 1, false);
	if (c->groups > 1)
		snprintf(tag + strlen(tag), TAG_LENGTH - strlen(tag), "g%zu", c->groups);
}

static const char *keep_shape(const struct convolution *c)
{
	char text[SHAPE_LENGTH];
	snprintf(text, sizeof text,
		"kernel=%zux%zux%zu stride=%zux%zux%zu pad=%zux%zux%zu dilation=%zux%zux%zu x=%zux%zux%zu "
		"y=%zux%zux%zu",
		c->kernel[0], c->kernel[1], c->kernel[2], c->stride[0], c->stride[1], c->stride[2], c->pad[0],
		c->pad[1], c->pad[2], c->dilation[0], c->dilation[1], c->dilation[2], c->x[0], c->x[1],
		c->x[2], c->y[0], c->y[1], c->y[2]);
	return text_keep(text);
}

static void add_sizes(struct point *point, const struct convolution *c, enum pass pass)
{
	double rows = (double)c->batch * (double)convolution_positions(c),
	       filters = (double)(c->filters / c->groups);
	double length = (double)(c->channels / c->groups) * (double)convolution_volume(c);
	point_number(point, "volume", (double)convolution_volume(c));
	point_number(point, "positions", (double)convolution_positions(c));
	point_number(point, "x_positions", (double)(c->x[0] * c->x[1] * c->x[2]));
	point_number(point, "stride", (double)c->stride[0]);
	point_number(point, "m", pass == BACKWARD_FILTER ? filters : rows);
	point_number(point, "n", pass == FORWARD ? filters : length);
	point_number(point, "k", pass == FORWARD ? length : pass == BACKWARD_DATA ? filters : rows);
	point_number(point, "patch_items", (double)convolution_patches(c) * (double)c->groups);
	point->flop = 2 * rows * filters * length * (double)c->groups;
	point->bytes = 4 * ((double)convolution_x_items(c) + (double)convolution_y_items(c) +
				   (double)convolution_weights(c));
}

static void list_pass(struct points *points, const struct layer *l, enum pass pass, unsigned busy)
{
	char name[POINT_NAME_LENGTH + TAG_LENGTH], tag[TAG_LENGTH];
	struct point *point;
	make_tag(l, tag);
	snprintf(name, sizeof name, "convolution%s%s/%s/%s/busy%u", *l->label ? "/" : "", l->label, tag,
		pass_names[pass], busy);
	if (points_has(points, name))
		return;
	point = points_add(points, &bench_convolution, "%s", name);
	point_text(point, "precision", "fp32");
	point_text(point, "pass", pass_names[pass]);
	point_text(point, "layer", l->layer);
	point_text(point, "model", l->model);
	point_number(point, "batch", (double)l->c.batch);
	point_number(point, "dimensions", l->dimensions);
	point_number(point, "channels", (double)l->c.channels);
	point_number(point, "filters", (double)l->c.filters);
	point_number(point, "groups", (double)l->c.groups);
	if (l->wrong)
		point_text(point, "wrong", l->wrong);
	else
		add_sizes(point, &l->c, pass);
	point_number(point, "busy", busy);
	point_text(point, "shape", keep_shape(&l->c));
}

static void list_layer(struct points *points, const struct layer *l, bool first_layer, bool also_alone)
{
	for (int pass = FORWARD; pass < PASSES; pass++)
		for (unsigned busy = 0; (busy = busy_next(busy, also_alone)) > 0;)
			if (pass != BACKWARD_DATA || !first_layer)
				list_pass(points, l, (enum pass)pass, busy);
}

/* Of square samples; `dimensions` of them alike. */
struct sweep {
	enum effort from;
	unsigned dimensions;
	size_t batch, channels, filters, groups, kernel, stride, x;
	size_t rows; /* of x in the first dimension, where it is cut; else 0 */
};

static const struct sweep sweeps[] = {
	/* as small networks on processors have them */
	{EFFORT_QUICK, 2, 16, 3, 16, 1, 3, 1, 32, 0},
	{EFFORT_QUICK, 2, 16, 16, 32, 1, 3, 2, 32, 0},
	{EFFORT_QUICK, 2, 16, 48, 48, 1, 3, 1, 16, 0},
	{EFFORT_QUICK, 2, 16, 96, 64, 1, 1, 1, 8, 0},
	{EFFORT_USUAL, 2, 32, 24, 24, 1, 5, 1, 28, 0},
	{EFFORT_USUAL, 2, 32, 64, 96, 1, 3, 2, 16, 0},
	/* of networks of large images */
	{EFFORT_USUAL, 2, 4, 3, 64, 1, 7, 2, 224, 0},
	{EFFORT_USUAL, 2, 4, 64, 64, 1, 3, 1, 56, 0},
	{EFFORT_USUAL, 2, 4, 256, 64, 1, 1, 1, 56, 0},
	{EFFORT_USUAL, 2, 4, 256, 512, 1, 1, 2, 56, 0},
	{EFFORT_USUAL, 2, 4, 128, 128, 1, 3, 1, 28, 0},
	{EFFORT_USUAL, 2, 4, 512, 512, 1, 3, 1, 7, 0},
	/* cut by filters, channels and rows */
	{EFFORT_QUICK, 2, 16, 48, 6, 1, 3, 1, 16, 0},
	{EFFORT_QUICK, 2, 16, 6, 48, 1, 3, 1, 16, 0},
	{EFFORT_QUICK, 2, 16, 48, 48, 1, 3, 1, 16, 4},
	{EFFORT_USUAL, 2, 4, 64, 8, 1, 3, 1, 56, 0},
	{EFFORT_USUAL, 2, 4, 8, 64, 1, 3, 1, 56, 0},
	{EFFORT_USUAL, 2, 4, 64, 64, 1, 3, 1, 56, 7},
	/* rarer kinds */
	{EFFORT_USUAL, 2, 4, 64, 64, 8, 3, 1, 28, 0},
	{EFFORT_FULL, 2, 4, 64, 64, 64, 3, 1, 28, 0},
	{EFFORT_USUAL, 1, 8, 32, 64, 1, 9, 1, 1024, 0},
	{EFFORT_USUAL, 3, 2, 16, 32, 1, 3, 1, 16, 0},
};

static struct layer layer_of(const struct sweep *s)
{
	struct layer l = {.c = {s->batch, s->channels, s->filters, s->groups, {1, 1, 1}, {1, 1, 1}, {0},
				  {1, 1, 1}, {1, 1, 1}, {1, 1, 1}},
		.dimensions = s->dimensions,
		.label = "",
		.layer = "",
		.model = ""};
	for (unsigned d = 0; d < s->dimensions; d++) {
		l.c.kernel[d] = s->kernel;
		l.c.stride[d] = s->stride;
		l.c.pad[d] = s->kernel / 2;
		l.c.x[d] = s->x;
		l.c.y[d] = (s->x + 2 * l.c.pad[d] - s->kernel) / s->stride + 1;
	}
	if (s->rows) { /* an inner part: halos came in front and behind */
		l.c.pad[0] = 0;
		l.c.y[0] = s->rows;
		l.c.x[0] = s->rows + s->kernel - 1;
	}
	return l;
}

static void list(const struct plan *plan, struct points *points)
{
	for (size_t i = 0; i < sizeof sweeps / sizeof *sweeps; i++)
		if (sweeps[i].from <= plan->effort) {
			struct layer l = layer_of(&sweeps[i]);
			list_layer(points, &l, false, plan->effort == EFFORT_FULL);
		}
	for (size_t i = 0; i < plan->case_count; i++) {
		const struct case_line *line = &plan->cases[i];
		char label[CASE_LABEL_LENGTH];
		struct layer l = {.label = label};
		if (!case_convolution(line, &l.c, &l.dimensions, &l.wrong))
			continue;
		case_label(line, label);
		l.layer = case_text(line, "layer");
		l.model = case_text(line, "model");
		list_layer(points, &l, case_number(line, "backward_data") < 1, plan->effort != EFFORT_QUICK);
	}
}

static enum ready prepare(struct run *run)
{
	const char *wrong = point_get_text(run->point, "wrong");
	return wrong ? run_say(run, FAILED, "%s", wrong) : kernel_prepare(run, &kernel);
}

static double sample(struct run *run, unsigned long long calls)
{
	return kernel_sample(run, &kernel, calls);
}

static void release(struct run *run)
{
	kernel_release(run, &kernel);
}

const struct bench bench_convolution = {
	.name = "convolution",
	.summary = "forward, backward-data and backward-filter of convolutions, by explicit lowering",
	.list = list,
	.prepare = prepare,
	.sample = sample,
	.release = release,
};
