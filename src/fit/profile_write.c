/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Puts constants into profiles. Only the numbers change, in the unit that the file writes them in, and their origins
 * under "from"; the rest of the text stays as it is.
 */
#include <string.h>

#include "base/error.h"
#include "fit/fitting.h"
#include "fit/profile_edit.h"

enum { KNOWN_DIGITS = 2 };
static const char fitted[] = "fit to published training times";

/* Writes "product.wave" as the pointer "/product/wave"; returns false when the name is too long. */
static bool pointer_of(const char *name, char pointer[EDIT_PATH_LENGTH])
{
	size_t length = strlen(name);
	if (length + 2 > EDIT_PATH_LENGTH)
		return false;
	pointer[0] = '/';
	memcpy(pointer + 1, name, length + 1);
	for (char *dot = pointer; *dot; ++dot)
		if (*dot == '.')
			*dot = '/';
	return true;
}

static bool number_put(struct edit *edit, const struct paradl_fit_place *place, const char *pointer,
	struct paradl_error *error)
{
	struct place where;
	size_t offset, size;
	const bool known = strncmp(place->file, "devices/", 8) == 0 ? device_place(place->name, &where)
								    : framework_place(place->name, &where);
	if (!known || !edit_locate(edit, pointer, &offset, &size)) {
		error_at(error, PARADL_SCHEMA, edit->path, 0, 0, "has no %s to put a constant into", pointer);
		error_hint(
			error, "write any value there first; of a tied device, name the file that owns it");
		return false;
	}
	const enum dimension dimension =
		where.field->type == JSON_TO_QUANTITY ? where.field->dimension : DIMENSION_NONE;
	const char *text = edit_number(
		edit->arena, edit->text + offset, size, place->value, dimension, EDIT_DIGITS, error);
	if (!text)
		return error->status != PARADL_OK ? false : out_of_memory(error);
	return edit_splice(edit, offset, size, text, error);
}

/*
 * Returns the origin of the number in place k: measured by its rows, or, where no row uses it, assumed as the place
 * whose rows it shares. NULL when out of memory.
 */
static const char *constant_origin(
	struct paradl_arena *arena, const struct paradl_fit_constant *constant, size_t k)
{
	static const char *const bounds[] = {"; at its lower bound", "", "; at its upper bound"};
	const struct paradl_fit_place *const places = constant->places;
	size_t used = 0;
	while (used + 1 < constant->place_count && places[used].before < 0)
		++used;
	const char *const file = strrchr(places[used].file, '/') + 1;
	return places[k].before < 0
		       ? arena_printf(
				 arena, "assumed: as %s, %s%s", file, fitted, bounds[places[k].bound + 1])
		       : arena_printf(arena, "measured: %s%s", fitted, bounds[places[k].bound + 1]);
}

static bool origin_put(struct edit *edit, const struct paradl_fit_constant *constant, size_t k,
	const char *pointer, struct paradl_error *error)
{
	const struct paradl_fit_place *const place = &constant->places[k];
	const struct json *root = json_parse(edit->arena, edit->text, edit->length, edit->path, error);
	if (!root)
		return false;
	const char *said = edit_origin(root, pointer + 1);
	const bool at_bound = said && strstr(said, " bound");
	const char *const wanted = constant_origin(edit->arena, constant, k);
	if (!wanted)
		return out_of_memory(error);
	if (said && strncmp(said, wanted, strlen(wanted)) == 0 && at_bound == (place->bound != 0))
		return true;
	return edit_put_origin(edit, pointer + 1, wanted, error);
}

/* Puts the known error into the profile and, for a program, the runs that it was compared with. */
static bool knowledge_put(
	struct edit *edit, const struct paradl_fit_knowledge *knowledge, struct paradl_error *error)
{
	static const char rows[] =
		"measured: mean error on published times of sets that were left out of the fit";
	const char *const known = edit_number(
		edit->arena, NULL, 0, knowledge->known_error, DIMENSION_NONE, KNOWN_DIGITS, error);
	if (!known)
		return out_of_memory(error);
	return edit_put(edit, "/known_error", known, error) &&
	       edit_put_origin(edit, "known_error", rows, error) &&
	       (!knowledge->checked || edit_put(edit, "/checked", knowledge->checked, error));
}

/* Puts every constant of one file, and its known error, into the file. */
static bool file_edit(
	struct edit *edit, const struct paradl_fit *fit, const char *file, struct paradl_error *error)
{
	char pointer[EDIT_PATH_LENGTH];
	if (!edit_load(edit, edit->arena, edit->path, edit->path, error))
		return false;
	for (size_t i = 0; i < fit->constant_count; ++i)
		for (size_t k = 0; k < fit->constants[i].place_count; ++k) {
			const struct paradl_fit_place *place = &fit->constants[i].places[k];
			if (strcmp(place->file, file) != 0 || fit->constants[i].rows == 0)
				continue;
			if (!pointer_of(place->name, pointer) || !number_put(edit, place, pointer, error) ||
				!origin_put(edit, &fit->constants[i], k, pointer, error))
				return false;
		}
	for (size_t i = 0; i < fit->knowledge_count; ++i)
		if (strcmp(fit->knowledge[i].file, file) == 0 &&
			!knowledge_put(edit, &fit->knowledge[i], error))
			return false;
	return edit_save(edit, error);
}

const char *paradl_fit_file(const struct paradl_fit *fit, size_t index)
{
	for (size_t i = 0; i < fit->constant_count; ++i) {
		const size_t places = fit->constants[i].rows ? fit->constants[i].place_count : 0;
		if (index < places)
			return fit->constants[i].places[index].file;
		index -= places;
	}
	return index < fit->knowledge_count ? fit->knowledge[index].file : NULL;
}

static bool is_repeated(const struct paradl_fit *fit, size_t index)
{
	const char *const file = paradl_fit_file(fit, index);
	for (size_t i = 0; i < index; ++i)
		if (strcmp(paradl_fit_file(fit, i), file) == 0)
			return true;
	return false;
}

bool paradl_fit_write(struct paradl_arena *arena, const struct paradl_fit *fit, const char *directory,
	struct paradl_error *error)
{
	const char *file;
	for (size_t i = 0; (file = paradl_fit_file(fit, i)); ++i) {
		struct edit edit = {
			.arena = arena, .path = arena_printf(arena, "%s/%s.json", directory, file)};
		if (is_repeated(fit, i))
			continue;
		if (!edit.path)
			return out_of_memory(error);
		if (!file_edit(&edit, fit, file, error))
			return false;
	}
	return true;
}
