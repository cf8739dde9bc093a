/* SPDX-License-Identifier: GPL-3.0-or-later */
/* NOLINTNEXTLINE(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp,readability-identifier-naming) */
#define _XOPEN_SOURCE 700 /* realpath */
#include "import/huggingface.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

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

/* Returns the first key that shows that a network has more than attention and one MLP in each layer; NULL: none. */
static const struct json *structure_find(const struct config *config)
{
	static const char keys[] =
		"num_experts|num_local_experts|n_routed_experts|moe_num_experts|ffn_config|num_experts_per_"
		"tok|"
		"moe_intermediate_size|kv_lora_rank|linear_attn_config|ssm_cfg|ssm_state_size|state_size|"
		"mamba_d_state|hybrid_override_pattern|layers_block_type|layer_types|is_encoder_decoder|"
		"encoder_layers|vision_config|hc_mult|num_nextn_predict_layers";
	const struct json *const node = config_find(config, keys);
	return node;
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
	return root && (text_in(root, "model_type") || text_in(root, "_class_name") ||
			       object_in(root, "text_config") || is_like_llama(root));
}

/* Finds the object with the dimensions, and its type. Models of text and images have an object for each part. */
static bool config_begin(const struct json *root, struct config *config)
{
	const struct json *const text = object_in(root, "text_config");
	const char *const whole = text_in(root, "model_type");
	config->node = text ? text : root;
	config->type = text_in(config->node, "model_type");
	if (!config->type || config_has_towers(config, whole))
		config->type = whole;
	if (!config->type) /* of diffusers */
		config->type = text_in(root, "_class_name");
	if (config->type || is_like_llama(config->node))
		return true;
	json_error(root, config->error, "has no \"model_type\": it is no config.json of transformers");
	error_hint(config->error, "a config.json lies beside the weights of a model on the Hugging Face hub");
	return false;
}

/* Refuses a type that is not known. It may be any network: the keys of llama do not make it one. */
static bool refuse_unknown(struct config *config)
{
	char quoted[64];
	const struct json *const type = json_member(config->node, "model_type");
	const struct json *const structure = structure_find(config);
	if (!config->type)
		config->type = "none";
	error_quote(quoted, sizeof(quoted), config->type);
	if (structure)
		json_error(structure, config->error,
			"model_type %s is not one that import knows, and %s says that it is no plain "
			"transformer",
			quoted, structure->key);
	else
		json_error(type ? type : config->node, config->error,
			"model_type %s is not one that import knows", quoted);
	error_hint(config->error,
		"'--assume llama' reads it as attention and one MLP in each layer%s; "
		"paradl-import(1) lists the types",
		structure ? ", which is another network" : "");
	return false;
}

/* Refuses a file with experts where its family has none, instead of dropping them. */
static bool refuse_experts(const struct config *config, const struct transformer_shape *shape)
{
	static const char keys[] = "num_experts|num_local_experts|n_routed_experts|moe_num_experts";
	const struct json *const node = config_find(config, keys);
	if (shape->experts > 0 || !node || node->kind != JSON_NUMBER || !(node->number > 1))
		return true;
	json_error(node, config->error, "%s is %.0f, but model_type \"%s\" has no experts", node->key,
		node->number, config->type);
	error_hint(config->error, "is model_type right?");
	return false;
}

static void activation_read(struct config *config, struct transformer_shape *shape)
{
	static const struct {
		const char *name, *is;
	} known[] = {
		{"silu", "silu"},
		{"swish", "silu"},
		{"relu", "relu"},
		{"relu2", "relu2"},
		{"gelu", "gelu"},
		{"gelu_new", "gelu"},
		{"gelu_fast", "gelu"},
		{"gelu_pytorch_tanh", "gelu"},
		{"quick_gelu", "gelu"},
		{"swigluoai", "silu"},
	};
	const char *const name = shape->activation ? shape->activation : "gelu";
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (strcmp(name, known[i].name) == 0) {
			shape->activation = known[i].is;
			return;
		}
	shape->activation = "gelu";
	warn(config->warnings, "activation \"%.40s\" is taken as gelu", name);
}

/* Returns whether a value is set: a number above 0, true, a list that is not empty, an object or a text. */
static bool says_something(const struct json *node)
{
	return node && ((node->kind == JSON_NUMBER && node->number > 0) ||
			       (node->kind == JSON_BOOL && node->boolean) ||
			       (node->kind == JSON_ARRAY && node->count > 0) || node->kind == JSON_OBJECT ||
			       node->kind == JSON_STRING);
}

