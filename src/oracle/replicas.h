/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What replicas of weights exchange in a step, in full; what hides behind compute is step_exchange.c's. */
#ifndef ORACLE_REPLICAS_H
#define ORACLE_REPLICAS_H

#include "oracle/oracle.h"

struct replica_times {
	double gradients_s; /* once, after backward */
	double host_s;      /* of it the host's, for each tensor */
	double packing_s;   /* of it copies and casts, and the host's; with zero 3 of each_s */
	double weights_s;   /* once, before forward */
	double each_s;      /* in each micro-batch (zero 3) */
	double buckets;     /* that gradients go in; 1 where the framework does not say */
};

/* Returns whether a pipeline keeps the weights that it has gathered, and whole gradients, from one micro-batch to the next (zero 3). */
bool keeps_gathered(const struct evaluation *evaluation);

/* Of a device with so many trained weights, of experts among them, in so many units and tensors. */
struct replica_times replicas_exchange(const struct evaluation *evaluation, double weights,
	double expert_weights, double units, double tensors);

/* Says in the estimate how the gradients of so many weights travel: an algorithm, in so many messages. */
void gradient_describe(const struct evaluation *evaluation, double weights, struct paradl_estimate *estimate);

/* What a device of the pipeline has under one plan: all its sums (by enum stage_term), or one of its shares. */
struct part {
	const struct evaluation *evaluation; /* NULL before the first */
	const double *sums;
	double copied; /* weights besides: plan_share.copied */
	unsigned next;
};
/* Goes on to the next part of a device with these sums; false: there are no more. */
bool part_next(const struct evaluation *evaluation, unsigned device, const double *sums, struct part *part);

/* Of a device of the pipeline with these sums, or of its shares. */
struct replica_times device_exchange(
	const struct evaluation *evaluation, unsigned device, const double *sums);
double device_owned(const struct evaluation *evaluation, unsigned device, const double *sums);
/* What a device does at the end of a step under one way to share: its exchange in full, and its update. */
struct device_share {
	struct replica_times times;
	double update_s;
};

/* Weights of which a device has the sharded states. */
double replicas_owned(const struct evaluation *evaluation, double weights, double expert_weights);

/* -- routes of gradients; exchange.c ------------------------------------------------------------------------------ */

/* Fills the routes that gradients may take among a group. */
bool routes_compile(struct evaluation *evaluation, const struct group *group, struct replicas *replicas,
	struct paradl_error *error);
/* Lets gradients take the first so many of the routes that were compiled, which lose least; returns how many there are. */
unsigned routes_use(struct evaluation *evaluation, unsigned count);
/* Returns how many routes were compiled for these replicas. */
unsigned routes_all(const struct evaluation *evaluation, const struct replicas *replicas);
/* Returns whether a step is as short, to rounding, as one that may be compressed in all ways: what compute hides gains nothing by being less. */
bool compressed_enough(double iteration_s, double fastest_s);
/* How so many weights' gradients travel. */
struct routing {
	const struct gradient_route *route; /* the fastest; NULL: nothing is exchanged */
	double seconds, bytes, messages;    /* bytes of all messages */
	double packing_s;                   /* of the seconds */
};
struct routing gradient_routing(
	const struct evaluation *evaluation, const struct replicas *replicas, double weights, double tensors);
/* Bytes of one weight's gradient on its way, before compression. */
double gradient_bytes(const struct evaluation *evaluation);
/* Returns the host time of each tensor of gradients. */
double gradient_tensor_s(const struct evaluation *evaluation);
/* Bytes that a route carries for so many weights; messages that so many bytes go in, and the seconds of all of them. */
double route_bytes(const struct evaluation *evaluation, const struct gradient_route *route, double weights);
double message_count(const struct replicas *replicas, double bytes);
double bucketed_s(const struct replicas *replicas, const struct exchange *exchange, double bytes);
/* Copies into and out of buffers, casts, and what each tensor costs. */
double packing_s(const struct evaluation *evaluation, const struct gradient_route *route, double weights,
	double tensors);

#endif
