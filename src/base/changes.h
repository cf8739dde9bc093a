/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Changes make files read as if they said something else. A change names a number by its file and its keys, with dots
 * between them:
 *     hw.levels.1.bandwidth=25 GB/s      replaces the value there, or adds a member to an object
 *     hw.levels.*.latency=x0.5           multiplies numbers and quantities; * is every member
 *     device.peak.*=+20%                 does the same as x1.2
 *     framework.rules.host_layer=x2      multiplies every member of an object of like numbers
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
	const char *value; /* replacement; NULL: the change multiplies */
	double factor;     /* multiplier, where value is NULL */
};

struct paradl_changes {
	struct change items[CHANGES_MAX];
	size_t count;
};

/* Changes that have matched a value so far; several files may belong to a scope. */
struct change_tally {
	bool found[CHANGES_MAX];
};

/*
 * Returns the tree with the changes of a scope, or `root` itself where there are none (`changes` NULL: none). In
 * errors, a changed node shows the text of its change in place of a file. adds: replacements that have matched
 * nothing so far may add a member. Returns NULL with an error where a change does not fit its node.
 */
const struct json *changes_apply(struct paradl_arena *arena, const struct paradl_changes *changes,
	enum change_scope scope, const struct json *root, bool adds, struct change_tally *tally,
	struct paradl_error *error);
/* Reports whether all changes of the scope have matched; if not, sets an error that says what `root` has instead. */
bool changes_met(const struct paradl_changes *changes, enum change_scope scope, const struct json *root,
	const struct change_tally *tally, struct paradl_error *error);

/*
 * Returns the tree of the only file of a scope with all its changes; NULL, with an error, where one of them matches
 * nothing.
 */
const struct json *changes_apply_all(struct paradl_arena *arena, const struct paradl_changes *changes,
	enum change_scope scope, const struct json *root, struct paradl_error *error);

/* The tree of one file laid over that of another. */

/*
 * Returns `base` with the members of `over` in place of its own, object by object; any other value is replaced as a
 * whole. Nodes that neither changes are shared with the old trees, and every node keeps its own file and its place there for errors.
 * NULL: out of memory.
 */
const struct json *json_overlay(struct paradl_arena *arena, const struct json *base, const struct json *over);
/* Returns an object without the members that `keys` names; `keys` ends in NULL. NULL: out of memory. */
const struct json *json_without(
	struct paradl_arena *arena, const struct json *object, const char *const *keys);

#endif
