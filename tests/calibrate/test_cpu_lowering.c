/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Convolution by lowering against the seven nested loops of its definition, in double; and <conv(x), y> = <x, conv^T(y)>
 * for both transposes, which needs no reference at all.
 */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "../../calibrate/cpu/lowering.h"
#include "test.h"

static const struct {
	const char *name;
	struct convolution c;
} cases[] = {
	{"1 x 1", {2, 8, 5, 1, {1, 1, 1}, {1, 1, 1}, {0, 0, 0}, {1, 1, 1}, {6, 7, 1}, {6, 7, 1}}},
	{"1 x 1, groups", {2, 8, 6, 2, {1, 1, 1}, {1, 1, 1}, {0, 0, 0}, {1, 1, 1}, {6, 7, 1}, {6, 7, 1}}},
	{"1 x 1, stride 2", {2, 4, 5, 1, {1, 1, 1}, {2, 2, 1}, {0, 0, 0}, {1, 1, 1}, {7, 6, 1}, {4, 3, 1}}},
	{"1 x 1, fewer rows are read",
		{2, 4, 5, 1, {1, 1, 1}, {1, 1, 1}, {0, 0, 0}, {1, 1, 1}, {7, 6, 1}, {5, 6, 1}}},
	{"3 x 3", {3, 4, 6, 1, {3, 3, 1}, {1, 1, 1}, {1, 1, 0}, {1, 1, 1}, {8, 9, 1}, {8, 9, 1}}},
	{"7 x 7, stride 2, 3 channels",
		{2, 3, 8, 1, {7, 7, 1}, {2, 2, 1}, {3, 3, 0}, {1, 1, 1}, {14, 15, 1}, {7, 8, 1}}},
	{"a kernel wider than x",
		{2, 3, 4, 1, {5, 5, 1}, {1, 1, 1}, {2, 2, 0}, {1, 1, 1}, {2, 3, 1}, {2, 3, 1}}},
	{"two groups", {2, 6, 4, 2, {3, 3, 1}, {1, 1, 1}, {1, 1, 0}, {1, 1, 1}, {5, 6, 1}, {5, 6, 1}}},
	{"depthwise, stride 2",
		{2, 6, 6, 6, {3, 3, 1}, {2, 2, 1}, {1, 1, 0}, {1, 1, 1}, {9, 8, 1}, {5, 4, 1}}},
	{"dilation", {2, 4, 3, 1, {3, 3, 1}, {1, 1, 1}, {2, 3, 0}, {2, 3, 1}, {9, 11, 1}, {9, 11, 1}}},
	{"one dimension", {3, 5, 4, 1, {4, 1, 1}, {3, 1, 1}, {1, 0, 0}, {1, 1, 1}, {17, 1, 1}, {5, 1, 1}}},
	{"three dimensions", {2, 3, 4, 1, {3, 2, 3}, {1, 2, 1}, {1, 0, 1}, {1, 1, 2}, {5, 6, 7}, {5, 3, 5}}},
	{"one row of three dimensions",
		{1, 3, 4, 1, {3, 1, 1}, {1, 1, 1}, {1, 0, 0}, {1, 1, 1}, {5, 1, 7}, {5, 1, 7}}},
	{"upper half, halo below",
		{2, 4, 3, 1, {3, 3, 1}, {1, 1, 1}, {1, 1, 0}, {1, 1, 1}, {5, 8, 1}, {4, 8, 1}}},
	{"lower half, halo above",
		{2, 4, 3, 1, {3, 3, 1}, {1, 1, 1}, {0, 1, 0}, {1, 1, 1}, {5, 8, 1}, {4, 8, 1}}},
};

struct tensors {
	size_t x_items, y_items, w_items;
	float *x, *y, *w, *dx, *dy, *dw, *work;
	double *naive;
};

static float *random_floats(size_t count, uint64_t *state)
{
	float *values = calloc(count, sizeof *values);
	assert_non_null(values);
	for (size_t i = 0; i < count; i++) {
		*state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
		values[i] = (float)((double)(*state >> 40) / 16777216.0 - 0.5);
	}
	return values;
}

