/* SPDX-License-Identifier: GPL-3.0-or-later */
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
#include <limits.h>

#include "plan/strategy.h"

static unsigned context_limit(const struct layer *layer, unsigned dimension)
{
	(void)dimension;
	if (!layer->work || !(layer->work->attention.heads || layer->work->state_heads))
		return UINT_MAX;
	return (unsigned)(layer->work->tokens /
			  (layer->work->attention.block > 0 ? layer->work->attention.block : 1));
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
	const double keys =
		shard->samples * work->tokens * attention_sent_items(attention) / shard->tensor_pieces;
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
