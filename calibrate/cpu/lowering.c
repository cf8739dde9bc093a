/* SPDX-License-Identifier: BSD-3-Clause */
#include "lowering.h"

#include <cblas.h>
#include <limits.h>
#include <string.h>

enum { LAST = CONVOLUTION_DIMENSIONS - 1 };

static size_t product(const size_t extents[CONVOLUTION_DIMENSIONS])
{
	return extents[0] * extents[1] * extents[2];
}

size_t convolution_volume(const struct convolution *c)
{
	return product(c->kernel);
}

size_t convolution_positions(const struct convolution *c)
{
	return product(c->y);
}

size_t convolution_x_items(const struct convolution *c)
{
	return c->batch * product(c->x) * c->channels;
}

size_t convolution_y_items(const struct convolution *c)
{
	return c->batch * product(c->y) * c->filters;
}

size_t convolution_weights(const struct convolution *c)
{
	return c->filters * (c->channels / c->groups) * product(c->kernel);
}

static bool reads_in_place(const struct convolution *c)
{
	return product(c->kernel) == 1 && product(c->stride) == 1 && !c->pad[0] && !c->pad[1] && !c->pad[2] &&
	       c->x[0] == c->y[0] && c->x[1] == c->y[1] && c->x[2] == c->y[2];
}

/* Items that one output position reads in one group. */
static size_t patch_length(const struct convolution *c)
{
	return c->channels / c->groups * product(c->kernel);
}

size_t convolution_patches(const struct convolution *c)
{
	return reads_in_place(c) ? 0 : c->batch * product(c->y) * patch_length(c);
}

const char *convolution_wrong(const struct convolution *c)
{
	if (!c->batch || !c->channels || !c->filters || !c->groups)
		return "batch, channels, filters and groups are at least 1";
	if (c->channels % c->groups || c->filters % c->groups)
		return "groups divide channels and filters";
	if (!product(c->kernel) || !product(c->stride) || !product(c->dilation) || !product(c->x) ||
		!product(c->y))
		return "extents of kernel, stride, dilation, x and y are at least 1";
	if (c->batch * product(c->y) > INT_MAX || patch_length(c) > INT_MAX || c->filters > INT_MAX ||
		c->channels > INT_MAX)
		return "a side of its products does not fit an int of BLAS";
	return NULL;
}

/* Extents of 1 first, so that the innermost loops run over the dimension whose items lie together. */
static struct convolution inner_last(const struct convolution *c)
{
	struct convolution a = *c;
	for (int moves = 0; moves < LAST && a.x[LAST] == 1 && a.y[LAST] == 1 && a.kernel[LAST] == 1; moves++)
		for (int i = LAST; i >= 0; i--) {
			a.kernel[i] = i ? a.kernel[i - 1] : 1;
			a.stride[i] = i ? a.stride[i - 1] : 1;
			a.pad[i] = i ? a.pad[i - 1] : 0;
			a.dilation[i] = i ? a.dilation[i - 1] : 1;
			a.x[i] = i ? a.x[i - 1] : 1;
			a.y[i] = i ? a.y[i - 1] : 1;
		}
	return a;
}

/* Items of a kernel, all along the last dimension, that lie in x: from `first` up to `end`. */
struct run {
	size_t offset; /* in x, of item `first` */
	size_t first, end;
};

static ptrdiff_t coordinate(const struct convolution *c, int dimension, size_t position, size_t item)
{
	return (ptrdiff_t)(position * c->stride[dimension] + item * c->dilation[dimension]) -
	       (ptrdiff_t)c->pad[dimension];
}

static struct run find_run(const struct convolution *c, size_t sample,
	const size_t position[CONVOLUTION_DIMENSIONS], size_t k0, size_t k1)
{
	struct run run = {0};
	ptrdiff_t x0 = coordinate(c, 0, position[0], k0), x1 = coordinate(c, 1, position[1], k1);
	if (x0 < 0 || x1 < 0 || x0 >= (ptrdiff_t)c->x[0] || x1 >= (ptrdiff_t)c->x[1])
		return run;
	while (run.first < c->kernel[LAST] && coordinate(c, LAST, position[LAST], run.first) < 0)
		run.first++;
	run.end = run.first;
	while (run.end < c->kernel[LAST] &&
		coordinate(c, LAST, position[LAST], run.end) < (ptrdiff_t)c->x[LAST])
		run.end++;
	if (run.end > run.first)
		run.offset = ((sample * c->x[0] + (size_t)x0) * c->x[1] + (size_t)x1) * c->x[LAST] +
			     (size_t)coordinate(c, LAST, position[LAST], run.first);
	return run;
}

