/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads hw-profiles/frameworks/NAME.json; see paradl-framework(5). */
#include "machine/framework.h"

#include <stddef.h>
#include <string.h>

#include "base/changes.h"
#include "base/error.h"
#include "machine/format.h"
#include "machine/machine.h"
#include "machine/place.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define AT(member)   offsetof(struct paradl_framework, member)
#define SECONDS(key, member)                                                                                 \
	{                                                                                                    \
		key, JSON_TO_QUANTITY, false, AT(member), 0, 10, DIMENSION_TIME, NULL                        \
	}
#define NUMBER(key, member, most)                                                                            \
	{                                                                                                    \
		key, JSON_TO_DOUBLE, false, AT(member), 0, most, DIMENSION_NONE, NULL                        \
	}
#define BYTES(key, member)                                                                                   \
	{                                                                                                    \
		key, JSON_TO_QUANTITY, false, AT(member), 0, 1e15, DIMENSION_BYTES, NULL                     \
	}
#define FLAG(key, member)                                                                                    \
	{                                                                                                    \
		key, JSON_TO_BOOL, false, AT(member), 0, 0, DIMENSION_NONE, NULL                             \
	}
#define RINGS(key, member)                                                                                   \
	{                                                                                                    \
		key, JSON_TO_UNSIGNED, false, AT(member), 0, 64, DIMENSION_NONE, NULL                        \
	}

static const struct json_field top_fields[] = {
	{"name", JSON_TO_TEXT, true, AT(name), 0, 0, DIMENSION_NONE, NULL},
	{"summary", JSON_TO_TEXT, true, AT(summary), 0, 0, DIMENSION_NONE, NULL},
	NUMBER("known_error", known_error, 1),
	FLAG("measured_curves", measured_curves),
};
static const struct json_field execution_fields[] = {
	SECONDS("host_call", host_call_s),
	SECONDS("sync", sync_s),
	NUMBER("overlap", overlap, 1),
	NUMBER("passes", passes, 10),
};
static const struct json_field gradient_fields[] = {
	RINGS("rings", gradient_rings),
	NUMBER("passes", gradient_passes, 100),
	SECONDS("per_tensor", gradient_tensor_s),
	BYTES("bucket", bucket_bytes),
	FLAG("spatial_leader", spatial_leader),
};
static const struct json_field activation_fields[] = {
	RINGS("rings", activation_rings),
	SECONDS("per_call", collective_s),
	SECONDS("per_piece", piece_s),
	NUMBER("filter_passes", filter_passes, 100),
	NUMBER("channel_passes", channel_passes, 100),
	NUMBER("spatial_passes", spatial_passes, 100),
	FLAG("filter_backward_partial", filter_backward_partial),
};
static const struct json_field message_fields[] = {
	FLAG("staged", staged),
	FLAG("halo_chain", halo_chain),
};
static const struct json_field pipeline_fields[] = {
	NUMBER("micro_batches", micro_batches, 1e9),
	FLAG("staged", stage_staged),
	FLAG("recompute", recompute),
};
static const struct json_field memory_fields[] = {
	BYTES("workspace", workspace_bytes),
	NUMBER("gradient_buffers", gradient_buffers, 16),
};

static const char *const message_keys[] = {"segments", NULL};
static const char *const execution_keys[] = {"blocking", NULL};

/* The sections: objects of the file, each with the fields it fills and the keys read by hand. */
static const struct section {
	const char *key;
	const struct json_field *fields;
	size_t count;
	const char *const *keys;
} sections[] = {
	{"execution", execution_fields, COUNT(execution_fields), execution_keys},
	{"gradients", gradient_fields, COUNT(gradient_fields), NULL},
	{"activations", activation_fields, COUNT(activation_fields), NULL},
	{"messages", message_fields, COUNT(message_fields), message_keys},
	{"pipeline", pipeline_fields, COUNT(pipeline_fields), NULL},
	{"memory", memory_fields, COUNT(memory_fields), NULL},
};

static const char *const top_keys[] = {"format", "version", "extends", "split", "execution", "gradients",
	"activations", "messages", "waiting", "pipeline", "memory", "training", "checked", "offers",
	"algorithms", "quirks", "assumptions", "from", NULL};

static bool waiting_read(
	const struct json *node, struct paradl_framework *framework, struct paradl_error *error)
{
	static const struct json_field fields[] = {
		SECONDS("jitter", jitter_s), NUMBER("growth", jitter_growth, 1)};
	return json_read(node, fields, COUNT(fields), NULL, framework, error);
}

