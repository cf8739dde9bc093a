/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How tokens reach their experts and come back. A token goes to k of E experts, which are dealt out over p devices of n
 * nodes. Of p places it visits
 *     v(p) = p (1 - prod over i < k of (E - E/p - i) / (E - i))
 * different ones on average, where a router deals evenly.
 *     alltoall    k copies travel. They are sorted by device before, by expert after unless a device has only one, and
 *                 back: 2 (1 + 1/k), and 4 more, items of the width for each copy
 *     deepep      v(n) copies travel over the network and v(p) to devices, by kernels with a start and a rate of their own
 *                 (DeepEP, DeepSeek-AI 2025); v(p) are sorted into k there, and back: 2 (1 + v(p)/k) items
 *     hybridep    the same copies at the links' own rate; sorted on the way
 * Without devices to share experts with, tokens are sorted in place: 2 (1 + 1/k) items.
 */
#include "oracle/kernels.h"

/* The devices that the experts of a layer are dealt out over. */
static double places_of(const struct evaluation *evaluation)
{
	const struct paradl_plan *plan = &evaluation->plan;
	return (double)plan->degree[PARADL_EXPERT] * (plan->expert_tensor ? 1 : plan->degree[PARADL_TENSOR]);
}

/* v(places). */
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

/* How many times the width of a routed token is read or written on its way to an expert and back. */
static double sort_items(
	const struct evaluation *evaluation, const struct token_work *work, const struct token_shard *part)
{
	const double places = places_of(evaluation), copies = work->top_k;
	if (places < 2)
		return 2 * (1 + 1 / copies);
	if (evaluation->dispatcher == PARADL_DISPATCHER_HYBRIDEP)
		return 0;
	if (evaluation->dispatcher == PARADL_DISPATCHER_DEEPEP)
		return 2 * (1 + places_visited(work, places) / copies);
	return 2 * (1 + 1 / copies) + (part->experts > 1 ? 4 : 0);
}

void dispatch_sort_cost(const struct evaluation *evaluation, const struct token_work *work,
	const struct token_shard *part, struct layer_cost *cost)
{
	const double s =
		part->routed_tokens * work->hidden_items * part->item_s * sort_items(evaluation, work, part);
	cost->forward_s += s;
	cost->backward_s += s;
}
