/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef MACHINE_FORMAT_H
#define MACHINE_FORMAT_H

#include "base/json.h"

/* Checks the header that every native file has: "format" and a "version" that is not newer than `version`. */
bool format_expect(const struct json *root, const char *format, unsigned version, struct paradl_error *error);

/*
 * Refuses the name of a file that would leave the folder in which it is looked up. node: where the name stands; NULL:
 * nowhere.
 */
bool plain_name_expect(
	const struct json *node, const char *name, const char *folder, struct paradl_error *error);

/*
 * Finds the paths of assumed numbers. "from" maps the path of a number ("levels/1/latency", or of an object around
 * it) to its origin: datasheet, measured, paper, derived or assumed, then whatever names the source. `from` may be
 * NULL.
 */
bool origins_assumed(struct paradl_arena *arena, const struct json *from, const char *const **paths,
	unsigned *count, struct paradl_error *error);
/*
 * Returns what `from` says of the number at a path such as "levels/1/ring", or of what is around it; NULL: nothing.
 */
const char *origin_of(const struct json *from, const char *path);
/* Kinds of origins, by their first word. */
enum origin_kind {
	ORIGIN_DATASHEET,
	ORIGIN_MEASURED,
	ORIGIN_PAPER,
	ORIGIN_DERIVED,
	ORIGIN_ASSUMED,
	ORIGIN_KINDS
};
#define ORIGIN_FORCED                                                                                        \
	"assumed: forced although " /* Begins origins of fits that were refused; then come the verdict and a colon */
enum origin_kind origin_kind(const char *origin); /* Returns ORIGIN_ASSUMED for NULL, too */
const char *origin_kind_name(enum origin_kind kind);

/* Adds a warning; false: out of memory, or the warning is NULL. */
bool finding_add(struct paradl_arena *arena, struct paradl_findings *findings, const char *warning);
/* Adds findings: numbers and quantities that no origin covers, origins of nothing, unknown kinds of origin. */
bool origins_check(struct paradl_arena *arena, const struct json *root, struct paradl_findings *findings,
	struct paradl_error *error);
/*
 * Adds the same findings for a file that takes some numbers from another: `whole` has them all, and the file may say
 * where any is from.
 */
bool origins_check_within(struct paradl_arena *arena, const struct json *root, const struct json *whole,
	struct paradl_findings *findings, struct paradl_error *error);

/* Finds where numbers of device and framework files are kept, for tools that vary them. */

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
