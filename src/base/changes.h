/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files as if they said something else. A change names a number by its file and its keys, with dots between them:
 *     hw.levels.1.bandwidth=25 GB/s      replaces what stands there, or adds a member to an object
 *     hw.levels.*.latency=x0.5           multiplies numbers and quantities; *: every member
 *     device.peak.*=+20%                 the same as x1.2
 *     framework.rules.host_layer=x2      of an object of like numbers, every member
 */
#ifndef BASE_CHANGES_H
#define BASE_CHANGES_H

#include "base/json.h"

enum change_scope { CHANGE_MODEL, CHANGE_MACHINE, CHANGE_DEVICE, CHANGE_FRAMEWORK, CHANGE_SCOPES };

enum { CHANGES_MAX = 64 };

struct change {
	enum change_scope scope;
	const char *text;  /* as typed */
	const char *key;   /* "levels.1.bandwidth" */
	const char *value; /* that replaces; NULL: */
	double factor;     /* that multiplies */
};

struct paradl_changes {
	struct change items[CHANGES_MAX];
	size_t count;
};

/* Which changes have met something; several files may belong to a scope. */
struct change_tally {
	bool found[CHANGES_MAX];
};

/*
 * The tree with the changes of a scope; `root` itself where there are none (changes NULL: none). What was changed has the
 * text of the change in place of a file in errors. adds: replacements that have met nothing so far may add a member.
 */
const struct json *changes_apply(struct paradl_arena *arena, const struct paradl_changes *changes,
	enum change_scope scope, const struct json *root, bool adds, struct change_tally *tally,
	struct paradl_error *error);
/* Have all changes of the scope met something? Else an error that says what `root` has instead. */
bool changes_met(const struct paradl_changes *changes, enum change_scope scope, const struct json *root,
	const struct change_tally *tally, struct paradl_error *error);

/* The tree of the one file of a scope with all its changes; NULL, with an error, where one of them has met nothing. */
const struct json *changes_apply_all(struct paradl_arena *arena, const struct paradl_changes *changes,
	enum change_scope scope, const struct json *root, struct paradl_error *error);

#endif
