/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the list of free constants, a CSV with the columns
 *     file, name        place of the number: devices/NAME or frameworks/NAME, and its keys with dots; either may be
 *                       several words, and then all these places have the same value
 *     prior, low, high  value known beforehand, and physical bounds, as a profile writes them
 *     tied_to, factor   instead of those: FILE:NAME of a number above, and this number over that one (empty: 1)
 *     meaning           description of the constant
 */
#include <string.h>

#include "base/csv.h"
#include "base/error.h"
#include "base/quantity.h"
#include "fit/fitting.h"

static bool cell_error(const struct csv *csv, size_t row, const char *column, const char *problem,
	struct paradl_error *error)
{
	char quoted[80];
	return error_at(error, PARADL_SCHEMA, csv->path, csv->lines[row], 1, "column \"%s\": %s %s", column,
		error_quote(quoted, sizeof quoted, csv_cell(csv, row, column)), problem);
}

static bool place_read(const char *file, const char *name, struct place *place)
{
	if (strncmp(file, "devices/", 8) == 0)
		return device_place(name, place);
	return strncmp(file, "frameworks/", 11) == 0 && framework_place(name, place);
}

static size_t words_count(const char *text)
{
	size_t count = 0;
	for (; *text; text += strcspn(text, " ")) {
		text += strspn(text, " ");
		count += *text != '\0';
	}
	return count;
}

static const char *word(struct paradl_arena *arena, const char *text, size_t index)
{
	for (;; --index) {
		text += strspn(text, " ");
		const size_t length = strcspn(text, " ");
		if (index == 0)
			return arena_copy(arena, text, length);
		text += length;
	}
}

static bool places_add(struct paradl_arena *arena, const struct csv *csv, size_t row, double factor,
	struct fit_constant *constant, struct paradl_error *error)
{
	const char *files = csv_cell(csv, row, "file"), *names = csv_cell(csv, row, "name");
	const size_t file_count = words_count(files), name_count = words_count(names);
	struct fit_place *places =
		arena_alloc(arena, constant->place_count + file_count * name_count, sizeof *places);
	if (file_count == 0 || name_count == 0)
		return cell_error(csv, row, file_count ? "name" : "file", "names nothing", error);
	if (!places)
		return out_of_memory(error);
	if (constant->place_count)
		memcpy(places, constant->places, constant->place_count * sizeof *places);
	for (size_t f = 0; f < file_count; ++f)
		for (size_t n = 0; n < name_count; ++n) {
			struct fit_place *place = &places[constant->place_count++];
			place->file = word(arena, files, f);
			place->name = word(arena, names, n);
			place->factor = factor;
			if (!place->file || !place->name)
				return out_of_memory(error);
			if (!place_read(place->file, place->name, &place->where)) {
				cell_error(csv, row, "name", "is no number of such a file", error);
				error_hint(error, "devices/NAME has product.wave, frameworks/NAME "
						  "rules.host_layer.tokens, and more: paradl-hw(5), "
						  "paradl-framework(5)");
				return false;
			}
		}
	constant->places = places;
	return true;
}

static bool value_read(const struct csv *csv, size_t row, const char *column, const struct json_field *field,
	double *value, struct paradl_error *error)
{
	const char *cell = csv_cell(csv, row, column), *end;
	struct paradl_error own = {0};
	if (field->type == JSON_TO_QUANTITY) {
		if (!quantity_parse(cell, field->dimension, column, value, &own))
			return error_at(
				error, PARADL_SCHEMA, csv->path, csv->lines[row], 1, "%s", own.message);
	} else if (!decimal_read(cell, 0, value, &end) || *end) {
		return cell_error(csv, row, column, "is not a number", error);
	}
	const bool bounded = field->min < field->max;
	if (bounded && (*value < field->min || *value > field->max))
		return cell_error(csv, row, column, "is outside of what a profile may say", error);
	return true;
}

