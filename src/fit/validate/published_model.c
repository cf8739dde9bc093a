/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Builds the network of a published row from its dimensions. Properties without a column come from the family, by
 * aliases of these kinds:
 *
 *     style       biases, positions, tied head
 *     dense       number of leading blocks without experts
 *     window      keys that a token attends to; in every `name`-th layer it attends to all
 *     mtp         number of modules that predict further tokens
 *     capacity    capacity of an expert, beyond which tokens are dropped
 *     unfused     attention runs as separate kernels
 *     documents   mean length D of BERT's documents where the loader joins samples of like length, so that only
 *                 D (1 - exp(-s / D)) of s tokens are there
 *
 * Latent attention has DeepSeek's ranks, the same in V2 (arXiv 2405.04434, 3.1.2) and V3 (arXiv 2412.19437, 4.2).
 */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/quantity.h"
#include "fit/validate/published.h"
#include "model/transformer.h"

enum { Q_RANK = 1536, KV_RANK = 512, ROPE_DIM = 64, NOPE_DIM = 128, TOKEN_TYPES = 2 };

/* The share of tokens that BERT's pre-training masks: 20 of 128, 80 of 512. */
static const double masked_share = 20.0 / 128;

/*
 * Dropout is Megatron's default, 0.1, where scripts do not say otherwise, those of BLOOM among them: the 0 in its published
 * configuration is for running what came out.
 */
static const struct style {
	const char *name;
	enum transformer_norm norm;
	bool biases, positions, tied, embedding_norm;
	double dropout;
	const char *activation;
} styles[] = {
	{"gpt", TRANSFORMER_LAYER_NORM, true, true, true, false, 0.1, "gelu"},
	{"bloom", TRANSFORMER_LAYER_NORM, true, false, true, true, 0.1, "gelu"},
	{"mpt", TRANSFORMER_LAYER_NORM, false, false, true, false, 0, "gelu"},
	{"plain", TRANSFORMER_LAYER_NORM, false, false, false, false, 0, "gelu"},
	{"nemotron", TRANSFORMER_LAYER_NORM, false, false, false, false, 0, "relu2"},
	{"llama", TRANSFORMER_RMS_NORM, false, false, false, false, 0, NULL},
	{"bert", TRANSFORMER_LAYER_NORM, true, true, true, true, 0.1, "gelu"},
};

static const struct style *style_of(const char *name)
{
	for (size_t i = 0; i < sizeof styles / sizeof *styles; ++i)
		if (strcmp(styles[i].name, name) == 0)
			return &styles[i];
	return NULL;
}

static const struct {
	const char *kind, *style;
} kinds[] = {
	{"gpt", "gpt"},
	{"gpt-gqa", "plain"},
	{"gpt-mqa", "plain"},
	{"llama", "llama"},
	{"moe", "llama"},
	{"moe-mla", "llama"},
	{"bert", "bert"},
};

bool published_kind_is_known(const char *kind)
{
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i)
		if (strcmp(kinds[i].kind, kind) == 0)
			return true;
	return strcmp(kind, "cnn") == 0;
}

/*
 * Returns the style of a row: that of an alias for kind "gpt" where one fits, else that of its kind; NULL: not
 * known.
 */
static const struct style *row_style(
	struct paradl_arena *arena, const struct published *row, const struct aliases *aliases)
{
	const char *text = arena_printf(arena, "%s; %s", row->model, row->setup);
	const struct alias *alias = text ? alias_find(aliases, "style", text) : NULL;
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i)
		if (strcmp(kinds[i].kind, row->kind) == 0)
			return style_of(
				alias && strcmp(row->kind, "gpt") == 0 ? alias->name : kinds[i].style);
	return NULL;
}

