/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A layout says which part of a tensor each device has. Channels are whole everywhere; samples are cut along data and
 * expert, extents along spatial, tokens along context, and along tensor with sequence parallelism. A layout is pure
 * numbers: it has no network and no time.
 */
#ifndef ORACLE_LAYOUT_H
#define ORACLE_LAYOUT_H

#include "paradl/oracle.h"
#include "plan/strategy.h"

/* Returns the greatest common divisor; a where b is 0. */
unsigned common_divisor(unsigned a, unsigned b);

/* Dimensions of a layout: samples, then extents (or tokens). */
enum { LAYOUT_DIMENSIONS = 1 + DIMENSIONS_MAX };

/* Digit of the device's number; stride 1 where it cuts nothing. */
struct layout_digit {
	unsigned stride, degree;
};
/* Digits of a layout: pieces of each dimension go by up to two, the outer one first. */
enum { LAYOUT_DIGITS = 2 * LAYOUT_DIMENSIONS };
struct layout {
	unsigned devices;
	struct layout_digit digits[LAYOUT_DIGITS];
};

/* Returns the layout of what a layer makes under a plan; extents_cut: the spatial axis cuts it. */
struct layout layout_of(const struct paradl_plan *plan, bool extents_cut);

/* Move of a tensor from one layout to another. */
struct layout_move {
	/* Items of one channel that the device which lacks most lacks; 0: nothing moves. */
	double items;
	unsigned devices; /* devices of the smallest aligned blocks that hold all their devices need */
	bool gathers;     /* all devices of a block need the same */
};
struct layout_change {
	struct layout from, to;
	/* Items of each dimension: samples, rows. Piece i of n goes from floor(i e / n) to floor((i+1) e / n). */
	double extent[LAYOUT_DIMENSIONS];
};
struct layout_move layout_move(struct layout_change change);

/* Returns the items of one channel that the fullest device holds. */
double layout_items(const struct layout *layout, const double extent[LAYOUT_DIMENSIONS]);

#endif
