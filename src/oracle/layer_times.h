/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ORACLE_LAYER_TIMES_H
#define ORACLE_LAYER_TIMES_H

#include "oracle/oracle.h"

/*
 * Measured layer times (format "paradl-profile", paradl-layer-times(5)) are seconds of the whole layer, forward and
 * backward, at one or more batches, by layer name. They replace the roofline of whole layers; a shard's time is the
 * measured one times the roofline's ratio of shard to whole, at the local batch by linear interpolation.
 */
struct layer_times;

const struct layer_times *layer_times_load(
	struct paradl_arena *arena, const char *path, struct paradl_error *error);
/* Returns the name of the network that was measured. */
const char *layer_times_model(const struct layer_times *times);
/*
 * Finds the measured times of a network's layers; another precision, or a layer that the network lacks, is an error.
 * Does nothing without oracle->times.
 */
bool layer_times_match(struct paradl_oracle *oracle, struct prepared *net, struct paradl_error *error);
/* Returns a shard's measured compute, or the roofline's where the layer was not measured; with oracle->times. */
struct layer_compute layer_times_apply(
	const struct evaluation *evaluation, unsigned index, const struct layer_compute *shard_compute);
/* Returns the measured update of a shard's weights in the same way; update_s where it was not measured. */
double layer_times_update_s(
	const struct evaluation *evaluation, unsigned index, const struct shard *shard, double update_s);

#endif
