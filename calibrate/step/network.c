/* SPDX-License-Identifier: BSD-3-Clause */
#include "network.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const kind_names[] = {
	[LAYER_CONVOLUTION] = "convolution",
	[LAYER_LINEAR] = "linear",
	[LAYER_RELU] = "relu",
	[LAYER_MAX_POOL] = "max-pool",
	[LAYER_MEAN_POOL] = "mean-pool",
	[LAYER_LOSS] = "softmax-loss",
};
enum { KINDS = sizeof kind_names / sizeof kind_names[0] };

size_t layer_x_items(const struct step_layer *layer)
{
	return layer->shape.x[0] * layer->shape.x[1] * layer->shape.x[2] * layer->shape.channels;
}

size_t layer_y_items(const struct step_layer *layer)
{
	return layer->shape.y[0] * layer->shape.y[1] * layer->shape.y[2] * layer->shape.filters;
}

bool layer_has_weights(const struct step_layer *layer)
{
	return layer->kind == LAYER_CONVOLUTION || layer->kind == LAYER_LINEAR;
}

static const struct parameter *find(const struct case_line *line, const char *name)
{
	for (unsigned i = 0; i < line->parameter_count; ++i)
		if (strcmp(line->parameters[i].name, name) == 0)
			return &line->parameters[i];
	return NULL;
}

static size_t whole(double number)
{
	return number >= 0 && number <= 1e9 ? (size_t)number : 0;
}

static size_t number_of(const struct case_line *line, const char *name, size_t otherwise)
{
	const struct parameter *parameter = find(line, name);
	return parameter && !parameter->text ? whole(parameter->number) : otherwise;
}

/* "3,3,3", or 3 of one dimension; what is not said is `otherwise`. */
static void extents_of(const struct case_line *line, const char *name, size_t otherwise,
	size_t extents[CONVOLUTION_DIMENSIONS])
{
	const struct parameter *parameter = find(line, name);
	for (unsigned i = 0; i < CONVOLUTION_DIMENSIONS; ++i)
		extents[i] = otherwise;
	if (parameter && !parameter->text)
		extents[0] = whole(parameter->number);
	const char *text = parameter ? parameter->text : NULL;
	for (unsigned i = 0; text && *text && i < CONVOLUTION_DIMENSIONS; ++i) {
		char *end;
		extents[i] = strtoul(text, &end, 10);
		text = *end == ',' ? end + 1 : NULL;
	}
}

static void window_read(struct step_layer *layer, const struct case_line *line)
{
	struct convolution *shape = &layer->shape;
	extents_of(line, "kernel", 1, shape->kernel);
	extents_of(line, "stride", 1, shape->stride);
	extents_of(line, "pad", 0, shape->pad);
	extents_of(line, "dilation", 1, shape->dilation);
	extents_of(line, "x", 1, shape->x);
	extents_of(line, "y", 1, shape->y);
}

/* As the layer before leaves it: relu, loss and the channels of poolings are not said. */
static void follow(struct step_layer *layer, const struct step_layer *before)
{
	if (!before)
		return;
	const struct convolution *y = &before->shape;
	if (layer->kind == LAYER_RELU || layer->kind == LAYER_LOSS) {
		memcpy(layer->shape.x, y->y, sizeof layer->shape.x);
		memcpy(layer->shape.y, y->y, sizeof layer->shape.y);
	}
	if (layer->kind != LAYER_CONVOLUTION && layer->kind != LAYER_LINEAR)
		layer->shape.channels = layer->shape.filters = y->filters;
}

static struct step_layer layer_read(
	const struct case_line *line, enum layer_kind kind, const struct step_layer *before)
{
	struct step_layer layer = {.kind = kind};
	window_read(&layer, line);
	layer.shape.batch = 1;
	layer.shape.channels = number_of(line, "channels", 0);
	layer.shape.filters = number_of(line, "filters", layer.shape.channels);
	layer.shape.groups = number_of(line, "groups", 1);
	layer.bias = number_of(line, "bias", 0) > 0;
	follow(&layer, before);
	return layer;
}

static const char *wrong(const struct network *network)
{
	const struct step_layer *last = &network->layers[network->count - 1];
	const char *why = convolution_wrong(&last->shape);
	if (why)
		return why;
	if (last->kind == LAYER_CONVOLUTION && last->shape.groups > 1)
		return "convolutions in groups are not trained here";
	if (network->count > 1 && layer_x_items(last) != layer_y_items(last - 1))
		return "its x is not what the layer before makes";
	if (network->count == 1 && !layer_has_weights(last))
		return "the first layer must have weights";
	return NULL;
}

static const char *read_line(struct network *network, const struct case_line *line)
{
	unsigned kind = 0;
	while (kind < KINDS && strcmp(kind_names[kind], line->kind) != 0)
		++kind;
	if (kind == KINDS)
		return "there is no such layer";
	if (network->count == LAYERS_MAX)
		return "too many layers";
	if (network->count && network->layers[network->count - 1].kind == LAYER_LOSS)
		return "nothing follows the loss";
	const struct step_layer *before = network->count ? &network->layers[network->count - 1] : NULL;
	network->layers[network->count] = layer_read(line, (enum layer_kind)kind, before);
	++network->count;
	return wrong(network);
}

const char *network_read(
	struct network *network, const struct case_line *cases, size_t case_count, char reason[REASON_LENGTH])
{
	network->count = 0;
	for (size_t i = 0; i < case_count; ++i) {
		if (strcmp(cases[i].kind, "plan") == 0)
			continue;
		const char *why = read_line(network, &cases[i]);
		if (why) {
			snprintf(reason, REASON_LENGTH, "layer %u (%.40s): %s", network->count, cases[i].kind,
				why);
			return reason;
		}
	}
	if (network->count < 2 || network->layers[network->count - 1].kind != LAYER_LOSS) {
		snprintf(reason, REASON_LENGTH, "--cases names no network that ends in softmax-loss");
		return reason;
	}
	return NULL;
}
