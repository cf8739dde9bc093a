/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the header of a model file (format, name, dims, input, training, dataset), and files of data sets. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/names.h"
#include "base/source.h"
#include "model/description.h"
#include "model/model.h"

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
static const struct json_field dataset_fields[] = {
	{MEMBER("name", JSON_TO_TEXT, name)},
	NUMBER("samples", samples),
	NUMBER("validation_samples", validation_samples),
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

/*
 * Derives the samples of a data set of tokens: as many as sequences of `sequence` tokens can be cut from it. False,
 * with an error, where its keys disagree.
 */
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

/*
 * Reads the keys of a data set; the caller reads those in `allowed` (NULL-terminated, may be NULL). `sequence` is the
 * number of tokens of one sample of the network; 0: it takes none.
 */
static bool dataset_read(const struct json *node, const char *const *allowed, double sequence,
	struct dataset *dataset, struct paradl_error *error)
{
	*dataset = (struct dataset){.name = NULL};
	return json_read(node, dataset_fields, sizeof dataset_fields / sizeof dataset_fields[0], allowed,
		       dataset, error) &&
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
	const struct paradl_model *model, const struct paradl_source *source, struct paradl_error *error)
{
	const struct json *const root = source_json(arena, source, "datasets", error);
	struct paradl_model *const copy = arena_alloc(arena, 1, sizeof *copy);
	if (!root)
		return NULL;
	if (!copy)
		return out_of_memory_null(error);
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

bool paradl_dataset_load(struct paradl_arena *arena, const struct paradl_source *source,
	struct paradl_dataset_info *info, struct paradl_error *error)
{
	const struct json *const root = source_json(arena, source, "datasets", error);
	struct dataset dataset;
	if (!root || !dataset_file_read(root, 1, &dataset, error)) /* samples of one token: none is cut off */
		return false;
	const bool of_tokens = dataset.tokens > 0 || dataset.token_bytes > 0,
		   padded = of_tokens &&
			    !(dataset.tokens > 0); /* to the network's length; bytes follow from it */
	*info = (struct paradl_dataset_info){
		.name = dataset.name,
		.path = dataset.path,
		.samples = dataset.tokens > 0 ? 0 : dataset.samples,
		.validation_samples = dataset.validation_samples,
		.sample_bytes = of_tokens ? 0 : dataset.sample_bytes,
		.tokens = dataset.tokens,
		.token_bytes = dataset.token_bytes,
		.bytes = padded ? 0 : dataset.samples * dataset.sample_bytes,
		.files = dataset.files,
		.decoded_bytes = dataset.decoded_bytes,
		.preparation_s = dataset.preparation_s,
		.classes = dataset.classes,
		.layout = layouts[dataset.layout],
		.encoding = encodings[dataset.encoding],
	};
	return true;
}

enum { DIMS_MAX = 1000, SUGGESTIONS = 64 };

const char *const precision_names[] = {
	[PARADL_FP32] = "fp32",
	[PARADL_TF32] = "tf32",
	[PARADL_FP16] = "fp16",
	[PARADL_BF16] = "bf16",
	[PARADL_FP16_MIXED] = "fp16-mixed",
	[PARADL_BF16_MIXED] = "bf16-mixed",
	[PARADL_FP8_MIXED] = "fp8-mixed",
	[PARADL_MXFP8_MIXED] = "mxfp8-mixed",
	[PARADL_FP4_MIXED] = "fp4-mixed",
	[PARADL_PRECISION_COUNT] = NULL,
};

static bool dims_unknown(const struct reader *reader, const struct json *node)
{
	const char *names[SUGGESTIONS], *nearest;
	size_t count = 0;
	char quoted[64];
	if (!reader->dims)
		return json_error(node, reader->error, "%s refers to dims, but the model has none",
			error_quote(quoted, sizeof(quoted), node->string));
	for (const struct json *dim = reader->dims->child; dim && count < SUGGESTIONS; dim = dim->next)
		names[count++] = dim->key;
	nearest = suggest(node->string + 1, names, count);
	return json_error(node, reader->error, "%s is not in dims%s%s%s",
		error_quote(quoted, sizeof(quoted), node->string), nearest ? "; did you mean \"$" : "",
		nearest ? nearest : "", nearest ? "\"?" : "");
}

bool integer_read(const struct reader *reader, const struct json *node, const char *what, unsigned minimum,
	unsigned maximum, unsigned *value)
{
	const struct json_field field = {
		.key = what, .type = JSON_TO_UNSIGNED, .min = minimum, .max = maximum};
	const struct json *dim = NULL;
	char quoted[64];
	if (node->kind != JSON_STRING || node->string[0] != '$')
		return json_read_value(node, &field, value, reader->error);
	if (reader->dims && node->string[1] != '_' && node->string[1] != '$')
		dim = json_member(reader->dims, node->string + 1);
	if (!dim)
		return dims_unknown(reader, node);
	*value = (unsigned)dim->number;
	if (reader->sequence > 0 && strcmp(dim->key, "seq") == 0)
		*value = reader->sequence;
	if (*value >= minimum && *value <= maximum)
		return true;
	return json_error(node, reader->error, "%s is %u; it must be from %u to %u",
		error_quote(quoted, sizeof(quoted), node->string), *value, minimum, maximum);
}

static bool dim_name_is_good(const char *name)
{
	return name[0] >= 'a' && name[0] <= 'z' &&
	       name[strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_")] == '\0';
}

static bool dims_check(const struct reader *reader)
{
	static const struct json_field field = {
		.key = "a dim", .type = JSON_TO_UNSIGNED, .min = 1, .max = EXTENT_MAX};
	if (!reader->dims)
		return true;
	if (reader->dims->count > DIMS_MAX)
		return json_error(reader->dims, reader->error, "more than %d dims", DIMS_MAX);
	for (const struct json *dim = reader->dims->child; dim; dim = dim->next) {
		unsigned value = 0;
		if (dim->key[0] == '_' || dim->key[0] == '$')
			continue;
		if (!dim_name_is_good(dim->key))
			return json_error(dim, reader->error,
				"the names of dims are lower-case letters, digits and '_', a letter first");
		if (!json_read_value(dim, &field, &value, reader->error))
			return false;
	}
	return true;
}

struct input_keys {
	const struct json *channels, *shape, *tokens;
};

static bool shape_read(const struct reader *reader, const struct json *array, struct tensor *tensor)
{
	if (array->count == 0 || array->count > DIMENSIONS_MAX)
		return json_error(
			array, reader->error, "shape has %u extents; it must have 1, 2 or 3", array->count);
	tensor->dimensions = array->count;
	for (const struct json *extent = array->child; extent; extent = extent->next)
		if (!integer_read(reader, extent, "an extent", 1, EXTENT_MAX, &tensor->extent[extent->index]))
			return false;
	return true;
}

static bool tokens_read(const struct reader *reader, const struct json *node, const struct input_keys *keys,
	struct tensor *input)
{
	if (keys->channels || keys->shape)
		return json_error(node, reader->error,
			"an input has either tokens (numbers of words), or channels and a shape");
	*input = (struct tensor){.channels = 1, .dimensions = 1, .extent = {1, 1, 1}, .tokens = true};
	if (!integer_read(reader, keys->tokens, "tokens", 1, EXTENT_MAX, &input->extent[0]))
		return false;
	if (reader->sequence > 0)
		input->extent[0] = reader->sequence;
	return true;
}

static bool input_read(const struct reader *reader, const struct json *node, struct tensor *input)
{
	static const struct json_field fields[] = {
		{.key = "channels", .type = JSON_TO_NODE, .offset = offsetof(struct input_keys, channels)},
		{.key = "shape", .type = JSON_TO_ARRAY, .offset = offsetof(struct input_keys, shape)},
		{.key = "tokens", .type = JSON_TO_NODE, .offset = offsetof(struct input_keys, tokens)},
	};
	struct input_keys keys = {0};
	if (!json_read(node, fields, sizeof(fields) / sizeof(fields[0]), NULL, &keys, reader->error))
		return false;
	if (keys.tokens)
		return tokens_read(reader, node, &keys, input);
	if (!keys.channels || !keys.shape)
		return json_error(node, reader->error, "an input needs channels and shape, or tokens");
	*input = (struct tensor){.extent = {1, 1, 1}};
	if (!integer_read(reader, keys.channels, "channels", 1, EXTENT_MAX, &input->channels) ||
		!shape_read(reader, keys.shape, input))
		return false;
	if (tensor_items(input) > LAYER_ITEMS_MAX)
		return json_error(node, reader->error,
			"a sample has %g items; more than 2^53 cannot be counted", tensor_items(input));
	return true;
}

static bool format_is(
	const struct json *name, const char *format, const char *what, struct paradl_error *error)
{
	char quoted[64];
	if (name->kind != JSON_STRING)
		return json_error(name, error, "format must be a string: \"%s\"", format);
	if (strcmp(name->string, format) == 0)
		return true;
	return json_error(name, error, "format is %s; that of a %s is \"%s\"",
		error_quote(quoted, sizeof(quoted), name->string), what, format);
}

bool format_check(const struct json *root, const char *format, const char *what, struct paradl_error *error)
{
	static const struct json_field field = {
		.key = "version", .type = JSON_TO_UNSIGNED, .min = FORMAT_VERSION, .max = FORMAT_VERSION};
	const struct json *const name = json_member(root, "format");
	const struct json *const version = json_member(root, "version");
	unsigned number = 0;
	if (root->kind != JSON_OBJECT)
		return json_error(root, error, "a %s is a JSON object", what);
	if (!name) {
		json_error(root, error, "needs a \"format\": \"%s\"", format);
		return json_member(root, "peft_type") &&
		       error_hint(error,
			       "this is an adapter, not a network: give the config.json of its base, and "
			       "see freeze in paradl-model(5) for fine-tuning");
	}
	if (!format_is(name, format, what, error))
		return false;
	if (!version)
		return json_error(root, error, "needs a \"version\": %d", FORMAT_VERSION);
	if (version->kind == JSON_NUMBER && version->number > FORMAT_VERSION)
		return json_error(version, error,
			"version is %g, but this paradl reads a %s of version %d: a newer paradl is needed",
			version->number, what, FORMAT_VERSION);
	return json_read_value(version, &field, &number, error);
}

struct header_keys {
	const char *name;
	const struct json *dims, *input, *training, *inference, *dataset, *layers;
};

bool header_read(struct reader *reader, const struct json *root, struct paradl_model *model,
	const struct json **layers)
{
#define HEADER(text, kind, must)                                                                             \
	{                                                                                                    \
		.key = #text, .type = (kind), .required = (must),                                            \
		.offset = offsetof(struct header_keys, text)                                                 \
	}
	static const struct json_field fields[] = {
		HEADER(name, JSON_TO_TEXT, true),
		HEADER(dims, JSON_TO_OBJECT, false),
		HEADER(input, JSON_TO_OBJECT, true),
		HEADER(training, JSON_TO_OBJECT, false),
		HEADER(inference, JSON_TO_OBJECT, false),
		HEADER(dataset, JSON_TO_OBJECT, false),
		HEADER(layers, JSON_TO_ARRAY, true),
	};
#undef HEADER
	static const char *const checked[] = {"format", "version", NULL};
	struct header_keys keys = {0};
	if (!format_check(root, "paradl-model", "model", reader->error) ||
		!json_read(root, fields, sizeof(fields) / sizeof(fields[0]), checked, &keys, reader->error))
		return false;
	reader->dims = keys.dims;
	model->name = keys.name;
	*layers = keys.layers;
	if (keys.layers->count == 0)
		return json_error(keys.layers, reader->error, "a model must have layers");
	return dims_check(reader) && input_read(reader, keys.input, &model->input) &&
	       training_read(keys.training, model, reader->error) &&
	       inference_read(keys.inference, model, reader->error) &&
	       (!keys.dataset ||
		       dataset_read(keys.dataset, NULL, model->input.tokens ? model->input.extent[0] : 0,
			       &model->dataset, reader->error));
}
