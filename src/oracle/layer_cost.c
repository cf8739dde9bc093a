/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One distinct layer under a plan has a shard after every cut, and what that computes, sends and holds.
 *
 *     halo        messages (a + bytes b), each with a face (plan/axis_spatial.c): 2, of two pieces 1, in a chain
 *                 2 (s - 1); ideal always 2
 *     gather      pieces come together before the first layer that is not cut: an allgather of what enters that, there
 *                 and back; through the host (s - 1) copies each way
 *     copies      a split layer's tensors are copied `passes` times more: filter y, channel x (1 + 1/c), spatial x
 *     blocking    when layers end in blocking calls the host time of each is paid where the device's is shorter:
 *                 max(device, host call), plus the exposed part of each synchronisation
 */
#include <math.h>

#include "oracle/kernels.h"

enum { CUTTING_AXES = 1 << PARADL_FILTER | 1 << PARADL_CHANNEL | 1 << PARADL_SPATIAL };

static void layer_shard(const struct evaluation *evaluation, unsigned index, struct shard *shard)
{
	const struct layer *layer = &evaluation->net->model->layers[index];
	const unsigned cut = evaluation->net->cut[index] & evaluation->axes;
	*shard = evaluation->net->wholes[index];
	shard->samples = evaluation->samples;
	for (unsigned axis = PARADL_EXPERT; axis < PARADL_AXIS_COUNT; ++axis)
		if (cut & 1u << axis)
			strategies[axis]->split(shard, layer, &evaluation->plan, &evaluation->oracle->cuts);
}

static double traffic_s(const struct evaluation *evaluation, const struct traffic *traffic)
{
	const struct rules *rules = &evaluation->oracle->rules;
	const struct exchange *exchange = &evaluation->exchange[traffic->axis][traffic->kind];
	const double bytes = traffic->items * evaluation->item_bytes;
	if (traffic->kind == TRAFFIC_HALO) {
		double messages = 2; /* ideal: both faces */
		if (!rules->ideal && rules->halo_chain)
			messages = 2 * (traffic->messages - 1);
		else if (!rules->ideal && traffic->messages < 3)
			messages = 1; /* each of two pieces has one neighbour */
		return messages * curve_s(exchange->curve, bytes);
	}
	return curve_s(exchange->curve, bytes) + rules->collective_call_s;
}

double gather_s(const struct evaluation *evaluation)
{
	const struct prepared *net = evaluation->net;
	const struct rules *rules = &evaluation->oracle->rules;
	const unsigned pieces = evaluation->plan.degree[PARADL_SPATIAL], end = net->spatial_end;
	if (pieces < 2 || !end || end == net->model->order_count)
		return 0;
	const struct layer *last = &net->model->layers[net->model->order[end - 1]];
	const double bytes = evaluation->samples * last->y_items * evaluation->item_bytes;
	/* Through the host, all members' pieces cross one memory: (s - 1) copies of the whole, there and back. */
	if (rules->staged)
		return 2 * (pieces - 1) * bytes / rules->segments[0].bytes_per_s;
	return 2 * (curve_s(evaluation->exchange[PARADL_SPATIAL][TRAFFIC_ALLGATHER].curve, bytes) +
			   rules->collective_call_s);
}

static void communicate(const struct evaluation *evaluation, const struct layer *layer,
	const struct shard *shard, struct layer_cost *cost)
{
	struct traffic_list list;
	list.count = 0;
	for (unsigned axis = PARADL_FILTER; axis < PARADL_AXIS_COUNT; ++axis)
		if (cost->cut & 1u << axis)
			strategies[axis]->communicate(
				&list, layer, shard, &evaluation->plan, &evaluation->oracle->cuts);
	for (unsigned i = 0; i < list.count; ++i) {
		const struct traffic *traffic = &list.items[i];
		double *phase = traffic->kind == TRAFFIC_HALO ? cost->halo_s : cost->activation_s;
		phase[traffic->pass] += traffic_s(evaluation, traffic);
	}
	cost->calls = list.count;
}

