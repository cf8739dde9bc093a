/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Each axis has collectives, in which layers of tokens exchange. The network's curve is the time of the messages; for
 * axes of tokens the library adds its own (machine/link.c), unless the curve is measured, which has it.
 *
 * Tokens reach their experts and come back. A token goes to k of E experts, which are dealt out over p devices of n
 * nodes. It visits, of p places,
 *     v(p) = p (1 - prod over i < k of (E - E/p - i) / (E - i))
 * different ones on average, where a router deals evenly. The dispatchers are:
 *     alltoall    k copies travel, sorted by device before, and by expert after unless a device has only one: 4 items
 *                 of the width more for each copy, both ways
 *     deepep      v(n) copies travel over the network and v(p) to devices, by kernels with a start and a rate of their
 *                 own (DeepEP, DeepSeek-AI 2025); v(p) are sorted into k there
 *     hybridep    the same copies at the links' own rate; sorted on the way
 * Sorting r tokens into k copies and summing these again moves 2 (1 + r/k) items for each copy where each is one
 * kernel (permute_fusion). Else it moves 7: a gather reads and writes copies, they are multiplied by their
 * probabilities, and a scatter adds them up; and 10 backward, which needs the gradient of the probabilities, too
 * (Megatron-Core, moe_utils).
 */
#include <string.h>

#include "base/error.h"
#include "oracle/kernels.h"

double exchange_s(const struct exchange *exchange, double bytes)
{
	return exchange->curve ? library_s(&exchange->library, curve_s(exchange->curve, bytes)) : 0;
}

bool exchange_compile(const struct evaluation *evaluation, const struct group *group,
	const struct choice *choice, struct exchange *exchange, struct paradl_error *error)
{
	const struct paradl_oracle *oracle = evaluation->oracle;
	*exchange = (struct exchange){0};
	if (group->size < 2)
		return true;
	if (!exchange_curve(evaluation, group, choice, &exchange->curve, error) || !exchange->curve)
		return false;
	if (!oracle->rules.library_starts)
		return true;
	if (!exchange->curve->measured)
		exchange->library =
			group_library(oracle->machine, group, choice->operation, curve_s(exchange->curve, 0));
	exchange->library.start_s += oracle->rules.collective_call_s;
	return true;
}

/* Returns the exchanges that an axis needs: a set of 1U << enum traffic_kind. */
static unsigned kinds_of(const struct evaluation *evaluation, unsigned axis)
{
	enum { GATHER = 1 << TRAFFIC_ALLGATHER, SCATTER = 1 << TRAFFIC_REDUCE_SCATTER };
	static const unsigned context_kinds[PARADL_CONTEXT_COUNT] = {
		[PARADL_CONTEXT_RING] = 1U << TRAFFIC_SHIFT,
		[PARADL_CONTEXT_GATHER] = GATHER | SCATTER,
		[PARADL_CONTEXT_ULYSSES] = 1U << TRAFFIC_ALL_TO_ALL,
	};
	const struct paradl_plan *plan = &evaluation->plan;
	const bool serving = evaluation->serving;
	const bool gathers_messages =
		evaluation->oracle->rules.scatter_gather && plan->degree[PARADL_PIPELINE] > 1;
	switch (axis) {
	case PARADL_PIPELINE:
		return 1U << TRAFFIC_SHIFT;
	case PARADL_EXPERT:
		return 1U << TRAFFIC_ALL_TO_ALL;
	case PARADL_CONTEXT: /* serving: parts of outputs */
		return context_kinds[plan->context] | (serving ? GATHER | SCATTER : 0U);
	case PARADL_TENSOR: /* serving: scores of the head; pipelines: parts of messages come together */
		return 1U << TRAFFIC_ALLREDUCE | (plan->sequence ? SCATTER : 0U) |
		       (plan->sequence || serving || gathers_messages ? GATHER : 0U);
	case PARADL_SPATIAL: /* Table III gathers no pieces */
		return 1U << TRAFFIC_HALO | (evaluation->oracle->rules.ideal ? 0U : GATHER);
	default:
		return GATHER | 1U << TRAFFIC_ALLREDUCE;
	}
}

