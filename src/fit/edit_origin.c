/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads and changes the origins of a profile's numbers: the members of its "from". */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "fit/edit.h"

const char *edit_origin(const struct json *root, const char *key)
{
	char part[EDIT_PATH_LENGTH];
	const struct json *from = json_member(root, "from");
	snprintf(part, sizeof part, "%s", key);
	for (;;) {
		const struct json *said = from ? json_member(from, part) : NULL;
		if (said && said->kind == JSON_STRING)
			return said->string;
		char *slash = strrchr(part, '/');
		if (!slash)
			return NULL;
		*slash = '\0';
	}
}

/* Returns the pointer to an origin, in which '/' of its key is "~1" and '~' is "~0"; NULL when out of memory. */
static const char *origin_pointer(struct paradl_arena *arena, const char *key)
{
	static const char folder[] = "/from/";
	char *text = arena_alloc(arena, 2 * strlen(key) + sizeof folder, 1);
	if (!text)
		return NULL;
	memcpy(text, folder, sizeof folder - 1);
	for (char *out = text + sizeof folder - 1; *key; ++key) {
		const bool is_special = *key == '/' || *key == '~';
		*out++ = (char)(is_special ? '~' : *key);
		if (is_special)
			*out++ = (char)(*key == '/' ? '1' : '0');
	}
	return text;
}

bool edit_put_origin(struct edit *edit, const char *key, const char *said, struct paradl_error *error)
{
	size_t offset, size;
	const char *own = origin_pointer(edit->arena, key), *quoted = edit_quote(edit->arena, said);
	if (!own || !quoted)
		return out_of_memory(error);
	if (edit_locate(edit, own, &offset, &size))
		return edit_splice(edit, offset, size, quoted, error);
	if (!edit_locate(edit, "/from", &offset, &size)) {
		const char *block = arena_printf(edit->arena, "{\n    \"%s\": %s\n  }", key, quoted);
		return edit_put(edit, "/from", block, error);
	}
	if (edit->text[offset] != '{')
		return error_at(error, PARADL_SCHEMA, edit->path, 0, 0, "has no \"from\"");
	const char *text = arena_printf(edit->arena, "\"%s\": %s", key, quoted);
	return text ? edit_append(edit, offset, size, text, error) : out_of_memory(error);
}

bool edit_remove_origins(struct edit *edit, const char *key, struct paradl_error *error)
{
	const size_t length = strlen(key);
	const struct json *root = json_parse(edit->arena, edit->text, edit->length, edit->path, error);
	const struct json *from = root ? json_member(root, "from") : NULL;
	for (const struct json *node = from ? from->child : NULL; node; node = node->next) {
		if (strncmp(node->key, key, length) != 0 || (node->key[length] && node->key[length] != '/'))
			continue;
		const char *pointer = origin_pointer(edit->arena, node->key);
		if (!pointer)
			return out_of_memory(error);
		if (!edit_remove(edit, pointer, error))
			return false;
	}
	return root != NULL;
}
