/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes a .net file as a model. The file is a list of layers, the model a graph. An ADD gets the output of the block
 * before as its second input where the shape allows; otherwise the shortcut of that block is not in the file. A layer
 * that no stride, padding or kind explains becomes a custom layer, so that every tensor keeps the file's shape.
 */
#include <stdlib.h>
#include <string.h>

#include "import/original.h"

struct named {
	const char *name;
	unsigned index;
};

static int compare(const void *a, const void *b)
{
	const struct named *const first = a, *const second = b;
	const int order = strcmp(first->name, second->name);
	return order != 0 ? order : (first->index > second->index) - (first->index < second->index);
}

/*
 * Returns unique names of the layers for the model; NULL: out of memory. A name that the file uses once stays; "RELU"
 * used often becomes "RELU.1", "RELU.2", ...
 */
static const char *const *net_names(struct paradl_arena *arena, const struct net *net)
{
	struct named *const sorted = arena_alloc(arena, net->count, sizeof(*sorted));
	const char **const names = arena_alloc(arena, net->count, sizeof(*names));
	if (!sorted || !names)
		return NULL;
	for (unsigned i = 0; i < net->count; i++)
		sorted[i] = (struct named){net->layers[i].name, i};
	qsort(sorted, net->count, sizeof(*sorted), compare);
	for (unsigned i = 0, run = 0; i < net->count; i++) {
		const char *const name = sorted[i].name;
		const bool again = i > 0 && strcmp(sorted[i - 1].name, name) == 0;
		const bool more = i + 1 < net->count && strcmp(sorted[i + 1].name, name) == 0;
		run = again ? run + 1 : 1;
		names[sorted[i].index] =
			again || more || name[0] == '\0' ? arena_printf(arena, "%s.%u", name, run) : name;
		if (!names[sorted[i].index])
			return NULL;
	}
	return names;
}

struct conversion {
	const struct net *net;
	const char *const *names;
	struct json_writer *writer;
	struct warnings *warnings;
	struct tensor now;      /* output of the layer before */
	const char *now_name;   /* name of that layer; NULL: the input */
	struct tensor block;    /* output of the block before */
	const char *block_name; /* name of its last layer; NULL: no block yet */
	unsigned reshapes;
};

static struct tensor tensor_of(const struct net_dims *dims)
{
	struct tensor tensor = {
		.channels = dims->value[0], .dimensions = dims->count - 1, .extent = {1, 1, 1}};
	for (unsigned d = 0; d < tensor.dimensions; d++)
		tensor.extent[d] = dims->value[d + 1];
	return tensor;
}

/* Returns whether shapes are equal. A missing extent counts as 1, because the file writes vectors as Cx1x1. */
static bool same_shape(const struct tensor *a, const struct tensor *b)
{
	bool same = a->channels == b->channels;
	for (unsigned d = 0; d < DIMENSIONS_MAX; d++)
		same = same && a->extent[d] == b->extent[d];
	return same;
}

static void begin_layer(struct conversion *conversion, const char *name, const char *type)
{
	json_begin_object(conversion->writer, NULL);
	conversion->writer->compact = true;
	json_write_text(conversion->writer, "name", name);
	json_write_text(conversion->writer, "type", type);
}

static void end_layer(struct conversion *conversion)
{
	json_end_object(conversion->writer);
	conversion->writer->compact = false;
}

static void write_extents(struct json_writer *writer, const char *key, const unsigned *values, unsigned count)
{
	bool uniform = true;
	for (unsigned i = 1; i < count; i++)
		uniform = uniform && values[i] == values[0];
	if (uniform) {
		json_write_number(writer, key, values[0]);
		return;
	}
	json_begin_array(writer, key);
	for (unsigned i = 0; i < count; i++)
		json_write_number(writer, NULL, values[i]);
	json_end_array(writer);
}

static void write_custom(struct conversion *conversion, const char *name, double flop, double params,
	const struct tensor *shape)
{
	struct json_writer *const writer = conversion->writer;
	begin_layer(conversion, name, "custom");
	json_write_number(writer, "flops", flop);
	if (params > 0)
		json_write_number(writer, "params", params);
	json_begin_array(writer, "out_shape");
	json_write_number(writer, NULL, shape->channels);
	for (unsigned d = 0; d < shape->dimensions; d++)
		json_write_number(writer, NULL, shape->extent[d]);
	json_end_array(writer);
	end_layer(conversion);
}