static struct tensors tensors_of(const struct convolution *c, uint64_t seed)
{
	struct tensors t = {convolution_x_items(c), convolution_y_items(c), convolution_weights(c), NULL,
		NULL, NULL, NULL, NULL, NULL, NULL, NULL};
	size_t work = convolution_patches(c);
	t.x = random_floats(t.x_items, &seed);
	t.dy = random_floats(t.y_items, &seed);
	t.w = random_floats(t.w_items, &seed);
	/* Results are written over what was there. */
	t.y = random_floats(t.y_items, &seed);
	t.dx = random_floats(t.x_items, &seed);
	t.dw = random_floats(t.w_items, &seed);
	t.work = work ? random_floats(work, &seed) : NULL;
	t.naive = calloc(t.x_items + t.y_items + t.w_items, sizeof *t.naive);
	assert_non_null(t.naive);
	return t;
}

static void tensors_free(struct tensors *t)
{
	float *const all[] = {t->x, t->y, t->w, t->dx, t->dy, t->dw, t->work};
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		free(all[i]);
	free(t->naive);
}

/* Place in x of what output position o reads with item k of the kernel; -1: beyond x. */
static ptrdiff_t read_at(const struct convolution *c, const size_t o[3], const size_t k[3])
{
	ptrdiff_t place = 0;
	for (int d = 0; d < 3; d++) {
		ptrdiff_t i = (ptrdiff_t)(o[d] * c->stride[d] + k[d] * c->dilation[d]) - (ptrdiff_t)c->pad[d];
		if (i < 0 || i >= (ptrdiff_t)c->x[d])
			return -1;
		place = place * (ptrdiff_t)c->x[d] + i;
	}
	return place;
}

/* One weight of one output item: the three passes are what it adds to y, dx and dw. */
static void naive_item(struct tensors *t, size_t y, size_t w, size_t x)
{
	double *naive_y = t->naive, *naive_x = t->naive + t->y_items, *naive_w = naive_x + t->x_items;
	naive_y[y] += (double)t->x[x] * (double)t->w[w];
	naive_x[x] += (double)t->dy[y] * (double)t->w[w];
	naive_w[w] += (double)t->dy[y] * (double)t->x[x];
}

static void naive_position(const struct convolution *c, struct tensors *t, size_t sample, const size_t o[3])
{
	size_t width = c->channels / c->groups, volume = convolution_volume(c);
	size_t x_positions = c->x[0] * c->x[1] * c->x[2];
	size_t y_place = (sample * c->y[0] * c->y[1] + o[0] * c->y[1] + o[1]) * c->y[2] + o[2];
	for (size_t item = 0; item < volume; item++) {
		const size_t k[] = {item / (c->kernel[1] * c->kernel[2]), item / c->kernel[2] % c->kernel[1],
			item % c->kernel[2]};
		ptrdiff_t place = read_at(c, o, k);
		for (size_t filter = 0; place >= 0 && filter < c->filters; filter++)
			for (size_t channel = 0; channel < width; channel++)
				naive_item(t, y_place * c->filters + filter,
					(filter * volume + item) * width + channel,
					(sample * x_positions + (size_t)place) * c->channels +
						filter / (c->filters / c->groups) * width + channel);
	}
}

static void naive(const struct convolution *c, struct tensors *t)
{
	for (size_t sample = 0; sample < c->batch; sample++)
		for (size_t o0 = 0; o0 < c->y[0]; o0++)
			for (size_t o1 = 0; o1 < c->y[1]; o1++)
				for (size_t o2 = 0; o2 < c->y[2]; o2++)
					naive_position(c, t, sample, (const size_t[]){o0, o1, o2});
}

static double dot(const float *a, const float *b, size_t count)
{
	double sum = 0;
	for (size_t i = 0; i < count; i++)
		sum += (double)a[i] * (double)b[i];
	return sum;
}

static void same(const char *name, const char *what, const float *got, const double *want, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (fabs((double)got[i] - want[i]) > 2e-5)
			fail_msg("%s: %s[%zu] is %.8g, should be %.8g", name, what, i, (double)got[i],
				want[i]);
}

