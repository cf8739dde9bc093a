/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads framework files of the last release, in which networks of images and of tokens had sections of their own for
 * the same facts. Each key is read as the rule that it means; paradl check says which.
 */
#include <stddef.h>
#include <string.h>

#include "base/error.h"
#include "machine/format.h"
#include "machine/framework.h"

enum { IMAGES = 1 << RULES_IMAGES, TOKENS = 1 << RULES_TOKENS, BOTH = IMAGES | TOKENS };

/*
 * Time of both passes of a layer over the old key's, which was that of one forward pass of a block: a block is two
 * layers, and backward takes 1.3 times as long.
 */
static const double layer_of_block = 2.3 / 2;

/* A key that was moved to a rule. kinds: the kinds of networks whose rule it is. */
struct outdated {
	const char *section, *key, *rule;
	unsigned kinds;
	const double *factor; /* NULL: 1 */
};

static const struct outdated keys[] = {
	{"execution", "host_call", "host_layer", IMAGES, NULL},
	{"execution", "sync", "layer_sync", BOTH, NULL},
	{"execution", "blocking", "blocking", BOTH, NULL},
	{"execution", "overlap", "overlap_gradients", IMAGES, NULL},
	{"execution", "passes", "passes", IMAGES, NULL},
	{"gradients", "rings", "gradient_rings", BOTH, NULL},
	{"gradients", "passes", "gradient_passes", IMAGES, NULL},
	{"gradients", "per_tensor", "gradient_tensor", IMAGES, NULL},
	{"gradients", "bucket", "bucket", IMAGES, NULL},
	{"gradients", "spatial_leader", "spatial_leader", BOTH, NULL},
	{"activations", "rings", "activation_rings", BOTH, NULL},
	{"activations", "per_call", "collective_call", IMAGES, NULL},
	{"activations", "per_piece", "filter_piece", BOTH, NULL},
	{"activations", "filter_passes", "filter_passes", BOTH, NULL},
	{"activations", "channel_passes", "channel_passes", BOTH, NULL},
	{"activations", "spatial_passes", "spatial_passes", BOTH, NULL},
	{"activations", "filter_backward_partial", "filter_backward_partial", BOTH, NULL},
	{"messages", "staged", "staged", BOTH, NULL},
	{"messages", "halo_chain", "halo_chain", BOTH, NULL},
	{"messages", "segments", "segments", BOTH, NULL},
	{"waiting", "jitter", "jitter", IMAGES, NULL},
	{"waiting", "growth", "jitter_growth", BOTH, NULL},
	{"pipeline", "micro_batches", "micro_batches", BOTH, NULL},
	{"pipeline", "staged", "stage_staged", BOTH, NULL},
	{"pipeline", "recompute", "recompute", IMAGES, NULL},
	{"memory", "workspace", "workspace", BOTH, NULL},
	{"memory", "gradient_buffers", "gradient_buffers", IMAGES, NULL},
	{"training", "host_layer", "host_layer", TOKENS, &layer_of_block},
	{"training", "host_moe_layer", "host_moe_layer", BOTH, NULL},
	{"training", "host_collective", "host_collective", BOTH, NULL},
	{"training", "host_micro_batch", "host_micro_batch", BOTH, NULL},
	{"training", "host_sharpness", "host_sharpness", BOTH, NULL},
	{"training", "host_exposed", "host_exposed", BOTH, NULL},
	{"training", "graphs", "graphs", TOKENS, NULL},
	{"training", "passes", "passes", TOKENS, NULL},
	{"training", "selective_share", "selective_share", BOTH, NULL},
	{"training", "score_bytes", "score_bytes", BOTH, NULL},
	{"training", "attention", "attention", BOTH, NULL},
	{"training", "portable_attention", "portable_attention", BOTH, NULL},
	{"training", "flash", "flash", BOTH, NULL},
	{"training", "overlap_gradients", "overlap_gradients", TOKENS, NULL},
	{"training", "overlap_gathers", "overlap_gathers", BOTH, NULL},
	{"training", "overlap_tensor", "overlap_tensor", BOTH, NULL},
	{"training", "overlap_experts", "overlap_experts", BOTH, NULL},
	{"training", "overlap_context", "overlap_context", BOTH, NULL},
	{"training", "overlap_shards", "overlap_shards", BOTH, NULL},
	{"training", "interference", "interference", BOTH, NULL},
	{"training", "stage_blocking", "stage_blocking", TOKENS, NULL},
	{"training", "stage_start", "stage_start", TOKENS, NULL},
	{"training", "scatter_gather", "scatter_gather", BOTH, NULL},
	{"training", "accumulate_bytes", "accumulate_bytes", BOTH, NULL},
	{"training", "step", "step", TOKENS, NULL},
	{"training", "step_bytes", "step_bytes", TOKENS, NULL},
	{"training", "gradient_bytes", "gradient_bytes", TOKENS, NULL},
	{"training", "collective_sync", "collective_call", TOKENS, NULL},
	{"training", "bucket", "bucket", TOKENS, NULL},
	{"training", "recompute", "recompute", TOKENS, NULL},
	{"training", "balanced", "balanced", BOTH, NULL},
	{"training", "context", "context", TOKENS, NULL},
	{"training", "communicator", "communicator", TOKENS, NULL},
	{"training", "fragmentation", "fragmentation", TOKENS, NULL},
	{"training", "logits_bytes", "logits_bytes", BOTH, NULL},
	{"training", "step_memory", "step_memory", TOKENS, NULL},
	{"training", "gradient_held", "gradient_buffers", TOKENS, NULL},
	{"training", "stage_outputs", "stage_outputs", BOTH, NULL},
};
enum { KEY_COUNT = sizeof keys / sizeof *keys };

