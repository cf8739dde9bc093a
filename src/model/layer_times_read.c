/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/layer_times_read.h"
#include "base/error.h"
#include "model/model.h"

#include <stdlib.h>
#include <string.h>

#define TIME_MAX_S 1e9

static bool is_comment(const struct json *node)
{
	return node->key[0] == '_' || node->key[0] == '$';
}

static bool layer_read(const struct json *node, struct measured_layer *layer, struct paradl_error *error)
{
#define TIME(text, must, member)                                                                             \
	{                                                                                                    \
		.key = (text), .type = JSON_TO_QUANTITY, .required = (must),                                 \
		.offset = offsetof(struct measured_layer, member), .max = TIME_MAX_S,                        \
		.dimension = DIMENSION_TIME                                                                  \
	}
	static const struct json_field fields[] = {
		TIME("fw", true, forward_s), TIME("bw", true, backward_s), TIME("wu", false, update_s)};
#undef TIME
	layer->name = node->key;
	return json_read(node, fields, sizeof(fields) / sizeof(fields[0]), NULL, layer, error);
}

static int compare_layers(const void *a, const void *b)
{
	return strcmp(((const struct measured_layer *)a)->name, ((const struct measured_layer *)b)->name);
}

static int compare_batches(const void *a, const void *b)
{
	const double first = ((const struct measured_batch *)a)->batch;
	const double second = ((const struct measured_batch *)b)->batch;
	return (first > second) - (first < second);
}

static bool batch_layers_read(struct paradl_arena *arena, const struct json *object,
	struct measured_batch *batch, struct paradl_error *error)
{
	struct measured_layer *const layers = arena_alloc(arena, object->count + 1, sizeof(*layers));
	if (!layers)
		return out_of_memory(error);
	for (const struct json *node = object->child; node; node = node->next)
		if (!is_comment(node) && !layer_read(node, &layers[batch->count++], error))
			return false;
	if (batch->count == 0)
		return json_error(object, error, "must have at least one layer");
	qsort(layers, batch->count, sizeof(*layers), compare_layers);
	batch->layers = layers;
	return true;
}

struct batch_keys {
	unsigned batch;
	const struct json *layers;
};

static bool batch_read(struct paradl_arena *arena, const struct json *node, struct measured_batch *batch,
	struct paradl_error *error)
{
	static const struct json_field fields[] = {
		{.key = "batch",
			.type = JSON_TO_UNSIGNED,
			.required = true,
			.offset = offsetof(struct batch_keys, batch),
			.min = 1,
			.max = 2147483647},
		{.key = "layers",
			.type = JSON_TO_OBJECT,
			.required = true,
			.offset = offsetof(struct batch_keys, layers)},
	};
	struct batch_keys keys = {0};
	if (!json_read(node, fields, sizeof(fields) / sizeof(fields[0]), NULL, &keys, error))
		return false;
	batch->batch = keys.batch;
	return batch_layers_read(arena, keys.layers, batch, error);
}

static bool batches_read(struct paradl_arena *arena, const struct json *array,
	struct measured_layers *measured, struct paradl_error *error)
{
	if (array->count == 0)
		return json_error(array, error, "must have at least one batch");
	struct measured_batch *const batches = arena_alloc(arena, array->count, sizeof(*batches));
	if (!batches)
		return out_of_memory(error);
	for (const struct json *node = array->child; node; node = node->next)
		if (!batch_read(arena, node, &batches[measured->count++], error))
			return false;
	qsort(batches, measured->count, sizeof(*batches), compare_batches);
	for (unsigned i = 1; i < measured->count; i++)
		if (!(batches[i - 1].batch < batches[i].batch))
			return json_error(array, error, "has batch %.0f twice", batches[i].batch);
	measured->batches = batches;
	return true;
}

struct file_keys {
	const char *model, *device;
	int precision;
	const struct json *samples;
};

bool measured_layers_read(struct paradl_arena *arena, const struct json *root,
	struct measured_layers *measured, struct paradl_error *error)
{
#define KEY(text, kind, must)                                                                                \
	{                                                                                                    \
		.key = #text, .type = (kind), .required = (must), .offset = offsetof(struct file_keys, text) \
	}
	static const struct json_field fields[] = {
		KEY(model, JSON_TO_TEXT, true),
		KEY(device, JSON_TO_TEXT, false),
		{.key = "precision",
			.type = JSON_TO_CHOICE,
			.offset = offsetof(struct file_keys, precision),
			.choices = precision_names},
		KEY(samples, JSON_TO_ARRAY, true),
	};
#undef KEY
	static const char *const checked[] = {"format", "version", NULL};
	struct file_keys keys = {.precision = PARADL_FP32};
	if (!format_check(root, "paradl-profile", "file of layer times", error) ||
		!json_read(root, fields, sizeof(fields) / sizeof(fields[0]), checked, &keys, error))
		return false;
	*measured = (struct measured_layers){.model = keys.model,
		.device = keys.device,
		.precision = (enum paradl_precision)keys.precision};
	return batches_read(arena, keys.samples, measured, error);
}

const struct measured_layer *measured_layer_find(const struct measured_batch *batch, const char *name)
{
	const struct measured_layer key = {.name = name};
	return bsearch(&key, batch->layers, batch->count, sizeof(key), compare_layers);
}

static void check_batches(const struct measured_layers *measured, struct warnings *warnings)
{
	const struct measured_batch *const first = measured->batches;
	for (unsigned i = 0; first && i < measured->count; i++) {
		const struct measured_batch *const batch = &first[i];
		if (batch->count != first->count)
			warn(warnings, "/samples: batch %.0f has %u layers, batch %.0f has %u", batch->batch,
				batch->count, first->batch, first->count);
		for (unsigned layer = 0; layer < batch->count; layer++)
			if (!(batch->layers[layer].forward_s > 0))
				warn(warnings, "/samples: batch %.0f: %s takes no time forward", batch->batch,
					batch->layers[layer].name);
	}
}

bool measured_layers_check(struct paradl_arena *arena, const struct json *root,
	struct paradl_findings *findings, struct paradl_error *error)
{
	struct warnings warnings = {.arena = arena};
	struct measured_layers measured;
	if (!measured_layers_read(arena, root, &measured, error))
		return false;
	if (!measured.device)
		warn(&warnings, "/device: not given: nothing tells on which device the times hold");
	check_batches(&measured, &warnings);
	return warnings_finish(&warnings, "paradl-profile", findings, error);
}
