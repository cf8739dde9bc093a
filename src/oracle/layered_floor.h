/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What each layer adds to a plan of parts, such that the sums are never more than the estimate (quiet network), and
 * for one plan everywhere (nearly) the same: what a search over all choices of plans adds up.
 */
#ifndef ORACLE_LAYERED_FLOOR_H
#define ORACLE_LAYERED_FLOOR_H

#include "oracle/layered.h"
#include "oracle/replicas.h"

/* What hides: gradients, gathers of updated weights, sharded weights. */
enum { FLOOR_HIDES = 3 };
/* Where sums that are not sums of layers are bounded from: one plan for all layers. */
struct floor_point {
	double device[2],
		host[2]; /* weights of device and host time, by enum pass: the slower of them counts */
	bool shows[FLOOR_HIDES]; /* more of it than hides */
};
/* Seconds for each weight that replicas exchange, at least. */
struct way_floor {
	struct replica_times rates[2]; /* of all weights but experts', and of those */
};
struct layer_floor {
	double cost_s;
	double exposed_s; /* of the sum what is above 0 counts */
	double memory_bytes;
	double transient_bytes; /* more, at a moment when all memory_bytes are held: the most of any layer counts */
};

/* As it is for the whole network under this way, whose estimate then is met. */
struct way_floor way_floor_of(const struct way *way);
struct floor_point floor_point_at(const struct way *way, const struct way_floor *floor);
/* Positions [first, end); false: the plan cannot run one of them. */
bool layer_floor(const struct way *way, const struct way_floor *floor, const struct floor_point *point,
	unsigned first, unsigned end, struct layer_floor *result);
/* The same for every plan. */
double fixed_floor_s(const struct way *way, const struct floor_point *point);
/* With input, of a step that takes busy_s or more without: a plan of parts reads as one of its ways does. */
double ways_input_floor_s(const struct way *ways, unsigned count, double busy_s);

#endif
