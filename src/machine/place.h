/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the numbers of device and framework files are kept, for tools that vary them. */
#ifndef MACHINE_PLACE_H
#define MACHINE_PLACE_H

#include "base/json.h"

enum { PLACES_MAX = 2 };

struct place {
	const struct json_field *field; /* its type, bounds and dimension */
	size_t offsets[PLACES_MAX];     /* of a double in struct device or struct paradl_framework */
	unsigned count;
};

/* "product.sustained.fp16", "rules.host_layer.tokens": false where no number has that name. */
bool device_place(const char *name, struct place *place);
bool framework_place(const char *name, struct place *place);

/* The number `key` of a table of fields, in a struct that lies at `offset`. */
bool place_find(
	const struct json_field *fields, size_t count, size_t offset, const char *key, struct place *place);

/* What follows "block." in a name, or NULL. */
const char *place_inside(const char *name, const char *block);

#endif
