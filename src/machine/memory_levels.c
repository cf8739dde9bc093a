/* SPDX-License-Identifier: GPL-3.0-or-later */
/* "memory_rates" of a device file: rates of passes over what caches hold; see paradl-hw(5). */
#include <stddef.h>

#include "base/error.h"
#include "machine/machine.h"

#define LEVEL(member) offsetof(struct memory_level, member)

static const struct json_field fields[] = {
	{"up_to", JSON_TO_QUANTITY, true, LEVEL(up_to_bytes), 1, 1e18, DIMENSION_BYTES, NULL},
	{"rate", JSON_TO_QUANTITY, true, LEVEL(bytes_per_s), 1, 1e18, DIMENSION_BYTES_PER_S, NULL},
};

/* Larger and slower than the one before; the last not slower than memory. Otherwise more bytes could take less time. */
static bool level_fits(const struct json *node, const struct device *device, struct paradl_error *error)
{
	const struct memory_level *level = &device->memory_levels[node->index];
	if (node->index && !(level->up_to_bytes > level[-1].up_to_bytes))
		return json_error(json_member(node, "up_to"), error, "must be more than the one before");
	if (node->index && level->bytes_per_s > level[-1].bytes_per_s)
		return json_error(
			json_member(node, "rate"), error, "is more than the rate of less memory before it");
	if (level->bytes_per_s < device->memory_bytes_per_s)
		return json_error(json_member(node, "rate"), error,
			"is less than \"memory_rate\", which holds beyond all caches");
	return true;
}

bool memory_levels_read(const struct json *list, struct device *device, struct paradl_error *error)
{
	if (!list)
		return true;
	if (list->kind != JSON_ARRAY || list->count < 1 || list->count > MEMORY_LEVELS_MAX)
		return json_error(list, error, "must be an array of 1 to %d rates", MEMORY_LEVELS_MAX);
	for (const struct json *node = list->child; node; node = node->next) {
		if (!json_read(node, fields, sizeof fields / sizeof *fields, NULL,
			    &device->memory_levels[node->index], error) ||
			!level_fits(node, device, error))
			return false;
		device->memory_level_count = node->index + 1;
	}
	return true;
}
