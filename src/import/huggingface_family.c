/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads families of networks from their rules (huggingface.def). A rule is a value, or keys of the file with the
 * value that the class in transformers takes where the file has none of them.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/quantity.h"
#include "import/huggingface.h"

enum { NUMBER_MAX = 2147483647, KEY_SIZE = 64 };

static const struct {
	const char *types, *rules;
} families[] = {
#define FAMILY(types, ...) {types, #__VA_ARGS__},
#include "import/huggingface.def"
#undef FAMILY
};
enum { FAMILIES = sizeof families / sizeof families[0] };

/* Returns the member at "a.b" of an object; NULL: none. */
static const struct json *member_at(const struct json *node, const char *path, size_t length)
{
	while (node && length > 0) {
		char key[KEY_SIZE];
		size_t part = strcspn(path, ".|");
		part = part < length ? part : length;
		(void)snprintf(key, sizeof key, "%.*s", (int)part, path);
		node = json_member(node, key);
		part += part < length ? 1 : 0;
		path += part;
		length -= part;
	}
	return node;
}

const struct json *config_find(const struct config *config, const char *keys)
{
	while (*keys != '\0') {
		const size_t length = strcspn(keys, "|");
		const bool of_file = keys[0] == '/';
		const struct json *const node = of_file ? member_at(config->root, keys + 1, length - 1)
							: member_at(config->node, keys, length);
		if (node && node->kind != JSON_NULL)
			return node;
		keys += length + (keys[length] == '|' ? 1 : 0);
	}
	return NULL;
}

static bool is_among(const char *types, const char *type)
{
	const size_t length = strlen(type);
	for (const char *at = types; *at; at += strcspn(at, " "), at += strspn(at, " "))
		if (strcspn(at, " ") == length && strncmp(at, type, length) == 0)
			return true;
	return false;
}

const struct config_family *config_family(struct config *config, const char *type)
{
	size_t i = 0;
	while (i < FAMILIES && !is_among(families[i].types, type))
		i++;
	struct config_family *const family =
		i < FAMILIES ? arena_alloc(config->arena, 1, sizeof *family) : NULL;
	if (!family)
		return NULL;
	const char *const text = families[i].rules;
	family->rules = json_parse(config->arena, text, strlen(text), "huggingface.def", config->error);
	const struct json *const like = family->rules ? json_member(family->rules, "like") : NULL;
	family->like = like ? config_family(config, like->string) : NULL;
	return family->rules ? family : NULL;
}

/*
 * Returns whether the file says "key=value". "key=null" holds where the key has no value, "key=there" where it has
 * one, "key=absent" where it is not there, not even as null.
 */
static bool holds(const struct config *config, const char *condition)
{
	const char *const equals = strchr(condition, '=');
	char key[KEY_SIZE];
	(void)snprintf(key, sizeof key, "%.*s", (int)(equals - condition), condition);
	const struct json *const node = config_find(config, key);
	if (strcmp(equals, "=absent") == 0)
		return !member_at(config->node, key, strlen(key));
	if (strcmp(equals, "=null") == 0)
		return !node;
	if (strcmp(equals, "=there") == 0)
		return node;
	const char *end;
	double number = 0;
	if (node && node->kind == JSON_NUMBER)
		return decimal_read(equals + 1, 0, &number, &end) && fabs(number - node->number) < 0.5;
	if (node && node->kind == JSON_BOOL)
		return strcmp(equals + 1, node->boolean ? "true" : "false") == 0;
	return node && node->kind == JSON_STRING && strcmp(equals + 1, node->string) == 0;
}

const struct json *config_rule(
	const struct config *config, const struct config_family *family, const char *name)
{
	for (; family; family = family->like) {
		const struct json *const when = json_member(family->rules, "when");
		const struct json *rule = json_member(family->rules, name);
		for (const struct json *some = when ? when->child : NULL; some; some = some->next)
			if (holds(config, some->key) && json_member(some, name))
				rule = json_member(some, name);
		if (rule)
			return rule;
	}
	return NULL;
}

static const char *const norms[] = {"layer", "rms", "scale", "bare", NULL};
static const char *const blocks[] = {
	"pre-norm", "post-norm", "parallel", "parallel-shared", "sandwich", "branch-norm", NULL};
static const char *const ends[] = {"predicts", "masked", "classes", "denoises", "vector", NULL};

