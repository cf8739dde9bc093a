/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Puts constants into profiles. Only the numbers change, in the unit that the file writes them in, and under "from" what
 * they rest on; everything else of the text stays as it is.
 */
#include <stdio.h>
#include <string.h>

#include "base/decimal.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/json_locate.h"
#include "fit/fit.h"

enum { DIGITS = 4, PATH_LENGTH = 160 };

static const char origin[] = "measured: fit to published training times";

/* A profile on its way. */
struct edit {
	struct paradl_arena *arena;
	const char *path;
	const char *text;
	size_t length;
};

static bool out_of_memory(struct paradl_error *error)
{
	return error_set(error, PARADL_NO_MEMORY, "out of memory");
}

static bool splice(
	struct edit *edit, size_t offset, size_t size, const char *text, struct paradl_error *error)
{
	const size_t added = strlen(text), rest = edit->length - offset - size;
	const char *result = arena_printf(edit->arena, "%.*s%s%.*s", (int)offset, edit->text, text, (int)rest,
		edit->text + offset + size);
	if (!result)
		return out_of_memory(error);
	edit->text = result;
	edit->length += added - size;
	return true;
}

/* "product.wave" as "/product/wave" */
static bool pointer_of(const char *name, char pointer[PATH_LENGTH])
{
	size_t length = strlen(name);
	if (length + 2 > PATH_LENGTH)
		return false;
	pointer[0] = '/';
	memcpy(pointer + 1, name, length + 1);
	for (char *dot = pointer; *dot; ++dot)
		if (*dot == '.')
			*dot = '/';
	return true;
}

/* The value as the file writes such values: "2.5 us" keeps its microseconds. */
static const char *number_text(struct edit *edit, const char *old, size_t size, double value,
	const struct json_field *field, struct paradl_error *error)
{
	char number[DECIMAL_LENGTH];
	double one;
	const char *end;
	if (field->type != JSON_TO_QUANTITY)
		return arena_text(edit->arena, decimal_general(number, sizeof number, value, DIGITS));
	const char *text = arena_copy(edit->arena, old + 1, size > 2 ? size - 2 : 0);
	if (!text)
		return NULL;
	if (!decimal_read(text, 0, &one, &end))
		end = text;
	const char *unit = arena_printf(edit->arena, "1%s", end);
	if (!unit || !quantity_parse(unit, field->dimension, "value", &one, error))
		return NULL;
	return arena_printf(
		edit->arena, "\"%s%s\"", decimal_general(number, sizeof number, value / one, DIGITS), end);
}

static bool number_put(struct edit *edit, const struct paradl_fit_place *place, const char *pointer,
	struct paradl_error *error)
{
	struct place where;
	size_t offset, size;
	const bool known = strncmp(place->file, "devices/", 8) == 0 ? device_place(place->name, &where)
								    : framework_place(place->name, &where);
	if (!known || !json_locate_text(edit->text, edit->length, pointer, &offset, &size)) {
		error_at(error, PARADL_SCHEMA, edit->path, 0, 0, "has no %s to put a constant into", pointer);
		error_hint(error, "write any value there first");
		return false;
	}
	const char *text = number_text(edit, edit->text + offset, size, place->value, where.field, error);
	if (!text)
		return error->status != PARADL_OK ? false : out_of_memory(error);
	return splice(edit, offset, size, text, error);
}

/* What "from" says of a number: of itself, or of the nearest block around it; NULL: nothing. */
static const char *origin_of(const struct json *root, const char *pointer)
{
	char key[PATH_LENGTH];
	const struct json *from = json_member(root, "from");
	snprintf(key, sizeof key, "%s", pointer + 1);
	for (;;) {
		const struct json *said = from ? json_member(from, key) : NULL;
		if (said && said->kind == JSON_STRING)
			return said->string;
		char *slash = strrchr(key, '/');
		if (!slash)
			return NULL;
		*slash = '\0';
	}
}

/* A pointer's token with '/' is "~1" in it. */
static const char *escaped(struct paradl_arena *arena, const char *key)
{
	char *text = arena_alloc(arena, 2 * strlen(key) + 1, 1), *out = text;
	for (; text && *key; ++key) {
		if (*key == '/') {
			*out++ = '~';
			*out++ = '1';
		} else {
			*out++ = *key;
		}
	}
	return text;
}

