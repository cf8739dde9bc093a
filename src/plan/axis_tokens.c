/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Defines the axes that cut layers of tokens: products (tensor), and the sequence (context). */
#include "plan/strategy.h"

#include <limits.h>

/*
 * Tensor parallelism (Shoeybi et al., Megatron-LM, 2019): products of a block come in pairs, the first cut by columns
 * (filter-parallel), the second by rows (channel-parallel), so that each pair needs one sum of partial results:
 *     forward   allreduce after the product cut by rows, of tokens x hidden width
 *     backward  allreduce before the product cut by columns, of the same size
 * The vocabulary is cut too: one allreduce after the embedding, one before the head in backward, and cross-entropy
 * sums three numbers for each token. With sequence parallelism (Korthikanti et al., 2022) each allreduce is a
 * reduce-scatter and an all-gather: the same bytes, but the layers between blocks are cut along the sequence.
 * Backward gathers the input of each pair once more; Megatron hides that behind the gradient of the input, and so it
 * does not count here. Keys and values of another sequence are made by a product cut by columns, too: its input, which
 * no sum has put together here, is gathered forward with sequence parallelism, and its gradient summed backward.
 */

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

/* Adds the exchange of the sequence that keys and values are made from. */
static void source_add(struct traffic_list *list, const struct attention *attention, double samples,
	double pieces, bool sequence)
{
	const struct traffic sum = {.axis = PARADL_TENSOR,
		.kind = sequence ? TRAFFIC_REDUCE_SCATTER : TRAFFIC_ALLREDUCE,
		.pass = PASS_BACKWARD,
		.items = samples / pieces * attention->source_tokens * attention->source_width,
		.messages = 1};
	if (!attention->source_tokens)
		return;
	list->items[list->count++] = sum;
	if (!sequence)
		return;
	list->items[list->count] = sum;
	list->items[list->count].kind = TRAFFIC_ALLGATHER;
	list->items[list->count++].pass = PASS_FORWARD;
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
	source_add(list, &work->attention, shard->samples, shard->context_pieces, plan->sequence);
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

/*
 * Context parallelism cuts the sequence of every sample into c pieces; only attention needs the tokens of the others.
 *     ring     (Liu et al., Ring Attention, 2023) c - 1 times the keys and values of a piece go to the next device;
 *              backward sends them again, and their gradients as well
 *     gather   (Llama 3, 2024) keys and values of all tokens are gathered; backward gathers them again and scatters
 *              the sums of their gradients
 *     ulysses  (Jacobs et al., DeepSpeed-Ulysses, 2023) all-to-alls turn pieces of the sequence into groups of heads:
 *              queries, keys and values before attention, its output after; the mirror in backward
 * A recurrence hands its state to the next piece, as many times as there are further pieces. Causal pieces are dealt
 * out so that all have the same work. Attention in blocks is cut between blocks and exchanges nothing; a shift of
 * windows before it is taken to move tokens within a device. A sequence that is transposed, for layers that mix
 * places, crosses the group: each piece has a part for every other.
 */

static unsigned context_limit(const struct layer *layer, unsigned dimension)
{
	(void)dimension;
	if (!layer->work || !(layer->work->attention.heads || layer->work->state_heads))
		return UINT_MAX;
	const struct attention *const attention = &layer->work->attention;
	const double tokens = layer->work->tokens / (attention->block > 0 ? attention->block : 1);
	const double source = attention->source_tokens > 0 ? attention->source_tokens : tokens;
	return (unsigned)(tokens < source ? tokens : source);
}

static void context_split(struct shard *shard, const struct layer *layer, const struct paradl_plan *plan,
	const struct cut_rules *rules)
{
	(void)layer;
	(void)rules;
	shard->context_pieces = plan->degree[PARADL_CONTEXT];
}

static void add(
	struct traffic_list *list, enum traffic_kind kind, enum pass pass, double items, double messages)
{
	list->items[list->count++] = (struct traffic){
		.axis = PARADL_CONTEXT, .kind = kind, .pass = pass, .items = items, .messages = messages};
}

static bool transposes(const struct layer *layer)
{
	return layer->class_ == LAYER_RESHAPE && layer->x.tokens && layer->y.tokens &&
	       layer->x.channels == layer->y.extent[0] && layer->y.channels == layer->x.extent[0] &&
	       layer->x.channels != layer->y.channels;
}

/*
 * Adds the traffic of a transposition, where every piece has a part for every other, by the method that the plan has
 * for keys.
 */
static void transposition_add(
	struct traffic_list *list, const struct shard *shard, const struct paradl_plan *plan, double items)
{
	const double pieces = shard->context_pieces;
	for (unsigned pass = 0; pass < 2; ++pass)
		switch (plan->context) {
		case PARADL_CONTEXT_RING:
			add(list, TRAFFIC_SHIFT, pass, items / pieces / pieces, pieces - 1);
			break;
		case PARADL_CONTEXT_GATHER:
			add(list, TRAFFIC_ALLGATHER, pass, items, 1);
			break;
		case PARADL_CONTEXT_ULYSSES:
			add(list, TRAFFIC_ALL_TO_ALL, pass, items / pieces, 1);
			break;
		case PARADL_CONTEXT_COUNT:
			break;
		}
}

static void context_communicate(struct traffic_list *list, const struct layer *layer,
	const struct shard *shard, const struct paradl_plan *plan, const struct cut_rules *rules)
{
	const struct token_work *work = layer->work;
	const double pieces = shard->context_pieces;
	(void)rules;
	if (transposes(layer))
		transposition_add(list, shard, plan, shard->samples * layer->x_items);
	if (work && work->state_items > 0)
		for (unsigned pass = 0; pass < 2; ++pass)
			add(list, TRAFFIC_SHIFT, pass,
				shard->samples * work->state_items / shard->tensor_pieces, pieces - 1);
	if (!work || !work->attention.heads || work->attention.block > 0)
		return;
	const struct attention *attention = &work->attention;
	const double keys = shard->samples * attention_span(work) * attention_sent_items(attention) /
			    shard->tensor_pieces;
	const double outputs = shard->samples * work->tokens * attention->heads * attention->value_dim /
			       shard->tensor_pieces;
	const double queries =
		shard->samples * work->tokens * attention->heads * attention->head_dim / shard->tensor_pieces;
	switch (plan->context) {
	case PARADL_CONTEXT_RING:
		add(list, TRAFFIC_SHIFT, PASS_FORWARD, keys / pieces, pieces - 1);
		add(list, TRAFFIC_SHIFT, PASS_BACKWARD, 2 * keys / pieces, pieces - 1);
		break;
	case PARADL_CONTEXT_GATHER:
		add(list, TRAFFIC_ALLGATHER, PASS_FORWARD, keys, 1);
		add(list, TRAFFIC_ALLGATHER, PASS_BACKWARD, keys, 1);
		add(list, TRAFFIC_REDUCE_SCATTER, PASS_BACKWARD, keys, 1);
		break;
	case PARADL_CONTEXT_ULYSSES:
		for (unsigned pass = 0; pass < 2; ++pass) {
			add(list, TRAFFIC_ALL_TO_ALL, pass, (queries + keys) / pieces, 1);
			add(list, TRAFFIC_ALL_TO_ALL, pass, outputs / pieces, 1);
		}
		break;
	case PARADL_CONTEXT_COUNT:
		break;
	}
}

const struct strategy strategy_context = {
	.name = "context",
	.summary = "the sequence of each sample is divided; attention exchanges keys and values",
	.axis = PARADL_CONTEXT,
	.replicates_weights = true,
	.limit = context_limit,
	.scarce = "tokens",
	.split = context_split,
	.communicate = context_communicate,
};
