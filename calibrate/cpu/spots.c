/* SPDX-License-Identifier: BSD-3-Clause */
#include "spots.h"

#include "arrays.h"

enum { SPOTS = 12, DIMENSIONS = CONVOLUTION_DIMENSIONS };

/* Of `items`, the one at spot i: the first, the last, and some between. */
static size_t spot(size_t items, size_t i)
{
	return i == SPOTS - 1 ? items - 1 : i * 2654435761U % items;
}

static size_t volume_of(const size_t extents[DIMENSIONS])
{
	return extents[0] * extents[1] * extents[2];
}

static void split(size_t place, const size_t extents[DIMENSIONS], size_t at[DIMENSIONS])
{
	for (int d = DIMENSIONS - 1; d >= 0; d--) {
		at[d] = place % extents[d];
		place /= extents[d];
	}
}

/* Place in x that output position `o` reads with item `k`; false: beyond x. */
static bool place_in_x(const struct convolution *c, size_t o, size_t k, size_t *place)
{
	size_t at_o[DIMENSIONS], at_k[DIMENSIONS];
	split(o, c->y, at_o);
	split(k, c->kernel, at_k);
	*place = 0;
	for (int d = 0; d < DIMENSIONS; d++) {
		size_t padded = at_o[d] * c->stride[d] + at_k[d] * c->dilation[d];
		if (padded < c->pad[d] || padded - c->pad[d] >= c->x[d])
			return false;
		*place = *place * c->x[d] + padded - c->pad[d];
	}
	return true;
}

/* Output position that reads place `x` with item `k`; false: none does. */
static bool place_in_y(const struct convolution *c, size_t x, size_t k, size_t *place)
{
	size_t at_x[DIMENSIONS], at_k[DIMENSIONS];
	split(x, c->x, at_x);
	split(k, c->kernel, at_k);
	*place = 0;
	for (int d = 0; d < DIMENSIONS; d++) {
		size_t padded = at_x[d] + c->pad[d], offset = at_k[d] * c->dilation[d];
		if (padded < offset || (padded - offset) % c->stride[d] ||
			(padded - offset) / c->stride[d] >= c->y[d])
			return false;
		*place = *place * c->y[d] + (padded - offset) / c->stride[d];
	}
	return true;
}

bool spots_forward(const struct convolution *c, const float *x, const float *w, const float *y)
{
	size_t width = c->channels / c->groups, volume = convolution_volume(c),
	       positions = convolution_positions(c);
	for (size_t i = 0; i < SPOTS; i++) {
		size_t item = spot(convolution_y_items(c), i), filter = item % c->filters, place;
		size_t position = item / c->filters % positions, sample = item / c->filters / positions;
		size_t group = filter / (c->filters / c->groups);
		struct exact_sum exact = {0, 0};
		for (size_t k = 0; k < volume; k++)
			for (size_t channel = 0; place_in_x(c, position, k, &place) && channel < width;
				channel++)
				exact_add(&exact, w[(filter * volume + k) * width + channel],
					x[(sample * volume_of(c->x) + place) * c->channels + group * width +
						channel]);
		if (!exact_agrees(&exact, y[item]))
			return false;
	}
	return true;
}

bool spots_backward_data(const struct convolution *c, const float *dy, const float *w, const float *dx)
{
	size_t width = c->channels / c->groups, volume = convolution_volume(c), positions = volume_of(c->x);
	size_t filters = c->filters / c->groups;
	for (size_t i = 0; i < SPOTS; i++) {
		size_t item = spot(convolution_x_items(c), i), channel = item % c->channels, place;
		size_t position = item / c->channels % positions, sample = item / c->channels / positions;
		size_t first = channel / width * filters;
		struct exact_sum exact = {0, 0};
		for (size_t k = 0; k < volume; k++) {
			if (!place_in_y(c, position, k, &place))
				continue;
			for (size_t filter = first; filter < first + filters; filter++)
				exact_add(&exact, w[(filter * volume + k) * width + channel % width],
					dy[(sample * convolution_positions(c) + place) * c->filters +
						filter]);
		}
		if (!exact_agrees(&exact, dx[item]))
			return false;
	}
	return true;
}

bool spots_backward_filter(const struct convolution *c, const float *x, const float *dy, const float *dw)
{
	size_t width = c->channels / c->groups, volume = convolution_volume(c),
	       positions = convolution_positions(c);
	for (size_t i = 0; i < SPOTS; i++) {
		size_t item = spot(convolution_weights(c), i), channel = item % width, place;
		size_t k = item / width % volume, filter = item / width / volume;
		size_t first = filter / (c->filters / c->groups) * width;
		struct exact_sum exact = {0, 0};
		for (size_t sample = 0; sample < c->batch; sample++)
			for (size_t position = 0; position < positions; position++)
				if (place_in_x(c, position, k, &place))
					exact_add(&exact,
						dy[(sample * positions + position) * c->filters + filter],
						x[(sample * volume_of(c->x) + place) * c->channels + first +
							channel]);
		if (!exact_agrees(&exact, dw[item]))
			return false;
	}
	return true;
}
