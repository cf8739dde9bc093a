/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads "rules" of a framework file; see paradl-framework(5). Each rule is one key. Its value holds for networks of
 * every kind, or is {"images": ..., "tokens": ...} where the program, or what is known of the program, differs; a
 * kind that is left out stays as it is.
 */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "machine/format.h"
#include "machine/framework.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define AT(member)   offsetof(struct rules, member)
#define FIELD(key, type, member, least, most, dimension)                                                     \
	{                                                                                                    \
		key, type, false, AT(member), least, most, dimension, NULL                                   \
	}
#define SECONDS(key, member)             FIELD(key, JSON_TO_QUANTITY, member, 0, 10, DIMENSION_TIME)
#define BYTES(key, member, most)         FIELD(key, JSON_TO_QUANTITY, member, 0, most, DIMENSION_BYTES)
#define NUMBER(key, member, least, most) FIELD(key, JSON_TO_DOUBLE, member, least, most, DIMENSION_NONE)
#define SHARE(key, member)               NUMBER(key, member, 0, 1)
#define FLAG(key, member)                FIELD(key, JSON_TO_BOOL, member, 0, 0, DIMENSION_NONE)
#define RINGS(key, member)               FIELD(key, JSON_TO_UNSIGNED, member, 0, 64, DIMENSION_NONE)

static const struct json_field fields[] = {
	NUMBER("passes", passes, 0, 100),
	NUMBER("convolution_passes", convolution_passes, 0.01, 10),
	SHARE("convolution_sustained", convolution_sustained),
	NUMBER("convolution_winograd", convolution_winograd, 0, 4),
	SECONDS("pool_item", pool_item_s),
	SECONDS("concat_item", concat_item_s),
	SECONDS("norm_item", norm_item_s),
	NUMBER("norm_channels", norm_channels, 0, 1024),
	NUMBER("sustained", sustained, 0.1, 1),
	FIELD("vocabulary_multiple", JSON_TO_UNSIGNED, vocabulary_multiple, 1, 65536, DIMENSION_NONE),
	NUMBER("attention", attention, 0.01, 10),
	FLAG("portable_attention", portable_attention),
	FLAG("flash", flash),
	BYTES("score_bytes", score_bytes, 1000),
	BYTES("accumulate_bytes", accumulate_bytes, 1000),
	NUMBER("filter_passes", filter_passes, 0, 100),
	NUMBER("channel_passes", channel_passes, 0, 100),
	NUMBER("spatial_passes", spatial_passes, 0, 100),
	SECONDS("filter_piece", piece_s),
	FLAG("filter_backward_partial", filter_backward_partial),
	SECONDS("host_layer", host_layer_s),
	SECONDS("host_moe_layer", host_moe_layer_s),
	SECONDS("host_collective", host_collective_s),
	SECONDS("host_micro_batch", host_micro_batch_s),
	NUMBER("host_sharpness", host_sharpness, 1, 100),
	NUMBER("host_exposed", host_exposed, 0, 100),
	SECONDS("layer_sync", layer_sync_s),
	FLAG("graphs", graphs),
	FLAG("permute_fusion", permute_fusion),
	FLAG("weights_inside", weights_inside),
	RINGS("gradient_rings", gradient_rings),
	RINGS("activation_rings", activation_rings),
	SECONDS("collective_call", collective_call_s),
	BYTES("gradient_bytes", gradient_bytes, 8),
	NUMBER("gradient_passes", gradient_passes, 0, 100),
	SECONDS("gradient_tensor", gradient_tensor_s),
	SECONDS("gradient_tensor_split", gradient_tensor_split_s),
	FLAG("keeps_gathered", keeps_gathered),
	BYTES("bucket", bucket_bytes, 1e15),
	BYTES("bucket_replica", bucket_replica_bytes, 1e12),
	FLAG("spatial_leader", spatial_leader),
	SHARE("overlap_gradients", overlap_gradients),
	SHARE("overlap_gathers", overlap_gathers),
	SHARE("overlap_shards", overlap_shards),
	SHARE("overlap_tensor", overlap_tensor),
	SHARE("overlap_experts", overlap_experts),
	SHARE("overlap_context", overlap_context),
	SHARE("interference", interference),
	FLAG("staged", staged),
	FLAG("halo_chain", halo_chain),
	SECONDS("jitter", jitter_s),
	SHARE("jitter_growth", jitter_growth),
	NUMBER("micro_samples", micro_samples, 0, 1e9),
	NUMBER("micro_batches", micro_batches, 0, 1e9),
	FLAG("stage_staged", stage_staged),
	SHARE("stage_blocking", stage_blocking),
	SECONDS("stage_start", stage_start_s),
	FLAG("scatter_gather", scatter_gather),
	FLAG("balanced", balanced),
	SHARE("selective_share", selective_share),
	SECONDS("step", step_s),
	BYTES("step_bytes", step_bytes, 1000),
	BYTES("workspace", workspace_bytes, 1e15),
	BYTES("context", context_bytes, 1e15),
	NUMBER("gradient_buffers", gradient_buffers, 0, 16),
	BYTES("gradient_sums", gradient_sum_bytes, 8),
	BYTES("communicator", communicator_bytes, 1e15),
	SHARE("fragmentation", fragmentation),
	BYTES("logits_bytes", logits_bytes, 1000),
	BYTES("step_memory", step_memory_bytes, 1000),
	FLAG("stage_outputs", stage_outputs),
	FLAG("keeps_outputs", keeps_outputs),
	FLAG("even_heads", even_heads),
	SECONDS("loader_epoch", loader_epoch_s),
	NUMBER("loader_variation", loader_variation, 0, 10),
	SECONDS("loader_step", loader_step_s),
	FLAG("decodes_on_device", decodes_on_device),
	SECONDS("exchange_step", exchange_step_s),
	SECONDS("exchange_message", exchange_message_s),
	BYTES("exchange_bytes", exchange_bytes, 1e15),
	FIELD("exchange_store", JSON_TO_QUANTITY, exchange_store_bytes_per_s, 1, 1e15, DIMENSION_BYTES_PER_S),
	FLAG("exchange_hidden", exchange_hidden),
	SECONDS("serve_prompt", serve_prompt_s),
	SECONDS("serve_sequence", serve_sequence_s),
	NUMBER("serve_chunk", serve_chunk, 1, 1e9),
	FLAG("serve_mixes", serve_mixes),
	FLAG("serve_reserves", serve_reserves),
	FLAG("serve_narrow_cache", serve_narrow_cache),
	SHARE("serve_memory", serve_memory),
	SHARE("serve_fusion", serve_fusion),
	SECONDS("serve_experts", serve_experts_s),
	SECONDS("serve_reduce", serve_reduce_s),
	NUMBER("serve_balance", serve_balance, 0, 1e6),
};