static bool segments_read(
	const struct json *node, struct paradl_framework *framework, struct paradl_error *error)
{
#define SEGMENT(member) offsetof(struct message_segment, member)
	static const struct json_field fields[] = {
		{"up_to", JSON_TO_QUANTITY, false, SEGMENT(upto_bytes), 1, 1e15, DIMENSION_BYTES, NULL},
		{"latency", JSON_TO_QUANTITY, true, SEGMENT(latency_s), 0, 10, DIMENSION_TIME, NULL},
		{"bandwidth", JSON_TO_QUANTITY, true, SEGMENT(bytes_per_s), 1, 1e15, DIMENSION_BYTES_PER_S,
			NULL},
	};
	if (node->kind != JSON_ARRAY || node->count < 1 || node->count > SEGMENTS_MAX)
		return json_error(node, error, "must be a list of 1 to %d segments", SEGMENTS_MAX);
	framework->segment_count = 0;
	for (const struct json *child = node->child; child; child = child->next) {
		struct message_segment *segment = &framework->segments[framework->segment_count++];
		*segment = (struct message_segment){0};
		if (!json_read(child, fields, COUNT(fields), NULL, segment, error))
			return false;
		if (child->next && !(segment->upto_bytes > (child->index ? segment[-1].upto_bytes : 0)))
			return json_error(child, error,
				"needs \"up_to\", rising from segment to segment; only the last has no end");
		if (!child->next && segment->upto_bytes > 0)
			return json_error(json_member(child, "up_to"), error,
				"the last segment has no end: leave \"up_to\" out");
	}
	return true;
}

static bool sections_read(
	const struct json *root, struct paradl_framework *framework, struct paradl_error *error)
{
	for (size_t i = 0; i < COUNT(sections); ++i) {
		const struct json *node = json_member(root, sections[i].key);
		if (node && !json_read(node, sections[i].fields, sections[i].count, sections[i].keys,
				    framework, error))
			return false;
	}
	const struct json *messages = json_member(root, "messages"), *waiting = json_member(root, "waiting");
	const struct json *segments = messages ? json_member(messages, "segments") : NULL;
	const struct json *training = json_member(root, "training");
	if (segments && !segments_read(segments, framework, error))
		return false;
	const struct json *checked = json_member(root, "checked");
	if (training && !framework_training_read(training, &framework->training, error))
		return false;
	if (checked && !framework_checked_read(checked, &framework->checked, error))
		return false;
	const struct json *offers = json_member(root, "offers");
	if (offers && !framework_offers_read(offers, &framework->offers, error))
		return false;
	return !waiting || waiting_read(waiting, framework, error);
}

static bool texts_expect(const struct json *root, struct paradl_error *error)
{
	const struct json *base = json_member(root, "extends"), *list = json_member(root, "assumptions");
	if (base && (base->kind != JSON_STRING || strchr(base->string, '/')))
		return json_error(base, error, "must be the name of a framework beside this one");
	if (list && list->kind != JSON_ARRAY)
		return json_error(list, error, "must be a list of texts");
	for (const struct json *text = list ? list->child : NULL; text; text = text->next)
		if (text->kind != JSON_STRING)
			return json_error(text, error, "must be a text");
	return true;
}

/* Once everything that "extends" names is read. */
static bool staged_holds(
	const struct json *root, const struct paradl_framework *framework, struct paradl_error *error)
{
	const struct json *messages = json_member(root, "messages");
	return (!framework->staged && !framework->stage_staged) || framework->segment_count ||
	       json_error(messages ? messages : root, error, "staged messages need \"segments\"");
}

static bool framework_read(
	const struct json *root, struct paradl_framework *framework, struct paradl_error *error)
{
	return format_expect(root, "paradl-framework", 1, error) && texts_expect(root, error) &&
	       json_read(root, top_fields, COUNT(top_fields), top_keys, framework, error) &&
	       sections_read(root, framework, error) && framework_lists_read(root, framework, error);
}

/* Changes of numbers that any file of the chain has. */
struct chain {
	struct paradl_arena *arena;
	const struct paradl_changes *changes;
	struct change_tally tally;
};

