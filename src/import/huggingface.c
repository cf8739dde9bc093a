/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "import/huggingface.h"

#include <string.h>

#include "base/error.h"
#include "import/weights.h"

enum { SEQUENCE_MAX = 4096, IMAGE_MAX = 65535 };

static const struct json *object_in(const struct json *node, const char *key)
{
	const struct json *const member = json_member(node, key);
	return member && member->kind == JSON_OBJECT ? member : NULL;
}

static const char *text_in(const struct json *node, const char *key)
{
	const struct json *const member = json_member(node, key);
	return member && member->kind == JSON_STRING && member->string[0] != '\0' ? member->string : NULL;
}

static const struct config_family *family_find(const char *type)
{
	const struct config_family *family = config_families;
	while (family->type && strcmp(family->type, type) != 0)
		family++;
	return family->type ? family : NULL;
}

static bool is_like_llama(const struct json *node)
{
	static const char *const keys[] = {
		"hidden_size", "intermediate_size", "num_hidden_layers", "num_attention_heads", "vocab_size"};
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (!json_member(node, keys[i]))
			return false;
	return true;
}

static bool knows(const struct import_source *source)
{
	const struct json *const root = source->root;
	return root && (text_in(root, "model_type") || object_in(root, "text_config") || is_like_llama(root));
}

/* Models of text and images have the dimensions of each part in an object of its own. */
static bool config_begin(const struct json *root, struct config *config)
{
	const struct json *const text = object_in(root, "text_config");
	config->node = root;
	if (text) {
		config->node = text;
		warn(config->warnings, "only the part of text (text_config) is read");
	}
	config->type = text_in(config->node, "model_type");
	if (!config->type)
		config->type = text_in(root, "model_type");
	if (config->type || is_like_llama(config->node))
		return true;
	json_error(root, config->error, "has no \"model_type\": it is no config.json of transformers");
	error_hint(config->error, "a config.json lies beside the weights of a model on the Hugging Face hub");
	return false;
}

static bool family_read(struct config *config, struct transformer_shape *shape)
{
	const struct config_family *const family = config->type ? family_find(config->type) : NULL;
	char quoted[64];
	if (!config->type)
		config->type = "llama";
	error_quote(quoted, sizeof(quoted), config->type);
	if (family) {
		family->read(config, shape);
		return !config->failed;
	}
	if (!is_like_llama(config->node)) {
		json_error(config->node, config->error, "model_type %s is not one that import reads", quoted);
		error_hint(config->error,
			"types: llama mistral mixtral qwen2 qwen3 qwen2_moe qwen3_moe "
			"deepseek_v2 deepseek_v3 "
			"gemma phi3 gpt2 gpt_neox opt bloom falcon phi bert roberta vit deit "
			"qwen2_vl qwen3_vl");
		return false;
	}
	warn(config->warnings, "model_type %s is not known: it is read like llama, which may be wrong",
		quoted);
	if (config_find(config, "num_experts|num_local_experts|n_routed_experts|ffn_config"))
		warn(config->warnings, "its experts are not read: every layer has one MLP");
	config_read_llama(config, shape);
	return !config->failed;
}

/* A file says how long a sequence may be, not how long those of training are. */
static void sequence_choose(struct config *config, struct transformer_shape *shape)
{
	if (shape->patch > 0)
		return;
	const unsigned most = config_unsigned(config, "max_position_embeddings|n_positions|seq_length", 0);
	if (shape->sequence == 0)
		shape->sequence = most > 0 ? most : SEQUENCE_MAX;
	if (most == 0 || shape->sequence > SEQUENCE_MAX)
		warn(config->warnings,
			"the file does not say how long sequences of training are: %d tokens are taken",
			SEQUENCE_MAX);
	if (shape->sequence > SEQUENCE_MAX)
		shape->sequence = SEQUENCE_MAX;
	if (shape->end == TRANSFORMER_MASKED)
		shape->masked_tokens = (unsigned)(0.15 * shape->sequence + 0.999);
}

static void name_choose(const struct json *root, const struct config *config, struct transformer_shape *shape)
{
	const char *const path = text_in(root, "_name_or_path");
	const char *const slash = path ? strrchr(path, '/') : NULL;
	const char *const name = slash ? slash + 1 : path;
	const char *const file = json_path(root), *const file_slash = strrchr(file, '/');
	shape->name = name && name[0] != '\0' ? name : config->type;
	shape->source = file_slash ? file_slash + 1 : file;
}

static bool shape_check(struct config *config, const struct transformer_shape *shape)
{
	if (shape->layers > CONFIG_LAYERS_MAX)
		return json_error(config->node, config->error, "has %u layers, more than %d", shape->layers,
			CONFIG_LAYERS_MAX);
	if (shape->end == TRANSFORMER_CLASSES &&
		(shape->patch == 0 || shape->image > IMAGE_MAX || shape->image_channels == 0))
		return json_error(config->node, config->error,
			"image_size is %u, patch_size %u, num_channels %u: no image", shape->image,
			shape->patch, shape->image_channels);
	return true;
}

static bool shape_read(struct importing *importing, struct transformer_shape *shape)
{
	const struct json *const root = importing->source.root;
	struct config config = {
		.arena = importing->arena, .warnings = &importing->warnings, .error = importing->error};
	*shape = (struct transformer_shape){.name = NULL};
	if (!config_begin(root, &config) || !family_read(&config, shape))
		return false;
	sequence_choose(&config, shape);
	const char *const type = config_text(&config, "dtype|torch_dtype", "");
	if (strcmp(type, "float16") == 0)
		shape->precision = "fp16-mixed";
	name_choose(root, &config, shape);
	return !config.failed && shape_check(&config, shape);
}

static double item_bytes(const struct json *root)
{
	const struct json *const text = object_in(root, "text_config");
	const char *type = text_in(root, "dtype");
	if (!type)
		type = text_in(root, "torch_dtype");
	if (!type && text)
		type = text_in(text, "torch_dtype");
	return type && strcmp(type, "float32") != 0 ? 2 : 4;
}

static const char *read(struct importing *importing)
{
	struct transformer_shape shape;
	if (!shape_read(importing, &shape))
		return NULL;
	const char *const text = transformer_write(importing->arena, &shape, importing->error);
	if (text && importing->options->weights &&
		!weights_compare(importing, text, item_bytes(importing->source.root)))
		return NULL;
	return text;
}

const struct importer importer_huggingface = {
	.name = "huggingface",
	.summary = "config.json of Hugging Face transformers",
	.becomes = "paradl-model",
	.options = IMPORT_WEIGHTS,
	.needs_json = true,
	.knows = knows,
	.read = read,
};
