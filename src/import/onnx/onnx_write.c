/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes layers as paradl-model(5). */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "import/importer.h"
#include "import/onnx/onnx_network.h"

enum { LABEL_MAX = 120 };

struct labels {
	const char **slots;
	size_t slot_count;
};

static size_t hash(const char *text)
{
	uint64_t value = 14695981039346656037U; /* FNV-1a */
	for (; *text != '\0'; text++)
		value = (value ^ (unsigned char)*text) * 1099511628211U;
	return (size_t)(value ^ (value >> 32));
}

/* Adds a label to the table. False: it is there already. */
static bool label_add(struct labels *labels, const char *label)
{
	size_t i = hash(label) & (labels->slot_count - 1);
	for (; labels->slots[i]; i = (i + 1) & (labels->slot_count - 1))
		if (strcmp(labels->slots[i], label) == 0)
			return false;
	labels->slots[i] = label;
	return true;
}

/* Gives a layer a name of its own: that of its weights, with a number where another layer has it as well. */
static bool label_give(struct onnx_network *network, struct labels *labels, struct onnx_layer *layer)
{
	struct paradl_arena *const arena = network->graph->arena;
	char base[LABEL_MAX];
	if (layer->name.length > 0)
		span_format(layer->name, base, sizeof base);
	else
		(void)snprintf(base, sizeof base, "%s.%u", layer->type, (unsigned)(layer - network->layers));
	layer->label = arena_text(arena, base);
	for (unsigned i = 2; layer->label && !label_add(labels, layer->label); i++)
		layer->label = arena_printf(
			arena, "%s.%u", base, i < 10 ? i : (unsigned)(layer - network->layers) * 100 + i);
	return layer->label != NULL;
}

static bool labels_give(struct onnx_network *network, struct labels *labels, const struct onnx_list *list)
{
	for (const struct onnx_item *item = list->first; item; item = item->next) {
		struct onnx_layer *const layer = &network->layers[item->layer];
		if (layer->name.length > 0 && !layer->label && !label_give(network, labels, layer))
			return false;
		for (unsigned i = 0; i < item->from_count; i++) {
			struct onnx_layer *const read =
				item->from[i] == NOTHING ? NULL : &network->layers[item->from[i]];
			if (read && !read->label && !label_give(network, labels, read))
				return false;
		}
		for (unsigned i = 0; item->branches && i < layer->input_count; i++)
			if (!labels_give(network, labels, &item->branches[i]))
				return false;
	}
	return true;
}

static void write_numbers(
	struct json_writer *writer, const char *key, const unsigned *numbers, unsigned count)
{
	bool uniform = true;
	for (unsigned i = 1; i < count; i++)
		uniform = uniform && numbers[i] == numbers[0];
	if (uniform) {
		json_write_number(writer, key, numbers[0]);
		return;
	}
	json_begin_array(writer, key);
	for (unsigned i = 0; i < count; i++)
		json_write_number(writer, NULL, numbers[i]);
	json_end_array(writer);
}

/* Writes numbers unless they are `plain`, those that hold where the key is left out. */
static void write_unless(struct json_writer *writer, const char *key, const unsigned *numbers, unsigned count,
	const unsigned *plain)
{
	for (unsigned i = 0; i < count && i < DIMENSIONS_MAX; i++)
		if (numbers[i] != plain[i]) {
			write_numbers(writer, key, numbers, count);
			return;
		}
}

static void write_window(struct json_writer *writer, const struct onnx_layer *layer, bool is_pool)
{
	static const unsigned ones[DIMENSIONS_MAX] = {1, 1, 1}, zeros[DIMENSIONS_MAX] = {0, 0, 0};
	write_numbers(writer, "kernel", layer->kernel, layer->dimensions);
	write_unless(writer, "stride", layer->stride, layer->dimensions, is_pool ? layer->kernel : ones);
	if (layer->pad_same)
		json_write_text(writer, "pad", "same");
	else
		write_unless(writer, "pad", layer->pad, layer->dimensions, zeros);
	if (!is_pool)
		write_unless(writer, "dilation", layer->dilation, layer->dimensions, ones);
}