static bool origin_insert(struct edit *edit, const char *key, const char *said, struct paradl_error *error)
{
	size_t offset, size;
	const char *token = escaped(edit->arena, key);
	const char *own = token ? arena_printf(edit->arena, "/from/%s", token) : NULL;
	if (!own)
		return out_of_memory(error);
	if (json_locate_text(edit->text, edit->length, own, &offset, &size)) {
		const char *text = arena_printf(edit->arena, "\"%s\"", said);
		return text ? splice(edit, offset, size, text, error) : out_of_memory(error);
	}
	if (!json_locate_text(edit->text, edit->length, "/from", &offset, &size) || edit->text[offset] != '{')
		return error_at(error, PARADL_SCHEMA, edit->path, 0, 0, "has no \"from\"");
	const char *inside = edit->text + offset + 1;
	const size_t blank = strspn(inside, " \t\n\r");
	const char *text = arena_printf(edit->arena, "%.*s\"%s\": \"%s\"%s", (int)blank, inside, key, said,
		inside[blank] == '}' ? "" : ",");
	return text ? splice(edit, offset + 1, 0, text, error) : out_of_memory(error);
}

static bool origin_put(struct edit *edit, const struct paradl_fit_place *place, const char *pointer,
	struct paradl_error *error)
{
	static const char *const bounds[] = {"; at its lower bound", "", "; at its upper bound"};
	const struct json *root = json_parse(edit->arena, edit->text, edit->length, edit->path, error);
	if (!root)
		return false;
	const char *said = origin_of(root, pointer);
	const bool at_bound = said && strstr(said, " bound");
	const char *wanted = arena_printf(edit->arena, "%s%s", origin, bounds[place->bound + 1]);
	if (!wanted)
		return out_of_memory(error);
	if (said && strncmp(said, wanted, strlen(wanted)) == 0 && at_bound == (place->bound != 0))
		return true;
	return origin_insert(edit, pointer + 1, wanted, error);
}

static bool file_put(struct edit *edit, struct paradl_error *error)
{
	struct file_output output;
	if (!file_create(&output, edit->path, error))
		return false;
	if (fwrite(edit->text, 1, edit->length, output.file) != edit->length) {
		file_abandon(&output);
		return error_at(error, PARADL_IO, edit->path, 0, 0, "cannot be written");
	}
	return file_commit(&output, error);
}

/* Applies every constant of one file. */
static bool file_edit(
	struct edit *edit, const struct paradl_fit *fit, const char *file, struct paradl_error *error)
{
	char pointer[PATH_LENGTH];
	edit->text = file_read(edit->arena, edit->path, JSON_SIZE_LIMIT, &edit->length, error);
	if (!edit->text)
		return false;
	for (size_t i = 0; i < fit->constant_count; ++i)
		for (size_t k = 0; k < fit->constants[i].place_count; ++k) {
			const struct paradl_fit_place *place = &fit->constants[i].places[k];
			if (strcmp(place->file, file) != 0 || fit->constants[i].rows == 0)
				continue;
			if (!pointer_of(place->name, pointer) || !number_put(edit, place, pointer, error) ||
				!origin_put(edit, place, pointer, error))
				return false;
		}
	return file_put(edit, error);
}

/* Was the file of constant i, place k named before? */
static bool is_repeated(const struct paradl_fit *fit, size_t i, size_t k)
{
	const char *file = fit->constants[i].places[k].file;
	for (size_t j = 0; j <= i; ++j)
		for (size_t l = 0; l < (j < i ? fit->constants[j].place_count : k); ++l)
			if (fit->constants[j].rows && strcmp(fit->constants[j].places[l].file, file) == 0)
				return true;
	return false;
}

bool paradl_fit_write(struct paradl_arena *arena, const struct paradl_fit *fit, const char *directory,
	struct paradl_error *error)
{
	for (size_t i = 0; i < fit->constant_count; ++i)
		for (size_t k = 0; k < fit->constants[i].place_count; ++k) {
			const char *file = fit->constants[i].places[k].file;
			struct edit edit = {
				.arena = arena, .path = arena_printf(arena, "%s/%s.json", directory, file)};
			if (fit->constants[i].rows == 0 || is_repeated(fit, i, k))
				continue;
			if (!edit.path)
				return out_of_memory(error);
			if (!file_edit(&edit, fit, file, error))
				return false;
		}
	return true;
}
