/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file has the code that layer types share: their list, places for errors, tensors, windows and contractions.
 *
 * A window of kernel k, stride s, padding p on both sides, dilation d fits into an extent x at
 *     floor((x + 2p - d(k-1) - 1) / s) + 1 places;  with "ceil" floor((x + 2p - k + s - 1) / s) + 1, which lets
 * the last window hang over the edge (Chainer's cover_all);  with pad "same" ceil(x / s), whatever the kernel.
 *
 * A contraction y[F] = sum over (C/g) * K' of w * x at P positions (K' = kernel_volume, g = groups):
 *     weights F (C/g) K' (+ F with a bias);  forward 2 F (C/g) K' P flop
 *     backward-data and backward-weight as much again each
 * A bias is a pass over y of its own: forward reads and writes y (2|y|), backward sums dL/dy (1|y|). Backward-weight
 * reads x; backward-data reads only w.
 */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/names.h"
#include "model/layer_type.h"

#define X(id) &layer_type_##id,
const struct layer_type *const layer_types[] = {
#include "model/list.def"
	NULL};
#undef X

enum { LAYER_TYPE_COUNT = sizeof(layer_types) / sizeof(layer_types[0]) - 1 };

struct paradl_entry paradl_layer_type(size_t index)
{
	if (index >= LAYER_TYPE_COUNT)
		return (struct paradl_entry){NULL, NULL};
	return (struct paradl_entry){layer_types[index]->name, layer_types[index]->summary};
}

const struct layer_type *layer_type_find(const char *name)
{
	for (size_t i = 0; layer_types[i]; i++)
		if (strcmp(layer_types[i]->name, name) == 0)
			return layer_types[i];
	return NULL;
}

/* Types that belong to the format but are not supported yet. */
static const char *const later_types[] = {"gemm", NULL};

static bool type_unknown(const struct json *type, struct paradl_error *error)
{
	const char *names[LAYER_TYPE_COUNT];
	char quoted[64];
	error_quote(quoted, sizeof(quoted), type->string);
	for (size_t i = 0; later_types[i]; i++)
		if (strcmp(type->string, later_types[i]) == 0)
			return json_error(type, error, "layer type %s is not supported yet", quoted);
	for (size_t i = 0; i < LAYER_TYPE_COUNT; i++)
		names[i] = layer_types[i]->name;
	json_error(type, error, "%s is not a layer type%s", quoted,
		suggestion_of(type->string, names, LAYER_TYPE_COUNT).clause);
	char all[512];
	names_join(names, LAYER_TYPE_COUNT, all, sizeof all);
	return error_hint(error, "types are %s", all);
}

const struct layer_type *layer_type_read(const struct json *type, struct paradl_error *error)
{
	const struct layer_type *found = NULL;
	if (type->kind != JSON_STRING)
		json_error(type, error, "type must be a string, such as \"conv\"");
	else if (!(found = layer_type_find(type->string)))
		type_unknown(type, error);
	return found;
}

const struct json *layer_place(const struct layer_keys *keys, const char *key)
{
	const struct json *const member = json_member(keys->node, key);
	return member ? member : keys->node;
}

const struct json *layer_input_place(const struct layer_keys *keys, unsigned i)
{
	const struct json *list = keys->branches ? keys->branches : json_member(keys->node, "from");
	const struct json *place = list ? list->child : NULL;
	for (; place && i > 0; i--)
		place = place->next;
	return place ? place : keys->node;
}

double tensor_items(const struct tensor *tensor)
{
	double items = tensor->channels;
	for (unsigned d = 0; d < tensor->dimensions; d++)
		items *= tensor->extent[d];
	return items;
}

bool tensor_equal(const struct tensor *a, const struct tensor *b)
{
	if (a->channels != b->channels || a->dimensions != b->dimensions || a->tokens != b->tokens)
		return false;
	for (unsigned d = 0; d < a->dimensions; d++)
		if (a->extent[d] != b->extent[d])
			return false;
	return true;
}

const char *tensor_format(const struct tensor *tensor, char *text, size_t size)
{
	int used = snprintf(text, size, "%u", tensor->channels);
	for (unsigned d = 0; d < tensor->dimensions && used > 0 && (size_t)used < size; d++)
		used += snprintf(text + used, size - (size_t)used, "x%u", tensor->extent[d]);
	return text;
}