static bool schedule_read(const struct json *node, struct rules *rules, struct paradl_error *error)
{
	static const char *const names[] = {"gpipe", "1f1b"};
	int index = 0;
	if (!framework_name_read(node, names, COUNT(names), &index, error))
		return false;
	rules->schedule = index == 0 ? PARADL_GPIPE : PARADL_1F1B;
	return true;
}

static bool recompute_read(const struct json *node, struct rules *rules, struct paradl_error *error)
{
	static const char *const names[] = {"none", "selective", "full", "modules", "stages"};
	static const enum paradl_recompute values[] = {PARADL_RECOMPUTE_NONE, PARADL_RECOMPUTE_SELECTIVE,
		PARADL_RECOMPUTE_FULL, PARADL_RECOMPUTE_MODULES, PARADL_RECOMPUTE_NONE};
	int index = 0;
	if (!framework_name_read(node, names, COUNT(names), &index, error))
		return false;
	rules->recompute = values[index];
	rules->recompute_stages = strcmp(names[index], "stages") == 0;
	return true;
}

const char *const framework_dispatcher_names[FRAMEWORK_DISPATCHERS] = {"alltoall", "deepep", "hybridep"};

static bool dispatcher_read(const struct json *node, struct rules *rules, struct paradl_error *error)
{
	int index = 0;
	if (!framework_name_read(node, framework_dispatcher_names, FRAMEWORK_DISPATCHERS, &index, error))
		return false;
	rules->dispatcher = (enum paradl_dispatcher)(PARADL_DISPATCHER_ALL_TO_ALL + index);
	return true;
}

static bool layout_read(const struct json *node, struct rules *rules, struct paradl_error *error)
{
	static const char *const names[] = {"nhwc", "nchw", "nhwc-16"};
	int index = 0;
	if (!framework_name_read(node, names, COUNT(names), &index, error))
		return false;
	rules->layout = (enum image_layout)index;
	return true;
}

/* Rules whose value is not plain. */
static const struct special {
	const char *key;
	bool (*read)(const struct json *node, struct rules *rules, struct paradl_error *error);
} specials[] = {
	{"blocking", blocking_read},
	{"segments", segments_read},
	{"layout", layout_read},
	{"schedule", schedule_read},
	{"recompute", recompute_read},
	{"dispatcher", dispatcher_read},
};

enum { RULE_COUNT = COUNT(fields) + COUNT(specials) };

static const char *key_of(size_t index)
{
	return index < COUNT(fields) ? fields[index].key : specials[index - COUNT(fields)].key;
}

static bool value_read(const struct json *node, size_t index, struct rules *rules, struct paradl_error *error)
{
	if (index >= COUNT(fields))
		return specials[index - COUNT(fields)].read(node, rules, error);
	return json_read_value(node, &fields[index], rules, error);
}

/*
 * Returns the index of a rule, or RULE_COUNT. Looks first where the rule follows the one before, as files have them.
 */
