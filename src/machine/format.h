/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef MACHINE_FORMAT_H
#define MACHINE_FORMAT_H

#include "base/json.h"

/* The header of every file of ours: "format" and a "version" that is not newer than ours. */
bool format_expect(const struct json *root, const char *format, unsigned version, struct paradl_error *error);

/* Refuses the name of a file that would leave the folder it is looked for in. NULL as node: there is none to name. */
bool plain_name_expect(
	const struct json *node, const char *name, const char *folder, struct paradl_error *error);

/*
 * "from" maps the path of a number ("levels/1/latency", or of an object around it) to its origin: datasheet, measured,
 * paper, derived or assumed, then whatever names the source. Lists the paths of assumed ones; `from` may be NULL.
 */
bool origins_assumed(struct paradl_arena *arena, const struct json *from, const char *const **paths,
	unsigned *count, struct paradl_error *error);
/* What `from` says of a number or of what is around it, "levels/1/ring"; NULL: nothing. */
const char *origin_of(const struct json *from, const char *path);
/* Of what kind an origin is, by its first word. */
enum origin_kind {
	ORIGIN_DATASHEET,
	ORIGIN_MEASURED,
	ORIGIN_PAPER,
	ORIGIN_DERIVED,
	ORIGIN_ASSUMED,
	ORIGIN_KINDS
};
#define ORIGIN_FORCED                                                                                        \
	"assumed: forced although " /* how origins of fits that were refused begin; then the verdict and a colon */
enum origin_kind origin_kind(const char *origin); /* NULL, unknown: assumed */
const char *origin_kind_name(enum origin_kind kind);

/* Adds a warning; false: out of memory, or the warning is NULL. */
bool finding_add(struct paradl_arena *arena, struct paradl_findings *findings, const char *warning);
/* Findings: numbers and quantities that no origin covers, origins of nothing, unknown kinds of origin. */
bool origins_check(struct paradl_arena *arena, const struct json *root, struct paradl_findings *findings,
	struct paradl_error *error);
/* The same of a file that takes some numbers from another: `whole` has them all, and the file may say where any is from. */
bool origins_check_within(struct paradl_arena *arena, const struct json *root, const struct json *whole,
	struct paradl_findings *findings, struct paradl_error *error);

#endif