/* Returns the paper's curve: a ring or a message at the nominal rate of the level that joins the group. */
static const struct curve *nominal_compile(
	struct evaluation *evaluation, unsigned axis, const struct group *group, unsigned kind)
{
	const bool allreduce = kind == TRAFFIC_ALLREDUCE;
	struct curve *own = &evaluation->own[(size_t)2 * axis + allreduce];
	if (allreduce || kind == TRAFFIC_ALLGATHER)
		nominal_ring(evaluation->oracle->machine, group, allreduce ? 2 : 1, own);
	else
		nominal_message(evaluation->oracle->machine, group, own);
	return own;
}

static bool kind_compile(struct evaluation *evaluation, unsigned axis, const struct group *group,
	unsigned kind, struct paradl_error *error)
{
	const struct rules *rules = &evaluation->oracle->rules;
	const struct exchange_choices *choices = evaluation->oracle->choices;
	const struct choice *const by_kind[TRAFFIC_KINDS] = {
		[TRAFFIC_ALLGATHER] = &choices->gather.choice,
		[TRAFFIC_ALLREDUCE] = &choices->reduce.choice,
		[TRAFFIC_HALO] = &choices->message.choice,
		[TRAFFIC_REDUCE_SCATTER] = &choices->scatter.choice,
		[TRAFFIC_ALL_TO_ALL] = &choices->all_to_all.choice,
		[TRAFFIC_SHIFT] = &choices->message.choice,
	};
	struct exchange *exchange = &evaluation->exchange[axis][kind];
	if (axis >= PARADL_EXPERT && axis <= PARADL_TENSOR)
		return exchange_compile(evaluation, group, by_kind[kind], exchange, error);
	if (rules->ideal)
		exchange->curve = nominal_compile(evaluation, axis, group, kind);
	else if (axis == PARADL_PIPELINE ? rules->stage_staged : axis == PARADL_SPATIAL && rules->staged)
		exchange->curve = &choices->staged;
	else
		return exchange_curve(evaluation, group, by_kind[kind], &exchange->curve, error);
	return true;
}

bool exchanges_compile(struct evaluation *evaluation, struct paradl_error *error)
{
	const struct paradl_plan *plan = &evaluation->plan;
	memset(evaluation->exchange, 0, sizeof evaluation->exchange);
	for (unsigned axis = PARADL_PIPELINE; axis < PARADL_AXIS_COUNT; ++axis) {
		unsigned axes = 1U << axis;
		if (axis == PARADL_EXPERT && !plan->expert_tensor) /* experts are dealt out over both */
			axes |= 1U << PARADL_TENSOR;
		evaluation->nodes[axis] = 1;
		if (!(evaluation->axes & axes))
			continue;
		const struct group group = group_of(evaluation->oracle->machine, plan, axes);
		const unsigned kinds = kinds_of(evaluation, axis);
		evaluation->nodes[axis] = group.nodes;
		for (unsigned kind = 0; kind < TRAFFIC_KINDS; ++kind)
			if (kinds & 1U << kind && !kind_compile(evaluation, axis, &group, kind, error))
				return false;
	}
	evaluation->stage = evaluation->exchange[PARADL_PIPELINE][TRAFFIC_SHIFT].curve;
	return true;
}

/* Returns the number of devices that the experts of a layer are dealt out over. */
static double places_of(const struct evaluation *evaluation)
{
	const struct paradl_plan *plan = &evaluation->plan;
	return (double)plan->degree[PARADL_EXPERT] * (plan->expert_tensor ? 1 : plan->degree[PARADL_TENSOR]);
}

/* Returns v(places), as above. */
static double places_visited(const struct token_work *work, double places)
{
	return link_places(work->experts, work->top_k, places);
}

/*
 * Returns the seconds of one exchange between tokens and their experts, of `bytes` in which each expert that a token
 * goes to has a copy.
 */
