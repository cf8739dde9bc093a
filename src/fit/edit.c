/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Changes a JSON text at one place and leaves the rest alone. */
#include "fit/profile_edit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/quantity.h"

static const char blanks[] = " \t\n\r";

bool edit_load(struct edit *edit, struct paradl_arena *arena, const char *from, const char *path,
	struct paradl_error *error)
{
	*edit = (struct edit){.arena = arena, .path = path};
	edit->text = file_read(arena, from, JSON_SIZE_LIMIT, &edit->length, error);
	return edit->text != NULL;
}

bool edit_save(struct edit *edit, struct paradl_error *error)
{
	struct file_output output;
	if (!file_create(&output, edit->path, error))
		return false;
	(void)fwrite(
		edit->text, 1, edit->length, output.file); /* committing finds what went wrong, and why */
	return file_commit(&output, error);
}

bool edit_locate(const struct edit *edit, const char *pointer, size_t *offset, size_t *size)
{
	return json_locate_text(edit->text, edit->length, pointer, offset, size);
}

bool edit_splice(struct edit *edit, size_t offset, size_t size, const char *text, struct paradl_error *error)
{
	const size_t added = strlen(text), rest = edit->length - offset - size;
	char *result = arena_alloc(edit->arena, edit->length - size + added + 1, 1);
	if (!result)
		return out_of_memory(error);
	memcpy(result, edit->text, offset);
	memcpy(result + offset, text, added); /* NOLINT(bugprone-not-null-terminated-result): more follows */
	memcpy(result + offset + added, edit->text + offset + size, rest);
	edit->text = result;
	edit->length += added - size;
	return true;
}

static bool is_index(const char *token)
{
	return *token && !token[strspn(token, "0123456789")];
}

/*
 * Returns the value wrapped in objects and lists for all tokens of a pointer but the first: for "half/m" it is
 * { "m": value }, the value of "half". NULL when out of memory.
 */
static const char *wrapped(struct paradl_arena *arena, const char *tokens, const char *value)
{
	char rest[EDIT_PATH_LENGTH];
	snprintf(rest, sizeof rest, "%s", tokens);
	for (char *slash; value && (slash = strrchr(rest, '/')); *slash = '\0')
		value = is_index(slash + 1) ? arena_printf(arena, "[ %s ]", value)
					    : arena_printf(arena, "{ \"%s\": %s }", slash + 1, value);
	return value;
}

/* Adds `added` at the end of the container of `size` bytes at `offset`, laid out as its other elements. */
static bool edit_append(
	struct edit *edit, size_t offset, size_t size, const char *added, struct paradl_error *error)
{
	const char *container = edit->text + offset;
	const size_t first = strspn(container + 1, blanks);
	size_t end = size - 1;
	while (end > 1 && strchr(blanks, container[end - 1]))
		--end;
	const bool is_empty = 1 + first == size - 1;
	const bool in_lines = memchr(container + end, '\n', size - 1 - end) != NULL;
	const char *text;
	if (is_empty) /* the blanks between the brackets indent the closing one */
		text = in_lines ? arena_printf(edit->arena, "%.*s  %s%.*s", (int)first, container + 1, added,
					  (int)first, container + 1)
				: arena_printf(edit->arena, " %s ", added);
	else
		text = in_lines ? arena_printf(edit->arena, ",%.*s%s", (int)first, container + 1, added)
				: arena_printf(edit->arena, ", %s", added);
	if (!text)
		return out_of_memory(error);
	return edit_splice(edit, offset + (is_empty ? 1 : end), is_empty ? size - 2 : 0, text, error);
}

/* Adds a member to the whole file, before the origins ("from") where there are any. */
static bool insert_before_origins(struct edit *edit, const char *added, struct paradl_error *error)
{
	size_t offset, size;
	if (!edit_locate(edit, "/from", &offset, &size))
		return edit_locate(edit, "", &offset, &size) && edit_append(edit, offset, size, added, error);
	while (offset > 0 && strncmp(edit->text + offset, "\"from\"", 6) != 0)
		--offset;
	const char *text = arena_printf(edit->arena, "%s,\n  ", added);
	return text ? edit_splice(edit, offset, 0, text, error) : out_of_memory(error);
}

/* Adds the value of a pointer whose last existing ancestor is `pointer` cut off at `slash`. */
static bool make(struct edit *edit, char *pointer, char *slash, const char *value, struct paradl_error *error)
{
	size_t offset, size;
	char *token = slash + 1;
	const char *made = wrapped(edit->arena, token, value);
	*slash = '\0';
	if (!edit_locate(edit, pointer, &offset, &size) || !strchr("{[", edit->text[offset]))
		return error_at(error, PARADL_SCHEMA, edit->path, 0, 0, "%s has no place for %s",
			*pointer ? pointer : "the file", token);
	token[strcspn(token, "/")] = '\0';
	const bool is_list = edit->text[offset] == '[';
	const char *added = !made     ? NULL
			    : is_list ? made
				      : arena_printf(edit->arena, "\"%s\": %s", token, made);
	if (!added)
		return out_of_memory(error);
	return *pointer ? edit_append(edit, offset, size, added, error)
			: insert_before_origins(edit, added, error);
}

