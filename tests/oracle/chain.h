/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Random networks without branches, with every size worked out here rather than by the model reader: the symbols of
 * ParaDL's Table III (|x|, |y|, |w|, FW, BW, extents, kernels) of each layer.
 */
#ifndef TESTS_ORACLE_CHAIN_H
#define TESTS_ORACLE_CHAIN_H

#include "oracle/random.h"
#include "oracle/setup.h"

enum { CHAIN_MAX = 10 };
enum chain_kind { CHAIN_CONV, CHAIN_POOL, CHAIN_ACT, CHAIN_LINEAR };

struct chain_layer {
	enum chain_kind kind;
	unsigned channels, filters; /* C and F: of x and y */
	unsigned dimensions;        /* of x; 0 after a linear layer */
	unsigned x[3], y[3], kernel[3], stride[3], pad[3];
	bool bias;
	double x_items, y_items, w_items;   /* |x|, |y| of one sample, |w| */
	double forward_flop, backward_flop; /* of one sample */
};

struct chain {
	unsigned count;
	double samples; /* D */
	struct chain_layer layers[CHAIN_MAX];
};

static inline double chain_items(unsigned channels, unsigned dimensions, const unsigned extent[3])
{
	double items = channels;
	for (unsigned d = 0; d < dimensions; ++d)
		items *= extent[d];
	return items;
}

static inline void chain_window(struct random *random, struct chain_layer *layer)
{
	for (unsigned d = 0; d < layer->dimensions; ++d) {
		const unsigned most = layer->x[d] < 6 ? layer->x[d] - 1 : 5;
		layer->kernel[d] = random_between(random, 1, most);
		layer->stride[d] = layer->x[d] > 8 ? random_between(random, 1, 2) : 1;
		layer->pad[d] = random_between(random, 0, layer->kernel[d] / 2);
		layer->y[d] = (layer->x[d] + 2 * layer->pad[d] - layer->kernel[d]) / layer->stride[d] + 1;
	}
}

static inline void chain_work(struct chain_layer *layer, bool first)
{
	double filter = 0, positions = 1;
	layer->x_items = chain_items(layer->channels, layer->dimensions, layer->x);
	layer->y_items = layer->kind == CHAIN_LINEAR
				 ? layer->filters
				 : chain_items(layer->filters, layer->dimensions, layer->y);
	if (layer->kind == CHAIN_LINEAR)
		filter = layer->x_items;
	if (layer->kind == CHAIN_CONV) {
		filter = layer->channels;
		for (unsigned d = 0; d < layer->dimensions; ++d) {
			filter *= layer->kernel[d];
			positions *= layer->y[d];
		}
	}
	layer->w_items = filter > 0 ? layer->filters * (filter + (layer->bias ? 1 : 0)) : 0;
	layer->forward_flop = 2 * layer->filters * filter * positions;
	layer->backward_flop = (first ? 1 : 2) * layer->forward_flop; /* nobody wants dL/dx of the input */
}

static inline enum chain_kind chain_kind_random(struct random *random, const struct chain_layer *before)
{
	bool small = before->dimensions == 0;
	for (unsigned d = 0; d < before->dimensions; ++d)
		small = small || before->y[d] < 4;
	if (before->kind == CHAIN_LINEAR)
		return random_true(random) ? CHAIN_LINEAR : CHAIN_ACT;
	if (small || random_between(random, 0, 9) == 0)
		return CHAIN_LINEAR;
	const unsigned roll = random_between(random, 0, 5);
	return roll < 3 ? CHAIN_CONV : roll < 4 ? CHAIN_POOL : CHAIN_ACT;
}

/* The first layer is a convolution; `spatial` chains have extents everywhere, so that each layer can be cut. */
static inline struct chain chain_random(struct random *random, bool spatial)
{
	struct chain chain = {
		.count = random_between(random, 2, CHAIN_MAX), .samples = random_between(random, 1, 2000000)};
	for (unsigned i = 0; i < chain.count; ++i) {
		struct chain_layer *const layer = &chain.layers[i];
		const struct chain_layer *const before = i ? layer - 1 : NULL;
		*layer = (struct chain_layer){.kind = CHAIN_CONV, .kernel = {1, 1, 1}, .stride = {1, 1, 1}};
		layer->channels = before ? before->filters : random_between(random, 1, 8);
		layer->dimensions = before ? before->dimensions : random_between(random, 1, 3);
		for (unsigned d = 0; d < 3; ++d)
			layer->x[d] = before ? before->y[d] : random_between(random, 12, 40);
		if (before && before->kind == CHAIN_LINEAR)
			layer->dimensions = 0;
		if (before)
			layer->kind = chain_kind_random(random, before);
		if (spatial && layer->kind == CHAIN_LINEAR)
			layer->kind = CHAIN_ACT;
		memcpy(layer->y, layer->x, sizeof layer->y);
		layer->filters = layer->channels;
		if (layer->kind == CHAIN_CONV || layer->kind == CHAIN_LINEAR)
			layer->filters = random_between(random, 4, 64);
		layer->bias = random_true(random);
		if (layer->kind == CHAIN_CONV || layer->kind == CHAIN_POOL)
			chain_window(random, layer);
		if (layer->kind == CHAIN_LINEAR)
			layer->y[0] = layer->y[1] = layer->y[2] = 1;
		chain_work(layer, i == 0);
	}
	return chain;
}

static inline const char *chain_array(struct setup *setup, const unsigned values[3], unsigned count)
{
	return count == 1   ? arena_printf(setup->arena, "[%u]", values[0])
	       : count == 2 ? arena_printf(setup->arena, "[%u, %u]", values[0], values[1])
			    : arena_printf(setup->arena, "[%u, %u, %u]", values[0], values[1], values[2]);
}

static inline const char *chain_layer_text(struct setup *setup, const struct chain_layer *layer)
{
	const char *const bias = layer->bias ? "true" : "false";
	if (layer->kind == CHAIN_ACT)
		return "{\"type\": \"act\", \"kind\": \"relu\"}";
	if (layer->kind == CHAIN_LINEAR)
		return arena_printf(setup->arena, "{\"type\": \"linear\", \"out\": %u, \"bias\": %s}",
			layer->filters, bias);
	const char *const window = arena_printf(setup->arena, "\"kernel\": %s, \"stride\": %s, \"pad\": %s",
		chain_array(setup, layer->kernel, layer->dimensions),
		chain_array(setup, layer->stride, layer->dimensions),
		chain_array(setup, layer->pad, layer->dimensions));
	if (layer->kind == CHAIN_POOL)
		return arena_printf(setup->arena, "{\"type\": \"pool\", \"kind\": \"max\", %s}", window);
	return arena_printf(setup->arena, "{\"type\": \"conv\", \"out\": %u, \"bias\": %s, %s}",
		layer->filters, bias, window);
}

static inline const struct paradl_model *chain_model(
	struct setup *setup, const struct chain *chain, const char *optimizer)
{
	const struct chain_layer *const first = &chain->layers[0];
	const char *layers = chain_layer_text(setup, first);
	for (unsigned i = 1; i < chain->count; ++i)
		layers = arena_printf(
			setup->arena, "%s, %s", layers, chain_layer_text(setup, &chain->layers[i]));
	return setup_model(setup,
		arena_printf(setup->arena,
			"\"input\": {\"channels\": %u, \"shape\": %s}, \"training\": {\"optimizer\": "
			"\"%s\"}, "
			"\"dataset\": {\"name\": \"random\", \"samples\": %.0f}",
			first->channels, chain_array(setup, first->x, first->dimensions), optimizer,
			chain->samples),
		layers);
}

#endif
