/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files of any format as native trees. */
#ifndef IMPORT_IMPORT_H
#define IMPORT_IMPORT_H

#include "import/importer.h"

/* Reads the first bytes of a file; of what can be read only once all. */
bool import_open(struct paradl_arena *arena, const char *path, struct import_source *source,
	struct paradl_error *error);
/* Parses it if it is JSON. */
bool import_parse(struct paradl_arena *arena, struct import_source *source, struct paradl_error *error);
/* NULL: a native file, or none that is known. */
const struct importer *import_recognise(const struct import_source *source);
/* The tree of a native file. */
const struct json *import_native(
	struct paradl_arena *arena, const struct import_source *source, struct paradl_error *error);
/* The native text of another; it need not be a good model or machine. Fills findings. */
const char *import_convert(struct paradl_arena *arena, const struct import_source *source,
	const struct importer *importer, const struct paradl_import_options *options,
	struct paradl_findings *findings, struct paradl_error *error);

#endif
