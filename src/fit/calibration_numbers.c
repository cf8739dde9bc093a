/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Puts fitted numbers into the text of a file, at the places that their paths name; missing members are made. A table
 * (any list but that of the levels) is replaced as a whole, so that no rows of an earlier calibration stay between
 * new ones.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/quantity.h"
#include "fit/profile_edit.h"

enum { COUNT_DIGITS = 15 };

enum dimension fitted_dimension(const char *unit)
{
	static const struct {
		const char *unit;
		enum dimension dimension;
	} units[] = {
		{"s", DIMENSION_TIME},
		{"B", DIMENSION_BYTES},
		{"B/s", DIMENSION_BYTES_PER_S},
		{"flop/s", DIMENSION_FLOP_PER_S},
		{"W", DIMENSION_POWER},
	};
	for (size_t i = 0; unit && i < sizeof units / sizeof *units; ++i)
		if (strcmp(unit, units[i].unit) == 0)
			return units[i].dimension;
	return DIMENSION_NONE;
}

static const char *value_text(struct paradl_arena *arena, double value, enum dimension dimension)
{
	char text[DECIMAL_LENGTH];
	return arena_text(arena, dimension == DIMENSION_NONE
					 ? decimal_general(text, sizeof text, value, 3)
					 : quantity_format(text, sizeof text, value, dimension));
}

const char *fitted_interval(struct paradl_arena *arena, const struct paradl_fitted_number *number)
{
	const enum dimension dimension = fitted_dimension(number->unit);
	if (!(number->high > number->low))
		return NULL;
	const char *low = value_text(arena, number->low, dimension);
	const char *high = value_text(arena, number->high, dimension);
	return low && high ? arena_printf(arena, "%s to %s", low, high) : NULL;
}

/*
 * Returns the origin of a number, or NULL when out of memory: "measured: paradl calibrate mpi, 5 launches,
 * 2026-11-22, g0001, 95 % 3.8 us to 4.4 us, residual 3 %; samples sha256 ..."
 */
static const char *origin_text(struct paradl_arena *arena, const struct paradl_calibration *calibration,
	const struct paradl_fitted_number *number)
{
	const char *interval = fitted_interval(arena, number);
	const char *hosts = calibration->hosts, *samples = calibration->samples;
	const char *from = number->from && *number->from ? number->from : "calibrate";
	const char *begin = calibration_origin(arena, calibration);
	const char *text = arena_printf(arena, "%s%s%s%s%s%s%s", begin ? begin : "",
		strncmp(from, "calibrate", 9) == 0 ? "paradl " : "", from, hosts && *hosts ? ", " : "",
		hosts ? hosts : "", interval ? (number->is_range ? ", range " : ", 95 % ") : "",
		interval ? interval : "");
	if (!begin)
		return NULL;
	if (text && number->residual >= 0)
		text = arena_printf(arena, "%s, residual %.2g %%", text, 100 * number->residual);
	return text && samples && *samples ? arena_printf(arena, "%s; samples %s", text, samples) : text;
}

static bool is_index(const char *token, size_t length)
{
	return length > 0 && strspn(token, "0123456789") >= length;
}

/* Returns the length of the path of the table that a number is in, without the index of its row; 0 for no table. */
static size_t table_length(const char *path)
{
	const char *token = path;
	if (strncmp(path, "levels/", 7) == 0)
		token = path + 7 + strcspn(path + 7, "/");
	while (*token) {
		const size_t length = strcspn(token, "/");
		if (token > path && is_index(token, length))
			return (size_t)(token - path) - 1;
		token += length + (token[length] == '/');
	}
	return 0;
}

/* Empties each table that numbers go to, and removes the origins of its rows. */
static bool tables_clear(struct edit *edit, const struct paradl_calibration *calibration,
	enum paradl_fitted_file file, struct paradl_error *error)
{
	size_t offset, size;
	for (size_t i = 0; i < calibration->number_count; ++i) {
		const struct paradl_fitted_number *number = &calibration->numbers[i];
		const size_t length = number->file == file ? table_length(number->path) : 0;
		const char *table = length ? arena_copy(edit->arena, number->path, length) : "";
		const char *pointer = table ? arena_printf(edit->arena, "/%s", table) : NULL;
		if (!pointer)
			return out_of_memory(error);
		if (length == 0 || !edit_locate(edit, pointer, &offset, &size))
			continue;
		if (!edit_put(edit, pointer, "[]", error) || !edit_remove_origins(edit, table, error))
			return false;
	}
	return true;
}

static bool number_put(struct edit *edit, const struct paradl_calibration *calibration,
	const struct paradl_fitted_number *number, struct paradl_error *error)
{
	const enum dimension dimension = fitted_dimension(number->unit);
	const double value = number->value;
	const bool is_count =
		dimension == DIMENSION_NONE && value < 1e15 && !(fabs(value - round(value)) > 0);
	const char *pointer = arena_printf(edit->arena, "/%s", number->path);
	const char *origin = origin_text(edit->arena, calibration, number);
	size_t offset = 0, size = 0;
	if (!pointer || !origin)
		return out_of_memory(error);
	const char *old = edit_locate(edit, pointer, &offset, &size) ? edit->text + offset : NULL;
	const char *text = edit_number(
		edit->arena, old, size, value, dimension, is_count ? COUNT_DIGITS : EDIT_DIGITS, error);
	if (!text)
		return error->status != PARADL_OK ? false : out_of_memory(error);
	return edit_put(edit, pointer, text, error) && edit_put_origin(edit, number->path, origin, error);
}

bool calibration_put_numbers(struct edit *edit, const struct paradl_calibration *calibration,
	enum paradl_fitted_file file, struct paradl_error *error)
{
	if (!tables_clear(edit, calibration, file, error))
		return false;
	for (size_t i = 0; i < calibration->number_count; ++i)
		if (calibration->numbers[i].file == file &&
			!number_put(edit, calibration, &calibration->numbers[i], error))
			return false;
	return true;
}
