/* SPDX-License-Identifier: GPL-3.0-or-later */
/* These functions find what replicas exchange in a step, in full; step_exchange.c finds what hides behind compute. */
#ifndef ORACLE_REPLICAS_H
#define ORACLE_REPLICAS_H

#include "oracle/evaluation.h"
#include "oracle/training.h"

struct replica_times {
	double gradients_s;      /* gradients of a step, after backward: all rounds */
	double host_s;           /* the host's part of gradients_s, for each tensor */
	double packing_s;        /* copies and casts, and the host's part; with zero 3 part of each_s */
	double weights_s;        /* updated weights, once, before forward */
	double each_s;           /* in each micro-batch (zero 3) */
	double each_host_s;      /* the host's part of each_s */
	double each_gradients_s; /* the gradients' part of each_s, without the host's */
	double buckets;          /* buckets that gradients go in; 1 where the framework does not say */
};

/* Returns how often gradients go in a step: with zero 2 after each micro-batch, unless a pipeline keeps them whole. */
double gradient_rounds(const struct evaluation *evaluation);

/* Returns whether a pipeline keeps gathered weights, and whole gradients, between micro-batches (zero 2 and 3). */
bool keeps_gathered(const struct evaluation *evaluation);

/* Weights of a device, and the part of each that experts have; frozen ones are not trained. */
struct device_weights {
	double trained, trained_experts, frozen, frozen_experts;
};
/* Returns the weights of a device with these sums (by enum stage_term). */
struct device_weights device_weights_of(const double *sums);

/* Returns the exchange of a device with these weights, units and tensors of trained weights. */
struct replica_times replicas_exchange(const struct evaluation *evaluation,
	const struct device_weights *weights, double units, double tensors);

/* Fills in the estimate how the gradients of `weights` weights travel: algorithm, number of messages, compression. */
void gradient_describe(const struct evaluation *evaluation, double weights, struct paradl_estimate *estimate);

/* Part of a pipeline device under one plan: all its sums (by enum stage_term), or one of its shares. */
struct part {
	const struct evaluation *evaluation; /* NULL before the first part */
	const double *sums;
	double copied; /* more weights: plan_share.copied */
	unsigned next;
};
/* Goes on to the next part of a device with these sums; false: there are no more. */
bool part_next(const struct evaluation *evaluation, unsigned device, const double *sums, struct part *part);

/* Returns the exchange, and the owned weights, of a pipeline device with these sums, or of its shares. */
struct replica_times device_exchange(
	const struct evaluation *evaluation, unsigned device, const double *sums);
double device_owned(const struct evaluation *evaluation, unsigned device, const double *sums);
/* End of a device's step under one way to share: its exchange in full, and its update. */
struct device_share {
	struct replica_times times;
	double update_s;
};

/* Returns the weights whose sharded states a device has. */
double replicas_owned(const struct evaluation *evaluation, double weights, double expert_weights);
/* Returns the frozen weights that a device holds between steps: zero 3 shards them like the others. */
double frozen_held(const struct evaluation *evaluation, const double *sums);

/* -- routes of gradients; exchange.c ------------------------------------------------------------------------------ */

/* Fills the routes that gradients may take among a group; false with an error. */
bool routes_compile(struct evaluation *evaluation, const struct group *group, struct replicas *replicas,
	struct paradl_error *error);
/* Lets gradients take the first `count` of the compiled routes, which lose least; returns how many there are. */
unsigned routes_use(struct evaluation *evaluation, unsigned count);
/* Returns how many routes were compiled for these replicas. */
unsigned routes_all(const struct evaluation *evaluation, const struct replicas *replicas);
/*
 * Returns whether a step is as short, to rounding, as one that may be compressed in all ways. Gradients that compute
 * hides gain nothing by being fewer bytes.
 */
bool compressed_enough(double iteration_s, double fastest_s);
/* Travel of the gradients of some weights. */
struct routing {
	const struct gradient_route *route; /* the fastest route; NULL: nothing is exchanged */
	double seconds, bytes, messages;    /* of all messages together */
	double packing_s;                   /* part of the seconds */
};
struct routing gradient_routing(
	const struct evaluation *evaluation, const struct replicas *replicas, double weights, double tensors);
/* Returns the bytes of one weight's gradient on its way, before compression. */
double gradient_bytes(const struct evaluation *evaluation);
/* Returns the host time of each tensor of gradients. */
double gradient_tensor_s(const struct evaluation *evaluation);
/*
 * Returns the bytes that a route carries for `weights` weights, the messages that go with `bytes` bytes, and the
 * seconds of all of these messages.
 */
double route_bytes(const struct evaluation *evaluation, const struct gradient_route *route, double weights);
double message_count(const struct replicas *replicas, double bytes);
double bucketed_s(const struct replicas *replicas, const struct exchange *exchange, double bytes);
/* Returns the seconds of copies into and out of buffers, of casts, and of what each tensor costs. */
double packing_s(const struct evaluation *evaluation, const struct gradient_route *route, double weights,
	double tensors);

/* ---- links: who fills those between nodes and those inside, and for how long ---- */

enum link_reach { LINKS_INSIDE, LINKS_ACROSS, LINK_REACHES };

/* Loads of exchanges of layers: one for each token axis, and one for all of filter, channel and spatial. */
enum { LOAD_CUTS = TOKEN_AXES, LAYER_LOADS };

/* Returns which links replicas, an axis, or exchanges of layers go over: where groups span nodes, those across. */
enum link_reach replicas_reach(const struct evaluation *evaluation);
enum link_reach axis_reach(const struct evaluation *evaluation, enum paradl_axis axis);
enum link_reach load_reach(const struct evaluation *evaluation, unsigned load);
/* Adds the seconds per micro-batch of the exchanges of a stage with these sums, hidden or not, by load and pass. */
void layer_loads_add(const double *term, bool plain, double load_s[LAYER_LOADS][2]);
/* Adds the seconds of such exchanges of layers with these sums, over the links of replicas. */
void layers_taken_add(const struct evaluation *evaluation, const double *term, bool plain, double taken_s[2]);
/* Adds the seconds of such exchanges of a stage, and of its messages to the next, over the links of replicas. */
void links_taken_add(
	const struct evaluation *evaluation, unsigned device, const struct stage *stage, double taken_s[2]);
/* Explains who fills the links during a step of training, the fullest links and the most of them first. */
bool links_explain(const struct result *result, struct paradl_arena *arena,
	struct paradl_explanation *explanation, struct paradl_error *error);

#endif