static void experts_fill(
	const struct published *row, const struct aliases *aliases, struct transformer_shape *shape)
{
	shape->experts = (unsigned)row->experts;
	shape->top_k = (unsigned)row->top_k;
	shape->moe_ffn = (unsigned)row->moe_ffn;
	shape->shared_ffn = (unsigned)row->shared_ffn;
	if (shape->experts)
		shape->first_dense = (unsigned)alias_value(aliases, "dense", row->model, 0);
	if (strcmp(row->kind, "moe-mla") != 0)
		return;
	shape->q_rank = Q_RANK;
	shape->kv_rank = KV_RANK;
	shape->rope_dim = ROPE_DIM;
	shape->nope_dim = NOPE_DIM;
	shape->kv_heads = shape->head_dim = 0;
}

static void style_fill(
	const struct published *row, const struct style *style, struct transformer_shape *shape)
{
	shape->norm = style->norm;
	shape->activation = row->gated > 0 ? NULL : style->activation;
	shape->attention_bias = shape->mlp_bias = style->biases;
	shape->tied = style->tied;
	shape->embedding_norm = style->embedding_norm;
	shape->dropout = shape->attention_dropout = style->dropout;
	shape->positions = style->positions ? shape->sequence : 0;
	if (strcmp(row->kind, "bert") != 0)
		return;
	const double masked = masked_share * row->tokens;
	shape->block = TRANSFORMER_POST_NORM;
	shape->end = TRANSFORMER_MASKED;
	shape->masked_tokens = masked > 1 ? (unsigned)masked : 1;
	shape->types = TOKEN_TYPES;
	shape->bidirectional = true;
	shape->optimizer = "lamb";
}

/* Returns the tokens of a sample, for BERT without padding where the loader joins documents of like length. */
static double real_tokens(const struct published *row, const struct aliases *aliases)
{
	const double mean =
		strcmp(row->kind, "bert") == 0 ? alias_value(aliases, "documents", row->setup, 0) : 0;
	return mean > 0 ? ceil(mean * (1 - exp(-row->tokens / mean))) : row->tokens;
}

/*
 * Reports whether the program cannot fuse this network's attention, by aliases of kind "unfused"; an own "attn"
 * comes first.
 */
static bool is_unfused(struct paradl_arena *arena, const struct published *row, const struct aliases *aliases)
{
	if (*row->attention)
		return false;
	const char *text = arena_printf(arena, "%s; %s", row->model, row->setup);
	return text && alias_find(aliases, "unfused", text);
}

static void options_fill(
	const struct published *row, const struct aliases *aliases, struct transformer_shape *shape)
{
	const struct alias *window = alias_find(aliases, "window", row->model);
	const char *end;
	double period;
	shape->mtp = (unsigned)alias_value(aliases, "mtp", row->notes, 0);
	shape->capacity = alias_value(aliases, "capacity", row->notes, 0);
	if (!window)
		return;
	shape->window = (unsigned)window->value;
	if (decimal_read(window->name, 0, &period, &end) && period <= row->layers)
		shape->window_period = (unsigned)period;
}

static const struct paradl_model *build(
	struct library *library, const struct published *row, struct paradl_error *failure)
{
	const struct style *style = row_style(library->arena, row, library->aliases);
	if (!style) {
		error_set(failure, PARADL_SCHEMA, "hw-profiles/aliases.csv names a style that there is not");
		return NULL;
	}
	struct transformer_shape shape = {
		.name = row->model,
		.layers = (unsigned)row->layers,
		.hidden = (unsigned)row->hidden,
		.heads = (unsigned)row->heads,
		.kv_heads = (unsigned)row->kv_heads,
		.head_dim = (unsigned)row->head_dim,
		.ffn = (unsigned)row->ffn,
		.gated = row->gated > 0,
		.vocabulary = (unsigned)row->vocabulary,
		.sequence = (unsigned)real_tokens(row, library->aliases),
	};
	experts_fill(row, library->aliases, &shape);
	style_fill(row, style, &shape);
	options_fill(row, library->aliases, &shape);
	shape.unfused = is_unfused(library->arena, row, library->aliases);
	return transformer_build(library->arena, &shape, failure);
}

