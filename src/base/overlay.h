/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tree of one file laid over that of another. */
#ifndef BASE_OVERLAY_H
#define BASE_OVERLAY_H

#include "base/json.h"

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
