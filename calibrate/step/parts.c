/* SPDX-License-Identifier: BSD-3-Clause */
#include "step/trainer.h"

#include <stdio.h>

/* Whole items of the fullest rank; the last rank may have fewer, but has some. */
static bool share_of(const struct peers *peers, size_t whole, size_t *share, size_t *first, size_t *here)
{
	*share = (whole + peers->count - 1) / peers->count;
	*first = *share * peers->rank;
	if (*share * (peers->count - 1) >= whole)
		return false;
	*here = peers->rank + 1 < peers->count ? *share : whole - *first;
	return true;
}

static const char *cut_filters(struct part *part, const struct peers *peers)
{
	part->split = true;
	return share_of(peers, part->here.filters, &part->share, &part->first_filter, &part->here.filters)
		       ? NULL
		       : "has fewer filters than ranks need";
}

static const char *cut_channels(struct part *part, const struct peers *peers)
{
	part->split = true;
	return share_of(peers, part->here.channels, &part->share, &part->first_channel, &part->here.channels)
		       ? NULL
		       : "has fewer channels than ranks need";
}

/* Whether rows stay with the ranks that have them: windows begin where pieces do. */
static const char *rows_wrong(const struct step_layer *layer, size_t pieces)
{
	const struct convolution *c = &layer->shape;
	const size_t reach = (c->kernel[0] - 1) / 2;
	if (c->x[0] % pieces || c->y[0] % pieces)
		return "has rows that ranks cannot share evenly";
	if (layer->kind == LAYER_RELU)
		return NULL;
	if (c->x[0] != c->stride[0] * c->y[0])
		return "has rows of y that read rows of x elsewhere";
	if (layer->kind != LAYER_CONVOLUTION)
		return c->kernel[0] == c->stride[0] && !c->pad[0] ? NULL
								  : "pools windows that pieces would share";
	if (c->dilation[0] != 1 && c->kernel[0] > 1)
		return "has a dilation";
	if (c->pad[0] != reach || c->kernel[0] > 2 * reach + c->stride[0])
		return "has a pad that is not half its kernel";
	return c->x[0] / pieces >= reach ? NULL : "has pieces with fewer rows than a halo";
}

static const char *cut_rows(struct part *part, const struct step_layer *layer, const struct peers *peers)
{
	const char *why = rows_wrong(layer, peers->count);
	if (why)
		return why;
	part->split = true;
	part->rows = part->here.x[0] / peers->count;
	part->here.y[0] /= peers->count;
	part->here.x[0] = part->rows;
	part->x_items /= peers->count;
	part->y_items /= peers->count;
	if (layer->kind != LAYER_CONVOLUTION || part->here.kernel[0] < 3)
		return NULL;
	part->face = (part->here.kernel[0] - 1) / 2;
	part->top = peers->rank > 0 ? part->face : 0;
	part->bottom = peers->rank + 1 < peers->count ? part->face : 0;
	part->here.x[0] += part->top + part->bottom;
	if (part->top)
		part->here.pad[0] = 0;
	part->kept_items = part->here.x[0] * part->here.x[1] * part->here.x[2] * part->here.channels;
	return NULL;
}

/* Everything from here on needs whole samples. */
static bool needs_whole(const struct step_layer *layer)
{
	const bool pools = layer->kind == LAYER_MAX_POOL || layer->kind == LAYER_MEAN_POOL;
	return layer->kind == LAYER_LINEAR || layer->kind == LAYER_LOSS ||
	       (pools && layer->shape.kernel[0] >= layer->shape.x[0]);
}

static const char *cut_layer(struct trainer *trainer, unsigned layer)
{
	const struct step_layer *whole = &trainer->network->layers[layer];
	struct part *part = &trainer->parts[layer];
	const struct peers *peers = &trainer->assignment.peers;
	const char *why = NULL;
	*part = (struct part){
		.here = whole->shape, .x_items = layer_x_items(whole), .y_items = layer_y_items(whole)};
	if (trainer->assignment.axis == AXIS_FILTER && layer_has_weights(whole))
		why = cut_filters(part, peers);
	else if (trainer->assignment.axis == AXIS_CHANNEL && layer_has_weights(whole) && layer > 0)
		why = cut_channels(part, peers);
	else if (trainer->assignment.axis == AXIS_SPATIAL && !trainer->gather)
		why = cut_rows(part, whole, peers);
	if (trainer->assignment.axis == AXIS_CHANNEL && part->split)
		part->kept_items = part->x_items / whole->shape.channels * part->here.channels;
	return why;
}

const char *parts_cut(struct trainer *trainer, char reason[REASON_LENGTH])
{
	size_t at = 0;
	for (unsigned i = 0; i < trainer->network->count; ++i) {
		const struct step_layer *layer = &trainer->network->layers[i];
		if (trainer->assignment.axis == AXIS_SPATIAL && !trainer->gather && needs_whole(layer))
			trainer->gather = i;
		const char *why = cut_layer(trainer, i);
		if (why) {
			snprintf(reason, REASON_LENGTH, "layer %u %s", i + 1, why);
			return reason;
		}
		struct part *part = &trainer->parts[i];
		if (!layer_has_weights(layer))
			continue;
		part->weights = convolution_weights(&part->here);
		part->weights_at = at;
		part->bias_at = at + part->weights;
		at += part->weights + (layer->bias ? part->here.filters : 0);
	}
	trainer->weight_count = at;
	if (trainer->assignment.axis == AXIS_SPATIAL && !trainer->parts[0].split) {
		snprintf(reason, REASON_LENGTH, "no layer has rows to cut");
		return reason;
	}
	return NULL;
}

size_t part_whole_weight(const struct trainer *trainer, unsigned layer, size_t i)
{
	const struct part *part = &trainer->parts[layer];
	const struct convolution *whole = &trainer->network->layers[layer].shape;
	const size_t volume = convolution_volume(whole);
	if (i >= part->weights)
		return convolution_weights(whole) + part->first_filter + i - part->weights;
	const size_t channel = i % part->here.channels, rest = i / part->here.channels;
	return ((part->first_filter + rest / volume) * volume + rest % volume) * whole->channels +
	       part->first_channel + channel;
}
