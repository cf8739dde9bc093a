/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Kernel times of a whole layer of a chain on a device without tiles, by hand: three products M x N x K of a contraction
 * at max(flop / peak, bytes / memory rate), every other pass by the items it reads and writes.
 */
#ifndef TESTS_ORACLE_ROOFLINE_H
#define TESTS_ORACLE_ROOFLINE_H

#include "oracle/chain.h"

#define ROOFLINE_PEAK 100e12 /* of SETUP_DEVICE */
#define ROOFLINE_RATE 1e12
#define ITEM          4.0

struct roofline {
	double forward_s, backward_s;
};

static inline struct roofline roofline_of(const struct chain_layer *layer, bool first, double samples)
{
	const double x = samples * layer->x_items, y = samples * layer->y_items,
		     item_s = ITEM / ROOFLINE_RATE;
	if (layer->kind == CHAIN_ACT)
		return (struct roofline){2 * x * item_s, 3 * x * item_s};
	if (layer->kind == CHAIN_POOL)
		return (struct roofline){(x + y) * item_s, 2 * (x + y) * item_s};
	/* 2 M N K is the same for the three products of a whole layer; so are the bytes. */
	const double product =
		fmax(samples * layer->forward_flop / ROOFLINE_PEAK, (x + y + layer->w_items) * item_s);
	return (struct roofline){product + (layer->bias ? 2 * y * item_s : 0),
		(first ? 1 : 2) * product + (layer->bias ? y * item_s : 0)};
}

#endif