static void write_shape(struct json_writer *writer, const char *key, const struct tensor *tensor)
{
	json_begin_array(writer, key);
	json_write_number(writer, NULL, tensor->channels);
	for (unsigned d = 0; d < tensor->dimensions; d++)
		json_write_number(writer, NULL, tensor->extent[d]);
	json_end_array(writer);
}

static void write_conv(struct json_writer *writer, const struct onnx_layer *layer)
{
	json_write_number(writer, "out", layer->out);
	write_window(writer, layer, false);
	if (layer->groups > 1)
		json_write_number(writer, "groups", layer->groups);
	if (!layer->bias)
		json_write_bool(writer, "bias", false);
	if (layer->transposed)
		json_write_bool(writer, "transposed", true);
}

static void write_linear(struct json_writer *writer, const struct onnx_layer *layer)
{
	json_write_number(writer, "out", layer->out);
	if (!layer->bias)
		json_write_bool(writer, "bias", false);
}

static void write_pool(struct json_writer *writer, const struct onnx_layer *layer)
{
	if (layer->global) {
		json_write_bool(writer, "global", true);
		return;
	}
	write_window(writer, layer, true);
	if (layer->ceil)
		json_write_bool(writer, "ceil", true);
}

static void write_norm(struct json_writer *writer, const struct onnx_layer *layer)
{
	if (strcmp(layer->kind, "group") == 0)
		json_write_number(writer, "groups", layer->groups);
}

static void write_concat(struct json_writer *writer, const struct onnx_layer *layer)
{
	if (layer->axis > 0)
		json_write_number(writer, "axis", layer->axis);
}

static void write_upsample(struct json_writer *writer, const struct onnx_layer *layer)
{
	write_numbers(writer, layer->by_scale ? "scale" : "size", layer->scale, layer->dimensions);
}

static void write_reshape(struct json_writer *writer, const struct onnx_layer *layer)
{
	write_shape(writer, "out_shape", &layer->y);
	if (layer->copy)
		json_write_bool(writer, "copy", true);
}

static void write_dropout(struct json_writer *writer, const struct onnx_layer *layer)
{
	json_write_number(writer, "p", layer->probability);
}

static void write_custom(struct json_writer *writer, const struct onnx_layer *layer)
{
	json_write_number(writer, "flops", layer->flop);
	if (layer->params > 0)
		json_write_number(writer, "params", layer->params);
	write_shape(writer, "out_shape", &layer->y);
}

static void write_keys(struct json_writer *writer, const struct onnx_layer *layer)
{
	static const struct {
		const char *type;
		void (*write)(struct json_writer *, const struct onnx_layer *);
	} types[] = {{"conv", write_conv}, {"linear", write_linear}, {"pool", write_pool},
		{"norm", write_norm}, {"concat", write_concat}, {"upsample", write_upsample},
		{"reshape", write_reshape}, {"dropout", write_dropout}, {"custom", write_custom}};
	json_write_text(writer, "type", layer->type);
	if (layer->kind)
		json_write_text(writer, "kind", layer->kind);
	for (size_t i = 0; i < sizeof types / sizeof *types; i++)
		if (strcmp(layer->type, types[i].type) == 0)
			types[i].write(writer, layer);
}

static void write_list(struct onnx_network *network, const struct onnx_list *list, struct json_writer *writer)
{
	for (const struct onnx_item *item = list->first; item; item = item->next) {
		const struct onnx_layer *const layer = &network->layers[item->layer];
		network->written++;
		json_begin_object(writer, NULL);
		writer->compact = !item->branches;
		writer->spaced = true;
		if (layer->label)
			json_write_text(writer, "name", layer->label);
		write_keys(writer, layer);
		if (item->from)
			json_begin_array(writer, "from");
		for (unsigned i = 0; item->from && i < item->from_count; i++)
			json_write_text(writer, NULL,
				item->from[i] == NOTHING ? "input" : network->layers[item->from[i]].label);
		if (item->from)
			json_end_array(writer);
		if (item->branches)
			json_begin_array(writer, "branches");
		for (unsigned i = 0; item->branches && i < layer->input_count; i++) {
			writer->compact = !item->branches[i].first;
			json_begin_array(writer, NULL);
			write_list(network, &item->branches[i], writer);
			json_end_array(writer);
			writer->compact = false;
		}
		if (item->branches)
			json_end_array(writer);
		json_end_object(writer);
		writer->compact = false;
	}
}

