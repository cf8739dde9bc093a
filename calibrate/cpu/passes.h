/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Passes over activations, channels fastest, and updates of weights: those that are neither product nor convolution. Loops
 * without intrinsics; arrays do not overlap.
 */
#ifndef CALIBRATE_PASSES_H
#define CALIBRATE_PASSES_H

#include <stddef.h>
#include <stdint.h>

void relu_forward(size_t items, const float *x, float *y);
void relu_backward(size_t items, const float *x, const float *dy, float *dx);

/* y[row][channel] += b[channel]; db[channel] = sum over rows of dy. */
void bias_forward(size_t rows, size_t channels, const float *b, float *y);
void bias_backward(size_t rows, size_t channels, const float *dy, float *db);

/*
 * Of training: mean and variance of this batch in one pass (sums and sums of squares, in float: rows up to some 1e6),
 * y = (x - mean) inverse scale + shift in a second. `mean` and `inverse` (1 / standard deviation) are kept for backward.
 */
void batch_norm_forward(size_t rows, size_t channels, const float *x, const float *scale, const float *shift,
	float *y, float *mean, float *inverse);
void batch_norm_backward(size_t rows, size_t channels, const float *x, const float *dy, const float *scale,
	const float *mean, const float *inverse, float *dx, float *dscale, float *dshift);

/* Windows of 2 x 2, stride 2, of x[batch][height][width][channels], both even. `from`: which of the four it was. */
void max_pool_forward(
	size_t batch, size_t height, size_t width, size_t channels, const float *x, float *y, int32_t *from);
void max_pool_backward(size_t batch, size_t height, size_t width, size_t channels, const float *dy,
	const int32_t *from, float *dx);

void update_sgd(size_t items, float rate, const float *gradient, float *weight);
void update_momentum(
	size_t items, float rate, float momentum, const float *gradient, float *velocity, float *weight);
/* `rate` with the corrections of the step in it. */
void update_adam(size_t items, float rate, const float *gradient, float *first, float *second, float *weight);

#endif