/* Gives the remarks of a family, or its refusals (`kind`), on keys that are set. Key "" stands for every file. */
static bool remarks_read(struct config *config, const struct config_family *family, const char *kind)
{
	const struct json *const remarks = config_rule(config, family, kind);
	for (const struct json *remark = remarks ? remarks->child : NULL; remark; remark = remark->next) {
		const struct json *const node =
			*remark->key ? config_find(config, remark->key) : config->node;
		if (!says_something(node))
			continue;
		if (strcmp(kind, "refuse") == 0)
			return json_error(node, config->error, "%s: %s", config->type, remark->string);
		if (*remark->key)
			warn(config->warnings, "%s: %s", node->key, remark->string);
		else
			warn(config->warnings, "%s", remark->string);
	}
	return true;
}

static void classes_read(struct config *config, struct transformer_shape *shape)
{
	const struct json *const labels = config_find(config, "id2label");
	if (shape->end != TRANSFORMER_CLASSES)
		return;
	if (labels)
		shape->classes = labels->count;
	else if (!config_find(config, "num_labels"))
		warn(config->warnings, "no id2label: it tells %u classes apart, as its class does",
			shape->classes);
}

/* Counts the positions of patches, and leaves out those that padding takes. */
static void positions_finish(struct config_dims *dims)
{
	struct transformer_shape *const shape = &dims->shape;
	if (shape->patch > 0 && dims->unplaced)
		return;
	if (shape->patch > 0 && shape->image <= IMAGE_MAX)
		shape->positions = (shape->image / shape->patch) * (shape->image / shape->patch) +
				   (shape->no_class_token ? 0 : 1);
	else if (dims->padded && shape->sequence > dims->padding + 1)
		shape->sequence -= dims->padding + 1;
	else if (!dims->padded)
		shape->positions += dims->padding;
}

void dims_finish(struct config *config, struct config_dims *dims)
{
	struct transformer_shape *const shape = &dims->shape;
	activation_read(config, shape);
	classes_read(config, shape);
	if (dims->shared_experts > 0 && shape->shared_ffn == 0 && dims->shared_experts < 65536)
		shape->shared_ffn = (shape->moe_ffn < 65536 ? shape->moe_ffn : 65536) * dims->shared_experts;
	if (shape->shared_ffn == 0)
		shape->shared_gate = false;
	if (shape->kv_rank > 0) { /* head_dim is that of the rotary part there */
		shape->kv_heads = shape->head_dim = 0;
		if (shape->value_dim == shape->nope_dim)
			shape->value_dim = 0;
	}
	if (dims->index_block > 0 && dims->index_block < 65536 && shape->top_keys < 65536 / 2)
		shape->top_keys *= dims->index_block;
	if (shape->index_heads == 0 || shape->top_keys == 0)
		shape->index_heads = shape->index_dim = shape->top_keys = 0;
	if (shape->hidden == 0 && shape->heads < 65536 && shape->head_dim < 65536)
		shape->hidden = shape->heads * shape->head_dim;
	if (dims->mlp_ratio > 0 && dims->mlp_ratio < 65536 && shape->hidden < 65536)
		shape->ffn = dims->mlp_ratio * shape->hidden;
	positions_finish(dims);
}

static bool family_read(const struct json *root, struct config *config, struct config_dims *dims,
	const struct paradl_import_options *options)
{
	const char *const assume = options->assume;
	const struct config_family *family =
		config->type && config->type[0] != '.' ? config_family(config, config->type) : NULL;
	struct transformer_shape *const shape = &dims->shape;
	if (!family && !assume)
		return refuse_unknown(config);
	if (!family) {
		char quoted[64];
		warn(config->warnings, "model_type %s is not known: it is read like %s, as asked for",
			error_quote(quoted, sizeof(quoted), config->type ? config->type : "none"), assume);
		family = config_family(config, assume);
	}
	if (!family)
		return json_error(config->node, config->error, "there is no type %s to assume", assume);
	if (!config->type)
		config->type = assume;
	if (!remarks_read(config, family, "refuse") || !config_read(config, family, dims))
		return false;
	if (!assume && !refuse_experts(config, shape))
		return false;
	remarks_read(config, family, "remark");
	/* Where a network has several parts, the class reads this key of the whole network. */
	const struct json *const tied = json_member(root, "tie_word_embeddings");
	if (tied && tied->kind == JSON_BOOL)
		shape->tied = tied->boolean;
	if (dims->headless && config->node == root && !shape->tied) {
		shape->tied = true;
		warn(config->warnings, "%s has no head of its own: the embedding's table stands for it",
			config->type);
	}
	const struct json *const own = json_member(config->node, "tie_word_embeddings");
	if (tied && own && own != tied && own->kind == JSON_BOOL && own->boolean != shape->tied)
		warn(config->warnings,
			"tie_word_embeddings is another one in text_config: that of the file is taken");
	dims_finish(config, dims);
	return config_encoder(root, config, family, dims) &&
	       config_parts(root, config, options->text_only, shape) && config_pattern(config, family, dims);
}

