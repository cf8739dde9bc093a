/* SPDX-License-Identifier: BSD-3-Clause */
#include "passes.h"

#include <math.h>
#include <string.h>

void pass_bias(float *restrict y, const float *restrict bias, size_t rows, size_t filters)
{
	for (size_t row = 0; row < rows; ++row)
		for (size_t i = 0; i < filters; ++i)
			y[row * filters + i] += bias[i];
}

void pass_bias_gradient(const float *restrict dy, float *restrict db, size_t rows, size_t filters)
{
	memset(db, 0, filters * sizeof *db);
	for (size_t row = 0; row < rows; ++row)
		for (size_t i = 0; i < filters; ++i)
			db[i] += dy[row * filters + i];
}

void pass_relu(const float *restrict x, float *restrict y, size_t count)
{
	for (size_t i = 0; i < count; ++i)
		y[i] = x[i] > 0 ? x[i] : 0;
}

void pass_relu_gradient(const float *restrict y, const float *restrict dy, float *restrict dx, size_t count)
{
	for (size_t i = 0; i < count; ++i)
		dx[i] = y[i] > 0 ? dy[i] : 0;
}

/* Items of x that one position of a window reads, edges left out; `at` is where the next one is. */
struct window {
	size_t begin[CONVOLUTION_DIMENSIONS], end[CONVOLUTION_DIMENSIONS], at[CONVOLUTION_DIMENSIONS];
	size_t sample;
};

static struct window window_of(const struct convolution *c, size_t sample, size_t position)
{
	const size_t positions[] = {
		position / (c->y[1] * c->y[2]), position / c->y[2] % c->y[1], position % c->y[2]};
	struct window window = {.sample = sample};
	for (unsigned i = 0; i < CONVOLUTION_DIMENSIONS; ++i) {
		const size_t begin = positions[i] * c->stride[i], end = begin + c->kernel[i];
		window.begin[i] = begin > c->pad[i] ? begin - c->pad[i] : 0;
		window.end[i] = end > c->pad[i] ? end - c->pad[i] : 0;
		window.end[i] = window.end[i] < c->x[i] ? window.end[i] : c->x[i];
		window.at[i] = window.begin[i];
		if (window.begin[i] >= window.end[i])
			window.at[0] = window.end[0]; /* wholly beyond the edge */
	}
	return window;
}

static bool window_next(const struct convolution *c, struct window *window, size_t *place)
{
	if (window->at[0] >= window->end[0])
		return false;
	*place = (((window->sample * c->x[0] + window->at[0]) * c->x[1] + window->at[1]) * c->x[2] +
			 window->at[2]) *
		 c->channels;
	for (unsigned i = CONVOLUTION_DIMENSIONS; i-- > 0;) {
		if (++window->at[i] < window->end[i] || i == 0)
			break;
		window->at[i] = window->begin[i];
	}
	return true;
}

static void window_join(const float *restrict x, float *restrict y, size_t count, bool mean, bool first)
{
	if (first)
		memcpy(y, x, count * sizeof *y);
	else if (mean)
		for (size_t i = 0; i < count; ++i)
			y[i] += x[i];
	else
		for (size_t i = 0; i < count; ++i)
			y[i] = x[i] > y[i] ? x[i] : y[i];
}

void pass_pool(const struct convolution *c, bool mean, const float *x, float *y)
{
	const size_t positions = convolution_positions(c), volume = convolution_volume(c);
	size_t place;
	for (size_t at = 0; at < c->batch * positions; ++at, y += c->channels) {
		struct window window = window_of(c, at / positions, at % positions);
		for (bool first = true; window_next(c, &window, &place); first = false)
			window_join(x + place, y, c->channels, mean, first);
		for (size_t i = 0; mean && i < c->channels; ++i)
			y[i] /= (float)volume;
	}
}

/* Items that are the maximum get what is left of dy: 0 after the first of them. */
static void window_give(const float *restrict x, const float *restrict y, float *restrict left,
	float *restrict dx, size_t count)
{
	for (size_t i = 0; i < count; ++i) {
		const float given = x[i] >= y[i] ? left[i] : 0;
		dx[i] += given;
		left[i] -= given;
	}
}

