/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Says where the numbers of a calibration are from, and which values and origins the profiles had for them before. */
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/quantity.h"
#include "fit/profile_edit.h"
#include "machine/format.h"
#include "machine/machine.h"

enum { DIGEST_DIGITS = 16, FILES_NAMED = 4 };

const char *files_digests(
	struct paradl_arena *arena, const char *const *paths, size_t count, struct paradl_error *error)
{
	const char *text = "";
	size_t files = 0;
	for (size_t i = 0; i < count; ++i) {
		char digest[65];
		if (!strcmp(paths[i], "-") || files++ >= FILES_NAMED)
			continue;
		if (!file_sha256(arena, paths[i], digest, error))
			return NULL;
		text = arena_printf(
			arena, "%s%s %.*s", text, files > 1 ? "," : "sha256", DIGEST_DIGITS, digest);
		if (!text)
			break;
	}
	if (text && files > FILES_NAMED)
		text = arena_printf(arena, "%s and %zu more", text, files - FILES_NAMED);
	if (!text)
		out_of_memory(error);
	return text;
}

/* Returns the name of the only host, "2 hosts" for more, or "" where none is known; NULL when out of memory. */
static const char *hosts_of(struct paradl_arena *arena, const struct sample_set *set)
{
	const char *first = "";
	unsigned count = 0;
	for (size_t i = 0; i < set->launch_count; ++i) {
		const char *host = set->launches[i]->host;
		bool is_new = host && *host;
		for (size_t k = 0; k < i && is_new; ++k)
			is_new = !set->launches[k]->host || strcmp(set->launches[k]->host, host) != 0;
		if (is_new && count++ == 0)
			first = host;
	}
	return count > 1 ? arena_printf(arena, "%u hosts", count) : first;
}

const char *paradl_calibration_refused(const struct paradl_calibration *calibration)
{
	for (size_t i = 0; i < calibration->verdict_count; ++i)
		if (calibration->verdicts[i].refuses)
			return calibration->verdicts[i].judge;
	return NULL;
}

const char *calibration_origin(struct paradl_arena *arena, const struct paradl_calibration *calibration)
{
	const char *const judge = paradl_calibration_refused(calibration);
	return judge ? arena_printf(arena, ORIGIN_FORCED "%s: ", judge) : "measured: ";
}

bool calibration_describe(
	struct calibration *calibration, const char *const *paths, size_t count, struct paradl_error *error)
{
	struct paradl_calibration *result = calibration->result;
	result->samples = files_digests(calibration->arena, paths, count, error);
	if (!result->samples)
		return false;
	result->hosts = hosts_of(calibration->arena, calibration->cells->set);
	return result->hosts || out_of_memory(error);
}

/* Returns the value at a path such as "levels/0/latency"; NULL when there is none. */
static const struct json *value_at(const struct json *root, const char *path)
{
	const struct json *node = root;
	while (node && *path) {
		const size_t length = strcspn(path, "/");
		double index;
		const char *end;
		const bool is_list = node->kind == JSON_ARRAY && decimal_read(path, 0, &index, &end);
		const struct json *child = node->child;
		while (child && (is_list ? child->index < index
					 : !child->key || strlen(child->key) != length ||
							memcmp(child->key, path, length) != 0))
			child = child->next;
		node = child;
		path += length + (path[length] == '/');
	}
	return node;
}

/* Returns the number or quantity of a node, in SI units; negative when it is none. */
static double number_of(const struct json *node, enum dimension dimension)
{
	struct paradl_error ignored = {0};
	double value;
	if (node && node->kind == JSON_NUMBER)
		return node->number;
	if (node && node->kind == JSON_STRING && dimension != DIMENSION_NONE &&
		quantity_parse(node->string, dimension, "value", &value, &ignored))
		return value;
	return -1;
}

bool calibration_compare(struct calibration *calibration, struct paradl_error *error)
{
	const struct paradl_machine *before = calibration->before;
	const struct json *roots[2] = {NULL};
	if (before) {
		roots[PARADL_FITTED_MACHINE] = json_load(calibration->arena, before->path, error);
		if (!roots[PARADL_FITTED_MACHINE])
			return false;
		if (before->device.path)
			roots[PARADL_FITTED_DEVICE] =
				json_load(calibration->arena, before->device.path, error);
		if (before->device.path && !roots[PARADL_FITTED_DEVICE])
			return false;
	}
	for (size_t i = 0; i < calibration->result->number_count; ++i) {
		struct paradl_fitted_number *number = &calibration->numbers[i];
		const struct json *root = roots[number->file];
		number->was =
			root ? number_of(value_at(root, number->path), fitted_dimension(number->unit)) : -1;
		number->was_from = number->was >= 0 ? edit_origin(root, number->path) : NULL;
	}
	return true;
}
