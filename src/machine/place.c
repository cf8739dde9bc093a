/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "machine/format.h"

#include <string.h>

const char *place_inside(const char *name, const char *block)
{
	const size_t length = strlen(block);
	return strncmp(name, block, length) == 0 && name[length] == '.' ? name + length + 1 : NULL;
}

bool place_find(
	const struct json_field *fields, size_t count, size_t offset, const char *key, struct place *place)
{
	for (size_t i = 0; i < count; ++i) {
		const struct json_field *field = &fields[i];
		if (strcmp(field->key, key) != 0 ||
			(field->type != JSON_TO_DOUBLE && field->type != JSON_TO_QUANTITY))
			continue;
		*place = (struct place){.field = field, .offsets = {offset + field->offset}, .count = 1};
		return true;
	}
	return false;
}
