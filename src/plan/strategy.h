/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A strategy is a way to cut the tensors of a layer, and the traffic that this cut makes necessary. It does nothing
 * else: it does not loop over layers, choose an algorithm, know a machine, or print. Hybrids are products of degrees.
 *
 * Items are of one layer on one PE; degrees multiply, so cuts compose in any order.
 */
#ifndef PLAN_STRATEGY_H
#define PLAN_STRATEGY_H

#include <string.h>

#include "model/model.h"
#include "paradl/oracle.h"

/* The part of one layer that the fullest PE holds and computes. */
struct shard {
	double samples;
	double filters, channels; /* filters and channels of a contraction: F/f and C/c */
	double x_extent[DIMENSIONS_MAX], y_extent[DIMENSIONS_MAX];
	double x_items, y_items; /* items of a sample: spatial pieces; activations are whole along channels */
	double positions;        /* output positions of one sample */
	double x_share, y_share; /* share of the extents in the spatial piece; 1 = not cut */
	double weight_items, frozen_items;
	double filter_pieces, channel_pieces; /* degrees that cut this layer; 1 = not cut */
	/* Layers of tokens: degrees that cut the layer; expert_pieces: devices that share its experts. */
	double tensor_pieces, context_pieces, expert_pieces;
};

enum traffic_kind {
	TRAFFIC_ALLGATHER,
	TRAFFIC_ALLREDUCE,
	TRAFFIC_HALO,
	TRAFFIC_REDUCE_SCATTER,
	TRAFFIC_ALL_TO_ALL,
	TRAFFIC_SHIFT, /* to the next device of the group, `messages` times */
	TRAFFIC_KINDS
};
enum pass { PASS_FORWARD, PASS_BACKWARD };

/* One communication that a cut makes necessary, per iteration, with the items of the whole vector. */
struct traffic {
	enum paradl_axis axis;
	enum traffic_kind kind;
	enum pass pass;
	double items;
	double messages;   /* halo: pieces along the dimension; layers of tokens: times that it runs */
	double item_bytes; /* bytes of an item; 0: those of an activation */
};

enum { TRAFFIC_MAX = 16 };
struct traffic_list {
	struct traffic items[TRAFFIC_MAX];
	unsigned count;
};

/* Rules of cutting: the paper's even shares and every layer, or whole items and real neighbours. */
struct cut_rules {
	bool even; /* shares are even, and every layer is cut */
	bool filter_backward_partial;
	unsigned padded_pools; /* kinds of poolings whose spatial pieces are padded; see pool_is_padded() */
	bool pool_messages; /* other poolings take the rows of neighbours that their windows need; else none */
};

struct strategy {
	const char *name, *summary;
	enum paradl_axis axis;
	bool replicates_weights; /* every PE of the group holds all weights, and gradients are exchanged over it */
	/*
	 * limit: returns the largest degree that this layer allows (UINT_MAX: any). scarce: the thing it runs out of,
	 * for the message: "filters".
	 */
	unsigned (*limit)(const struct layer *layer, unsigned dimension);
	const char *scarce;
	void (*split)(struct shard *shard, const struct layer *layer, const struct paradl_plan *plan,
		const struct cut_rules *rules);
	void (*communicate)(struct traffic_list *list, const struct layer *layer, const struct shard *shard,
		const struct paradl_plan *plan, const struct cut_rules *rules);
};

#define X(id) extern const struct strategy strategy_##id;
#include "plan/list.def"
#undef X

/* Strategies by axis; every enum paradl_axis has one. */
extern const struct strategy *const strategies[PARADL_AXIS_COUNT];

/* Returns the shard that is the whole layer, before any cut, with `samples` samples. */
struct shard shard_whole(const struct layer *layer, double samples);

/* Returns the share of `whole` that the fullest of `pieces` holds: even when ideal, whole items otherwise. */
static inline double share(double whole, double pieces, bool ideal)
{
	const double even = whole / pieces;
	const double whole_items = (double)(long long)even;
	return ideal || even <= whole_items ? even : whole_items + 1;
}

/* Returns the axes in use, a bit for each: the family of a plan. */
static inline unsigned plan_axes(const struct paradl_plan *plan)
{
	unsigned axes = 0;
	for (unsigned axis = 0; axis < PARADL_AXIS_COUNT; ++axis)
		axes |= plan->degree[axis] > 1 ? 1u << axis : 0;
	return axes;
}

/* Returns the number of stages of a pipeline that one device holds. */
static inline unsigned plan_chunks(const struct paradl_plan *plan)
{
	return plan->schedule == PARADL_INTERLEAVED     ? plan->chunks
	       : plan->schedule == PARADL_ZERO_BUBBLE_V ? 2
							: 1;
}

/* Returns the number of devices that hold the same weights: along data, expert, context, spatial. */
double plan_replicas(const struct paradl_plan *plan);

/*
 * Copies to a plan the options of another that change no degree, schedule or share: the layer where spatial pieces are
 * gathered, the dispatcher that carries tokens to experts, and the settings of an engine.
 */
static inline void plan_keep(struct paradl_plan *plan, const struct paradl_plan *from)
{
	if (plan->degree[PARADL_SPATIAL] > 1 && from->gather[0])
		memcpy(plan->gather, from->gather, sizeof plan->gather);
	if (plan->degree[PARADL_EXPERT] > 1 || plan->degree[PARADL_TENSOR] > 1)
		plan->dispatcher = from->dispatcher;
	plan->chunk = from->chunk;
	plan->seqs = from->seqs;
}

/*
 * Reports whether the options of a plan hold; an error where they contradict one another or the degrees, or have
 * values that do not exist (in plans filled by hand).
 */
bool plan_options_hold(const struct paradl_plan *plan, struct paradl_error *error);

/*
 * Parses options without axes, "micro=1,zero=1"; `given` becomes the bit set of enum plan_option of those in the
 * text.
 */
bool plan_options_parse(
	const char *text, struct paradl_plan *plan, unsigned *given, struct paradl_error *error);

/*
 * Returns the rows of one face that a window of this layer needs from a neighbour along a dimension: dilation *
 * floor((K-1)/2).
 */
double halo_rows(const struct layer *layer, unsigned dimension);

#endif
