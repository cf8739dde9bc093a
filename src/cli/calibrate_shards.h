/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef CLI_CALIBRATE_SHARDS_H
#define CLI_CALIBRATE_SHARDS_H

#include "cli/session.h"

/* A shard of a layer that is measured: the degree of each axis that splits the layer, 1 where it does not. */
struct shard {
	unsigned filter, channel, spatial, tensor;
};
enum { SHARDS_MAX = 32 };
/* Reads "filter=2,spatial=4": shards[0] is the whole layer, and each item is one more shard. false: error is set. */
bool shards_parse(
	const char *text, struct shard shards[SHARDS_MAX], size_t *count, struct paradl_error *error);

#endif
