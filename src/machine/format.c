/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "machine/format.h"
#include "base/error.h"

#include <stdio.h>
#include <string.h>

bool format_expect(const struct json *root, const char *format, unsigned version, struct paradl_error *error)
{
	if (root->kind != JSON_OBJECT)
		return json_error(root, error, "must be an object with \"format\": \"%s\"", format);
	const struct json *node = json_member(root, "format");
	if (!node || node->kind != JSON_STRING)
		return json_error(node ? node : root, error, "needs \"format\": \"%s\"", format);
	if (strcmp(node->string, format) != 0)
		return json_error(
			node, error, "is a \"%s\" file where a \"%s\" file is wanted", node->string, format);
	const struct json *number = json_member(root, "version");
	unsigned found = 0;
	const struct json_field field = {"version", JSON_TO_UNSIGNED, true, 0, 1, 1e6, DIMENSION_NONE, NULL};
	if (!number)
		return json_error(root, error, "needs \"version\": %u", version);
	if (!json_read_value(number, &field, &found, error))
		return false;
	if (found > version)
		return json_error(number, error,
			"is version %u of \"%s\"; this program reads up to version %u", found, format,
			version);
	return true;
}

bool plain_name_expect(
	const struct json *node, const char *name, const char *folder, struct paradl_error *error)
{
	if (*name && !strchr(name, '/'))
		return true;
	if (node)
		return json_error(node, error, "must be the name of a file in %s/, is \"%s\"", folder, name);
	return error_set(error, PARADL_SCHEMA, "\"%s\" is not the name of a file in %s/", name, folder);
}

static const char *const kinds[] = {"datasheet", "measured", "paper", "derived", "assumed"};
enum { KIND_COUNT = sizeof kinds / sizeof *kinds, PATH_SIZE = 128 };
_Static_assert((int)KIND_COUNT == (int)ORIGIN_KINDS, "kinds of origins differ");

static bool has_kind(const char *origin, const char *kind)
{
	const size_t length = strlen(kind);
	return strncmp(origin, kind, length) == 0 &&
	       (origin[length] == '\0' || strchr(" :,;", origin[length]));
}

bool origins_assumed(struct paradl_arena *arena, const struct json *from, const char *const **paths,
	unsigned *count, struct paradl_error *error)
{
	*paths = NULL;
	*count = 0;
	if (!from)
		return true;
	if (from->kind != JSON_OBJECT)
		return json_error(from, error, "must be an object: path of a number to its origin");
	const char **found = arena_alloc(arena, from->count + 1, sizeof *found);
	if (!found)
		return out_of_memory(error);
	for (const struct json *node = from->child; node; node = node->next) {
		if (node->key[0] == '_' || node->key[0] == '$')
			continue;
		if (node->kind != JSON_STRING)
			return json_error(node, error, "must be a text such as \"measured: tool, date\"");
		if (has_kind(node->string, "assumed"))
			found[(*count)++] = node->key;
	}
	*paths = found;
	return true;
}

bool finding_add(struct paradl_arena *arena, struct paradl_findings *findings, const char *warning)
{
	const char **more = arena_alloc(arena, findings->count + 1, sizeof *more);
	if (!more || !warning)
		return false;
	if (findings->count)
		memcpy(more, findings->warnings, findings->count * sizeof *more);
	more[findings->count++] = warning;
	findings->warnings = more;
	return true;
}

const char *origin_of(const struct json *from, const char *path)
{
	char part[PATH_SIZE];
	snprintf(part, sizeof part, "%s", path);
	for (;;) {
		const struct json *const node = from ? json_member(from, part) : NULL;
		if (node && node->kind == JSON_STRING)
			return node->string;
		char *const slash = strrchr(part, '/');
		if (!slash)
			return NULL;
		*slash = '\0';
	}
}

enum origin_kind origin_kind(const char *origin)
{
	for (unsigned i = 0; origin && i < KIND_COUNT; ++i)
		if (has_kind(origin, kinds[i]))
			return (enum origin_kind)i;
	return ORIGIN_ASSUMED;
}

const char *origin_kind_name(enum origin_kind kind)
{
	return kinds[kind];
}

static bool is_comment(const struct json *node)
{
	return node->key && (node->key[0] == '_' || node->key[0] == '$');
}