/* Returns the seconds of extra copies of split tensors, half in each pass; filter also handles each gathered piece. */
static double copies_s(
	const struct evaluation *evaluation, const struct shard *shard, const struct layer_cost *cost)
{
	const struct rules *rules = &evaluation->oracle->rules;
	const double samples = shard->samples;
	double items = 0, s = 0;
	if (cost->cut & 1u << PARADL_FILTER) {
		items += rules->filter_passes * samples * shard->y_items;
		s += rules->piece_s * shard->filter_pieces;
	}
	if (cost->cut & 1u << PARADL_CHANNEL)
		items += rules->channel_passes * samples * shard->x_items * (1 + 1 / shard->channel_pieces);
	if (cost->cut & 1u << PARADL_SPATIAL && cost->calls > 0)
		items += rules->spatial_passes * samples * shard->x_items;
	const double bytes = items * evaluation->item_bytes;
	return s + bytes * device_s_per_byte(&evaluation->oracle->machine->device, bytes);
}

/*
 * Adds what a program that makes new arrays holds of spatial pieces: each piece with its halos before a window, and
 * its gradient; and the whole sample, of which each device takes its piece.
 */
static void copies_hold(const struct evaluation *evaluation, unsigned index, const struct shard *shard,
	struct layer_cost *cost)
{
	const struct layer *layer = &evaluation->net->model->layers[index];
	if (!evaluation->oracle->rules.keeps_outputs || !(cost->cut & 1u << PARADL_SPATIAL))
		return;
	if (layer->class_ == LAYER_POOL || layer->kernel_volume > 1) {
		cost->kept_items += shard->samples * shard->x_items;
		cost->transient_items += shard->samples * shard->x_items;
	}
	if (layer->reads_input)
		cost->kept_items += shard->samples * evaluation->net->wholes[index].x_items;
}

static void host_time(const struct evaluation *evaluation, struct layer_cost *cost)
{
	const struct rules *rules = &evaluation->oracle->rules;
	const double device_s = cost->forward_s + cost->backward_s;
	if (device_s > 0 && device_s < rules->host_layer_s) {
		cost->forward_s *= rules->host_layer_s / device_s;
		cost->backward_s *= rules->host_layer_s / device_s;
	} else if (!(device_s > 0)) {
		cost->forward_s = cost->backward_s = rules->host_layer_s / 2;
	}
	if (cost->calls > 0) {
		cost->forward_s += rules->layer_sync_s / 2;
		cost->backward_s += rules->layer_sync_s / 2;
	}
}

/* Leaves an image layer its forward pass only; called after both are costed, because host time counts for both. */
static void forward_only(const struct layer *layer, const struct shard *shard, struct layer_cost *cost)
{
	cost->backward_s = cost->activation_s[PASS_BACKWARD] = cost->halo_s[PASS_BACKWARD] = 0;
	if (layer->class_ == LAYER_LOSS)
		cost->forward_s = 0;
	cost->bound_s[layer->kernel_volume > 0 ? BOUND_COMPUTE : BOUND_MEMORY] = cost->forward_s;
	cost->flop = shard->samples * shard->y_share * layer->forward_flop /
		     (shard->filter_pieces * shard->channel_pieces);
}

