/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ties a device that nobody has measured to another one, as far as that stands for it: "tied_to" of a device file
 * names the other file. Numbers that the file lacks come from there, times the "factors", so that a new fit of the
 * other device moves them too. A chain of ties has one link: the other file is tied to none.
 */
#include <string.h>

#include "base/changes.h"
#include "base/error.h"
#include "machine/device.h"
#include "machine/format.h"
#include "machine/machine.h"

static const struct json_field tie_fields[] = {
	{"device", JSON_TO_TEXT, true, offsetof(struct device_tie, device), 0, 0, DIMENSION_NONE, NULL},
	{"reason", JSON_TO_TEXT, true, offsetof(struct device_tie, reason), 0, 0, DIMENSION_NONE, NULL},
};
static const char *const tie_keys[] = {"factors", "without", NULL};

bool device_tie_read(const struct json *root, struct device_tie *tie, struct paradl_error *error)
{
	const struct json *node = json_member(root, "tied_to");
	*tie = (struct device_tie){.device = NULL};
	if (!node)
		return true;
	if (!json_read(node, tie_fields, sizeof tie_fields / sizeof *tie_fields, tie_keys, tie, error))
		return false;
	const struct json *factors = json_member(node, "factors"), *without = json_member(node, "without");
	if (factors && factors->kind != JSON_OBJECT)
		return json_error(factors, error, "must be an object, such as {\"product/sustained\": 0.9}");
	if (without && without->kind != JSON_ARRAY)
		return json_error(without, error, "must be an array of keys, such as [\"link\"]");
	return plain_name_expect(json_member(node, "device"), tie->device, "devices", error);
}

const char *device_tie_path(
	struct paradl_arena *arena, const struct json *root, const char *name, const char *const *directories)
{
	static const char folder[] = "devices";
	const char *const path = json_path(root), *const slash = strrchr(path, '/');
	const size_t length = sizeof folder - 1, before = slash ? (size_t)(slash - path) : 0;
	const bool is_device = before >= length && strncmp(slash - length, folder, length) == 0 &&
			       (before == length || slash[-(long)length - 1] == '/');
	const char *const profile =
		is_device ? arena_printf(arena, "%.*sx", (int)(before - length), path) : path;
	return profile ? beside_or_shipped(arena, profile, folder, name, directories) : NULL;
}

bool device_missing(struct paradl_arena *arena, const struct json *node, const char *name,
	const char *const *directories, struct paradl_error *error)
{
	struct paradl_error missing = {.status = PARADL_OK};
	const bool is_looked_up = directories && *directories &&
				  !paradl_find(arena, name, "hw-profiles/devices", directories, &missing);
	if (is_looked_up)
		json_error(node, error, "%s", missing.message);
	else
		json_error(node, error, "there is no device \"%s\"", name);
	if (error)
		error->status = PARADL_IO;
	return error_hint(error, "'paradl list devices' shows the names; the file of a device of your own "
				 "lies in devices/ beside "
				 "the machine's");
}

/* Returns the other tree times the factors; NULL with an error. */
static const struct json *scaled(struct paradl_arena *arena, const struct json *node,
	const struct json *other, struct paradl_error *error)
{
	const struct json *factors = json_member(node, "factors");
	struct paradl_changes *changes = arena_alloc(arena, 1, sizeof *changes);
	if (!changes)
		return out_of_memory_null(error);
	if (!factors)
		return other;
	for (const struct json *factor = factors->child; factor; factor = factor->next) {
		char *key = arena_copy(arena, factor->key, strlen(factor->key));
		const char *text = arena_printf(arena, "%s: tied_to: %s", json_path(node), factor->key);
		if (!key || !text)
			return out_of_memory_null(error);
		if (factor->kind != JSON_NUMBER || !(factor->number > 0) || changes->count == CHANGES_MAX) {
			json_error(factor, error, "must be a number above 0, such as 0.9");
			return NULL;
		}
		for (char *slash = key; (slash = strchr(slash, '/'));)
			*slash = '.';
		changes->items[changes->count++] = (struct change){
			.scope = CHANGE_DEVICE, .text = text, .key = key, .factor = factor->number};
	}
	return changes_apply_all(arena, changes, CHANGE_DEVICE, other, error);
}

/* Returns the other tree without the keys that are never taken from it, and without those that "without" lists. */
static const struct json *stripped(struct paradl_arena *arena, const struct json *node,
	const struct json *other, struct paradl_error *error)
{
	static const char *const own[] = {"format", "version", "name", "from", "tied_to"};
	enum { OWN = sizeof own / sizeof *own };
	const struct json *without = json_member(node, "without");
	const char **keys =
		arena_alloc(arena, (size_t)OWN + (without ? without->count : 0) + 1, sizeof *keys);
	unsigned count = OWN;
	if (!keys)
		return out_of_memory_null(error);
	memcpy(keys, own, sizeof own);
	for (const struct json *key = without ? without->child : NULL; key; key = key->next) {
		if (key->kind != JSON_STRING || !json_member(other, key->string)) {
			json_error(key, error, "must be a key of %s, such as \"link\"", json_path(other));
			return NULL;
		}
		keys[count++] = key->string;
	}
	const struct json *rest = json_without(arena, other, keys);
	return rest ? rest : out_of_memory_null(error);
}

