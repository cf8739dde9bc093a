/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tensor parallelism (Shoeybi et al., Megatron-LM, 2019): products of a block come in pairs, the first cut by columns
 * (filter-parallel), the second by rows (channel-parallel), so that each pair needs one sum of partial results:
 *     forward   allreduce after the product cut by rows, of tokens x hidden width
 *     backward  allreduce before the product cut by columns, of the same size
 * The vocabulary is cut too: one allreduce after the embedding, one before the head in backward, and cross-entropy
 * sums three numbers for each token. With sequence parallelism (Korthikanti et al., 2022) each allreduce is a
 * reduce-scatter and an all-gather: the same bytes, but the layers between blocks are cut along the sequence.
 * Backward gathers the input of each pair once more; Megatron hides that behind the gradient of the input, and so it
 * does not count here.
 */
#include <limits.h>

#include "plan/strategy.h"

static unsigned tensor_limit(const struct layer *layer, unsigned dimension)
{
	(void)dimension;
	const struct token_work *work = layer->work;
	if (work && work->state_heads)
		return work->state_heads;
	return work && work->attention.heads ? work->attention.heads : UINT_MAX;
}

static void tensor_split(struct shard *shard, const struct layer *layer, const struct paradl_plan *plan,
	const struct cut_rules *rules)
{
	(void)layer;
	(void)rules;
	shard->tensor_pieces = plan->degree[PARADL_TENSOR];
}

static void sums_add(struct traffic_list *list, enum pass pass, double count, double items, bool sequence)
{
	if (!(count > 0))
		return;
	const struct traffic sum = {.axis = PARADL_TENSOR,
		.kind = TRAFFIC_ALLREDUCE,
		.pass = pass,
		.items = items,
		.messages = count};
	list->items[list->count++] = sum;
	if (!sequence)
		return;
	list->items[list->count - 1].kind = TRAFFIC_REDUCE_SCATTER;
	list->items[list->count] = sum;
	list->items[list->count++].kind = TRAFFIC_ALLGATHER;
}

static void tensor_communicate(struct traffic_list *list, const struct layer *layer,
	const struct shard *shard, const struct paradl_plan *plan, const struct cut_rules *rules)
{
	const struct token_work *work = layer->work;
	(void)rules;
	if (!work)
		return;
	const double tokens = shard->samples * work->tokens / shard->context_pieces;
	sums_add(list, PASS_FORWARD, work->sums_forward, tokens * work->hidden_items, plan->sequence);
	sums_add(list, PASS_BACKWARD, work->sums_backward, tokens * work->hidden_items, plan->sequence);
	if (work->small_sums > 0)
		list->items[list->count++] = (struct traffic){.axis = PARADL_TENSOR,
			.kind = TRAFFIC_ALLREDUCE,
			.pass = PASS_FORWARD,
			.items = tokens,
			.messages = work->small_sums,
			.item_bytes = 4};
}

const struct strategy strategy_tensor = {
	.name = "tensor",
	.summary = "heads and widths of transformer layers are divided; one sum for each pair of products",
	.axis = PARADL_TENSOR,
	.limit = tensor_limit,
	.scarce = "heads",
	.split = tensor_split,
	.communicate = tensor_communicate,
};
