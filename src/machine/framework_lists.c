/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the parts of a framework file that are lists of names: split tables, blocking axes, quirks of measured
 * programs.
 */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/names.h"
#include "machine/format.h"
#include "machine/framework.h"

const char *const framework_axis_names[PARADL_AXIS_COUNT] = {
	"data", "pipeline", "expert", "context", "tensor", "filter", "channel", "spatial"};

/* Names of layer classes, in the order of the model's, which a test compares. */
static const char *const class_names[] = {"conv", "linear", "norm", "pool", "act", "add", "multiply",
	"concat", "upsample", "flatten", "reshape", "dropout", "loss", "custom", "embedding", "held",
	"attention", "recurrent", "mlp", "moe", "head"};
enum { CLASS_COUNT = sizeof class_names / sizeof *class_names };

bool framework_name_read(
	const struct json *node, const char *const *names, int count, int *index, struct paradl_error *error)
{
	if (node->kind != JSON_STRING)
		return json_error(node, error, "must be a name in quotes");
	*index = (int)name_index(node->string, names, (size_t)count);
	if (*index < count)
		return true;
	return json_error(node, error, "unknown name \"%s\"%s", node->string,
		suggestion_of(node->string, names, (size_t)count).clause);
}

bool axes_parse(const char *text, unsigned *axes)
{
	*axes = 0;
	if (strcmp(text, "serial") == 0)
		return true;
	while (*text) {
		char name[16];
		const size_t length = strcspn(text, "+");
		if (length == 0 || length >= sizeof name)
			return false;
		memcpy(name, text, length);
		name[length] = '\0';
		const unsigned axis = (unsigned)name_index(name, framework_axis_names, PARADL_AXIS_COUNT);
		if (axis == PARADL_AXIS_COUNT || *axes & 1u << axis)
			return false;
		*axes |= 1u << axis;
		text += length;
		if (*text && !*++text)
			return false;
	}
	return *axes != 0;
}

static bool list_expect(const struct json *node, struct paradl_error *error)
{
	return node->kind == JSON_ARRAY || json_error(node, error, "must be a list of names");
}

static bool split_read(
	const struct json *node, struct paradl_framework *framework, struct paradl_error *error)
{
	if (node->kind != JSON_OBJECT)
		return json_error(node, error, "must be an object: axis to a list of layer types");
	for (const struct json *axis = node->child; axis; axis = axis->next) {
		if (axis->key[0] == '_' || axis->key[0] == '$')
			continue;
		const size_t row = name_index(axis->key, framework_axis_names, PARADL_AXIS_COUNT);
		if (row == PARADL_AXIS_COUNT)
			return json_error(axis, error,
				"unknown axis \"%s\"; axes are data, pipeline, expert, context, tensor, "
				"filter, channel, spatial",
				axis->key);
		if (!list_expect(axis, error))
			return false;
		memset(framework->splits[row], 0, sizeof framework->splits[row]);
		for (const struct json *name = axis->child; name; name = name->next) {
			int column = 0;
			if (!framework_name_read(name, class_names, CLASS_COUNT, &column, error))
				return false;
			framework->splits[row][column] = true;
		}
	}
	return true;
}

bool blocking_read(const struct json *node, struct rules *rules, struct paradl_error *error)
{
	if (!list_expect(node, error))
		return false;
	memset(rules->blocking, 0, sizeof rules->blocking);
	for (const struct json *name = node->child; name; name = name->next) {
		int axis = 0;
		if (!framework_name_read(name, framework_axis_names, PARADL_AXIS_COUNT, &axis, error))
			return false;
		rules->blocking[axis] = true;
	}
	return true;
}

static bool families_read(const struct json *node, bool *families, struct paradl_error *error)
{
	for (const struct json *name = node->child; name; name = name->next) {
		unsigned axes;
		if (name->kind != JSON_STRING || !axes_parse(name->string, &axes))
			return json_error(name, error, "must be a family of axes such as \"data+spatial\"");
		families[axes] = true;
	}
	return true;
}

static bool input_read(
	const struct json *node, struct paradl_framework *framework, struct paradl_error *error)
{
	struct input_quirk *quirk = &framework->inputs[framework->input_count];
	struct keys {
		const struct json *families, *extent;
	} keys = {NULL, NULL};
	static const struct json_field fields[] = {
		{"families", JSON_TO_ARRAY, true, offsetof(struct keys, families), 0, 0, DIMENSION_NONE,
			NULL},
		{"extent", JSON_TO_ARRAY, true, offsetof(struct keys, extent), 0, 0, DIMENSION_NONE, NULL},
	};
	const struct json_field number = {"extent", JSON_TO_UNSIGNED, true, 0, 1, 1e6, DIMENSION_NONE, NULL};
	*quirk = (struct input_quirk){0};
	if (!json_read(node, fields, 2, NULL, &keys, error))
		return false;
	const struct json *extent = keys.extent;
	if (extent->count < 1 || extent->count > 3)
		return json_error(extent, error, "must have 1 to 3 numbers");
	for (const struct json *child = extent->child; child; child = child->next)
		if (!json_read_value(child, &number, &quirk->extent[child->index], error))
			return false;
	++framework->input_count;
	return families_read(keys.families, quirk->families, error);
}

static bool padded_pool_read(
	const struct json *node, struct paradl_framework *framework, struct paradl_error *error)
{
	static const char *const kinds[] = {"max", "avg"}; /* as the model's layers have them */
	int kind = 0;
	if (!framework_name_read(node, kinds, 2, &kind, error))
		return false;
	framework->padded_pools |= 1u << kind;
	return true;
}