#define NUMBER(name, member)                                                                                 \
	{                                                                                                    \
		.key = (name), .type = JSON_TO_UNSIGNED, .offset = offsetof(struct config_dims, member),     \
		.max = NUMBER_MAX                                                                            \
	}
#define FLAG(name, member)                                                                                   \
	{                                                                                                    \
		.key = (name), .type = JSON_TO_BOOL, .offset = offsetof(struct config_dims, member)          \
	}
#define SHARE(name, member)                                                                                  \
	{                                                                                                    \
		.key = (name), .type = JSON_TO_DOUBLE, .offset = offsetof(struct config_dims, member),       \
		.max = 1                                                                                     \
	}
#define BASE(name, member)                                                                                   \
	{                                                                                                    \
		.key = (name), .type = JSON_TO_DOUBLE, .offset = offsetof(struct config_dims, member),       \
		.max = 1e12                                                                                  \
	}
#define CHOICE(name, member, list)                                                                           \
	{                                                                                                    \
		.key = (name), .type = JSON_TO_CHOICE, .offset = offsetof(struct config_dims, member),       \
		.choices = (list)                                                                            \
	}
#define TEXT(name, member)                                                                                   \
	{                                                                                                    \
		.key = (name), .type = JSON_TO_TEXT, .offset = offsetof(struct config_dims, member)          \
	}

/* Dimensions in the order in which they are read: "$heads" stands for a dimension that has been read before. */
static const struct json_field fields[] = {
	NUMBER("layers", shape.layers),
	NUMBER("hidden", shape.hidden),
	NUMBER("heads", shape.heads),
	NUMBER("vocabulary", shape.vocabulary),
	NUMBER("positions", shape.positions),
	NUMBER("sequence", shape.sequence),
	FLAG("padded", padded),
	NUMBER("padding", padding),
	NUMBER("types", shape.types),
	NUMBER("fixed_positions", shape.fixed_positions),
	NUMBER("relative_positions", shape.relative_positions),
	FLAG("relative_everywhere", shape.relative_everywhere),
	FLAG("embedding_shared", shape.embedding_shared),
	NUMBER("projection", shape.projection),
	FLAG("projection_bias", shape.projection_bias),
	NUMBER("trained", shape.trained),
	NUMBER("embedding", shape.embedding),
	CHOICE("norm", shape.norm, norms),
	CHOICE("block", shape.block, blocks),
	CHOICE("end", shape.end, ends),
	FLAG("tied", shape.tied),
	FLAG("bidirectional", shape.bidirectional),
	FLAG("embedding_norm", shape.embedding_norm),
	FLAG("head_bias", shape.head_bias),
	FLAG("attention_bias", shape.attention_bias),
	FLAG("qkv_bias", shape.qkv_bias),
	FLAG("key_unbiased", shape.key_unbiased),
	FLAG("out_bias", shape.out_bias),
	FLAG("headless", headless),
	FLAG("unfused", shape.unfused),
	FLAG("layer_scale", shape.layer_scale),
	FLAG("mlp_bias", shape.mlp_bias),
	FLAG("qk_norm", shape.qk_norm),
	FLAG("qk_norm_heads", shape.qk_norm_heads),
	FLAG("gate", shape.gate),
	FLAG("head_gate", shape.head_gate),
	FLAG("sinks", shape.sinks),
	FLAG("keys_are_values", shape.keys_are_values),
	NUMBER("kv_heads", shape.kv_heads),
	NUMBER("head_dim", shape.head_dim),
	NUMBER("q_rank", shape.q_rank),
	NUMBER("kv_rank", shape.kv_rank),
	NUMBER("rope_dim", shape.rope_dim),
	NUMBER("nope_dim", shape.nope_dim),
	NUMBER("value_dim", shape.value_dim),
	NUMBER("top_keys", shape.top_keys),
	NUMBER("index_heads", shape.index_heads),
	NUMBER("index_dim", shape.index_dim),
	FLAG("index_unweighted", shape.index_unweighted),
	NUMBER("index_block", index_block),
	NUMBER("window", shape.window),
	NUMBER("window_period", shape.window_period),
	FLAG("second_full", second_full),
	NUMBER("second_heads", shape.second.heads),
	NUMBER("second_kv_heads", shape.second.kv_heads),
	NUMBER("second_head_dim", shape.second.head_dim),
	NUMBER("second_value_dim", shape.second.value_dim),
	FLAG("second_sinks", shape.second.sinks),
	FLAG("second_keys_are_values", shape.second.keys_are_values),
	NUMBER("ffn", shape.ffn),
	NUMBER("mlp_ratio", mlp_ratio),
	FLAG("gated", shape.gated),
	TEXT("activation", shape.activation),
	SHARE("dropout", shape.dropout),
	SHARE("attention_dropout", shape.attention_dropout),
	BASE("rope_theta", shape.rope_theta),
	NUMBER("experts", shape.experts),
	NUMBER("top_k", shape.top_k),
	NUMBER("moe_ffn", shape.moe_ffn),
	NUMBER("moe_step", shape.moe_step),
	NUMBER("first_dense", shape.first_dense),
	NUMBER("shared_ffn", shape.shared_ffn),
	NUMBER("shared_experts", shared_experts),
	NUMBER("expert_width", shape.expert_width),
	FLAG("shared_gate", shape.shared_gate),
	FLAG("router_bias", shape.router_bias),
	FLAG("router_scale", shape.router_scale),
	FLAG("expert_bias", shape.expert_bias),
	FLAG("moe_beside", shape.moe_beside),
	FLAG("single", single),
	TEXT("recurrence", shape.recurrence),
	NUMBER("full_period", full_period),
	NUMBER("state_heads", shape.state_heads),
	NUMBER("state_groups", shape.state_groups),
	NUMBER("state_dim", shape.state_dim),
	NUMBER("state_values", shape.state_values),
	NUMBER("conv", shape.conv),
	NUMBER("chunk", shape.chunk),
	NUMBER("step_rank", shape.step_rank),
	FLAG("conv_bias", shape.conv_bias),
	FLAG("recurrent_bias", shape.recurrent_bias),
	NUMBER("image", shape.image),
	NUMBER("patch", shape.patch),
	NUMBER("image_channels", shape.image_channels),
	FLAG("no_class_token", shape.no_class_token),
	FLAG("patch_unbiased", shape.patch_unbiased),
	FLAG("unplaced", unplaced),
	NUMBER("registers", shape.registers),
	FLAG("probe", shape.probe),
	FLAG("unpooled", shape.unpooled),
	NUMBER("audio", shape.audio),
	NUMBER("classes", shape.classes),
	NUMBER("conditions", shape.conditions),
};
enum { FIELDS = sizeof fields / sizeof fields[0] };