static void gather_run(const struct convolution *c, const struct run *run, size_t width, const float *x,
	float *restrict patch)
{
	size_t step = c->dilation[LAST] * c->channels;
	if (run->first)
		memset(patch, 0, run->first * width * sizeof *patch);
	if (width == step) {
		memcpy(patch + run->first * width, x, (run->end - run->first) * width * sizeof *patch);
	} else {
		for (size_t i = run->first; i < run->end; i++)
			memcpy(patch + i * width, x + (i - run->first) * step, width * sizeof *patch);
	}
	if (run->end < c->kernel[LAST])
		memset(patch + run->end * width, 0, (c->kernel[LAST] - run->end) * width * sizeof *patch);
}

static void scatter_run(const struct convolution *c, const struct run *run, size_t width,
	const float *restrict patch, float *restrict dx)
{
	size_t step = c->dilation[LAST] * c->channels, count = run->end - run->first, length = width;
	if (step == width) {
		length *= count;
		count = count > 0;
	}
	for (size_t i = 0; i < count; i++) {
		const float *from = patch + run->first * width + i * length;
		float *to = dx + i * step;
		for (size_t item = 0; item < length; item++)
			to[item] += from[item];
	}
}

/* Through x and the patches, which lie in the order of this walk: `gather` copies x to patches, else these are added to x. */
static inline void walk(
	const struct convolution *original, size_t group, const float *from, float *to, bool gather)
{
	const struct convolution c = inner_last(original);
	size_t width = c.channels / c.groups, row = c.kernel[LAST] * width, patch = 0;
	for (size_t sample = 0; sample < c.batch; sample++)
		for (size_t o = 0; o < product(c.y); o++) {
			const size_t position[] = {
				o / (c.y[1] * c.y[LAST]), o / c.y[LAST] % c.y[1], o % c.y[LAST]};
			for (size_t k = 0; k < c.kernel[0] * c.kernel[1]; k++, patch += row) {
				struct run run =
					find_run(&c, sample, position, k / c.kernel[1], k % c.kernel[1]);
				size_t place = run.offset * c.channels + group * width;
				if (gather)
					gather_run(&c, &run, width, from + place, to + patch);
				else
					scatter_run(&c, &run, width, from + patch, to + place);
			}
		}
}

void convolution_gather(const struct convolution *c, size_t group, const float *x, float *patches)
{
	walk(c, group, x, patches, true);
}

void convolution_scatter(const struct convolution *c, size_t group, const float *patches, float *dx)
{
	walk(c, group, patches, dx, false);
}

void convolution_forward(const struct convolution *c, const float *x, const float *w, float *y, float *work)
{
	bool in_place = reads_in_place(c);
	size_t length = patch_length(c), filters = c->filters / c->groups;
	for (size_t group = 0; group < c->groups; group++) {
		const float *patches = in_place ? x + group * length : work;
		if (!in_place)
			convolution_gather(c, group, x, work);
		cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, (int)(c->batch * product(c->y)),
			(int)filters, (int)length, 1.0F, patches, (int)(in_place ? c->channels : length),
			w + group * filters * length, (int)length, 0.0F, y + group * filters,
			(int)c->filters);
	}
}

void convolution_backward_data(
	const struct convolution *c, const float *dy, const float *w, float *dx, float *work)
{
	bool in_place = reads_in_place(c);
	size_t length = patch_length(c), filters = c->filters / c->groups;
	if (!in_place)
		memset(dx, 0, convolution_x_items(c) * sizeof *dx);
	for (size_t group = 0; group < c->groups; group++) {
		cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)(c->batch * product(c->y)),
			(int)length, (int)filters, 1.0F, dy + group * filters, (int)c->filters,
			w + group * filters * length, (int)length, 0.0F,
			in_place ? dx + group * length : work, (int)(in_place ? c->channels : length));
		if (!in_place)
			convolution_scatter(c, group, work, dx);
	}
}

void convolution_backward_filter(
	const struct convolution *c, const float *x, const float *dy, float *dw, float *work)
{
	bool in_place = reads_in_place(c);
	size_t length = patch_length(c), filters = c->filters / c->groups;
	for (size_t group = 0; group < c->groups; group++) {
		const float *patches = in_place ? x + group * length : work;
		if (!in_place)
			convolution_gather(c, group, x, work);
		cblas_sgemm(CblasRowMajor, CblasTrans, CblasNoTrans, (int)filters, (int)length,
			(int)(c->batch * product(c->y)), 1.0F, dy + group * filters, (int)c->filters, patches,
			(int)(in_place ? c->channels : length), 0.0F, dw + group * filters * length,
			(int)length);
	}
}