static void write_header(const struct onnx_network *network, struct json_writer *writer)
{
	const char *const file = import_file_name(network->graph->path);
	const char *const dot = strrchr(file, '.');
	const int length = (int)(dot && dot > file ? (size_t)(dot - file) : strlen(file));
	char name[LABEL_MAX];
	static const unsigned one = 1;
	(void)snprintf(name, sizeof name, "%.*s", length, file);
	json_write_text(writer, "format", "paradl-model");
	json_write_number(writer, "version", 1);
	json_write_text(writer, "name", name);
	json_write_text(writer, "_source", file);
	json_begin_object(writer, "input");
	writer->compact = writer->spaced = true;
	json_write_number(writer, "channels", network->shape.channels);
	json_begin_array(writer, "shape");
	for (unsigned d = 0; d < network->shape.dimensions; d++)
		json_write_number(writer, NULL, network->shape.extent[d]);
	if (network->shape.dimensions == 0)
		json_write_number(writer, NULL, one);
	json_end_array(writer);
	json_end_object(writer);
	writer->compact = false;
	json_begin_object(writer, "training");
	writer->compact = true;
	json_write_text(writer, "precision", "fp32");
	json_end_object(writer);
	writer->compact = false;
}

/*
 * Writes the loss. The softmax at the end of a network is part of its loss; files of networks in use do not say which
 * loss.
 */
static void write_loss(struct json_writer *writer)
{
	json_begin_object(writer, NULL);
	writer->compact = true;
	json_write_text(writer, "type", "loss");
	json_write_text(writer, "kind", "cross-entropy");
	json_end_object(writer);
	writer->compact = false;
}

static unsigned results(const struct onnx_network *network)
{
	unsigned count = 0;
	for (unsigned i = 0; i < network->layer_count; i++)
		count += network->is_result[i];
	return count;
}

static bool is_softmax(const struct onnx_layer *layer)
{
	return layer->kind && strcmp(layer->type, "act") == 0 && strcmp(layer->kind, "softmax") == 0;
}

bool network_write(struct onnx_network *network, const struct onnx_list *list, bool names_input,
	struct json_writer *writer)
{
	struct labels labels = {.slot_count = 16};
	while (labels.slot_count < 2 * (size_t)network->layer_count + 4)
		labels.slot_count *= 2;
	labels.slots = arena_alloc(network->graph->arena, labels.slot_count, sizeof *labels.slots);
	if (!labels.slots || (names_input && !label_add(&labels, "input")) ||
		!labels_give(network, &labels, list))
		return out_of_memory(network->graph->error);
	const bool has_one_result = results(network) == 1;
	struct onnx_list shown = *list;
	struct onnx_item *before = NULL;
	for (struct onnx_item *item = list->first; item && item->next; item = item->next)
		before = item;
	if (has_one_result && before && !list->last->from &&
		is_softmax(&network->layers[list->last->layer])) {
		before->next = NULL;
		shown.last = before;
	}
	json_begin_object(writer, NULL);
	write_header(network, writer);
	json_begin_array(writer, "layers");
	if (names_input) {
		const struct onnx_layer input = {.type = "reshape", .y = network->shape};
		json_begin_object(writer, NULL);
		writer->compact = writer->spaced = true;
		json_write_text(writer, "name", "input");
		write_keys(writer, &input);
		json_end_object(writer);
		writer->compact = false;
	}
	write_list(network, &shown, writer);
	if (has_one_result)
		write_loss(writer);
	network->written += (has_one_result ? 1U : 0U) + (names_input ? 1U : 0U);
	json_end_array(writer);
	json_end_object(writer);
	return true;
}