static void write_window(struct json_writer *writer, const struct net_window *window, unsigned default_stride)
{
	write_extents(writer, "kernel", window->kernel, window->dimensions);
	for (unsigned d = 0; d < window->dimensions; d++) {
		if (window->stride[d] == (default_stride > 0 ? default_stride : window->kernel[d]))
			continue;
		write_extents(writer, "stride", window->stride, window->dimensions);
		break;
	}
	if (window->same)
		json_write_text(writer, "pad", "same");
	else if (window->pad > 0)
		json_write_number(writer, "pad", window->pad);
	if (window->ceil)
		json_write_bool(writer, "ceil", true);
}

static bool write_conv(struct conversion *conversion, const struct net_layer *layer, const char *name)
{
	struct json_writer *const writer = conversion->writer;
	struct net_window window;
	const unsigned channels = layer->w.value[0], filters = layer->w.count > 1 ? layer->w.value[1] : 0;
	const unsigned groups = channels > 0 ? layer->x.value[0] / channels : 0;
	if (groups == 0 || layer->x.value[0] % channels != 0 || filters == 0 || filters % groups != 0 ||
		filters != layer->y.value[0] || !net_window_find(layer, &window))
		return false;
	begin_layer(conversion, name, "conv");
	json_write_number(writer, "out", filters);
	write_window(writer, &window, 1);
	if (groups > 1)
		json_write_number(writer, "groups", groups);
	json_write_bool(writer, "bias", false);
	end_layer(conversion);
	return true;
}

static bool write_pool(struct conversion *conversion, const struct net_layer *layer, const char *name)
{
	struct net_window window;
	if (layer->x.value[0] != layer->y.value[0] || !net_window_find(layer, &window))
		return false;
	begin_layer(conversion, name, "pool");
	json_write_text(conversion->writer, "kind", layer->kind == NET_MAX_POOL ? "max" : "avg");
	write_window(conversion->writer, &window, 0);
	end_layer(conversion);
	return true;
}

static bool write_linear(struct conversion *conversion, const struct net_layer *layer, const char *name)
{
	const double x = net_dims_items(&layer->x), y = net_dims_items(&layer->y),
		     w = net_dims_items(&layer->w);
	const double filters = layer->y.value[0];
	if (layer->w.count < 2 || y > filters || w > x * filters || w < x * filters)
		return false;
	begin_layer(conversion, name, "linear");
	json_write_number(conversion->writer, "out", filters);
	json_write_bool(conversion->writer, "bias", false);
	end_layer(conversion);
	return true;
}

static void write_item_wise(
	struct conversion *conversion, const char *name, const char *type, const char *kind)
{
	begin_layer(conversion, name, type);
	if (kind)
		json_write_text(conversion->writer, "kind", kind);
	end_layer(conversion);
}

static void write_add(struct conversion *conversion, const struct net_layer *layer, const char *name)
{
	struct json_writer *const writer = conversion->writer;
	begin_layer(conversion, name, "add");
	if (conversion->block_name && conversion->now_name &&
		same_shape(&conversion->block, &conversion->now)) {
		json_begin_array(writer, "from");
		json_write_text(writer, NULL, conversion->now_name);
		json_write_text(writer, NULL, conversion->block_name);
		json_end_array(writer);
	} else {
		warn(conversion->warnings,
			"line %d: the shortcut that %s adds is not in the file (its convolution is missing); "
			"it adds its "
			"input to itself",
			layer->line, layer->name);
		json_begin_array(writer, "branches");
		for (unsigned i = 0; i < 2; i++) {
			json_begin_array(writer, NULL);
			json_end_array(writer);
		}
		json_end_array(writer);
	}
	end_layer(conversion);
}

static bool write_layer(struct conversion *conversion, const struct net_layer *layer, const char *name)
{
	const struct tensor x = tensor_of(&layer->x), y = tensor_of(&layer->y);
	if (layer->kind == NET_CONV)
		return write_conv(conversion, layer, name);
	if (layer->kind == NET_MAX_POOL || layer->kind == NET_AVERAGE_POOL)
		return write_pool(conversion, layer, name);
	if (layer->kind == NET_LINEAR)
		return write_linear(conversion, layer, name);
	if (layer->kind == NET_OTHER || !same_shape(&x, &y))
		return false;
	if (layer->kind == NET_ADD)
		write_add(conversion, layer, name);
	else if (layer->kind == NET_RELU)
		write_item_wise(conversion, name, "act", "relu");
	else if (layer->kind == NET_NORM)
		write_item_wise(conversion, name, "norm", "batch");
	else
		write_item_wise(conversion, name, "dropout", NULL);
	return true;
}