void sequence_choose(struct config *config, struct transformer_shape *shape)
{
	if (shape->patch > 0 || shape->audio > 0)
		return;
	if (shape->sequence == 0 || shape->sequence > SEQUENCE_MAX) {
		if (!config->sequence_given)
			warn(config->warnings, "%s: %d tokens are taken (--seq N)",
				"the file does not say how long sequences of training are", SEQUENCE_MAX);
		if (shape->end == TRANSFORMER_PREDICTS)
			shape->inference_positions = shape->sequence;
		shape->sequence = SEQUENCE_MAX;
	}
	shape->masked_share = shape->end == TRANSFORMER_MASKED ? 0.15 : 0;
}

static void name_choose(const struct json *root, const struct config *config, struct transformer_shape *shape)
{
	const char *const path = text_in(root, "_name_or_path");
	const char *const slash = path ? strrchr(path, '/') : NULL;
	const char *const name = slash ? slash + 1 : path;
	const char *const own = name && name[0] != '\0' ? name : config_name(config->arena, json_path(root));
	shape->name = own ? own : config->type;
	shape->source = import_file_name(json_path(root));
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

static bool shape_read(struct importing *importing, struct config_dims *dims)
{
	struct transformer_shape *const shape = &dims->shape;
	const struct json *const root = importing->source.root;
	struct config config = {.root = root,
		.arena = importing->arena,
		.warnings = &importing->warnings,
		.sequence_given = importing->options->sequence_given,
		.error = importing->error};
	*dims = (struct config_dims){.padding = 0};
	if (!config_begin(root, &config) || !family_read(root, &config, dims, importing->options))
		return false;
	sequence_choose(&config, shape);
	const struct json *const type = config_find(&config, "dtype|torch_dtype");
	if (type && type->kind == JSON_STRING && strcmp(type->string, "float16") == 0)
		shape->precision = "fp16-mixed";
	shape->inference_precision = config_quantized(&config);
	name_choose(root, &config, shape);
	return !config.failed && shape_check(&config, shape);
}

static double item_bytes(const struct json *root)
{
	const struct json *const text = object_in(root, "text_config");
	const struct json *const nodes[] = {root, text};
	const char *type = NULL;
	for (size_t i = 0; i < 2 && nodes[i] && !type; i++) {
		type = text_in(nodes[i], "dtype");
		type = type ? type : text_in(nodes[i], "torch_dtype");
	}
	return type && strcmp(type, "float32") != 0 ? 2 : 4;
}

static const char *read(struct importing *importing)
{
	struct config_dims dims;
	if (!shape_read(importing, &dims))
		return NULL;
	const char *const text = transformer_write(importing->arena, &dims.shape, importing->error);
	if (text && importing->options->weights &&
		!weights_compare(importing, text, item_bytes(importing->source.root)))
		return NULL;
	return text;
}

const struct importer importer_huggingface = {
	.name = "huggingface",
	.summary = "config.json of Hugging Face transformers",
	.becomes = "paradl-model",
	.options = IMPORT_WEIGHTS | IMPORT_ASSUME | IMPORT_PART,
	.needs_json = true,
	.knows = knows,
	.read = read,
};

/* Names a network whose file does not name it, after its folder or after the file. */

/* Returns "name" of "models--org--name" or "org--name"; NULL: out of memory before. */
static const char *hub_name(const char *name)
{
	const char *next;
	while (name && (next = strstr(name, "--")) && next[2] != '\0')
		name = next + 2;
	return name;
}

/*
 * Returns the name of the file's folder, or of a folder "models--org--name" one or two levels above: the hub's cache
 * has a snapshot's hash between name and file. NULL: none.
 */
static const char *folder_name(struct paradl_arena *arena, const char *path)
{
	const char *end = strrchr(path, '/'), *name = NULL;
	for (unsigned level = 0; end && end > path && level < 3; level++) {
		const char *start = end;
		while (start > path && start[-1] != '/')
			start--;
		const char *const folder = arena_copy(arena, start, (size_t)(end - start));
		if (folder && (level == 0 || strncmp(folder, "models--", 8) == 0))
			name = folder;
		end = start > path ? start - 1 : NULL;
	}
	return name && strcmp(name, ".") != 0 && strcmp(name, "..") != 0 ? hub_name(name) : NULL;
}

/* Returns the name of a config.json's folder, and of another file its own. */
const char *config_name(struct paradl_arena *arena, const char *path)
{
	static const char usual[] = "config.json", extension[] = ".json";
	const char *const name = import_file_name(path);
	const size_t length = strlen(name), ending = sizeof extension - 1;
	if (strcmp(name, usual) == 0) {
		char *const whole = realpath(path, NULL);
		const char *const folder = folder_name(arena, strchr(path, '/') || !whole ? path : whole);
		free(whole);
		return folder;
	}
	if (length <= ending || strcmp(name + length - ending, extension) != 0)
		return NULL;
	return hub_name(arena_copy(arena, name, length - ending));
}
