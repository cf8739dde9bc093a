/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One tree of a file laid over another. */
#ifndef BASE_OVERLAY_H
#define BASE_OVERLAY_H

#include "base/json.h"

/*
 * Returns `base` with the members of `over` in place of its own, object by object; all else is replaced as a whole. What
 * neither changes is shared with the old trees, and every node keeps its own place for errors. NULL: out of memory.
 */
const struct json *json_overlay(struct paradl_arena *arena, const struct json *base, const struct json *over);
/* Returns an object without some of its members; `keys` ends in NULL. NULL: out of memory. */
const struct json *json_without(
	struct paradl_arena *arena, const struct json *object, const char *const *keys);

#endif
