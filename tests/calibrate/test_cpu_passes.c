/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Passes over activations and updates of weights, against their definitions; gradients against finite differences. */
#include "../../calibrate/cpu/passes.h"
#include "test.h"

enum { ROWS = 24, CHANNELS = 5, ITEMS = ROWS * CHANNELS, HEIGHT = 6, WIDTH = 4 };

static float random_float(uint64_t *state)
{
	*state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
	return (float)((double)(*state >> 40) / 16777216.0 - 0.5);
}

static void fill(float *values, size_t count, uint64_t seed)
{
	for (size_t i = 0; i < count; i++)
		values[i] = random_float(&seed);
}

static void near(float got, double want, double tolerance)
{
	if (fabs((double)got - want) > tolerance)
		fail_msg("%.9g, should be %.9g", (double)got, want);
}

static void relu(void **state)
{
	float x[ITEMS], y[ITEMS], dy[ITEMS], dx[ITEMS];
	(void)state;
	fill(x, ITEMS, 1);
	fill(dy, ITEMS, 2);
	x[7] = 0;
	relu_forward(ITEMS, x, y);
	relu_backward(ITEMS, x, dy, dx);
	for (size_t i = 0; i < ITEMS; i++) {
		near(y[i], x[i] > 0 ? (double)x[i] : 0, 0);
		near(dx[i], x[i] > 0 ? (double)dy[i] : 0, 0);
	}
}

static void bias(void **state)
{
	float y[ITEMS], before[ITEMS], b[CHANNELS], db[CHANNELS];
	(void)state;
	fill(y, ITEMS, 3);
	fill(b, CHANNELS, 4);
	memcpy(before, y, sizeof y);
	bias_forward(ROWS, CHANNELS, b, y);
	bias_backward(ROWS, CHANNELS, before, db);
	for (size_t i = 0; i < ITEMS; i++)
		near(y[i], (double)before[i] + (double)b[i % CHANNELS], 1e-6);
	for (size_t c = 0; c < CHANNELS; c++) {
		double sum = 0;
		for (size_t row = 0; row < ROWS; row++)
			sum += (double)before[row * CHANNELS + c];
		near(db[c], sum, 1e-5);
	}
}

/* <dy, batch norm of x>, in double from the definition. */
static double norm_along(const double *x, const float *dy, const double *scale, const double *shift)
{
	double along = 0;
	for (size_t c = 0; c < CHANNELS; c++) {
		double mean = 0, variance = 0;
		for (size_t row = 0; row < ROWS; row++)
			mean += x[row * CHANNELS + c] / ROWS;
		for (size_t row = 0; row < ROWS; row++)
			variance += pow(x[row * CHANNELS + c] - mean, 2) / ROWS;
		for (size_t row = 0; row < ROWS; row++)
			along += (double)dy[row * CHANNELS + c] *
				 (scale[c] * (x[row * CHANNELS + c] - mean) / sqrt(variance + 1e-5) +
					 shift[c]);
	}
	return along;
}

static double slope(double *at, const double *x, const float *dy, const double *scale, const double *shift)
{
	const double step = 1e-5, kept = *at;
	double above, below;
	*at = kept + step;
	above = norm_along(x, dy, scale, shift);
	*at = kept - step;
	below = norm_along(x, dy, scale, shift);
	*at = kept;
	return (above - below) / (2 * step);
}