static bool assumptions_read(const struct json *root, struct paradl_arena *arena,
	struct paradl_framework *framework, struct paradl_error *error)
{
	const struct json *const list = json_member(root, "assumptions");
	if (!list)
		return true;
	const char **const texts = arena_alloc(arena, list->count + 1, sizeof *texts);
	if (!texts)
		return error_set(error, PARADL_NO_MEMORY, "out of memory");
	framework->assumption_count = 0;
	for (const struct json *node = list->child; node; node = node->next)
		texts[framework->assumption_count++] = node->string;
	framework->assumptions = texts;
	return true;
}

/* What `extends` names is read first, then overlaid; a chain of a few files, so a cycle shows as depth. */
static bool load_chain(struct chain *chain, const char *path, unsigned depth,
	struct paradl_framework *framework, struct paradl_error *error)
{
	struct paradl_arena *const arena = chain->arena;
	const struct json *const file = json_load(arena, path, error), *root = file;
	if (!root)
		return false;
	const struct json *base = json_member(root, "extends");
	if (base && (base->kind != JSON_STRING || strchr(base->string, '/')))
		return json_error(base, error, "must be the name of a framework beside this one");
	if (base && depth == 8)
		return json_error(base, error, "extends more than 8 frameworks in a row; is there a cycle?");
	if (base) {
		const char *slash = strrchr(path, '/');
		const char *base_path = arena_printf(
			arena, "%.*s%s.json", slash ? (int)(slash - path + 1) : 0, path, base->string);
		if (!base_path || !load_chain(chain, base_path, depth + 1, framework, error))
			return false;
	}
	root = changes_apply(arena, chain->changes, CHANGE_FRAMEWORK, file, depth == 0, &chain->tally, error);
	if (!root ||
		(depth == 0 && !changes_met(chain->changes, CHANGE_FRAMEWORK, file, &chain->tally, error)))
		return false;
	if (!framework_read(root, framework, error) || (depth == 0 && !staged_holds(root, framework, error)))
		return false;
	framework->path = json_path(root);
	return assumptions_read(root, arena, framework, error);
}

const struct paradl_framework *paradl_framework_load(
	struct paradl_arena *arena, const char *path, struct paradl_error *error)
{
	return paradl_framework_load_changed(arena, path, NULL, error);
}

const struct paradl_framework *paradl_framework_load_changed(struct paradl_arena *arena, const char *path,
	const struct paradl_changes *changes, struct paradl_error *error)
{
	struct chain chain = {.arena = arena, .changes = changes};
	struct paradl_framework *framework = arena_alloc(arena, 1, sizeof *framework);
	if (!framework) {
		error_set(error, PARADL_NO_MEMORY, "out of memory");
		return NULL;
	}
	framework->gradient_rings = framework->activation_rings = 1;
	framework->passes = 1;
	framework->pool_messages = true;
	framework->jitter_growth = 0.5;
	framework_training_default(&framework->training);
	framework_offers_default(&framework->offers);
	return load_chain(&chain, path, 0, framework, error) ? framework : NULL;
}

struct paradl_framework_info paradl_framework_info(const struct paradl_framework *framework)
{
	const struct framework_training *const training = &framework->training;
	return (struct paradl_framework_info){
		.name = framework->name,
		.path = framework->path,
		.summary = framework->summary,
		.known_error = framework->known_error,
		.assumption_count = framework->assumption_count,
		.assumptions = framework->assumptions,
		.overlaps = (training->overlap_gradients > 0 ? PARADL_OVERLAP_GRADIENTS : 0U) |
			    (training->overlap_tensor > 0 ? PARADL_OVERLAP_TENSOR : 0U) |
			    (training->overlap_experts > 0 ? PARADL_OVERLAP_EXPERTS : 0U),
	};
}

bool framework_check(struct paradl_arena *arena, const struct json *root, struct paradl_findings *findings,
	struct paradl_error *error)
{
	struct paradl_framework framework = {0};
	return framework_read(root, &framework, error) &&
	       (json_member(root, "extends") || staged_holds(root, &framework, error)) &&
	       origins_check(arena, root, findings, error);
}

bool framework_place(const char *name, struct place *place)
{
	const char *key = place_inside(name, "training");
	if (key)
		return framework_training_place(key, place);
	for (size_t i = 0; i < COUNT(sections); ++i)
		if ((key = place_inside(name, sections[i].key)))
			return place_find(sections[i].fields, sections[i].count, 0, key, place);
	return false;
}
