/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads what each layer of a network is, where a config.json says it layer by layer: kinds of mixers as words,
 * letters or numbers, which layers have experts, and which have an index of their own.
 */
#include <string.h>

#include "base/error.h"
#include "import/huggingface.h"

enum kind { FULL, WINDOWED, RECURRENT, ONLY_MLP, ONLY_MOE };

static const struct {
	const char *word;
	enum kind kind;
} words[] = {
	{"full_attention", FULL},
	{"attention", FULL},
	{"global", FULL},
	{"deepseek_sparse_attention", FULL},
	{"minimax_m3_sparse", FULL},
	{"*", FULL},
	{"0", FULL},
	{"sliding_attention", WINDOWED},
	{"chunked_attention", WINDOWED},
	{"local", WINDOWED},
	{"1", WINDOWED},
	{"linear_attention", RECURRENT},
	{"mamba", RECURRENT},
	{"M", RECURRENT},
	{"mlp", ONLY_MLP},
	{"-", ONLY_MLP},
	{"moe", ONLY_MOE},
	{"E", ONLY_MOE},
};

static bool kind_find(const char *word, enum kind *kind)
{
	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
		if (strcmp(words[i].word, word) == 0) {
			*kind = words[i].kind;
			return true;
		}
	return false;
}

/*
 * Returns the word of layer `layer` in a list or a string of letters; a number is "1" or "0". May point to `letter`.
 */
static const char *word_at(const struct json *list, unsigned layer, char letter[2])
{
	if (list->kind == JSON_STRING) {
		letter[0] = list->string[layer];
		return letter;
	}
	const struct json *const node = &list->child[layer];
	if (node->kind == JSON_STRING)
		return node->string;
	if (node->kind != JSON_NUMBER)
		return "";
	letter[0] = node->number > 0 ? '1' : '0';
	return letter;
}

static unsigned list_length(const struct json *list)
{
	return list->kind == JSON_STRING  ? (unsigned)strlen(list->string)
	       : list->kind == JSON_ARRAY ? list->count
					  : 0;
}

/*
 * Returns the list that a rule of the family names, long enough for all layers. NULL: there is none, or
 * config->failed.
 */
static const struct json *list_find(
	struct config *config, const struct config_family *family, const char *name, unsigned layers)
{
	const struct json *const rule = config_rule(config, family, name);
	const bool required = rule && rule->kind == JSON_ARRAY;
	const char *const keys = required ? rule->child->string : rule ? rule->string : "";
	const struct json *const list = config_find(config, keys);
	if (!list && required)
		config->failed = !json_error(
			config->node, config->error, "a config of type \"%s\" needs %s", config->type, keys);
	if (!list || config->failed)
		return NULL;
	if (list->kind == JSON_NUMBER && layers > 0) { /* 1 stands for every layer */
		config->failed = list->number > 1 &&
				 !json_error(list, config->error,
					 "%s is %g: only 1 and a list with a word for each layer are read",
					 list->key, list->number);
		return NULL;
	}
	config->failed = list_length(list) < layers &&
			 !json_error(list, config->error, "is of %u layers, but there are %u",
				 list_length(list), layers);
	return config->failed ? NULL : list;
}

static bool layer_mix(struct config *config, const struct json *list, const struct config_dims *dims,
	unsigned i, struct transformer_layer *layer)
{
	char letter[2] = "", quoted[64];
	const char *const word = word_at(list, i, letter);
	enum kind kind;
	if (!kind_find(word, &kind))
		return json_error(list->kind == JSON_ARRAY ? &list->child[i] : list, config->error,
			"layer %u is %s, which import knows no layer for", i,
			error_quote(quoted, sizeof quoted, word));
	layer->window = kind == WINDOWED ? dims->shape.window : 0;
	layer->recurrent = kind == RECURRENT;
	layer->no_mixer = kind == ONLY_MLP || kind == ONLY_MOE;
	layer->no_mlp = dims->single && !layer->no_mixer;
	if (dims->single)
		layer->moe = kind == ONLY_MOE;
	if ((layer->recurrent && !dims->shape.recurrence) || (kind == WINDOWED && dims->shape.window == 0) ||
		(layer->no_mixer && !dims->single))
		return json_error(list->kind == JSON_ARRAY ? &list->child[i] : list, config->error,
			"layer %u is %s, which this type has no dimensions for", i,
			error_quote(quoted, sizeof quoted, word));
	return true;
}