static size_t rule_index(const char *key, size_t first)
{
	for (size_t i = 0; i < RULE_COUNT; ++i) {
		const size_t index = (first + i) % RULE_COUNT;
		if (strcmp(key_of(index), key) == 0)
			return index;
	}
	return RULE_COUNT;
}

bool rule_value_read(
	const struct json *node, const char *key, struct rules *rules, struct paradl_error *error)
{
	return value_read(node, rule_index(key, 0), rules, error);
}

static const char *const kind_names[] = {"images", "tokens", NULL};

static bool rule_read(
	const struct json *node, size_t index, struct rules rules[RULES_KINDS], struct paradl_error *error)
{
	if (node->kind == JSON_OBJECT && !json_read(node, NULL, 0, kind_names, NULL, error))
		return false;
	if (node->kind == JSON_OBJECT && !node->count)
		return json_error(node, error, "needs \"images\", \"tokens\" or both");
	for (unsigned kind = 0; kind < RULES_KINDS; ++kind) {
		const struct json *value =
			node->kind == JSON_OBJECT ? json_member(node, kind_names[kind]) : node;
		if (value && !value_read(value, index, &rules[kind], error))
			return false;
	}
	return true;
}

static bool rule_unknown(const struct json *node, struct paradl_error *error)
{
	const char *keys[RULE_COUNT + 1];
	for (size_t i = 0; i < RULE_COUNT; ++i)
		keys[i] = key_of(i);
	keys[RULE_COUNT] = NULL;
	return json_read(node, NULL, 0, keys, NULL, error);
}

bool rules_read(const struct json *node, struct rules rules[RULES_KINDS], struct paradl_error *error)
{
	size_t next = 0;
	if (node->kind != JSON_OBJECT)
		return rule_unknown(node, error);
	for (const struct json *rule = node->child; rule; rule = rule->next) {
		const size_t index = rule_index(rule->key, next);
		if (index == RULE_COUNT && !rule_unknown(node, error))
			return false; /* else it is a comment */
		if (index < RULE_COUNT && !rule_read(rule, index, rules, error))
			return false;
		next = index + 1;
	}
	return true;
}

void rules_default(struct rules rules[RULES_KINDS])
{
	for (unsigned kind = 0; kind < RULES_KINDS; ++kind)
		rules[kind] = (struct rules){.passes = 1,
			.convolution_passes = 1,
			.sustained = 1,
			.vocabulary_multiple = 1,
			.attention = 1,
			.flash = true,
			.score_bytes = 10,
			.host_sharpness = 4.4,
			.gradient_rings = 1,
			.activation_rings = 1,
			.jitter_growth = 0.5,
			.schedule = PARADL_GPIPE,
			.recompute = PARADL_RECOMPUTE_NONE,
			.logits_bytes = 6,
			.exchange_store_bytes_per_s = HUGE_VAL,
			.exchange_hidden = true,
			.serve_chunk = 8192,
			.serve_mixes = true,
			.serve_reserves = true,
			.serve_memory = 1};
	rules[RULES_TOKENS].gradient_bytes = 4;
	rules[RULES_TOKENS].schedule = PARADL_1F1B;
	rules[RULES_TOKENS].micro_samples = 1;
}

const struct json_field *rule_field(const char *key)
{
	for (size_t i = 0; i < COUNT(fields); ++i)
		if (strcmp(fields[i].key, key) == 0)
			return &fields[i];
	return NULL;
}

bool rules_place(const char *key, struct place *place)
{
	char name[32];
	const char *dot = strchr(key, '.');
	const size_t length = dot ? (size_t)(dot - key) : strlen(key);
	if (length >= sizeof name)
		return false;
	memcpy(name, key, length);
	name[length] = '\0';
	if (!place_find(fields, COUNT(fields), 0, name, place))
		return false;
	const size_t offset = place->offsets[0];
	place->count = 0;
	for (unsigned kind = 0; kind < RULES_KINDS; ++kind)
		if (!dot || strcmp(dot + 1, kind_names[kind]) == 0)
			place->offsets[place->count++] = offsetof(struct paradl_framework, rules) +
							 kind * sizeof(struct rules) + offset;
	return place->count > 0;
}

const char *rule_unstated(const struct json *node, size_t index)
{
	for (size_t i = 0; i < RULE_COUNT; ++i) {
		const struct json *value = node ? json_member(node, key_of(i)) : NULL;
		/* "staged" asks for segments; programs that train have no rules of serving. */
		bool stated = value != NULL || strcmp(key_of(i), "segments") == 0 ||
			      strncmp(key_of(i), "serve_", strlen("serve_")) == 0;
		for (unsigned kind = 0; stated && value && value->kind == JSON_OBJECT && kind < RULES_KINDS;
			++kind)
			stated = json_member(value, kind_names[kind]) != NULL;
		if (!stated && index-- == 0)
			return key_of(i);
	}
	return NULL;
}