static void image_layer(const struct evaluation *evaluation, unsigned index, const struct shard *shard,
	struct layer_cost *cost)
{
	const struct layer *layer = &evaluation->net->model->layers[index];
	struct layer_compute compute = layer_compute(evaluation, layer, shard);
	if (evaluation->oracle->times)
		compute = layer_times_apply(evaluation, index, &compute);
	cost->forward_s = compute.forward_s;
	cost->backward_s = compute.backward_s;
	cost->weight_items = shard->weight_items;
	cost->frozen_items = shard->frozen_items;
	cost->gradient_items = cost->transient_items = shard->samples * (shard->x_items + shard->y_items);
	cost->kept_items = shard->samples * shard->y_share * layer->kept_items;
	if (evaluation->oracle->rules.keeps_outputs)
		cost->kept_items = fmax(cost->kept_items, shard->samples * shard->y_items);
	/* layer_exchanges adds to these; all else is 0, as in every image network's layer. */
	cost->activation_s[PASS_FORWARD] = cost->activation_s[PASS_BACKWARD] = 0;
	cost->halo_s[PASS_FORWARD] = cost->halo_s[PASS_BACKWARD] = 0;
	cost->calls = 0;
}

static void token_layer(const struct evaluation *evaluation, const struct layer *layer,
	const struct shard *shard, struct layer_cost *cost)
{
	const struct token_shard part = token_shard(evaluation, layer, shard);
	*cost = (struct layer_cost){.gradient_items = shard->samples * (shard->x_items + shard->y_items)};
	token_kernels(evaluation, layer, &part, cost);
	if (evaluation->serving != SERVE_STEP) /* memory is that of passes over prompts */
		token_items(evaluation, layer, shard, &part, cost);
	if (layer_goes_back(layer))
		return;
	cost->backward_s = cost->weight_s = cost->score_s = cost->attention_s[PASS_BACKWARD] = 0;
	cost->kept_items = cost->score_items = cost->again_s = cost->dropped_items = 0;
}

void layer_kernels(const struct evaluation *evaluation, unsigned index, struct layer_cost *cost)
{
	const struct paradl_oracle *oracle = evaluation->oracle;
	const struct layer *layer = &evaluation->net->model->layers[index];
	struct shard *const shard = &evaluation->net->shards[index];
	layer_shard(evaluation, index, shard);
	if (layer->work)
		token_layer(evaluation, layer, shard, cost);
	else
		image_layer(evaluation, index, shard, cost);
	cost->cut =
		evaluation->net->cut[index] & evaluation->axes & ~(1u << PARADL_DATA | 1u << PARADL_PIPELINE);
	if (!layer->work && !oracle->rules.ideal)
		copies_hold(evaluation, index, shard, cost);
	if (oracle->rules.ideal) { /* |x| + |y| of every layer; weights and activations are all alike */
		cost->kept_items = cost->gradient_items;
		cost->logit_items = cost->expert_items = cost->frozen_expert_items = 0;
	}
	cost->update_s = evaluation->serving ? 0
					     : cost->weight_items * oracle->optimizer->bytes_per_weight *
						       evaluation->net->update_s_per_byte;
	if (oracle->times && !layer->work)
		cost->update_s = layer_times_update_s(evaluation, index, shard, cost->update_s);
}

void layer_exchanges(const struct evaluation *evaluation, unsigned index, struct layer_cost *cost)
{
	const struct layer *layer = &evaluation->net->model->layers[index];
	const struct shard *shard = &evaluation->net->shards[index];
	const bool ideal = evaluation->oracle->rules.ideal;
	if (layer->work) {
		if (!ideal)
			token_layer_exchange(evaluation, layer, shard, cost);
		return;
	}
	if (cost->cut & CUTTING_AXES)
		communicate(evaluation, layer, shard, cost);
	if (ideal)
		return;
	if (cost->cut & CUTTING_AXES) {
		const double copies = copies_s(evaluation, shard, cost);
		cost->forward_s += copies / 2;
		cost->backward_s += copies / 2;
	}
	if (evaluation->blocking)
		host_time(evaluation, cost);
	if (evaluation->serving)
		forward_only(layer, shard, cost);
}

void layer_cost(const struct evaluation *evaluation, unsigned index, struct layer_cost *cost)
{
	layer_kernels(evaluation, index, cost);
	layer_exchanges(evaluation, index, cost);
}
