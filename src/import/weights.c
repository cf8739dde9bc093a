/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Counts the parameters of a checkpoint. They follow from the shapes in the header of a safetensors file (eight bytes
 * of length, then JSON), or from the total size in an index of several such files over the bytes of one item. No
 * weight is read.
 */
#include "import/huggingface.h"

#include <stdint.h>
#include <string.h>

#include "base/error.h"
#include "model/model.h"

enum { LENGTH_BYTES = 8 };

static bool shapes_add(const struct json *tensor, double *count, struct paradl_error *error)
{
	static const struct json_field extent = {
		.key = "an extent", .type = JSON_TO_DOUBLE, .min = 0, .max = 1e15};
	const struct json *const shape = json_member(tensor, "shape");
	double items = 1;
	if (!shape || shape->kind != JSON_ARRAY)
		return json_error(tensor, error, "has no shape");
	for (const struct json *node = shape->child; node; node = node->next) {
		double value = 0;
		if (!json_read_value(node, &extent, &value, error))
			return false;
		items *= value;
	}
	*count += items;
	return true;
}

static bool header_count(const struct json *root, double *count, struct paradl_error *error)
{
	for (const struct json *tensor = root->child; tensor; tensor = tensor->next)
		if (strcmp(tensor->key, "__metadata__") != 0 && !shapes_add(tensor, count, error))
			return false;
	return true;
}

static bool index_count(const struct json *root, double item_bytes, double *count, struct paradl_error *error)
{
	static const struct json_field field = {
		.key = "total_size", .type = JSON_TO_DOUBLE, .min = 0, .max = 1e18};
	const struct json *const metadata = json_member(root, "metadata");
	const struct json *const size = metadata ? json_member(metadata, "total_size") : NULL;
	double bytes = 0;
	if (!size)
		return json_error(
			root, error, "has no metadata with a total_size: it is no index of weights");
	if (!json_read_value(size, &field, &bytes, error))
		return false;
	*count = bytes / item_bytes;
	return true;
}

/* Returns the tree of the header of a safetensors file; NULL: error is set. */
static const struct json *header_load(
	struct paradl_arena *arena, const char *path, struct paradl_error *error)
{
	unsigned char bytes[LENGTH_BYTES];
	FILE *const file = file_stream(arena, path, error);
	uint64_t length = 0;
	char *text = NULL;
	if (!file)
		return NULL;
	bool good = fread(bytes, 1, sizeof bytes, file) == sizeof bytes;
	for (int i = LENGTH_BYTES; i-- > 0;)
		length = length << 8 | (good ? bytes[i] : 0);
	good = good && length > 0 && length <= JSON_SIZE_LIMIT;
	text = good ? arena_alloc(arena, (size_t)length + 1, 1) : NULL;
	good = text && fread(text, 1, (size_t)length, file) == length;
	(void)fclose(file);
	if (good)
		return json_parse(arena, text, (size_t)length, path, error);
	error_at(error, PARADL_SYNTAX, path, 0, 0,
		"is no safetensors file: its header is cut off or too long");
	return NULL;
}

static bool weights_count(struct paradl_arena *arena, const char *path, double item_bytes, double *count,
	struct paradl_error *error)
{
	static const char ending[] = ".json";
	const size_t length = strlen(path), tail = sizeof ending - 1;
	const bool is_index = length > tail && strcmp(path + length - tail, ending) == 0;
	const struct json *const root =
		is_index ? json_load(arena, path, error) : header_load(arena, path, error);
	*count = 0;
	if (!root)
		return false;
	if (root->kind != JSON_OBJECT)
		return json_error(root, error, "must be an object");
	return is_index ? index_count(root, item_bytes, count, error) : header_count(root, count, error);
}

bool weights_compare(struct importing *importing, const char *text, double item_bytes)
{
	const char *const path = importing->options->weights;
	double count = 0;
	const struct json *const root =
		json_parse(importing->arena, text, strlen(text), importing->source.path, importing->error);
	const struct paradl_model *const model =
		root ? model_build(importing->arena, root, NULL, importing->error) : NULL;
	if (!model || !weights_count(importing->arena, path, item_bytes, &count, importing->error))
		return false;
	const double ours = model->weight_items + model->frozen_items;
	if (count > ours || count < ours)
		warn(&importing->warnings, "%s has %.0f parameters, the model %.0f: %+.3g %%",
			import_file_name(path), count, ours, ours > 0 ? 100 * (count / ours - 1) : 100);
	else
		importing->note = arena_printf(importing->arena, "has as many parameters as %s: %.0f",
			import_file_name(path), count);
	return true;
}