bool edit_put(struct edit *edit, const char *pointer, const char *value, struct paradl_error *error)
{
	char ancestor[EDIT_PATH_LENGTH], whole[EDIT_PATH_LENGTH];
	size_t offset, size;
	if (!value)
		return out_of_memory(error);
	if (edit_locate(edit, pointer, &offset, &size))
		return edit_splice(edit, offset, size, value, error);
	if (snprintf(whole, sizeof whole, "%s", pointer) >= (int)sizeof whole)
		return error_at(error, PARADL_SCHEMA, edit->path, 0, 0, "%s is too long a name", pointer);
	snprintf(ancestor, sizeof ancestor, "%s", pointer);
	for (char *slash; (slash = strrchr(ancestor, '/'));) {
		*slash = '\0';
		if (edit_locate(edit, ancestor, &offset, &size))
			return make(edit, whole, whole + (slash - ancestor), value, error);
	}
	return error_at(error, PARADL_SCHEMA, edit->path, 0, 0, "has no place for %s", pointer);
}

/* Removes a member and its comma from its object; does nothing where it is not there. */
static bool edit_remove(struct edit *edit, const char *pointer, struct paradl_error *error)
{
	size_t begin, size;
	if (!edit_locate(edit, pointer, &begin, &size))
		return true;
	size_t end = begin + size;
	while (begin > 0 && edit->text[begin - 1] != ':')
		--begin;
	while (begin > 0 && edit->text[begin - 1] != '"')
		--begin;
	begin -= begin > 1 ? 2 : 0; /* inside the key, before the quote that ends it */
	while (begin > 0 && (edit->text[begin] != '"' || edit->text[begin - 1] == '\\'))
		--begin;
	const size_t after = end + strspn(edit->text + end, blanks);
	if (edit->text[after] == ',') {
		end = after + 1 + strspn(edit->text + after + 1, blanks);
	} else {
		while (begin > 0 && strchr(blanks, edit->text[begin - 1]))
			--begin;
		begin -= begin > 0 && edit->text[begin - 1] == ',';
	}
	return edit_splice(edit, begin, end - begin, "", error);
}

/* Returns the unit for a quantity that has none yet: the largest in which it is at least 1. */
static const char *suitable_unit(double value, enum dimension dimension)
{
	static const struct {
		enum dimension dimension;
		double one;
		const char *unit;
	} units[] = {
		{DIMENSION_TIME, 1, " s"},
		{DIMENSION_TIME, 1e-3, " ms"},
		{DIMENSION_TIME, 1e-6, " us"},
		{DIMENSION_TIME, 0, " ns"},
		{DIMENSION_BYTES, 1ul << 30, " GiB"},
		{DIMENSION_BYTES, 1 << 20, " MiB"},
		{DIMENSION_BYTES, 1 << 10, " KiB"},
		{DIMENSION_BYTES, 0, " B"},
		{DIMENSION_BYTES_PER_S, 1e9, " GB/s"},
		{DIMENSION_BYTES_PER_S, 1e6, " MB/s"},
		{DIMENSION_BYTES_PER_S, 0, " kB/s"},
		{DIMENSION_FLOP, 0, " flop"},
		{DIMENSION_FLOP_PER_S, 1e12, " Tflop/s"},
		{DIMENSION_FLOP_PER_S, 0, " Gflop/s"},
		{DIMENSION_POWER, 0, " W"},
	};
	size_t i = 0;
	while (units[i].dimension != dimension || value < units[i].one)
		++i;
	return units[i].unit;
}

/*
 * Rounds a number to significant digits and writes it without an exponent where fifteen digits do: 10180, not
 * 1.018e+04.
 */
const char *edit_rounded(char text[DECIMAL_LENGTH], double value, int digits)
{
	const char *end;
	double rounded;
	if (!decimal_read(decimal_general(text, DECIMAL_LENGTH, value, digits), 0, &rounded, &end))
		return text;
	return decimal_shortest(text, DECIMAL_LENGTH, rounded);
}

const char *edit_number(struct paradl_arena *arena, const char *old, size_t size, double value,
	enum dimension dimension, int digits, struct paradl_error *error)
{
	char number[DECIMAL_LENGTH];
	double one;
	const char *unit = NULL;
	if (dimension == DIMENSION_NONE)
		return arena_text(arena, edit_rounded(number, value, digits));
	if (old && size > 2 && *old == '"') {
		const char *text = arena_copy(arena, old + 1, size - 2);
		if (!text)
			return NULL;
		if (!decimal_read(text, 0, &one, &unit))
			unit = text;
	} else {
		unit = suitable_unit(value, dimension);
	}
	const char *unity = arena_printf(arena, "1%s", unit);
	if (!unity || !quantity_parse(unity, dimension, "value", &one, error))
		return NULL;
	return arena_printf(arena, "\"%s%s\"", edit_rounded(number, value / one, digits), unit);
}

const char *edit_quote(struct paradl_arena *arena, const char *text)
{
	char *quoted = arena_alloc(arena, 2 * strlen(text) + 3, 1), *out = quoted;
	if (!quoted)
		return NULL;
	*out++ = '"';
	for (; *text; ++text) {
		if (*text == '"' || *text == '\\')
			*out++ = '\\';
		*out++ = (char)((unsigned char)*text < ' ' ? ' ' : *text);
	}
	*out = '"';
	return quoted;
}

/* Reads and changes the origins of a profile's numbers: the members of its "from". */

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
