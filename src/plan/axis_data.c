/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Data parallelism deals B samples out over d replicas, so the fullest has ceil(B / d). There is no traffic inside a
 * layer; gradients are exchanged once per iteration, over every axis that replicates weights (the oracle adds this
 * exchange).
 */
#include <limits.h>

#include "plan/strategy.h"

static unsigned data_limit(const struct layer *layer, unsigned dimension)
{
	(void)layer;
	(void)dimension;
	return UINT_MAX; /* the batch limits it, not a layer */
}

static void data_split(struct shard *shard, const struct layer *layer, const struct paradl_plan *plan,
	const struct cut_rules *rules)
{
	(void)layer;
	shard->samples = share(shard->samples, plan->degree[PARADL_DATA], rules->even);
}

const struct strategy strategy_data = {
	.name = "data",
	.summary = "samples are divided; every device holds all weights, gradients are allreduced",
	.axis = PARADL_DATA,
	.replicates_weights = true,
	.limit = data_limit,
	.scarce = "samples",
	.split = data_split,
};