bool window_vector_fits(const struct layer_vector *vector, const char *name, const struct layer *layer,
	struct paradl_error *error)
{
	if (vector->count == 0 || vector->count == layer->x.dimensions)
		return true;
	char shape[64];
	return json_error(vector->node, error, "%s has %u numbers but its input is %s, of %u dimension%s",
		name, vector->count, tensor_format(&layer->x, shape, sizeof(shape)), layer->x.dimensions,
		layer->x.dimensions == 1 ? "" : "s");
}

static unsigned vector_at(const struct layer_vector *vector, unsigned d, unsigned otherwise)
{
	if (!vector->node)
		return otherwise;
	return vector->value[vector->count == 0 ? 0 : d];
}

bool window_read(const struct layer_keys *keys, unsigned stride_default, struct layer *layer,
	struct paradl_error *error)
{
	if (layer->x.dimensions == 0)
		return json_error(keys->node, error,
			"needs an input with extents, but its input is a vector of %u", layer->x.channels);
	if (!window_vector_fits(&keys->kernel, "kernel", layer, error) ||
		!window_vector_fits(&keys->stride, "stride", layer, error) ||
		!window_vector_fits(&keys->pad, "pad", layer, error) ||
		!window_vector_fits(&keys->dilation, "dilation", layer, error))
		return false;
	for (unsigned d = 0; d < layer->x.dimensions; d++) {
		layer->kernel[d] = vector_at(&keys->kernel, d, 1);
		layer->stride[d] =
			vector_at(&keys->stride, d, stride_default > 0 ? stride_default : layer->kernel[d]);
		layer->pad[d] = keys->pad_same ? 0 : vector_at(&keys->pad, d, 0);
		layer->dilation[d] = vector_at(&keys->dilation, d, 1);
	}
	return true;
}

static bool too_large(const struct layer_keys *keys, const struct layer *layer, unsigned d, unsigned extent,
	struct paradl_error *error)
{
	char input[64], dilation[48] = "";
	struct tensor extents = layer->x; /* extents without the channels: "7x7" */
	extents.extent[d] = extent;
	extents.channels = extents.extent[0];
	extents.extent[0] = extents.extent[1];
	extents.extent[1] = extents.extent[2];
	extents.dimensions--;
	tensor_format(&extents, input, sizeof(input));
	if (layer->dilation[d] > 1)
		(void)snprintf(dilation, sizeof(dilation), " with dilation %u", layer->dilation[d]);
	return json_error(layer_place(keys, "kernel"), error,
		"kernel is %u%s but its input is %s with pad %u", layer->kernel[d], dilation, input,
		layer->pad[d]);
}

unsigned window_positions(const struct layer_keys *keys, const struct layer *layer, unsigned d,
	unsigned extent, struct paradl_error *error)
{
	const long long stride = layer->stride[d];
	const long long reach = (long long)layer->dilation[d] * ((long long)layer->kernel[d] - 1) + 1;
	if (keys->pad_same)
		return (unsigned)((extent + stride - 1) / stride);
	const long long room =
		(long long)extent + 2LL * layer->pad[d] - reach + (keys->ceil ? stride - 1 : 0);
	if (room < 0) {
		too_large(keys, layer, d, extent, error);
		return 0;
	}
	return (unsigned)(room / stride + 1);
}

void contraction_work(bool bias, struct layer *layer, struct layer_keeps *keeps)
{
	const double y_items = tensor_items(&layer->y);
	const double filter = (double)layer->channels / layer->groups * layer->kernel_volume;
	layer->weight_items = layer->filters * (filter + (bias ? 1 : 0));
	layer->weight_tensors = bias ? 2 : 1;
	layer->bias = bias;
	layer->forward_flop = 2 * layer->filters * filter * layer->positions;
	layer->backward_flop =
		layer->forward_flop * ((layer->backward_data ? 1 : 0) + (layer->backward_weight ? 1 : 0));
	layer->forward_items = bias ? 2 * y_items : 0;
	layer->backward_items = bias && layer->backward_weight ? y_items : 0;
	keeps->x = layer->backward_weight;
}