const char *const outdated_sections[] = {"execution", "gradients", "activations", "messages", "waiting",
	"pipeline", "memory", "training", NULL};

static const struct outdated *key_find(const struct json *node)
{
	for (size_t i = 0; i < KEY_COUNT; ++i)
		if (strcmp(keys[i].section, node->parent->key) == 0 && strcmp(keys[i].key, node->key) == 0)
			return &keys[i];
	return NULL;
}

const char *outdated_rule(const char *key)
{
	for (size_t i = 0; i < KEY_COUNT; ++i) {
		const size_t length = strlen(keys[i].section);
		if (strncmp(key, keys[i].section, length) == 0 && key[length] == '.' &&
			strcmp(key + length + 1, keys[i].key) == 0)
			return keys[i].rule;
	}
	return NULL;
}

static bool bytes_read(const struct json *node, double most, double *bytes, struct paradl_error *error)
{
	const struct json_field field = {
		node->key, JSON_TO_QUANTITY, true, 0, 0, most, DIMENSION_BYTES, NULL};
	return json_read_value(node, &field, bytes, error);
}

/* Reads a key that had another meaning. *done: whether it is one. False: error is set. */
static bool converted_read(const struct json *node, const struct outdated *key,
	struct paradl_framework *framework, bool *done, struct paradl_error *error)
{
	struct rules *images = &framework->rules[RULES_IMAGES], *tokens = &framework->rules[RULES_TOKENS];
	double bytes = 0;
	*done = true;
	if (strcmp(key->key, "gradient_held") == 0) { /* in bytes, 0: as it is sent */
		if (!bytes_read(node, 8, &bytes, error))
			return false;
		const double sent = tokens->gradient_bytes;
		tokens->gradient_buffers = sent > 0 && bytes > sent ? bytes / sent - 1 : 0;
		return true;
	}
	if (strcmp(key->section, "pipeline") == 0 && strcmp(key->key, "recompute") == 0) {
		static const struct json_field flag = {
			"recompute", JSON_TO_BOOL, true, 0, 0, 0, DIMENSION_NONE, NULL};
		return json_read_value(node, &flag, &images->recompute_stages, error);
	}
	*done = false;
	return true;
}

static bool key_read(const struct json *node, struct paradl_framework *framework, struct paradl_error *error)
{
	const struct outdated *key = key_find(node);
	bool done = false;
	if (!key)
		return true;
	if (!converted_read(node, key, framework, &done, error))
		return false;
	if (done)
		return true;
	for (unsigned kind = 0; kind < RULES_KINDS; ++kind) {
		struct rules *rules = &framework->rules[kind];
		if (key->kinds & 1u << kind && !rule_value_read(node, key->rule, rules, error))
			return false;
		if (key->kinds & 1u << kind && key->factor)
			*(double *)(void *)((char *)rules + rule_field(key->rule)->offset) *= *key->factor;
	}
	return true;
}

static bool section_read(
	const struct json *section, struct paradl_framework *framework, struct paradl_error *error)
{
	const char *allowed[KEY_COUNT + 1];
	size_t count = 0;
	for (size_t i = 0; i < KEY_COUNT; ++i)
		if (strcmp(keys[i].section, section->key) == 0)
			allowed[count++] = keys[i].key;
	allowed[count] = NULL;
	if (!json_read(section, NULL, 0, allowed, NULL, error))
		return false;
	/* Keys are read in the order of the table: gradient_held needs gradient_bytes. */
	for (size_t i = 0; i < count; ++i) {
		const struct json *node = json_member(section, allowed[i]);
		if (node && !key_read(node, framework, error))
			return false;
		framework->outdated += node != NULL;
	}
	return true;
}

bool outdated_read(const struct json *root, struct paradl_framework *framework, struct paradl_error *error)
{
	for (size_t i = 0; outdated_sections[i]; ++i) {
		const struct json *section = json_member(root, outdated_sections[i]);
		if (section && !section_read(section, framework, error))
			return false;
	}
	return true;
}

/* Returns how the value changes on the way to the rule, for a message. */
static const char *conversion(const struct outdated *key)
{
	if (key->factor)
		return ", 1.15 times as much: of a layer and both passes";
	if (strcmp(key->key, "gradient_held") == 0)
		return ", as copies besides the one that is sent";
	if (strcmp(key->key, "recompute") == 0 && key->kinds == IMAGES)
		return ", as \"stages\" or \"none\"";
	return "";
}

bool outdated_check(struct paradl_arena *arena, const struct json *root, struct paradl_findings *findings,
	struct paradl_error *error)
{
	bool fine = true;
	for (size_t i = 0; outdated_sections[i] && fine; ++i) {
		const struct json *section = json_member(root, outdated_sections[i]);
		for (const struct json *node = section ? section->child : NULL; node && fine;
			node = node->next) {
			const struct outdated *key = key_find(node);
			const char *kind = !key || key->kinds == BOTH ? ""
					   : key->kinds == IMAGES     ? "/images"
								      : "/tokens";
			if (key)
				fine = finding_add(arena, findings,
					arena_printf(arena,
						"/%s/%s: an old spelling, read for this release; write "
						"/rules/%s%s%s",
						section->key, key->key, key->rule, kind, conversion(key)));
		}
	}
	return fine || out_of_memory(error);
}