/* Reads a list of numbers of layers: `moe`: these alone have experts; else: these are dense. */
static bool numbers_read(struct config *config, const struct json *list, struct transformer_layer *layers,
	unsigned count, bool moe)
{
	if (list->kind != JSON_ARRAY)
		return json_error(list, config->error, "must be an array of the numbers of layers");
	for (unsigned i = 0; moe && i < count; i++)
		layers[i].moe = false;
	for (const struct json *node = list->child; node; node = node->next) {
		const struct json_field field = {
			.key = "a layer", .type = JSON_TO_UNSIGNED, .min = 0, .max = count - 1.0};
		unsigned layer = 0;
		if (!json_read_value(node, &field, &layer, config->error))
			return false;
		layers[layer].moe = moe;
	}
	return true;
}

static void experts_read(const struct json *list, struct transformer_layer *layers, unsigned count)
{
	char letter[2] = "";
	for (unsigned i = 0; i < count; i++) {
		const char *const word = word_at(list, i, letter);
		layers[i].moe = strcmp(word, "sparse") == 0 || strcmp(word, "1") == 0;
	}
}

static void index_read(const struct json *list, struct transformer_layer *layers, unsigned count)
{
	char letter[2] = "";
	for (unsigned i = 0; i < count; i++) {
		const char *const word = word_at(list, i, letter);
		layers[i].no_index = strcmp(word, "shared") == 0;
		layers[i].all_keys = strcmp(word, "0") == 0;
	}
}

/* Makes every full_period-th layer attend and the others recurrent. */
static void period_read(const struct config_dims *dims, struct transformer_layer *layers)
{
	const unsigned period = dims->full_period;
	for (unsigned i = 0; period > 0 && i < dims->shape.layers; i++)
		layers[i].recurrent = i % period != period - 1;
}

static bool second_exists(const struct transformer_second *second)
{
	return second->heads || second->kv_heads || second->head_dim || second->value_dim || second->sinks ||
	       second->keys_are_values;
}

static void layers_begin(const struct config_dims *dims, struct transformer_layer *layers)
{
	for (unsigned i = 0; i < dims->shape.layers; i++) {
		layers[i] = transformer_layer(&dims->shape, i);
		layers[i].no_mlp = dims->single;
		layers[i].recurrent = dims->single;
	}
	period_read(dims, layers);
}

static bool layers_read(struct config *config, const struct config_family *family, struct config_dims *dims,
	struct transformer_layer *layers)
{
	const unsigned count = dims->shape.layers;
	const struct json *const kinds = list_find(config, family, "kinds", count);
	const struct json *const experts = list_find(config, family, "experts_at", count);
	const struct json *const index = list_find(config, family, "index_at", count);
	const struct json *const dense = list_find(config, family, "dense_in", 0);
	const struct json *const sparse = list_find(config, family, "experts_in", 0);
	layers_begin(dims, layers);
	for (unsigned i = 0; kinds && !config->failed && i < count; i++)
		config->failed = !layer_mix(config, kinds, dims, i, &layers[i]);
	if (experts)
		experts_read(experts, layers, count);
	if (index)
		index_read(index, layers, count);
	if (!config->failed && dense)
		config->failed = !numbers_read(config, dense, layers, count, false);
	if (!config->failed && sparse)
		config->failed = !numbers_read(config, sparse, layers, count, true);
	for (unsigned i = 0; second_exists(&dims->shape.second) && i < count; i++)
		layers[i].second = (layers[i].window > 0) != dims->second_full;
	return !config->failed;
}

/* Takes the length of the list of kinds as the number of layers, where no key gives that number. */
static void layers_count(struct config *config, const struct config_family *family, struct config_dims *dims)
{
	const struct json *const rule = config_rule(config, family, "kinds");
	const char *const keys = !rule ? "" : rule->kind == JSON_ARRAY ? rule->child->string : rule->string;
	const struct json *const list = dims->shape.layers == 0 ? config_find(config, keys) : NULL;
	if (list)
		dims->shape.layers = list_length(list);
}

bool config_pattern(struct config *config, const struct config_family *family, struct config_dims *dims)
{
	layers_count(config, family, dims);
	const unsigned count = dims->shape.layers;
	if (count == 0 || count > CONFIG_LAYERS_MAX)
		return json_error(
			config->node, config->error, "has %u layers, not 1 to %d", count, CONFIG_LAYERS_MAX);
	struct transformer_layer *const layers = arena_alloc(config->arena, count, sizeof *layers);
	if (!layers)
		return out_of_memory(config->error);
	if (!layers_read(config, family, dims, layers))
		return false;
	dims->shape.pattern = layers;
	return true;
}
