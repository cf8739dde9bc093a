/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads "checked" of a framework file: the measured runs that it was compared with. Estimates beyond them say so. */
#include <stddef.h>
#include <string.h>

#include "base/error.h"
#include "machine/framework.h"

static bool devices_read(
	const struct json *list, struct framework_checked *checked, struct paradl_error *error)
{
	if (list->kind != JSON_ARRAY || list->count > CHECKED_MAX)
		return json_error(list, error, "must be a list of at most %d names of devices", CHECKED_MAX);
	checked->device_count = 0;
	for (const struct json *name = list->child; name; name = name->next) {
		if (name->kind != JSON_STRING)
			return json_error(name, error, "must be a name in quotes");
		checked->devices[checked->device_count++] = name->string;
	}
	return true;
}

static bool precisions_read(
	const struct json *list, struct framework_checked *checked, struct paradl_error *error)
{
	if (list->kind != JSON_ARRAY)
		return json_error(list, error, "must be a list of number formats");
	checked->precisions = 0;
	for (const struct json *name = list->child; name; name = name->next) {
		unsigned i = 0;
		if (name->kind != JSON_STRING)
			return json_error(name, error, "must be a name in quotes");
		while (i < PARADL_PRECISION_COUNT &&
			strcmp(name->string, paradl_precision_name((enum paradl_precision)i)) != 0)
			++i;
		if (i == PARADL_PRECISION_COUNT)
			return json_error(name, error, "unknown precision \"%s\"", name->string);
		checked->precisions |= 1u << i;
	}
	return true;
}

bool framework_checked_names(const struct framework_checked *checked, const char *device)
{
	for (unsigned i = 0; i < checked->device_count; ++i)
		if (strcmp(checked->devices[i], device) == 0)
			return true;
	return false;
}

bool framework_checked_read(
	const struct json *node, struct framework_checked *checked, struct paradl_error *error)
{
#define AT(member) offsetof(struct framework_checked, member)
	static const struct json_field fields[] = {
		{"gpus", JSON_TO_DOUBLE, false, AT(gpus), 1, 1e9, DIMENSION_NONE, NULL},
		{"tokens", JSON_TO_DOUBLE, false, AT(tokens), 1, 1e9, DIMENSION_NONE, NULL},
	};
	static const char *const keys[] = {"devices", "precisions", NULL};
	if (!json_read(node, fields, sizeof fields / sizeof *fields, keys, checked, error))
		return false;
	checked->said = true;
	const struct json *devices = json_member(node, "devices");
	const struct json *precisions = json_member(node, "precisions");
	return (!devices || devices_read(devices, checked, error)) &&
	       (!precisions || precisions_read(precisions, checked, error));
}