/* Copies the number that "$name" in a rule stands for. In a file, "$name" is a text like any other. */
static bool copy_number(const char *name, unsigned *to, const struct config_dims *dims)
{
	for (size_t i = 0; i < FIELDS; i++)
		if (strcmp(fields[i].key, name) == 0) {
			memcpy(to, (const char *)dims + fields[i].offset, sizeof *to);
			return true;
		}
	return false;
}

static bool value_read(
	struct config *config, const struct json *value, struct json_field field, struct config_dims *dims)
{
	if (value->kind == JSON_STRING && value->string[0] == '$')
		return copy_number(value->string + 1, (void *)((char *)dims + field.offset), dims);
	return json_read_value(value, &field, dims, config->error);
}

static bool field_read(struct config *config, const struct json *rule, const struct json_field *field,
	struct config_dims *dims)
{
	if (rule->kind != JSON_ARRAY)
		return value_read(config, rule, *field, dims);
	const char *const keys = rule->child->string;
	const struct json *const node = config_find(config, keys);
	struct json_field known = *field;
	if (rule->count == 1)
		known.min = field->type == JSON_TO_UNSIGNED ? 1 : 0;
	if (node) {
		known.key = node->key ? node->key : known.key;
		return json_read_value(node, &known, dims, config->error);
	}
	if (rule->count == 1)
		return json_error(config->node, config->error, "a config of type \"%s\" needs %.*s",
			config->type, (int)strcspn(keys, "|"), keys);
	return value_read(config, rule->child->next, *field, dims);
}

bool config_read(struct config *config, const struct config_family *family, struct config_dims *dims)
{
	for (size_t i = 0; i < FIELDS && !config->failed; i++) {
		const struct json *const rule = config_rule(config, family, fields[i].key);
		config->failed = rule && !field_read(config, rule, &fields[i], dims);
	}
	return !config->failed;
}