static void batch_norm(void **state)
{
	float x[ITEMS], dy[ITEMS], y[ITEMS], dx[ITEMS], scale[CHANNELS], shift[CHANNELS], mean[CHANNELS],
		inverse[CHANNELS], dscale[CHANNELS], dshift[CHANNELS];
	double exact_x[ITEMS], exact_scale[CHANNELS], exact_shift[CHANNELS], along = 0;
	(void)state;
	fill(x, ITEMS, 5);
	fill(dy, ITEMS, 6);
	fill(scale, CHANNELS, 7);
	fill(shift, CHANNELS, 8);
	for (size_t i = 0; i < ITEMS; i++)
		exact_x[i] = (double)x[i];
	for (size_t c = 0; c < CHANNELS; c++) {
		exact_scale[c] = (double)scale[c];
		exact_shift[c] = (double)shift[c];
	}
	batch_norm_forward(ROWS, CHANNELS, x, scale, shift, y, mean, inverse);
	for (size_t i = 0; i < ITEMS; i++)
		along += (double)dy[i] * (double)y[i];
	assert_true(fabs(along - norm_along(exact_x, dy, exact_scale, exact_shift)) < 1e-4);
	batch_norm_backward(ROWS, CHANNELS, x, dy, scale, mean, inverse, dx, dscale, dshift);
	for (size_t i = 0; i < ITEMS; i++)
		near(dx[i], slope(&exact_x[i], exact_x, dy, exact_scale, exact_shift), 1e-4);
	for (size_t c = 0; c < CHANNELS; c++) {
		near(dscale[c], slope(&exact_scale[c], exact_x, dy, exact_scale, exact_shift), 1e-4);
		near(dshift[c], slope(&exact_shift[c], exact_x, dy, exact_scale, exact_shift), 1e-4);
	}
}

static void max_pool(void **state)
{
	enum { BATCH = 3, X = BATCH * HEIGHT * WIDTH * CHANNELS, Y = X / 4 };
	float x[X], y[Y], dy[Y], dx[X], want[X] = {0};
	int32_t from[Y];
	(void)state;
	fill(x, X, 9);
	fill(dy, Y, 10);
	max_pool_forward(BATCH, HEIGHT, WIDTH, CHANNELS, x, y, from);
	max_pool_backward(BATCH, HEIGHT, WIDTH, CHANNELS, dy, from, dx);
	for (size_t i = 0; i < Y; i++) {
		size_t c = i % CHANNELS, column = i / CHANNELS % (WIDTH / 2),
		       row = i / CHANNELS / (WIDTH / 2) % (HEIGHT / 2);
		size_t sample = i / CHANNELS / (WIDTH / 2) / (HEIGHT / 2), best = 0;
		for (size_t item = 0; item < 4; item++) {
			size_t place =
				((sample * HEIGHT + 2 * row + item / 2) * WIDTH + 2 * column + item % 2) *
					CHANNELS +
				c;
			if (item == 0 || x[place] > x[best])
				best = place;
		}
		near(y[i], (double)x[best], 0);
		want[best] = dy[i];
	}
	for (size_t i = 0; i < X; i++)
		near(dx[i], (double)want[i], 0);
}

static void updates(void **state)
{
	float g[ITEMS], w[3][ITEMS], v[ITEMS] = {0}, m[ITEMS] = {0}, s[ITEMS] = {0};
	(void)state;
	fill(g, ITEMS, 11);
	for (int optimizer = 0; optimizer < 3; optimizer++)
		fill(w[optimizer], ITEMS, 12);
	for (int step = 0; step < 2; step++) {
		update_sgd(ITEMS, 0.1F, g, w[0]);
		update_momentum(ITEMS, 0.1F, 0.9F, g, v, w[1]);
		update_adam(ITEMS, 0.1F, g, m, s, w[2]);
	}
	for (size_t i = 0; i < ITEMS; i++) {
		float before[ITEMS];
		double gradient = (double)g[i], first = 0.1 * gradient, second = 0.001 * gradient * gradient,
		       moved;
		fill(before, ITEMS, 12);
		moved = first / (sqrt(second) + 1e-8);
		moved += (0.9 * first + first) / (sqrt(0.999 * second + second) + 1e-8);
		near(w[0][i], (double)before[i] - 0.2 * gradient, 1e-6);
		near(w[1][i], (double)before[i] - 0.1 * (1 + 1.9) * gradient, 1e-6);
		near(w[2][i], (double)before[i] - 0.1 * moved, 1e-4);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(relu),
		cmocka_unit_test(bias),
		cmocka_unit_test(batch_norm),
		cmocka_unit_test(max_pool),
		cmocka_unit_test(updates),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
