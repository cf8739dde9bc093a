/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads files of any format as native trees. */
#ifndef IMPORT_IMPORT_H
#define IMPORT_IMPORT_H

#include "import/importer.h"

/* Reads the first bytes of a file, or all of a file that can be read only once, such as a pipe. */
bool import_open(struct paradl_arena *arena, const char *path, struct import_source *source,
	struct paradl_error *error);
/* Parses the file into source->root if it is a JSON object. False: error is set. */
bool import_parse(struct paradl_arena *arena, struct import_source *source, struct paradl_error *error);
/* Returns the importer that knows the file. NULL: it is a native file, or in no known format. */
const struct importer *import_recognise(const struct import_source *source);
/* Returns the tree of a JSON file; NULL: error is set. */
const struct json *import_native(
	struct paradl_arena *arena, const struct import_source *source, struct paradl_error *error);
/*
 * Returns the native text of a file in another format, and fills findings; NULL: error is set. The text need not be a
 * valid model or machine.
 */
const char *import_convert(struct paradl_arena *arena, const struct import_source *source,
	const struct importer *importer, const struct paradl_import_options *options,
	struct paradl_findings *findings, struct paradl_error *error);

#endif
