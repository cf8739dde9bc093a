/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sources that the loaders of paradl.h are given. A text becomes a file of the arena, so that code that reads its
 * path later reads it, too: a study reads a machine again with something changed, and errors show the place.
 */
#ifndef BASE_SOURCE_H
#define BASE_SOURCE_H

#include "base/json.h"

/*
 * Returns the path to read from, or NULL with an error. Names are looked up in the folder `kind` of the source's
 * directories; with `kind` NULL they are paths.
 */
const char *source_path(struct paradl_arena *arena, const struct paradl_source *source, const char *kind,
	struct paradl_error *error);
/* Returns the tree of a JSON file, or NULL with an error; the caller applies changes. */
const struct json *source_json(struct paradl_arena *arena, const struct paradl_source *source,
	const char *kind, struct paradl_error *error);

#endif
