/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/dataset.h"

#include <math.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"
#include "model/description.h"

static const char *const layouts[] = {
	[LAYOUT_FILES] = "files", [LAYOUT_SHARDS] = "shards", [LAYOUT_HDF5] = "hdf5", NULL};
static const char *const encodings[] = {[ENCODING_NONE] = "none",
	[ENCODING_JPEG] = "jpeg",
	[ENCODING_PNG] = "png",
	[ENCODING_GZIP] = "gzip",
	[ENCODING_TOKENS] = "tokens",
	NULL};

#define MEMBER(text, kind, member) .key = (text), .type = (kind), .offset = offsetof(struct dataset, member)
#define NUMBER(text, member)                                                                                 \
	{                                                                                                    \
		MEMBER(text, JSON_TO_DOUBLE, member), .min = 1, .max = LAYER_ITEMS_MAX                       \
	}
#define SIZE(text, member)                                                                                   \
	{                                                                                                    \
		MEMBER(text, JSON_TO_QUANTITY, member), .dimension = DIMENSION_BYTES                         \
	}
static const struct json_field fields[] = {
	{MEMBER("name", JSON_TO_TEXT, name)},
	NUMBER("samples", samples),
	SIZE("sample_size", sample_bytes),
	NUMBER("tokens", tokens),
	SIZE("token_size", token_bytes),
	NUMBER("files", files),
	SIZE("decoded_size", decoded_bytes),
	{MEMBER("preparation", JSON_TO_QUANTITY, preparation_s), .min = 0, .max = 1e6,
		.dimension = DIMENSION_TIME},
	NUMBER("classes", classes),
	{MEMBER("layout", JSON_TO_CHOICE, layout), .choices = layouts},
	{MEMBER("encoding", JSON_TO_CHOICE, encoding), .choices = encodings},
};

/* A data set of tokens has as many samples as sequences can be cut from it. */
static bool tokens_cut(
	const struct json *node, double sequence, struct dataset *dataset, struct paradl_error *error)
{
	const struct json *const tokens = json_member(node, "tokens");
	const struct json *const token_size = json_member(node, "token_size");
	if (!tokens && !token_size)
		return true;
	if (!(sequence > 0))
		return json_error(tokens ? tokens : token_size, error,
			"only a model whose input is tokens has a data set of tokens: give samples and "
			"sample_size");
	if ((tokens && dataset->samples > 0) || (token_size && dataset->sample_bytes > 0))
		return json_error(node, error,
			"a data set is counted in tokens (tokens, token_size) or in samples (samples, "
			"sample_size)");
	if (tokens)
		dataset->samples = fmax(1, floor(dataset->tokens / sequence));
	if (token_size)
		dataset->sample_bytes = dataset->token_bytes * sequence;
	if (!json_member(node, "encoding"))
		dataset->encoding = ENCODING_TOKENS;
	return true;
}

bool dataset_read(const struct json *node, const char *const *allowed, double sequence,
	struct dataset *dataset, struct paradl_error *error)
{
	*dataset = (struct dataset){.name = NULL};
	return json_read(node, fields, sizeof fields / sizeof fields[0], allowed, dataset, error) &&
	       tokens_cut(node, sequence, dataset, error);
}

bool dataset_file_read(
	const struct json *root, double sequence, struct dataset *dataset, struct paradl_error *error)
{
	static const char *const others[] = {"format", "version", "from", NULL};
	if (!format_check(root, "paradl-dataset", "data set", error) ||
		!dataset_read(root, others, sequence, dataset, error))
		return false;
	dataset->path = json_path(root);
	return true;
}

const struct paradl_model *paradl_model_with_dataset(struct paradl_arena *arena,
	const struct paradl_model *model, const char *path, struct paradl_error *error)
{
	const struct json *const root = json_load(arena, path, error);
	struct paradl_model *const copy = arena_alloc(arena, 1, sizeof *copy);
	if (!root)
		return NULL;
	if (!copy) {
		error_set(error, PARADL_NO_MEMORY, "out of memory");
		return NULL;
	}
	*copy = *model;
	if (!dataset_file_read(root, model->input.tokens ? model->input.extent[0] : 0, &copy->dataset, error))
		return NULL;
	if (model->input.tokens &&
		(copy->dataset.encoding == ENCODING_JPEG || copy->dataset.encoding == ENCODING_PNG)) {
		json_error(json_member(root, "encoding"), error,
			"is of images, but the input of %s is tokens", model->name);
		return NULL;
	}
	return copy;
}

bool paradl_dataset_load(struct paradl_arena *arena, const char *path, struct paradl_dataset_info *info,
	struct paradl_error *error)
{
	const struct json *const root = json_load(arena, path, error);
	struct dataset dataset;
	if (!root || !dataset_file_read(root, 1, &dataset, error)) /* samples of one token: cuts none off */
		return false;
	const bool of_tokens = dataset.tokens > 0 || dataset.token_bytes > 0;
	*info = (struct paradl_dataset_info){
		.name = dataset.name,
		.path = dataset.path,
		.samples = of_tokens ? 0 : dataset.samples,
		.sample_bytes = of_tokens ? 0 : dataset.sample_bytes,
		.tokens = dataset.tokens,
		.token_bytes = dataset.token_bytes,
		.bytes = dataset.samples * dataset.sample_bytes,
		.files = dataset.files,
		.decoded_bytes = dataset.decoded_bytes,
		.preparation_s = dataset.preparation_s,
		.classes = dataset.classes,
		.layout = layouts[dataset.layout],
		.encoding = encodings[dataset.encoding],
	};
	return true;
}
