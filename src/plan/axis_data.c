/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Defines the axes that deal out whole things and cut no tensor: samples, layers, experts. */
#include "plan/strategy.h"

#include <limits.h>

/*
 * Data parallelism deals B samples out over d replicas, so the fullest has ceil(B / d). There is no traffic inside a
 * layer; gradients are exchanged once per iteration, over every axis that replicates weights (the oracle adds this
 * exchange).
 */

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

/*
 * Pipeline parallelism (the paper's layer parallelism) puts whole layers on different devices. It cuts no tensor;
 * stages, their schedule and the tensors between them belong to the oracle (oracle/stage.c, oracle/schedule.h).
 */

static unsigned pipeline_limit(const struct layer *layer, unsigned dimension)
{
	(void)layer;
	(void)dimension;
	return UINT_MAX; /* the number of units limits it, not a layer */
}

const struct strategy strategy_pipeline = {
	.name = "pipeline",
	.summary = "layers are divided into stages; micro-batches stream through them (GPipe)",
	.axis = PARADL_PIPELINE,
	.limit = pipeline_limit,
	.scarce = "layers",
};

/*
 * Expert parallelism (Lepikhin et al., GShard, 2020) deals the experts of a layer out over e devices, and each token
 * travels to its top_k experts and back: two all-to-alls forward, two backward, of top_k x hidden width for each
 * token. To all other layers the axis is one more data axis: they hold all weights and their own samples. Unless the
 * tensor axis cuts experts too (expert_tensor), its t devices hold different experts, and e t devices share them.
 */

static unsigned expert_limit(const struct layer *layer, unsigned dimension)
{
	(void)dimension;
	return layer->work && layer->work->experts ? layer->work->experts : UINT_MAX;
}

static void expert_split(struct shard *shard, const struct layer *layer, const struct paradl_plan *plan,
	const struct cut_rules *rules)
{
	(void)layer;
	(void)rules;
	shard->expert_pieces = plan->degree[PARADL_EXPERT];
}

static void expert_communicate(struct traffic_list *list, const struct layer *layer,
	const struct shard *shard, const struct paradl_plan *plan, const struct cut_rules *rules)
{
	const struct token_work *work = layer->work;
	(void)plan;
	(void)rules;
	if (!work || !work->experts)
		return;
	/* Each device of a tensor group sends its own part of the sequence. */
	const double tokens = shard->samples * work->tokens / shard->context_pieces / shard->tensor_pieces;
	const double items = tokens * work->top_k * work->routed_items;
	for (unsigned pass = 0; pass < 2; ++pass)
		list->items[list->count++] = (struct traffic){.axis = PARADL_EXPERT,
			.kind = TRAFFIC_ALL_TO_ALL,
			.pass = pass,
			.items = items,
			.messages = 2};
}

const struct strategy strategy_expert = {
	.name = "expert",
	.summary = "experts are dealt out; tokens travel to theirs and back (a data axis to other layers)",
	.axis = PARADL_EXPERT,
	.replicates_weights = true,
	.limit = expert_limit,
	.scarce = "experts",
	.split = expert_split,
	.communicate = expert_communicate,
};
