/* SPDX-License-Identifier: BSD-3-Clause */
/* Convolutions of layers, each pass with the kernel that cuDNN expects to be fastest, as programs get it without asking ("default"). */
#include "convolution.h"

#include <stdlib.h>
#include <string.h>

#include "list.h"

struct state {
	struct convolution convolution;
	struct cudnn_plan *plan;
	struct rotation rotation;
	size_t at_w, at_y;
};

static const char *const passes[] = {"forward", "backward-data", "backward-filter"};

/* What a point's parameters do not say of the layer; looked up by the point's name. */
struct layer {
	struct convolution convolution;
	const char *name, *model, *precision;
	bool backward_data;
};

static double product3(const int extents[3], int dimensions)
{
	double product = 1;
	for (int i = 0; i < dimensions; i++)
		product *= extents[i];
	return product;
}

/* The shape as text; parse_shape reads it back. */
#define SHAPE       "b%dn%dc%df%dg%dk%dx%dx%ds%dx%dx%dp%dx%dx%dd%dx%dx%dx%dx%dx%dy%dx%dx%d"
#define THREE(e)    (e)[0], (e)[1], (e)[2]
#define THREE_OF(e) &(e)[0], &(e)[1], &(e)[2]

static bool parse_shape(const char *name, struct convolution *c)
{
	const char *shape = strrchr(name, '/');
	return shape && sscanf(shape + 1, SHAPE, &c->batch, &c->dimensions, &c->channels, &c->filters,
				&c->groups, THREE_OF(c->kernel), THREE_OF(c->stride), THREE_OF(c->pad),
				THREE_OF(c->dilation), THREE_OF(c->x), THREE_OF(c->y)) == 23;
}

/* The GEMM of each group that a pass is. */
static void add_gemm(struct point *point, const struct convolution *c, double volume, double positions)
{
	double filters = (double)c->filters / c->groups, patch = (double)c->channels / c->groups * volume,
	       rows = c->batch * positions;
	bool filter = c->pass == PASS_BACKWARD_FILTER, data = c->pass == PASS_BACKWARD_DATA;
	point_number(point, "m", filter ? filters : rows);
	point_number(point, "n", filter || data ? patch : filters);
	point_number(point, "k", filter ? rows : data ? filters : patch);
}

static void add_point(struct points *points, const struct layer *layer, const struct convolution *c)
{
	static const char algorithm[] = "default"; /* that the library takes by itself, as programs get it */
	char name[POINT_NAME_LENGTH];
	double volume = product3(c->kernel, c->dimensions), positions = product3(c->y, c->dimensions),
	       x_positions = product3(c->x, c->dimensions);
	snprintf(name, sizeof name, "convolution/%s/%s/%s/%s/" SHAPE, c->precision->name, passes[c->pass],
		c->channels_last ? "nhwc" : "nchw", algorithm, c->batch, c->dimensions, c->channels,
		c->filters, c->groups, THREE(c->kernel), THREE(c->stride), THREE(c->pad), THREE(c->dilation),
		THREE(c->x), THREE(c->y));
	if (list_has(points, name))
		return;
	struct point *point = points_add(points, &bench_convolution, "%s", name);
	point_text(point, "precision", c->precision->name);
	point_text(point, "pass", passes[c->pass]);
	point_text(point, "layer", layer->name);
	point_text(point, "model", layer->model);
	point_number(point, "batch", c->batch);
	point_number(point, "dimensions", c->dimensions);
	point_number(point, "channels", c->channels);
	point_number(point, "filters", c->filters);
	point_number(point, "groups", c->groups);
	point_number(point, "volume", volume);
	point_number(point, "positions", positions);
	point_number(point, "x_positions", x_positions);
	point_number(point, "stride", c->stride[0]);
	add_gemm(point, c, volume, positions);
	point_number(point, "patch_items", 0);
	point_text(point, "layout", c->channels_last ? "nhwc" : "nchw");
	point_text(point, "algorithm", algorithm);
	point_number(point, "busy", device.measured_together);
	point->flop = 2.0 * c->batch * positions * c->filters * c->channels / c->groups * volume;
	point->bytes = c->precision->bytes * ((double)c->batch * c->channels * x_positions +
						     (double)c->batch * c->filters * positions +
						     (double)c->filters * c->channels / c->groups * volume);
}

/* Channels last is what tensor cores are fed with; plain fp32 has channels first. */
static void add_layer(const struct plan *plan, struct points *points, const struct layer *layer)
{
	static const char *const usual[] = {"tf32", "fp16", NULL}, *const full[] = {"fp32", "tf32", "fp16",
									   "bf16", NULL};
	const char *const one[] = {layer->precision, NULL};
	const char *const *precision = layer->precision ? one : plan->effort == EFFORT_FULL ? full : usual;
	struct convolution c = layer->convolution;
	for (; *precision; precision++) {
		c.precision = precision_find(*precision);
		if (!c.precision || c.precision->item == ITEM_FP8)
			continue;
		for (int pass = 0; pass < 3; pass++) {
			c.pass = (enum pass)pass;
			if (c.pass == PASS_BACKWARD_DATA && !layer->backward_data)
				continue;
			c.channels_last = strcmp(*precision, "fp32") != 0;
			add_point(points, layer, &c);
		}
	}
}

