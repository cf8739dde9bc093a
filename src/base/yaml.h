/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * YAML is read into the tree that JSON becomes, so that one kind of reader and of error serves both. yaml.c is the
 * only file that includes libyaml's header, and can be built without.
 *
 * Plain scalars are numbers, true or false (also yes, no, on, off), null, or else text; quoted scalars are text.
 * Aliases, tags, a second document, keys that are not scalars or appear twice, and more than YAML_VALUES_MAX values
 * are refused.
 */
#ifndef BASE_YAML_H
#define BASE_YAML_H

#include "base/json.h"

enum { YAML_SIZE_LIMIT = 1 << 20, YAML_VALUES_MAX = 10000 };

/* Parses YAML; `path` is for messages only. NULL with an error: it is not YAML, or YAML of a refused kind. */
const struct json *yaml_parse(struct paradl_arena *arena, const char *text, size_t length, const char *path,
	struct paradl_error *error);

#endif
