/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Opening what a loader of paradl.h is given. A text becomes a file of the arena, so that whatever names its path later reads it, too:
 * a study reads a machine again with something changed, errors show the place.
 */
#ifndef BASE_SOURCE_H
#define BASE_SOURCE_H

#include "base/json.h"

/* Returns the path to read from; names are looked up in the folder `kind` of directories, NULL: are paths. NULL: an error. */
const char *source_path(struct paradl_arena *arena, const struct paradl_source *source, const char *kind,
	struct paradl_error *error);
/* Returns the tree of a file of JSON; changes are the caller's. */
const struct json *source_json(struct paradl_arena *arena, const struct paradl_source *source,
	const char *kind, struct paradl_error *error);

#endif
