/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
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
#include "oracle/kernels.h"

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

double dispatch_s(const struct evaluation *evaluation, const struct token_work *work,
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