static double dispatch_s(const struct evaluation *evaluation, const struct token_work *work,
	const struct exchange *exchange, double bytes)
{
	const struct device_link *link = &evaluation->oracle->device.link;
	const double nodes = evaluation->nodes[PARADL_EXPERT], copies = work->top_k;
	if (evaluation->dispatcher <= PARADL_DISPATCHER_ALL_TO_ALL)
		return exchange_s(exchange, bytes);
	const double reached = places_visited(work, places_of(evaluation));
	const double travelling = nodes > 1 ? places_visited(work, nodes) : reached;
	const double s = exchange_s(exchange, bytes * travelling / copies);
	if (evaluation->dispatcher == PARADL_DISPATCHER_HYBRIDEP || !(link->dispatch_bytes_per_s > 0))
		return s;
	const double kernel_s = link_dispatch_s(link, bytes * reached / copies);
	return kernel_s > s ? kernel_s : s;
}

/* Fills how often the width of a routed token is read or written on its way to an expert and back, in each pass. */
static void sort_items(const struct evaluation *evaluation, const struct token_work *work,
	const struct token_shard *part, double items[2])
{
	const double places = places_of(evaluation), copies = work->top_k;
	const bool travels = places >= 2, is_fused = evaluation->oracle->rules.permute_fusion;
	const enum paradl_dispatcher dispatcher = evaluation->dispatcher;
	if (travels && dispatcher == PARADL_DISPATCHER_HYBRIDEP) {
		items[PASS_FORWARD] = items[PASS_BACKWARD] = 0;
		return;
	}
	const double read =
		travels && dispatcher == PARADL_DISPATCHER_DEEPEP ? places_visited(work, places) : 1;
	const double chunks = travels && dispatcher != PARADL_DISPATCHER_DEEPEP && part->experts > 1 ? 4 : 0;
	items[PASS_FORWARD] = chunks + (is_fused ? 2 * (1 + read / copies) : 7);
	items[PASS_BACKWARD] = chunks + (is_fused ? 2 * (1 + read / copies) : 10);
}

void dispatch_sort_cost(const struct evaluation *evaluation, const struct token_work *work,
	const struct token_shard *part, struct layer_cost *cost)
{
	double items[2];
	sort_items(evaluation, work, part, items);
	const double item_s = part->routed_tokens * work->routed_items * part->item_s;
	cost->forward_s += item_s * items[PASS_FORWARD];
	cost->backward_s += item_s * items[PASS_BACKWARD];
}

/* Returns the seconds of one exchange; engines add up inside a node by a kernel of their own. */
static double traffic_s(const struct evaluation *evaluation, const struct layer *layer,
	const struct traffic *traffic, double bytes)
{
	const struct paradl_oracle *oracle = evaluation->oracle;
	const struct exchange *exchange = &evaluation->exchange[traffic->axis][traffic->kind];
	if (traffic->axis == PARADL_EXPERT)
		return dispatch_s(evaluation, layer->work, exchange, bytes);
	const double s = exchange_s(exchange, bytes);
	if (!evaluation->serving || !(oracle->rules.serve_reduce_s > 0) ||
		traffic->kind != TRAFFIC_ALLREDUCE || evaluation->nodes[traffic->axis] > 1)
		return s;
	const struct level *const node = &oracle->machine->levels[0];
	const double own_s = link_reduce_s(&oracle->device.link, node->ports * node->bandwidth_bytes_per_s,
		oracle->rules.serve_reduce_s, evaluation->plan.degree[traffic->axis], bytes);
	return own_s < s ? own_s : s;
}

static void traffic_add(const struct evaluation *evaluation, const struct layer *layer,
	const struct traffic *traffic, struct layer_cost *cost)
{
	const double item = traffic->item_bytes > 0 ? traffic->item_bytes : evaluation->item_bytes;
	double s = traffic->messages * traffic_s(evaluation, layer, traffic, traffic->items * item);
	if (traffic->axis == PARADL_CONTEXT) { /* the next keys come while attention works on these */
		const double behind =
			evaluation->oracle->rules.overlap_context * cost->attention_s[traffic->pass];
		const double hidden = s < behind ? s : behind;
		cost->hidden_s[traffic->pass] += hidden;
		s -= hidden;
	}
	cost->exchange_s[traffic->axis - PARADL_EXPERT][traffic->pass] += s;
	cost->exchange_calls[traffic->pass] += traffic->messages;
}

