/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef CLI_CALIBRATE_SHARDS_H
#define CLI_CALIBRATE_SHARDS_H

#include "cli/session.h"

/* How layers are cut before they are measured: degrees of the axes, 1 each where nothing is cut. */
struct shard {
	unsigned filter, channel, spatial, tensor;
};
enum { SHARDS_MAX = 32 };
/* "filter=2,spatial=4" -> one shard each, after the whole layer. false: error is set. */
bool shards_parse(
	const char *text, struct shard shards[SHARDS_MAX], size_t *count, struct paradl_error *error);

#endif