static void passes(const struct convolution *c, struct tensors *t)
{
	convolution_forward(c, t->x, t->w, t->y, t->work);
	convolution_backward_data(c, t->dy, t->w, t->dx, t->work);
	convolution_backward_filter(c, t->x, t->dy, t->dw, t->work);
}

static void equals_the_definition(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct convolution *c = &cases[i].c;
		struct tensors t = tensors_of(c, 17 + i);
		assert_null(convolution_wrong(c));
		passes(c, &t);
		naive(c, &t);
		same(cases[i].name, "y", t.y, t.naive, t.y_items);
		same(cases[i].name, "dx", t.dx, t.naive + t.y_items, t.x_items);
		same(cases[i].name, "dw", t.dw, t.naive + t.y_items + t.x_items, t.w_items);
		tensors_free(&t);
	}
}

static void backward_is_the_transpose(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct convolution *c = &cases[i].c;
		struct tensors t = tensors_of(c, 170 + i);
		passes(c, &t);
		double forward = dot(t.y, t.dy, t.y_items), size = sqrt((double)t.y_items);
		if (fabs(forward - dot(t.x, t.dx, t.x_items)) > 1e-5 * size ||
			fabs(forward - dot(t.w, t.dw, t.w_items)) > 1e-5 * size)
			fail_msg("%s: <y, dy> is %.8g, <x, dx> %.8g, <w, dw> %.8g", cases[i].name, forward,
				dot(t.x, t.dx, t.x_items), dot(t.w, t.dw, t.w_items));
		tensors_free(&t);
	}
}

/* Two halves with their halos are the whole: what a spatial plan computes. */
static void halves_make_the_whole(void **state)
{
	const struct convolution whole = {
		1, 3, 4, 1, {3, 3, 1}, {1, 1, 1}, {1, 1, 0}, {1, 1, 1}, {8, 6, 1}, {8, 6, 1}};
	struct convolution upper = whole, lower = whole;
	struct tensors t = tensors_of(&whole, 5);
	size_t row = 6 * 3, y_row = 6 * 4;
	float halves[8 * 6 * 4];
	(void)state;
	upper.x[0] = lower.x[0] = 5;
	upper.y[0] = lower.y[0] = 4;
	lower.pad[0] = 0;
	convolution_forward(&whole, t.x, t.w, t.y, t.work);
	convolution_forward(&upper, t.x, t.w, halves, t.work);
	convolution_forward(&lower, t.x + 3 * row, t.w, halves + 4 * y_row, t.work);
	for (size_t i = 0; i < sizeof halves / sizeof *halves; i++)
		assert_true(fabs((double)halves[i] - (double)t.y[i]) < 1e-5);
	tensors_free(&t);
}

static void what_cannot_be_is_said(void **state)
{
	struct convolution c = cases[0].c;
	(void)state;
	c.groups = 3;
	assert_string_equal(convolution_wrong(&c), "groups divide channels and filters");
	c = cases[0].c;
	c.kernel[1] = 0;
	assert_non_null(strstr(convolution_wrong(&c), "at least 1"));
	c = cases[0].c;
	c.batch = (size_t)1 << 31;
	assert_non_null(strstr(convolution_wrong(&c), "int of BLAS"));
}

static void patches_only_where_x_is_none(void **state)
{
	(void)state;
	assert_int_equal(convolution_patches(&cases[0].c), 0);
	assert_int_equal(convolution_patches(&cases[1].c), 0);
	assert_int_equal(convolution_patches(&cases[2].c), 2 * 4 * 3 * 4);
	assert_int_equal(convolution_patches(&cases[4].c), 3 * 8 * 9 * 4 * 9);
	assert_int_equal(convolution_patches(&cases[7].c), 2 * 5 * 6 * 3 * 9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equals_the_definition),
		cmocka_unit_test(backward_is_the_transpose),
		cmocka_unit_test(halves_make_the_whole),
		cmocka_unit_test(what_cannot_be_is_said),
		cmocka_unit_test(patches_only_where_x_is_none),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
