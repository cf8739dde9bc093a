/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds where numbers of device and framework files are kept, for tools that vary them. */
#ifndef MACHINE_PLACE_H
#define MACHINE_PLACE_H

#include "base/json.h"

enum { PLACES_MAX = 2 };

struct place {
	const struct json_field *field; /* type, bounds and dimension of the number */
	size_t offsets[PLACES_MAX];     /* offsets of doubles in struct device or struct paradl_framework */
	unsigned count;
};

/*
 * Finds the number "product.sustained.fp16" of a device, "rules.host_layer.tokens" of a framework; false where no
 * number has that name.
 */
bool device_place(const char *name, struct place *place);
bool framework_place(const char *name, struct place *place);

/* Finds the number `key` of a table of fields, in a struct that lies at `offset`. */
bool place_find(
	const struct json_field *fields, size_t count, size_t offset, const char *key, struct place *place);

/* Returns what follows "block." in a name, or NULL. */
const char *place_inside(const char *name, const char *block);

#endif