static bool free_read(struct paradl_arena *arena, const struct csv *csv, size_t row,
	struct fit_constant *constant, struct paradl_error *error)
{
	*constant = (struct fit_constant){.meaning = csv_cell(csv, row, "meaning")};
	if (!places_add(arena, csv, row, 1, constant, error))
		return false;
	const struct json_field *field = constant->places[0].where.field;
	if (!value_read(csv, row, "prior", field, &constant->prior, error) ||
		!value_read(csv, row, "low", field, &constant->low, error) ||
		!value_read(csv, row, "high", field, &constant->high, error))
		return false;
	if (constant->low < constant->high && constant->prior >= constant->low &&
		constant->prior <= constant->high)
		return true;
	cell_error(csv, row, "prior", "is not between its bounds", error);
	error_hint(error, "\"low\" must be below \"high\", and \"prior\" from one to the other");
	return false;
}

/* Finds the constant that has the place "FILE:NAME", and that place; returns NULL when there is none. */
static struct fit_constant *constant_find(
	const struct fit_constants *constants, const char *text, const struct fit_place **found)
{
	const char *colon = strchr(text, ':');
	const size_t length = colon ? (size_t)(colon - text) : 0;
	for (size_t i = 0; colon && i < constants->count; ++i)
		for (size_t k = 0; k < constants->items[i].place_count; ++k) {
			const struct fit_place *place = &constants->items[i].places[k];
			*found = place;
			if (strlen(place->file) == length && strncmp(place->file, text, length) == 0 &&
				strcmp(place->name, colon + 1) == 0)
				return &constants->items[i];
		}
	return NULL;
}

static bool tied_read(struct paradl_arena *arena, const struct csv *csv, size_t row,
	const struct fit_constants *constants, struct paradl_error *error)
{
	const struct fit_place *place;
	struct fit_constant *constant = constant_find(constants, csv_cell(csv, row, "tied_to"), &place);
	const char *factor_cell = csv_cell(csv, row, "factor"), *end;
	double factor = 1;
	if (!constant) {
		cell_error(csv, row, "tied_to", "is no constant above this line", error);
		error_hint(error, "write FILE:NAME, as in devices/a100-sxm4-80gb:product.wave");
		return false;
	}
	if (*factor_cell && (!decimal_read(factor_cell, 0, &factor, &end) || *end || !(factor > 0)))
		return cell_error(csv, row, "factor", "is not a number above 0", error);
	return places_add(arena, csv, row, factor * place->factor, constant, error);
}

/* Returns whether place k of constant i is also an earlier place of this constant or of one above. */
static bool is_repeated(const struct fit_constants *constants, size_t i, size_t k)
{
	const struct fit_place *place = &constants->items[i].places[k];
	for (size_t j = 0; j <= i; ++j)
		for (size_t l = 0; l < (j < i ? constants->items[j].place_count : k); ++l) {
			const struct fit_place *other = &constants->items[j].places[l];
			if (strcmp(place->file, other->file) == 0 && strcmp(place->name, other->name) == 0)
				return true;
		}
	return false;
}

/* Refuses a number that is listed twice, since it would have two values. */
static bool places_differ(
	const struct csv *csv, const struct fit_constants *constants, struct paradl_error *error)
{
	for (size_t i = 0; i < constants->count; ++i)
		for (size_t k = 0; k < constants->items[i].place_count; ++k) {
			const struct fit_place *place = &constants->items[i].places[k];
			char text[256];
			if (!is_repeated(constants, i, k))
				continue;
			return error_at(error, PARADL_SCHEMA, csv->path, 0, 0, "%s of %s is there twice",
				error_quote(text, sizeof text, place->name), place->file);
		}
	return true;
}

bool constants_load(struct paradl_arena *arena, const char *path, struct fit_constants *constants,
	struct paradl_error *error)
{
	struct csv csv;
	if (!csv_load(arena, path, &csv, error))
		return false;
	*constants = (struct fit_constants){arena_alloc(arena, csv.rows + 1, sizeof *constants->items), 0};
	if (!constants->items)
		return out_of_memory(error);
	for (size_t row = 0; row < csv.rows; ++row) {
		const bool is_tied = *csv_cell(&csv, row, "tied_to");
		if (is_tied && !tied_read(arena, &csv, row, constants, error))
			return false;
		if (!is_tied && !free_read(arena, &csv, row, &constants->items[constants->count++], error))
			return false;
	}
	if (constants->count == 0)
		return error_at(error, PARADL_SCHEMA, path, 0, 0, "frees no constant");
	return places_differ(&csv, constants, error);
}