static void of_case(const struct plan *plan, struct points *points, const struct case_line *line)
{
	struct layer layer = {.precision = case_text(line, "precision"),
		.name = case_text(line, "layer"),
		.model = case_text(line, "model"),
		.backward_data = case_number(line, "backward_data", 1) > 0};
	struct convolution *c = &layer.convolution;
	c->batch = (int)case_number(line, "batch", 1);
	c->channels = (int)case_number(line, "channels", 0);
	c->filters = (int)case_number(line, "filters", 0);
	c->groups = (int)case_number(line, "groups", 1);
	/* cuDNN knows two and three dimensions; one is two with an extent of 1. */
	c->dimensions = case_number(line, "dimensions", 2) > 2 ? 3 : 2;
	case_extents(line, "kernel", c->kernel);
	case_extents(line, "stride", c->stride);
	case_extents(line, "dilation", c->dilation);
	case_extents(line, "x", c->x);
	case_extents(line, "y", c->y);
	case_extents(line, "pad", c->pad);
	for (int i = (int)case_number(line, "dimensions", 2); i < 3; i++)
		c->pad[i] = 0; /* missing extents are 1, missing pads 0 */
	layer.name = layer.name ? layer.name : "";
	layer.model = layer.model ? layer.model : "";
	if (c->batch > 0 && c->channels > 0 && c->filters > 0 && c->groups > 0)
		add_layer(plan, points, &layer);
}

/* Channels, filters, kernel, stride, extent of x: of networks of images, from first to last layers. */
static const int generic[][5] = {
	{64, 64, 3, 1, 56},
	{256, 128, 1, 1, 56},
	{512, 512, 3, 1, 14},
	{3, 64, 7, 2, 224},
	{128, 128, 3, 2, 56},
	{256, 256, 3, 1, 28},
	{1024, 2048, 1, 2, 14},
	{64, 256, 1, 1, 56},
	{64, 64, 3, 1, 224},
	{512, 512, 3, 1, 28},
};

static void list(const struct plan *plan, struct points *points)
{
	bool cases = false;
	for (size_t i = 0; i < plan->case_count; i++)
		if (strcmp(plan->cases[i].kind, "convolution") == 0) {
			cases = true;
			of_case(plan, points, &plan->cases[i]);
		}
	size_t count = plan->effort == EFFORT_QUICK ? 3 : sizeof generic / sizeof *generic;
	for (size_t i = 0; !cases && i < count; i++) {
		const int *g = generic[i];
		int k = g[2], s = g[3], extent = g[4], pad = (k - 1) / 2, y = (extent + 2 * pad - k) / s + 1;
		struct layer layer = {.name = "",
			.model = "",
			.backward_data = true,
			.convolution = {.batch = 32,
				.dimensions = 2,
				.channels = g[0],
				.filters = g[1],
				.groups = 1,
				.kernel = {k, k, 1},
				.stride = {s, s, 1},
				.pad = {pad, pad, 0},
				.dilation = {1, 1, 1},
				.x = {extent, extent, 1},
				.y = {y, y, 1}}};
		add_layer(plan, points, &layer);
	}
}

static enum ready enqueue(struct run *run, unsigned long long index)
{
	const struct state *s = run->state;
	return cudnn_plan_enqueue(run, s->plan, rotation_at(&s->rotation, index, 0),
		rotation_at(&s->rotation, index, s->at_w), rotation_at(&s->rotation, index, s->at_y));
}

static enum ready allocate(struct run *run, struct state *s)
{
	const struct convolution *c = &s->convolution;
	int n = c->dimensions;
	size_t x = (size_t)c->batch * (size_t)c->channels * (size_t)product3(c->x, n),
	       y = (size_t)c->batch * (size_t)c->filters * (size_t)product3(c->y, n),
	       w = (size_t)c->filters * (size_t)(c->channels / c->groups) * (size_t)product3(c->kernel, n),
	       size = c->precision->bytes;
	s->at_w = aligned(x * size);
	s->at_y = s->at_w + aligned(w * size);
	TRY(rotation_allocate(run, &s->rotation, s->at_y + y * size));
	for (unsigned i = 0; i < s->rotation.copies; i++)
		TRY(CUDA(run, kernel_fill_normal(c->precision->item, rotation_at(&s->rotation, i, 0),
				      (s->at_y + y * size) / size, i + 1, device.stream)));
	return CUDA(run, cudaStreamSynchronize(device.stream));
}

static enum ready prepare(struct run *run)
{
	const struct point *point = run->point;
	struct state *s = calloc(1, sizeof *s);
	run->state = s;
	if (!s || !parse_shape(point->name, &s->convolution))
		return run_say(run, FAILED, "no memory on the host");
	s->convolution.precision = precision_find(point_get_text(point, "precision"));
	s->convolution.channels_last = strcmp(point_get_text(point, "layout"), "nhwc") == 0;
	for (int i = 0; i < 3; i++)
		if (strcmp(point_get_text(point, "pass"), passes[i]) == 0)
			s->convolution.pass = (enum pass)i;
	TRY(device_usable(run));
	TRY(cudnn_plan_make(run, &s->convolution, &s->plan));
	TRY(allocate(run, s));
	TRY(cudnn_plan_choose(run, s->plan));
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
	cudnn_plan_free(s->plan);
	rotation_free(&s->rotation);
	free(s);
	run->state = NULL;
}

const struct bench bench_convolution = {
	.name = "convolution",
	.summary = "layers of the cases by cuDNN, each pass",
	.least_sample_s = 200e-6,
	.list = list,
	.prepare = prepare,
	.sample = sample,
	.release = release,
};
