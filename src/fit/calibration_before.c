/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Looks up the values and origins that the profiles had for the fitted numbers before. */
#include <string.h>

#include "base/error.h"
#include "base/quantity.h"
#include "fit/calibration_write.h"
#include "machine/machine.h"

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
