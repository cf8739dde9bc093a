/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Puts curves into a profile. A curve is a list of raw points, which estimates interpolate. A curve that was measured
 * again, also with another version of the library, takes the place of the one before; others stay.
 */
#include <string.h>

#include "base/error.h"
#include "base/quantity.h"
#include "fit/profile_edit.h"
#include "network/cost/measured_curves.h"

enum { POINTS_LEAST = 2, POINTS_MOST = 512, TIME_DIGITS = 4 };

/*
 * Returns whether a profile can have the curve: it has a known operation, one group, 2 to 512 points, and the same
 * number of devices in each node.
 */
static bool is_kept(const struct paradl_calibration *calibration, size_t index)
{
	static const char *const operations[] = {"allreduce", "allgather", "reduce-scatter", "broadcast",
		"reduce", "all-to-all", "point-to-point"};
	const struct paradl_fitted_curve *curve = &calibration->curves[index];
	bool is_known = false;
	for (size_t i = 0; i < sizeof operations / sizeof *operations; ++i)
		is_known = is_known || strcmp(curve->operation, operations[i]) == 0;
	return is_known && curve->groups <= 1 && curve->point_count >= POINTS_LEAST &&
	       curve->point_count <= POINTS_MOST && curve->devices >= 2 && curve->nodes >= 1 &&
	       curve->devices % curve->nodes == 0;
}

static bool is_same(const struct paradl_fitted_curve *a, const struct paradl_fitted_curve *b)
{
	return a->nodes == b->nodes && a->devices == b->devices && strcmp(a->operation, b->operation) == 0 &&
	       libraries_agree(a->library, b->library);
}

/*
 * Returns whether a curve is chosen among those that a profile cannot tell apart: device memory before host memory,
 * then the first.
 */
static bool is_best(const struct paradl_calibration *calibration, size_t index)
{
	const struct paradl_fitted_curve *curve = &calibration->curves[index];
	const bool is_device = curve->buffer && strcmp(curve->buffer, "device") == 0;
	for (size_t i = 0; i < calibration->curve_count; ++i) {
		const struct paradl_fitted_curve *other = &calibration->curves[i];
		if (i == index || !is_kept(calibration, i) || !is_same(curve, other))
			continue;
		const bool other_is_device = other->buffer && strcmp(other->buffer, "device") == 0;
		if (is_device != other_is_device ? other_is_device : i < index)
			return false;
	}
	return true;
}

/*
 * Returns the values times `factor` as "[4, 8, ...]", broken into lines, with `digits` significant digits (0: as many
 * as needed); NULL when out of memory.
 */
static const char *list_text(
	struct paradl_arena *arena, const double *values, unsigned count, double factor, int digits)
{
	enum { WIDTH = 100 };
	size_t column = 0, used = 0;
	char *text = arena_alloc(arena, (size_t)count * (DECIMAL_LENGTH + 12) + 3, 1);
	if (!text)
		return NULL;
	text[used++] = '[';
	for (unsigned i = 0; i < count; ++i) {
		char number[DECIMAL_LENGTH];
		const char *written = digits ? edit_rounded(number, values[i] * factor, digits)
					     : decimal_shortest(number, sizeof number, values[i] * factor);
		const char *between = i == 0 ? "" : column > WIDTH ? ",\n        " : ", ";
		column = i > 0 && column > WIDTH ? 0 : column + strlen(written) + 2;
		for (const char *from = between; *from; ++from)
			text[used++] = *from;
		for (const char *from = written; *from; ++from)
			text[used++] = *from;
	}
	text[used] = ']';
	return text;
}

static const char *curve_text(struct paradl_arena *arena, const struct paradl_fitted_curve *curve)
{
	const char *library = edit_quote(arena, curve->library);
	const char *bytes = list_text(arena, curve->bytes, curve->point_count, 1, 0);
	const char *times = list_text(arena, curve->time_s, curve->point_count, 1e6, TIME_DIGITS);
	if (!library || !bytes || !times)
		return NULL;
	return arena_printf(arena,
		"{ \"operation\": \"%s\", \"library\": %s, \"nodes\": %u, \"devices\": %u,\n"
		"      \"bytes\": %s,\n      \"us\": %s }",
		curve->operation, library, curve->nodes, curve->devices, bytes, times);
}

static bool has_number(const struct json *object, const char *key, unsigned wanted)
{
	const struct json *node = json_member(object, key);
	return node && node->kind == JSON_NUMBER && !(node->number < wanted) && !(node->number > wanted);
}

static bool has_text(const struct json *object, const char *key, const char *wanted)
{
	const struct json *node = json_member(object, key);
	return node && node->kind == JSON_STRING && strcmp(node->string, wanted) == 0;
}

static bool has_library(const struct json *curve, const char *wanted)
{
	const struct json *node = json_member(curve, "library");
	return node && node->kind == JSON_STRING && libraries_agree(node->string, wanted);
}

/* Finds the index that a curve gets in the profile: that of the curve it replaces, or one past the last. */
static bool place_find(const struct edit *edit, const struct paradl_fitted_curve *curve, unsigned *index,
	struct paradl_error *error)
{
	const struct json *root = json_parse(edit->arena, edit->text, edit->length, edit->path, error);
	const struct json *list = root ? json_member(root, "curves") : NULL;
	*index = list ? list->count : 0;
	for (const struct json *node = list ? list->child : NULL; node; node = node->next)
		if (has_text(node, "operation", curve->operation) && has_library(node, curve->library) &&
			has_number(node, "nodes", curve->nodes) &&
			has_number(node, "devices", curve->devices))
			*index = node->index;
	return root != NULL;
}

static bool curve_put(struct edit *edit, const struct paradl_calibration *calibration,
	const struct paradl_fitted_curve *curve, struct paradl_error *error)
{
	unsigned index;
	if (!place_find(edit, curve, &index, error))
		return false;
	const char *key = arena_printf(edit->arena, "curves/%u", index);
	const char *pointer = arena_printf(edit->arena, "/curves/%u", index);
	const char *text = curve_text(edit->arena, curve);
	const char *samples = calibration->samples, *hosts = calibration->hosts;
	const char *begin = calibration_origin(edit->arena, calibration);
	const char *origin = arena_printf(edit->arena, "%sparadl calibrate, %u launch%s%s%s, %s memory%s%s",
		begin ? begin : "", curve->launches, curve->launches == 1 ? "" : "es",
		hosts && *hosts ? ", " : "", hosts ? hosts : "", curve->buffer ? curve->buffer : "host",
		samples ? "; samples " : "", samples ? samples : "");
	if (!begin || !key || !pointer || !text || !origin)
		return out_of_memory(error);
	return edit_put(edit, pointer, text, error) && edit_put_origin(edit, key, origin, error);
}

bool calibration_put_curves(
	struct edit *edit, const struct paradl_calibration *calibration, struct paradl_error *error)
{
	size_t offset, size;
	for (size_t i = 0; i < calibration->curve_count; ++i)
		if (is_kept(calibration, i) && is_best(calibration, i) &&
			((!edit_locate(edit, "/curves", &offset, &size) &&
				 !edit_put(edit, "/curves", "[\n  ]", error)) ||
				!curve_put(edit, calibration, &calibration->curves[i], error)))
			return false;
	return true;
}