static void serving_append(
	struct traffic_list *list, enum paradl_axis axis, enum traffic_kind kind, double items)
{
	list->items[list->count++] = (struct traffic){
		.axis = axis, .kind = kind, .pass = PASS_FORWARD, .items = items, .messages = 1};
}

/*
 * Replaces exchanges among experts by a sum where these are dealt out over a tensor group alone: each of its devices
 * has all tokens and takes those of its experts, and what they make of them is summed as in any other layer.
 */
static void joined_experts_sum(const struct evaluation *evaluation, const struct token_work *work,
	double tokens, struct traffic_list *list)
{
	const struct paradl_plan *plan = &evaluation->plan;
	unsigned kept = 0;
	bool sums = false;
	if (!work->experts || plan->expert_tensor || plan->degree[PARADL_EXPERT] > 1 ||
		plan->degree[PARADL_TENSOR] < 2 || plan->sequence)
		return;
	for (unsigned i = 0; i < list->count; ++i) {
		sums = sums || list->items[i].kind == TRAFFIC_ALLREDUCE;
		if (list->items[i].axis != PARADL_EXPERT)
			list->items[kept++] = list->items[i];
	}
	list->count = kept;
	if (!sums)
		serving_append(list, PARADL_TENSOR, TRAFFIC_ALLREDUCE, tokens * work->hidden_items);
}

/*
 * Leaves the traffic of inference, where nothing goes back. A token sends its query to the context's keys, and their
 * parts of its output come together; scores of the head are gathered.
 */
static void serving_traffic(const struct evaluation *evaluation, const struct layer *layer,
	const struct shard *shard, struct traffic_list *list)
{
	const struct token_work *work = layer->work;
	const struct attention *attention = &work->attention;
	const bool token = evaluation->serving == SERVE_STEP;
	const double sequences = shard->samples * work->tokens,
		     heads = attention->heads / shard->tensor_pieces;
	const double prompts = token ? evaluation->prompts : shard->samples;
	const double answers = sequences - prompts * (work->tokens - 1);
	unsigned kept = 0;
	for (unsigned i = 0; i < list->count; ++i) {
		const struct traffic *traffic = &list->items[i];
		if (traffic->pass == PASS_FORWARD && layer->class_ != LAYER_LOSS &&
			!(token && traffic->axis == PARADL_CONTEXT))
			list->items[kept++] = *traffic;
	}
	list->count = kept;
	joined_experts_sum(evaluation, work, sequences / shard->context_pieces, list);
	if (token && attention->heads && shard->context_pieces > 1) {
		const bool latent = attention->latent_items > 0;
		const double query = latent ? attention->key_items : attention->head_dim;
		const double value = latent ? attention->latent_items : attention->value_dim;
		serving_append(list, PARADL_CONTEXT, TRAFFIC_ALLGATHER, sequences * heads * query);
		serving_append(list, PARADL_CONTEXT, TRAFFIC_REDUCE_SCATTER, sequences * heads * value);
	}
	if (layer->class_ == LAYER_HEAD && shard->tensor_pieces > 1)
		serving_append(list, PARADL_TENSOR, TRAFFIC_ALLGATHER,
			(evaluation->generates ? answers : sequences) * layer->y.channels);
}

void token_layer_exchange(const struct evaluation *evaluation, const struct layer *layer,
	const struct shard *shard, struct layer_cost *cost)
{
	struct traffic_list list = {.count = 0};
	unsigned axes = evaluation->axes;
	/* Experts that the tensor axis does not cut are dealt out over its devices. */
	if (layer->work->experts && axes & 1U << PARADL_TENSOR && !evaluation->plan.expert_tensor)
		axes |= 1U << PARADL_EXPERT;
	for (unsigned axis = PARADL_EXPERT; axis <= PARADL_TENSOR; ++axis)
		if (axes & 1U << axis)
			strategies[axis]->communicate(
				&list, layer, shard, &evaluation->plan, &evaluation->oracle->cuts);
	if (evaluation->serving)
		serving_traffic(evaluation, layer, shard, &list);
	for (unsigned i = 0; i < list.count; ++i)
		if (list.items[i].pass == PASS_FORWARD || layer_goes_back(layer))
			traffic_add(evaluation, layer, &list.items[i], cost);
}