static bool unsynchronised_read(
	const struct json *node, struct paradl_framework *framework, struct paradl_error *error)
{
	int axis = 0;
	if (!framework_name_read(node, framework_axis_names, PARADL_AXIS_COUNT, &axis, error))
		return false;
	framework->unsynchronised |= 1u << axis;
	return true;
}

/* Refuses keys that named models: the behaviour of a network follows from its layers and the plan. */
static bool no_model_named(const struct json *quirks, struct paradl_error *error)
{
	static const struct {
		const char *key, *hint;
	} removed[] = {
		{"gather_after",
			"spatial pieces are gathered before the first layer that cannot hold them, or "
			"where the plan says so: spatial=4,gather=LAYER"},
		{"pool_halo", "\"pool_padding\": [\"max\"] pads the poolings of a kind whose windows tile "
			      "the rows"},
	};
	for (size_t i = 0; i < sizeof removed / sizeof *removed; ++i) {
		const struct json *node = json_member(quirks, removed[i].key);
		if (!node)
			continue;
		json_error(node, error, "profiles name no models any more");
		error_hint(error, "%s", removed[i].hint);
		return false;
	}
	return true;
}

static bool each(const struct json *list, struct paradl_framework *framework,
	bool (*read)(const struct json *, struct paradl_framework *, struct paradl_error *),
	struct paradl_error *error)
{
	if (list->kind != JSON_ARRAY || list->count > QUIRKS_MAX)
		return json_error(list, error, "must be a list of at most %d", QUIRKS_MAX);
	for (const struct json *node = list->child; node; node = node->next)
		if (!read(node, framework, error))
			return false;
	return true;
}

static bool quirks_read(
	const struct json *node, struct paradl_framework *framework, struct paradl_error *error)
{
	static const struct json_field fields[] = {
		{"pool_messages", JSON_TO_BOOL, false, offsetof(struct paradl_framework, pool_messages), 0, 0,
			DIMENSION_NONE, NULL},
	};
	static const char *const keys[] = {"inputs", "pool_padding", "unsynchronised", NULL};
	const struct json *inputs = json_member(node, "inputs"), *pools = json_member(node, "pool_padding");
	const struct json *early = json_member(node, "unsynchronised");
	if (!no_model_named(node, error) || !json_read(node, fields, 1, keys, framework, error))
		return false;
	framework->input_count = inputs ? 0 : framework->input_count;
	framework->padded_pools = pools ? 0 : framework->padded_pools;
	framework->unsynchronised = early ? 0 : framework->unsynchronised;
	return (!inputs || each(inputs, framework, input_read, error)) &&
	       (!early || each(early, framework, unsynchronised_read, error)) &&
	       (!pools || each(pools, framework, padded_pool_read, error));
}

/* Reads names of algorithms only: their meaning is known where collectives are. */
static bool algorithms_read(
	const struct json *node, struct paradl_framework *framework, struct paradl_error *error)
{
	framework->any_algorithm = node->kind == JSON_STRING && strcmp(node->string, "library") == 0;
	framework->algorithm_count = 0;
	if (framework->any_algorithm)
		return true;
	if (node->kind != JSON_ARRAY || node->count > ALGORITHMS_MAX)
		return json_error(
			node, error, "must be \"library\" or a list of at most %d names", ALGORITHMS_MAX);
	for (const struct json *name = node->child; name; name = name->next) {
		if (name->kind != JSON_STRING)
			return json_error(name, error, "must be the name of a collective");
		framework->algorithms[framework->algorithm_count++] = name->string;
	}
	return true;
}

bool framework_lists_read(
	const struct json *root, struct paradl_framework *framework, struct paradl_error *error)
{
	const struct json *split = json_member(root, "split"), *quirks = json_member(root, "quirks");
	const struct json *algorithms = json_member(root, "algorithms");
	return (!split || split_read(split, framework, error)) &&
	       (!algorithms || algorithms_read(algorithms, framework, error)) &&
	       (!quirks || quirks_read(quirks, framework, error));
}

/* Takes the origin of the tokens of a step where a file has the number; changes of the user's have none. */
static void chunk_origin_read(
	const struct json *root, const struct json *changed, struct paradl_framework *framework)
{
	const struct json *const rules = json_member(changed, "rules"), *const before =
										json_member(root, "rules");
	const struct json *const from = json_member(changed, "from");
	const struct json *const is = rules ? json_member(rules, "serve_chunk") : NULL;
	const struct json *const was = before ? json_member(before, "serve_chunk") : NULL;
	if (!is)
		return;
	const bool same = was && !(is->number < was->number) && !(is->number > was->number);
	framework->chunk_origin = same ? origin_of(from, "rules/serve_chunk") : "set by you";
}

bool framework_origins_read(const struct json *root, const struct json *changed, struct paradl_arena *arena,
	struct paradl_framework *framework, struct paradl_error *error)
{
	const struct json *const from = json_member(changed, "from");
	const char *const *own;
	unsigned count;
	chunk_origin_read(root, changed, framework);
	if (!from)
		return true;
	if (!origins_assumed(arena, from, &own, &count, error))
		return false;
	const char **const all = arena_alloc(arena, framework->assumed_count + count + 1, sizeof *all);
	if (!all)
		return out_of_memory(error);
	unsigned kept = 0;
	for (unsigned i = 0; i < framework->assumed_count; ++i)
		if (!json_member(from, framework->assumed[i]))
			all[kept++] = framework->assumed[i];
	memcpy(all + kept, own, count * sizeof *own);
	framework->assumed = all;
	framework->assumed_count = kept + count;
	return true;
}