static bool is_number(const struct json *node)
{
	return node->kind == JSON_NUMBER ||
	       (node->kind == JSON_STRING && node->string[0] >= '0' && node->string[0] <= '9');
}

/* Returns whether a node is a document of its own: a device within a profile has a "from" of its own. */
static bool is_document(const struct json *node)
{
	return json_member(node, "format") != NULL;
}

static bool walk(struct paradl_arena *arena, const struct json *node, const struct json *from,
	const char *prefix, struct paradl_findings *findings)
{
	for (const struct json *child = node->child; child; child = child->next) {
		char path[PATH_SIZE];
		if (is_comment(child) || is_document(child) || (child->key && !strcmp(child->key, "name")) ||
			(!*prefix && child->key &&
				(!strcmp(child->key, "from") || !strcmp(child->key, "version"))))
			continue;
		if (child->key)
			snprintf(path, sizeof path, "%.*s%s%.40s", PATH_SIZE - 48, prefix, *prefix ? "/" : "",
				child->key);
		else
			snprintf(path, sizeof path, "%.*s/%u", PATH_SIZE - 48, prefix, child->index);
		if (is_number(child) && !origin_of(from, path) &&
			!finding_add(arena, findings,
				arena_printf(arena,
					"/%s: no origin; say in \"from\" where the number is from", path)))
			return false;
		if (child->child && !walk(arena, child, from, path, findings))
			return false;
	}
	return true;
}

static const struct json *at_path(const struct json *root, const char *path)
{
	const struct json *node = root;
	while (node && *path) {
		char part[PATH_SIZE];
		const size_t length = strcspn(path, "/");
		snprintf(part, sizeof part, "%.*s", (int)(length < PATH_SIZE ? length : PATH_SIZE - 1), path);
		path += length + (path[length] == '/');
		if (node->kind == JSON_OBJECT) {
			node = json_member(node, part);
		} else {
			const struct json *child = node->child;
			char index[16];
			for (; child; child = child->next) {
				snprintf(index, sizeof index, "%u", child->index);
				if (strcmp(index, part) == 0)
					break;
			}
			node = child;
		}
	}
	return node;
}

static bool origin_check(struct paradl_arena *arena, const struct json *root, const struct json *origin,
	struct paradl_findings *findings)
{
	bool known = false;
	for (int i = 0; i < KIND_COUNT && origin->kind == JSON_STRING; ++i)
		known = known || has_kind(origin->string, kinds[i]);
	if (!known &&
		!finding_add(arena, findings,
			arena_printf(arena,
				"/from/%s: an origin starts with datasheet, measured, paper, derived or "
				"assumed",
				origin->key)))
		return false;
	return at_path(root, origin->key) ||
	       finding_add(
		       arena, findings, arena_printf(arena, "/from/%s: there is no such value", origin->key));
}

bool origins_check(struct paradl_arena *arena, const struct json *root, struct paradl_findings *findings,
	struct paradl_error *error)
{
	return origins_check_within(arena, root, root, findings, error);
}

bool origins_check_within(struct paradl_arena *arena, const struct json *root, const struct json *whole,
	struct paradl_findings *findings, struct paradl_error *error)
{
	const struct json *from = json_member(root, "from");
	const char *const *assumed;
	unsigned assumed_count;
	if (!origins_assumed(arena, from, &assumed, &assumed_count, error))
		return false;
	findings->warnings = NULL;
	findings->count = 0;
	bool fine = walk(arena, root, from, "", findings);
	for (const struct json *node = from ? from->child : NULL; fine && node; node = node->next)
		fine = is_comment(node) || origin_check(arena, whole, node, findings);
	return fine || out_of_memory(error);
}

const char *place_inside(const char *name, const char *block)
{
	const size_t length = strlen(block);
	return strncmp(name, block, length) == 0 && name[length] == '.' ? name + length + 1 : NULL;
}

bool place_find(
	const struct json_field *fields, size_t count, size_t offset, const char *key, struct place *place)
{
	for (size_t i = 0; i < count; ++i) {
		const struct json_field *field = &fields[i];
		if (strcmp(field->key, key) != 0 ||
			(field->type != JSON_TO_DOUBLE && field->type != JSON_TO_QUANTITY))
			continue;
		*place = (struct place){.field = field, .offsets = {offset + field->offset}, .count = 1};
		return true;
	}
	return false;
}