void pass_max_gradient(
	const struct convolution *c, const float *x, const float *y, const float *dy, float *dx)
{
	enum { CHANNELS_AT_ONCE = 256 };
	const size_t positions = convolution_positions(c);
	float left[CHANNELS_AT_ONCE];
	size_t place;
	memset(dx, 0, convolution_x_items(c) * sizeof *dx);
	for (size_t at = 0; at < c->batch * positions; ++at)
		for (size_t channel = 0; channel < c->channels; channel += CHANNELS_AT_ONCE) {
			const size_t rest = c->channels - channel, from = at * c->channels + channel;
			const size_t count = rest < CHANNELS_AT_ONCE ? rest : CHANNELS_AT_ONCE;
			memcpy(left, dy + from, count * sizeof *left);
			struct window window = window_of(c, at / positions, at % positions);
			while (window_next(c, &window, &place))
				window_give(x + place + channel, y + from, left, dx + place + channel, count);
		}
}

void pass_mean_gradient(const struct convolution *c, const float *dy, float *dx)
{
	const size_t positions = convolution_positions(c), volume = convolution_volume(c);
	size_t place;
	memset(dx, 0, convolution_x_items(c) * sizeof *dx);
	for (size_t at = 0; at < c->batch * positions; ++at, dy += c->channels) {
		struct window window = window_of(c, at / positions, at % positions);
		while (window_next(c, &window, &place))
			for (size_t i = 0; i < c->channels; ++i)
				dx[place + i] += dy[i] / (float)volume;
	}
}

double pass_loss(
	const float *x, const unsigned *targets, size_t samples, size_t classes, float scale, float *dx)
{
	double loss = 0;
	for (size_t sample = 0; sample < samples; ++sample, x += classes, dx += classes) {
		float most = x[0];
		for (size_t i = 1; i < classes; ++i)
			most = x[i] > most ? x[i] : most;
		double sum = exp((double)(x[0] - most));
		for (size_t i = 1; i < classes; ++i)
			sum += exp((double)(x[i] - most));
		for (size_t i = 0; i < classes; ++i)
			dx[i] = scale * (float)(exp((double)(x[i] - most)) / sum);
		dx[targets[sample]] -= scale;
		loss += log(sum) - (double)(x[targets[sample]] - most);
	}
	return loss;
}

void pass_sgd(float *restrict w, const float *restrict g, size_t count, float rate)
{
	for (size_t i = 0; i < count; ++i)
		w[i] -= rate * g[i];
}

void pass_momentum(float *restrict w, const float *restrict g, float *restrict v, size_t count, float rate,
	float momentum)
{
	for (size_t i = 0; i < count; ++i) {
		v[i] = momentum * v[i] + g[i];
		w[i] -= rate * v[i];
	}
}

void pass_add(float *restrict sum, const float *restrict items, size_t count)
{
	for (size_t i = 0; i < count; ++i)
		sum[i] += items[i];
}

void pass_slice(const struct channels *channels, const float *whole, float *slice)
{
	for (size_t row = 0; row < channels->rows; ++row)
		memcpy(slice + row * channels->width, whole + row * channels->all + channels->first,
			channels->width * sizeof *slice);
}

void pass_merge(const struct channels *channels, const float *slice, float *whole)
{
	for (size_t row = 0; row < channels->rows; ++row)
		memcpy(whole + row * channels->all + channels->first, slice + row * channels->width,
			channels->width * sizeof *whole);
}

void pass_blocks(const struct blocks *blocks, const float *from, float *to)
{
	for (size_t i = 0; i < blocks->count; ++i)
		memcpy(to + i * blocks->to_step, from + i * blocks->from_step, blocks->length * sizeof *to);
}

void pass_blocks_add(const struct blocks *blocks, const float *from, float *to)
{
	for (size_t i = 0; i < blocks->count; ++i)
		pass_add(to + i * blocks->to_step, from + i * blocks->from_step, blocks->length);
}
