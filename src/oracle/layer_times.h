/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ORACLE_LAYER_TIMES_H
#define ORACLE_LAYER_TIMES_H

#include "oracle/oracle.h"

/*
 * Measured layer times (format "paradl-profile", paradl-layer-times(5)): seconds of the whole layer, forward and
 * backward, at one or more batches, by layer name. They replace the roofline of whole layers; a shard's time is the
 * measured one times the roofline's ratio of shard to whole, at the local batch by linear interpolation.
 */
struct layer_times;

const struct layer_times *layer_times_load(
	struct paradl_arena *arena, const char *path, struct paradl_error *error);
/* The network that they were measured of. */
const char *layer_times_model(const struct layer_times *times);
/* Finds the measured times of a network's layers; no layer in common is an error. Without oracle->times: nothing. */
bool layer_times_match(struct paradl_oracle *oracle, struct prepared *net, struct paradl_error *error);
/* Replaces `compute` of a shard where the layer was measured; with oracle->times. */
struct layer_compute layer_times_apply(
	const struct evaluation *evaluation, unsigned index, const struct layer_compute *shard_compute);
/* The same for the update of a shard's weights. */
double layer_times_update_s(
	const struct evaluation *evaluation, unsigned index, const struct shard *shard, double update_s);

#endif