const char *published_model_key(
	struct paradl_arena *arena, const struct published *row, const struct aliases *aliases)
{
	if (row->is_image)
		return row->model;
	return arena_printf(arena, "%s %s: %g x %g, %g/%g/%g, %g/%g, %g/%g/%g/%g, %g, %g; %s, %d, %g, %g, %g",
		row->kind, row->model, row->layers, row->hidden, row->heads, row->kv_heads, row->head_dim,
		row->ffn, row->gated, row->experts, row->top_k, row->moe_ffn, row->shared_ffn, row->tokens,
		row->vocabulary, row->attention, is_unfused(arena, row, aliases), real_tokens(row, aliases),
		alias_value(aliases, "mtp", row->notes, 0), alias_value(aliases, "capacity", row->notes, 0));
}

/* Returns the path of a network in the folder "networks" beside the table; NULL: there is none. */
static const char *network_beside(struct library *library, const char *name)
{
	const char *const file = arena_printf(library->arena, "./networks/%s.json", name);
	const char *const path = file ? library_find(library, file, "models", true, NULL) : NULL;
	return path && file_is_there(library->arena, path) ? path : NULL;
}

const struct paradl_model *library_published_model(
	struct library *library, const struct published *row, struct paradl_error *failure)
{
	if (!row->is_image)
		return build(library, row, failure);
	const struct alias *alias = alias_find(library->aliases, "model", row->model);
	const char *name = alias ? alias->name : row->model;
	const char *path = network_beside(library, name);
	if (!path)
		path = library_find(library, name, "models", false, failure);
	return path ? paradl_model_load(library->arena, &(struct paradl_source){.path = path}, failure)
		    : NULL;
}

/*
 * Builds the machine of a published row: a device by its spelling, nodes of "gpus_per_node" devices (8 where that
 * is empty), and a network port for each device. Aliases of kind "cluster" have the share of its rate that
 * collectives reach on a cluster's network; aliases of kind "port" have a rate that the source does not print, in
 * Gb/s.
 */

static const double usual_port_gbps = 200; /* an HDR port for each device, as in most clusters of A100 */
/* The latency to a device on another node, over InfiniBand with the library's proxy: nccl-tests of small messages. */
static const double network_step_s = 5e-6;

static const struct alias *cluster_of(const struct published *row, const struct aliases *aliases)
{
	return alias_find(aliases, "cluster", row->origin);
}

static double port_gbps(const struct published *row, const struct aliases *aliases)
{
	return row->net_gbps > 0 ? row->net_gbps : alias_value(aliases, "port", row->origin, usual_port_gbps);
}

const char *published_hw_key(
	struct paradl_arena *arena, const struct published *row, const struct aliases *aliases)
{
	const struct alias *cluster = cluster_of(row, aliases);
	return arena_printf(arena, "%s; %g of %g; %g Gb/s; %s", row->gpu, row->gpus, row->gpus_per_node,
		port_gbps(row, aliases), cluster ? cluster->name : "");
}

const struct paradl_machine *library_published_machine(
	struct library *library, const struct published *row, struct paradl_error *failure)
{
	const struct aliases *aliases = library->aliases;
	const struct alias *device = alias_find(aliases, "device", row->gpu);
	const struct alias *cluster = cluster_of(row, aliases);
	if (!device || !*device->name) {
		char quoted[80];
		error_set(failure, PARADL_SCHEMA, "no device file stands for %s",
			error_quote(quoted, sizeof quoted, row->gpu));
		error_hint(failure, "hw-profiles/aliases.csv says what spellings mean");
		return NULL;
	}
	const char *path = library_find(library, device->name, "hw-profiles/devices", false, failure);
	const double per_node = row->gpus_per_node > 0 ? row->gpus_per_node : 8;
	const struct paper_machine paper = {
		.device_path = path,
		.framework = "nccl",
		.devices = (unsigned)row->gpus,
		.devices_per_node = (unsigned)(per_node < row->gpus ? per_node : row->gpus),
		.port_bytes_per_s = port_gbps(row, aliases) / 8 * 1e9,
		.network_share = cluster ? cluster->value : 0,
		.latency_s = network_step_s,
	};
	return path ? machine_on_paper(library->arena, &paper, failure) : NULL;
}
