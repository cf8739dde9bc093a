/* SPDX-License-Identifier: BSD-3-Clause */
#include "passes.h"

#include <math.h>
#include <string.h>

void relu_forward(size_t items, const float *restrict x, float *restrict y)
{
	for (size_t i = 0; i < items; i++)
		y[i] = x[i] > 0 ? x[i] : 0;
}

void relu_backward(size_t items, const float *restrict x, const float *restrict dy, float *restrict dx)
{
	for (size_t i = 0; i < items; i++) {
		float gradient = dy[i]; /* read in any case: no branch */
		dx[i] = x[i] > 0 ? gradient : 0;
	}
}

void bias_forward(size_t rows, size_t channels, const float *restrict b, float *restrict y)
{
	for (size_t row = 0; row < rows; row++, y += channels)
		for (size_t i = 0; i < channels; i++)
			y[i] += b[i];
}

void bias_backward(size_t rows, size_t channels, const float *restrict dy, float *restrict db)
{
	memset(db, 0, channels * sizeof *db);
	for (size_t row = 0; row < rows; row++, dy += channels)
		for (size_t i = 0; i < channels; i++)
			db[i] += dy[i];
}

/* Biased variance, as training normalises with. */
static const float epsilon = 1e-5F;

void batch_norm_forward(size_t rows, size_t channels, const float *restrict x, const float *restrict scale,
	const float *restrict shift, float *restrict y, float *restrict mean, float *restrict inverse)
{
	const float *row_x = x;
	memset(mean, 0, channels * sizeof *mean);
	memset(inverse, 0, channels * sizeof *inverse);
	for (size_t row = 0; row < rows; row++, row_x += channels)
		for (size_t i = 0; i < channels; i++) {
			mean[i] += row_x[i];
			inverse[i] += row_x[i] * row_x[i];
		}
	for (size_t i = 0; i < channels; i++) {
		float variance;
		mean[i] /= (float)rows;
		variance = inverse[i] / (float)rows - mean[i] * mean[i];
		inverse[i] = 1 / sqrtf((variance > 0 ? variance : 0) + epsilon);
	}
	for (size_t row = 0; row < rows; row++, x += channels, y += channels)
		for (size_t i = 0; i < channels; i++)
			y[i] = (x[i] - mean[i]) * inverse[i] * scale[i] + shift[i];
}

/*
 * With z the normalised x: dshift = sum dy, dscale = sum dy z,
 * dx = scale inverse (dy - dshift / rows - z dscale / rows)   (Ioffe and Szegedy 2015).
 */
void batch_norm_backward(size_t rows, size_t channels, const float *restrict x, const float *restrict dy,
	const float *restrict scale, const float *restrict mean, const float *restrict inverse,
	float *restrict dx, float *restrict dscale, float *restrict dshift)
{
	const float *row_x = x, *row_dy = dy;
	memset(dscale, 0, channels * sizeof *dscale);
	memset(dshift, 0, channels * sizeof *dshift);
	for (size_t row = 0; row < rows; row++, row_x += channels, row_dy += channels)
		for (size_t i = 0; i < channels; i++) {
			dshift[i] += row_dy[i];
			dscale[i] += row_dy[i] * (row_x[i] - mean[i]) * inverse[i];
		}
	for (size_t row = 0; row < rows; row++, x += channels, dy += channels, dx += channels)
		for (size_t i = 0; i < channels; i++)
			dx[i] = scale[i] * inverse[i] *
				(dy[i] - (dshift[i] + (x[i] - mean[i]) * inverse[i] * dscale[i]) /
						 (float)rows);
}

void max_pool_forward(size_t batch, size_t height, size_t width, size_t channels, const float *restrict x,
	float *restrict y, int32_t *restrict from)
{
	for (size_t row = 0; row < batch * height / 2; row++)
		for (size_t column = 0; column < width / 2; column++, y += channels, from += channels) {
			const float *upper = x + (row * 2 * width + column * 2) * channels;
			const float *lower = upper + width * channels;
			for (size_t i = 0; i < channels; i++) {
				float a = upper[i], b = upper[channels + i], c = lower[i],
				      d = lower[channels + i];
				float high = b > a ? b : a, low = d > c ? d : c;
				int32_t of_high = b > a, of_low = 2 + (d > c),
					lower_row = -(int32_t)(low > high);
				y[i] = low > high ? low : high;
				from[i] = (of_high & ~lower_row) | (of_low & lower_row);
			}
		}
}

static void give_to(size_t channels, int32_t which, const float *restrict dy, const int32_t *restrict from,
	float *restrict dx)
{
	for (size_t i = 0; i < channels; i++) {
		float gradient = dy[i]; /* read in any case: no branch */
		dx[i] = from[i] == which ? gradient : 0;
	}
}

void max_pool_backward(size_t batch, size_t height, size_t width, size_t channels, const float *restrict dy,
	const int32_t *restrict from, float *restrict dx)
{
	for (size_t row = 0; row < batch * height / 2; row++)
		for (size_t column = 0; column < width / 2; column++, dy += channels, from += channels) {
			float *upper = dx + (row * 2 * width + column * 2) * channels,
			      *lower = upper + width * channels;
			give_to(channels, 0, dy, from, upper);
			give_to(channels, 1, dy, from, upper + channels);
			give_to(channels, 2, dy, from, lower);
			give_to(channels, 3, dy, from, lower + channels);
		}
}

void update_sgd(size_t items, float rate, const float *restrict gradient, float *restrict weight)
{
	for (size_t i = 0; i < items; i++)
		weight[i] -= rate * gradient[i];
}

void update_momentum(size_t items, float rate, float momentum, const float *restrict gradient,
	float *restrict velocity, float *restrict weight)
{
	for (size_t i = 0; i < items; i++) {
		velocity[i] = momentum * velocity[i] + gradient[i];
		weight[i] -= rate * velocity[i];
	}
}

void update_adam(size_t items, float rate, const float *restrict gradient, float *restrict first,
	float *restrict second, float *restrict weight)
{
	const float keep_first = 0.9F, keep_second = 0.999F, tiny = 1e-8F;
	for (size_t i = 0; i < items; i++) {
		first[i] = keep_first * first[i] + (1 - keep_first) * gradient[i];
		second[i] = keep_second * second[i] + (1 - keep_second) * gradient[i] * gradient[i];
		weight[i] -= rate * first[i] / (sqrtf(second[i]) + tiny);
	}
}
