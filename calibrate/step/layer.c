/* SPDX-License-Identifier: BSD-3-Clause */
#include "step/passes.h"
#include "step/trainer.h"

#include <string.h>

static float *output(struct trainer *trainer, unsigned layer)
{
	return layer + 1 == trainer->gather ? trainer->piece : trainer->x[layer + 1];
}

static struct convolution shape_of(const struct part *part, size_t count)
{
	struct convolution shape = part->here;
	shape.batch = count;
	return shape;
}

static void contraction_forward(struct trainer *trainer, unsigned layer, size_t first, size_t count)
{
	const struct part *part = &trainer->parts[layer];
	const struct convolution shape = shape_of(part, count);
	const bool filter = part->split && trainer->assignment.axis == AXIS_FILTER;
	const bool channel = part->split && trainer->assignment.axis == AXIS_CHANNEL;
	float *y = output(trainer, layer) + first * part->y_items;
	float *mine = filter ? trainer->scratch[0] : y;
	const float *x = cut_input(trainer, layer, first, count);
	convolution_forward(&shape, x, trainer->weights + part->weights_at, mine, trainer->patches);
	if (channel)
		exchange_allreduce(y, count * part->y_items, &trainer->phase_s[PHASE_ACTIVATIONS]);
	if (trainer->network->layers[layer].bias)
		pass_bias(mine, trainer->weights + part->bias_at, convolution_y_items(&shape) / shape.filters,
			shape.filters);
	if (filter)
		cut_gather_filters(trainer, layer, count, mine, y);
}

void layer_forward(struct trainer *trainer, unsigned layer, size_t first, size_t count)
{
	const struct part *part = &trainer->parts[layer];
	const struct convolution shape = shape_of(part, count);
	const float *x = trainer->x[layer] + first * part->x_items;
	float *y = layer + 1 < trainer->network->count ? output(trainer, layer) + first * part->y_items
						       : trainer->loss_gradient + first * part->x_items;
	const float replicas =
		trainer->assignment.axis == AXIS_SPATIAL ? (float)trainer->assignment.peers.count : 1;
	switch (trainer->network->layers[layer].kind) {
	case LAYER_CONVOLUTION:
	case LAYER_LINEAR:
		contraction_forward(trainer, layer, first, count);
		break;
	case LAYER_RELU:
		pass_relu(x, y, count * part->x_items);
		break;
	case LAYER_MAX_POOL:
	case LAYER_MEAN_POOL:
		pass_pool(&shape, trainer->network->layers[layer].kind == LAYER_MEAN_POOL, x, y);
		break;
	case LAYER_LOSS:
		trainer->loss += pass_loss(x, trainer->targets + first, count, part->x_items,
			1 / ((float)trainer->assignment.batch * replicas), y);
		break;
	}
	if (layer + 1 == trainer->gather)
		cut_gather_pieces(trainer);
}

/* Gradients of a later micro-batch are added to those before. */
static void weights_backward(
	struct trainer *trainer, unsigned layer, size_t first, size_t count, const float *dy)
{
	const struct part *part = &trainer->parts[layer];
	const struct convolution shape = shape_of(part, count);
	const bool bias = trainer->network->layers[layer].bias;
	const bool adds = first + count < trainer->samples;
	float *to = (adds ? trainer->added : trainer->gradients) + part->weights_at;
	const float *x = part->kept_items ? part->kept + first * part->kept_items
					  : trainer->x[layer] + first * part->x_items;
	convolution_backward_filter(&shape, x, dy, to, trainer->patches);
	if (bias)
		pass_bias_gradient(
			dy, to + part->weights, convolution_y_items(&shape) / shape.filters, shape.filters);
	if (adds)
		pass_add(trainer->gradients + part->weights_at, to,
			part->weights + (bias ? shape.filters : 0));
}

static void contraction_backward(
	struct trainer *trainer, unsigned layer, size_t first, size_t count, const float *dy, float *dx)
{
	const struct part *part = &trainer->parts[layer];
	const struct convolution shape = shape_of(part, count);
	const enum axis axis = part->split ? trainer->assignment.axis : AXIS_NONE;
	if (axis == AXIS_FILTER) {
		const size_t all = trainer->network->layers[layer].shape.filters;
		const struct channels channels = {
			count * part->y_items / all, all, part->first_filter, part->here.filters};
		pass_slice(&channels, dy, trainer->scratch[0]);
		dy = trainer->scratch[0];
	}
	weights_backward(trainer, layer, first, count, dy);
	if (!dx)
		return;
	const bool apart = axis == AXIS_CHANNEL || part->face;
	float *mine = apart ? trainer->scratch[0] : dx;
	convolution_backward_data(&shape, dy, trainer->weights + part->weights_at, mine, trainer->patches);
	if (axis == AXIS_FILTER)
		exchange_allreduce(dx, count * part->x_items, &trainer->phase_s[PHASE_ACTIVATIONS]);
	else if (axis == AXIS_CHANNEL)
		cut_gather_channels(trainer, layer, count, mine, dx);
	else if (part->face)
		cut_return_halos(trainer, layer, count, mine, dx);
}

void layer_backward(
	struct trainer *trainer, unsigned layer, size_t first, size_t count, const float *dy, float *dx)
{
	const struct part *part = &trainer->parts[layer];
	const struct convolution shape = shape_of(part, count);
	const float *x = trainer->x[layer] + first * part->x_items;
	const float *y =
		layer + 1 < trainer->network->count ? output(trainer, layer) + first * part->y_items : NULL;
	switch (trainer->network->layers[layer].kind) {
	case LAYER_CONVOLUTION:
	case LAYER_LINEAR:
		contraction_backward(trainer, layer, first, count, dy, dx);
		break;
	case LAYER_RELU:
		pass_relu_gradient(y, dy, dx, count * part->x_items);
		break;
	case LAYER_MAX_POOL:
		pass_max_gradient(&shape, x, y, dy, dx);
		break;
	case LAYER_MEAN_POOL:
		pass_mean_gradient(&shape, dy, dx);
		break;
	case LAYER_LOSS:
		memcpy(dx, trainer->loss_gradient + first * part->x_items,
			count * part->x_items * sizeof *dx);
		break;
	}
}