static bool is_item_wise(const struct net_layer *layer)
{
	return layer->kind == NET_RELU || layer->kind == NET_NORM || layer->kind == NET_ADD ||
	       layer->kind == NET_DROPOUT;
}

/* Makes the layer's x the output of the layer before, or puts a layer without work between them that reshapes. */
static void match_input(struct conversion *conversion, struct net_layer *layer)
{
	const struct tensor x = tensor_of(&layer->x), y = tensor_of(&layer->y);
	char was[64], wanted[64];
	tensor_format(&conversion->now, was, sizeof(was));
	tensor_format(&x, wanted, sizeof(wanted));
	if (same_shape(&x, &conversion->now))
		return;
	if (is_item_wise(layer) && same_shape(&y, &conversion->now)) {
		warn(conversion->warnings,
			"line %d: %s reads %s, but the layer before gives %s, which is taken", layer->line,
			layer->name, wanted, was);
		layer->x = layer->y;
		return;
	}
	const char *const name =
		arena_printf(conversion->warnings->arena, "reshape.%u", ++conversion->reshapes);
	warn(conversion->warnings,
		"line %d: %s reads %s, but the layer before gives %s: a layer that reshapes is put between",
		layer->line, layer->name, wanted, was);
	write_custom(conversion, name, 0, 0, &x);
	conversion->now = x;
	conversion->now_name = name;
}

static void convert(struct conversion *conversion, unsigned index)
{
	struct net_layer layer = conversion->net->layers[index];
	const char *const name = conversion->names[index];
	match_input(conversion, &layer);
	const struct tensor y = tensor_of(&layer.y);
	if (!write_layer(conversion, &layer, name)) {
		double flop =
			layer.kind == NET_CONV || layer.kind == NET_LINEAR ? 2 * net_dims_items(&layer.w) : 0;
		for (unsigned d = 0; d < y.dimensions; d++)
			flop *= y.extent[d];
		warn(conversion->warnings,
			"line %d: %s cannot be told from its dimensions: it becomes a custom layer",
			layer.line, layer.name);
		write_custom(conversion, name, flop, net_dims_items(&layer.w), &y);
	}
	const bool ends_block =
		layer.kind == NET_ADD ||
		(layer.kind == NET_RELU && index > 0 && conversion->net->layers[index - 1].kind == NET_ADD);
	conversion->now = y;
	conversion->now_name = name;
	if (ends_block) {
		conversion->block = y;
		conversion->block_name = name;
	}
}

static void write_header(struct json_writer *writer, const struct net *net, const char *path)
{
	const char *const slash = strrchr(path, '/');
	json_write_text(writer, "format", "paradl-model");
	json_write_number(writer, "version", 1);
	json_write_text(writer, "name", net->name);
	json_write_text(writer, "_source", slash ? slash + 1 : path);
	json_begin_object(writer, "input");
	json_write_number(writer, "channels", net->input.channels);
	json_begin_array(writer, "shape");
	for (unsigned d = 0; d < net->input.dimensions; d++)
		json_write_number(writer, NULL, net->input.extent[d]);
	json_end_array(writer);
	json_end_object(writer);
	json_begin_object(writer, "training");
	json_write_text(writer, "precision", "fp32");
	json_end_object(writer);
	json_begin_object(writer, "dataset");
	json_write_text(writer, "name", net->dataset);
	json_write_number(writer, "samples", net->samples);
	json_end_object(writer);
}

bool net_write(struct paradl_arena *arena, const struct net *net, const char *path,
	struct json_writer *writer, struct warnings *warnings)
{
	struct conversion conversion = {
		.net = net,
		.names = net_names(arena, net),
		.writer = writer,
		.warnings = warnings,
		.now = net->input,
	};
	if (!conversion.names)
		return false;
	json_begin_object(writer, NULL);
	write_header(writer, net, path);
	json_begin_array(writer, "layers");
	for (unsigned i = 0; i < net->count; i++)
		convert(&conversion, i);
	json_end_array(writer);
	json_end_object(writer);
	if (net->timed > 0)
		warn(warnings,
			"the fifth field gives %.9g s per sample in all (on %u of %u layers); a model holds "
			"no times: a file of "
			"measured layer times does",
			net->seconds, net->timed, net->count);
	return !warnings->out_of_memory;
}