/* Returns whether the block that "product/units" is in comes from the other device. */
static bool is_taken(const struct json *other, const char *path)
{
	const size_t length = strcspn(path, "/");
	for (const struct json *key = other->child; key; key = key->next)
		if (strncmp(key->key, path, length) == 0 && !key->key[length])
			return true;
	return false;
}

/* Appends an origin to a list that has room for it. */
static void said_add(
	struct json *said, unsigned *count, const struct json *root, const char *key, const char *text)
{
	said[*count] = (struct json){
		.kind = JSON_STRING, .key = key, .string = text, .index = *count, .document = root->document};
	if (*count)
		said[*count - 1].next = &said[*count];
	++*count;
}

/*
 * Returns the tied file's tree with a full "from": the file's own origins, and for each number from the other file,
 * whose "from" is `theirs`, that it comes from there: assumed where it is assumed there, else derived. NULL with an
 * error.
 */
static const struct json *origins(struct paradl_arena *arena, const struct device_tie *tie,
	const struct json *root, const struct json *other, const struct json *theirs,
	struct paradl_error *error)
{
	static const char *const from_alone[] = {"from", NULL};
	const struct json *own = json_member(root, "from");
	struct json *whole = arena_alloc(arena, 1, sizeof *whole),
		    *from = arena_alloc(arena, 1, sizeof *from);
	struct json *said =
		arena_alloc(arena, (size_t)other->count + (theirs ? theirs->count : 0) + 1, sizeof *said);
	const char *derived = arena_printf(arena, "derived: as %s, %s", tie->device, tie->reason);
	const char *assumed = arena_printf(arena, "assumed: as %s, %s", tie->device, tie->reason);
	const struct json *bare = json_without(arena, root, from_alone);
	unsigned count = 0;
	if (!whole || !from || !said || !derived || !assumed || !bare)
		return out_of_memory_null(error);
	for (const struct json *key = other->child; key; key = key->next)
		if (!(own && json_member(own, key->key)) && !(theirs && json_member(theirs, key->key)))
			said_add(said, &count, root, key->key, assumed);
	for (const struct json *key = theirs ? theirs->child : NULL; key; key = key->next)
		if (key->kind == JSON_STRING && is_taken(other, key->key) &&
			!(own && json_member(own, key->key)))
			said_add(said, &count, root, key->key,
				origin_kind(key->string) == ORIGIN_ASSUMED ? assumed : derived);
	*from = (struct json){.kind = JSON_OBJECT,
		.key = "from",
		.child = count ? said : NULL,
		.count = count,
		.document = root->document};
	*whole = (struct json){.kind = JSON_OBJECT, .child = from, .count = 1, .document = root->document};
	return json_overlay(arena, whole, root);
}

const struct json *device_tied(struct paradl_arena *arena, const struct json *root,
	const char *const *directories, struct paradl_error *error)
{
	struct device_tie tie;
	const struct json *node = json_member(root, "tied_to");
	if (!device_tie_read(root, &tie, error))
		return NULL;
	if (!tie.device)
		return root;
	const char *path = device_tie_path(arena, root, tie.device, directories);
	const struct json *other = path ? json_load(arena, path, error) : out_of_memory_null(error);
	if (!other) {
		if (error && error->status == PARADL_IO)
			device_missing(arena, json_member(node, "device"), tie.device, directories, error);
		return NULL;
	}
	if (json_member(other, "tied_to")) {
		json_error(json_member(node, "device"), error, "%s is itself tied to another device",
			tie.device);
		error_hint(error, "name the one that owns the numbers");
		return NULL;
	}
	const struct json *const theirs = json_member(other, "from");
	if (!(other = scaled(arena, node, other, error)) || !(other = stripped(arena, node, other, error)))
		return NULL;
	const struct json *own = origins(arena, &tie, root, other, theirs, error);
	const struct json *merged = own ? json_overlay(arena, other, own) : NULL;
	return merged ? merged : out_of_memory_null(error);
}

/* Returns whether "product/sustained" is the start of "product.sustained.bf16". */
static bool is_within(const char *name, const char *path)
{
	while (*path && *name == (*path == '/' ? '.' : *path)) {
		++path;
		++name;
	}
	return !*path && (!*name || *name == '.');
}

bool device_tie_factor(const struct json *root, const char *name, double *factor)
{
	const struct json *node = json_member(root, "tied_to");
	const struct json *without = node ? json_member(node, "without") : NULL;
	const struct json *factors = node ? json_member(node, "factors") : NULL;
	for (const struct json *key = without ? without->child : NULL; key; key = key->next)
		if (key->kind == JSON_STRING && is_within(name, key->string))
			return false;
	for (const struct json *key = factors ? factors->child : NULL; key; key = key->next)
		if (is_within(name, key->key))
			*factor *= key->number;
	return node;
}
