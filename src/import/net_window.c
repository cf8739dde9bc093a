/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A .net file gives x, y and kernel of a layer, but no stride and padding, so candidates are tried. The first match
 * wins. The padding is the same in every dimension, and the stride of each is the smallest one:
 *     convolution   "half" padding floor((K-1)/2), none, "same" (y = ceil(x / s)), then 1 .. K-1
 *     pooling       none, none with ceil, half, half with ceil
 * The smallest stride s with floor(room / s) = y - 1, where room = x + 2p - K, is floor(room / y) + 1. The smallest
 * with ceil(room / s) = y - 1 is ceil(room / (y - 1)). A pooling with one place has its kernel as stride.
 */
#include <limits.h>

#include "import/original.h"

static long long divide_up(long long a, long long b)
{
	return a <= 0 ? 0 : (a + b - 1) / b;
}

static long long stride_candidate(long long x, long long y, long long room, const struct net_window *window)
{
	if (window->same)
		return divide_up(x, y);
	if (window->ceil)
		return room > y - 1 && y > 1 ? divide_up(room, y - 1) : 1;
	return room / y + 1;
}

/* Returns the smallest stride with which x gives y places, or 0. */
static unsigned stride_find(
	long long x, long long y, unsigned kernel, const struct net_window *window, bool pools)
{
	const long long room = x + 2LL * window->pad - kernel;
	if (room < 0 && !window->same && !(window->ceil && room + kernel > 0))
		return 0;
	const long long stride = pools && y == 1 ? kernel : stride_candidate(x, y, room, window);
	if (stride > WINDOW_MAX)
		return 0;
	const long long made = window->same   ? divide_up(x, stride)
			       : window->ceil ? divide_up(room, stride) + 1
					      : room / stride + 1;
	return made == y ? (unsigned)stride : 0;
}

static bool fits(const struct net_layer *layer, struct net_window *window, unsigned pad, bool same, bool ceil)
{
	const bool pools = layer->kind != NET_CONV;
	window->pad = pad;
	window->same = same;
	window->ceil = ceil;
	for (unsigned d = 0; d < window->dimensions; d++) {
		window->stride[d] = stride_find(
			layer->x.value[d + 1], layer->y.value[d + 1], window->kernel[d], window, pools);
		if (window->stride[d] == 0)
			return false;
	}
	return true;
}

static bool conv_fits(const struct net_layer *layer, struct net_window *window, unsigned half, unsigned most)
{
	enum { PADS_TRIED = 64 };
	if (fits(layer, window, half, false, false) || fits(layer, window, 0, false, false) ||
		fits(layer, window, 0, true, false))
		return true;
	for (unsigned pad = 1; pad <= most && pad < PADS_TRIED; pad++)
		if (fits(layer, window, pad, false, false))
			return true;
	return false;
}

bool net_window_find(const struct net_layer *layer, struct net_window *window)
{
	unsigned least = UINT_MAX;
	*window = (struct net_window){.dimensions = layer->x.count - 1};
	if (window->dimensions == 0 || layer->y.count != layer->x.count ||
		layer->w.count != window->dimensions + 2)
		return false;
	for (unsigned d = 0; d < window->dimensions; d++) {
		window->kernel[d] = layer->w.value[d + 2];
		if (window->kernel[d] == 0 || window->kernel[d] > WINDOW_MAX)
			return false;
		least = window->kernel[d] < least ? window->kernel[d] : least;
	}
	const unsigned half = (least - 1) / 2;
	if (layer->kind == NET_CONV)
		return conv_fits(layer, window, half, least - 1);
	return fits(layer, window, 0, false, false) || fits(layer, window, 0, false, true) ||
	       fits(layer, window, half, false, false) || fits(layer, window, half, false, true);
}
