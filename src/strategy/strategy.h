/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A strategy is a way to cut the tensors of a layer, and the traffic that cut makes necessary. Nothing else: it does
 * not loop over layers, choose an algorithm, know a machine, or print. Hybrids are products of degrees.
 *
 * Items are of one layer on one PE; degrees multiply, so cuts compose in any order.
 */
#ifndef STRATEGY_STRATEGY_H
#define STRATEGY_STRATEGY_H

#include <string.h>

#include "model/model.h"

/* What the fullest PE holds and computes of one layer. */
struct shard {
	double samples;
	double filters, channels; /* of a contraction: F/f and C/c */
	double x_extent[DIMENSIONS_MAX], y_extent[DIMENSIONS_MAX];
	double x_items, y_items; /* of one sample: spatial pieces; activations are whole along channels */
	double positions;        /* output positions of one sample */
	double x_share, y_share; /* of the extents that the spatial piece holds; 1 = not cut */
	double weight_items, frozen_items;
	double filter_pieces, channel_pieces; /* degrees that cut this layer; 1 = not cut */
	/* Of layers of tokens: degrees that cut it; how many devices share its experts. */
	double tensor_pieces, context_pieces, expert_pieces;
};

enum traffic_kind {
	TRAFFIC_ALLGATHER,
	TRAFFIC_ALLREDUCE,
	TRAFFIC_HALO,
	TRAFFIC_REDUCE_SCATTER,
	TRAFFIC_ALL_TO_ALL,
	TRAFFIC_SHIFT, /* to the next of the group, `messages` times */
	TRAFFIC_KINDS
};
enum pass { PASS_FORWARD, PASS_BACKWARD };

/* One communication that a cut makes necessary, per iteration: the whole vector in items. */
struct traffic {
	enum paradl_axis axis;
	enum traffic_kind kind;
	enum pass pass;
	double items;
	double messages;   /* of a halo: pieces to cross along the dimension; of shifts: how many */
	double item_bytes; /* 0: an activation's */
};

enum { TRAFFIC_MAX = 16 };
struct traffic_list {
	struct traffic items[TRAFFIC_MAX];
	unsigned count;
};

/* How faithfully: the paper's even shares and every layer, or whole items and real neighbours. */
struct cut_rules {
	bool even; /* shares are even, and every layer is cut */
	bool filter_backward_partial;
	unsigned padded_pools; /* kinds of poolings whose spatial pieces are padded; see pool_is_padded() */
	bool pool_messages; /* other poolings take from neighbours the rows that their windows need; else none */
};

struct strategy {
	const char *name, *summary;
	enum paradl_axis axis;
	bool replicates_weights; /* every PE of the group holds them all, and gradients are exchanged over it */
	/* The largest degree this layer allows (UINT_MAX: any); what is scarce, for the message: "filters". */
	unsigned (*limit)(const struct layer *layer, unsigned dimension);
	const char *scarce;
	void (*split)(struct shard *shard, const struct layer *layer, const struct paradl_plan *plan,
		const struct cut_rules *rules);
	void (*communicate)(struct traffic_list *list, const struct layer *layer, const struct shard *shard,
		const struct paradl_plan *plan, const struct cut_rules *rules);
};

#define X(id) extern const struct strategy strategy_##id;
#include "strategy/list.def"
#undef X

/* By axis; every enum paradl_axis has one. */
extern const struct strategy *const strategies[PARADL_AXIS_COUNT];

/* A layer before any cut, with `samples` samples. */
struct shard shard_whole(const struct layer *layer, double samples);

/* Share of `whole` that the fullest of `pieces` holds: even when ideal, whole items else. */
static inline double share(double whole, double pieces, bool ideal)
{
	const double even = whole / pieces;
	const double whole_items = (double)(long long)even;
	return ideal || even <= whole_items ? even : whole_items + 1;
}

/* The axes in use, a bit each: a plan's family. */
static inline unsigned plan_axes(const struct paradl_plan *plan)
{
	unsigned axes = 0;
	for (unsigned axis = 0; axis < PARADL_AXIS_COUNT; ++axis)
		axes |= plan->degree[axis] > 1 ? 1u << axis : 0;
	return axes;
}

/* Stages of a pipeline that one device holds. */
static inline unsigned plan_chunks(const struct paradl_plan *plan)
{
	return plan->schedule == PARADL_INTERLEAVED     ? plan->chunks
	       : plan->schedule == PARADL_ZERO_BUBBLE_V ? 2
							: 1;
}

/* Devices that hold the same weights: along data, expert, context, spatial. */
double plan_replicas(const struct paradl_plan *plan);

/* Gives a plan what searches never vary of another: where spatial pieces are gathered, who carries tokens to experts. */
static inline void plan_keep(struct paradl_plan *plan, const struct paradl_plan *from)
{
	if (plan->degree[PARADL_SPATIAL] > 1 && from->gather[0])
		memcpy(plan->gather, from->gather, sizeof plan->gather);
	if (plan->degree[PARADL_EXPERT] > 1 || plan->degree[PARADL_TENSOR] > 1)
		plan->dispatcher = from->dispatcher;
}

/* Options that contradict one another or the degrees, or have values that there are not (of plans filled by hand). */
bool plan_options_hold(const struct paradl_plan *plan, struct paradl_error *error);

/* "micro=1,zero=1": options without axes; given: bit set of enum plan_option, those that the text has. */
bool plan_options_parse(
	const char *text, struct paradl_plan *plan, unsigned *given, struct paradl_error *error);

/* Rows of one face that a window of this layer needs from a neighbour along a dimension: dilation * floor((K-1)/2). */
double halo_rows(const struct layer *layer, unsigned dimension);

#endif
