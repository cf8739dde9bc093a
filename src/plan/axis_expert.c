/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Expert parallelism (Lepikhin et al., GShard, 2020) deals the experts of a layer out over e devices, and each token
 * travels to its top_k experts and back: two all-to-alls forward, two backward, of top_k x hidden width for each
 * token. To all other layers the axis is one more data axis: they hold all weights and their own samples. Unless the
 * tensor axis cuts experts too (expert_tensor), its t devices hold different experts, and e t devices share them.
 */
#include <limits.h>

#include "plan/strategy.h"

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
