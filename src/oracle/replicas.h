/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What replicas of weights exchange in a step, in full; what hides behind compute is training.c's. */
#ifndef ORACLE_REPLICAS_H
#define ORACLE_REPLICAS_H

#include "oracle/oracle.h"

struct replica_times {
	double gradients_s; /* once, after backward */
	double weights_s;   /* once, before forward */
	double each_s;      /* in each micro-batch (zero 3) */
	double buckets;     /* that gradients go in; 1: not said */
};

/* Of a device with so many trained weights, of experts among them, in so many units. */
struct replica_times replicas_exchange(
	const struct evaluation *evaluation, double weights, double expert_weights, double units);

/* Only how many there are, for memory: nothing can be exchanged yet. */
void replicas_count(struct evaluation *evaluation);

/* How the gradients of so many weights travel: an algorithm, in so many messages. */
void replicas_describe(const struct evaluation *evaluation, double weights, struct paradl_estimate *estimate);

/* Of a device of the pipeline with these sums (by enum stage_term), or of its shares. */
struct replica_times device_exchange(
	const struct evaluation *evaluation, unsigned device, const double *sums);
double device_owned(const struct evaluation *evaluation, unsigned device, const double *sums);

/* Weights of which a device has the sharded states. */
double replicas_owned(const struct evaluation *evaluation, double weights, double expert_weights);

#endif
