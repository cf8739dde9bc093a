/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files of other tools as native JSON text. A format is an importer: it says whether it knows a file by the file's first
 * bytes, its name or the keys of its JSON, and writes the text. What reads it back, and all that takes files, is import.c.
 */
#ifndef IMPORT_IMPORTER_H
#define IMPORT_IMPORTER_H

#include "base/file.h"
#include "base/json.h"
#include "base/json_write.h"
#include "model/warnings.h"

enum { IMPORT_HEAD_BYTES = 64 << 10, IMPORT_SIZE_LIMIT = 16 << 20 };

/* A file as it is known by. Formats that need more of it open `path` themselves, unless all of it is here. */
struct import_source {
	const char *path;
	struct file_head head;
	const struct json *root; /* of a JSON object; else NULL */
};

/* Options of `import` that not every format has a meaning for. */
enum import_option {
	IMPORT_LAYER_CONFIG = 1,
	IMPORT_DATASET = 2,
	IMPORT_WEIGHTS = 4,
	IMPORT_SHAPES = 8,
	IMPORT_ASSUME = 16,
	IMPORT_PART = 32
};

/* One file on its way. */
struct importing {
	struct paradl_arena *arena;
	struct import_source source;
	const struct paradl_import_options *options;
	struct warnings warnings;
	const char *note; /* what has been found out besides; NULL: nothing */
	struct paradl_error *error;
};

struct importer {
	const char *name, *summary; /* "onnx", "ONNX, networks of images" */
	const char *becomes;        /* "paradl-model" or "paradl-hw" */
	unsigned options;           /* of enum import_option */
	bool needs_json;            /* of read: source.root is there */
	bool (*knows)(const struct import_source *source);
	/* The JSON text, in the arena; NULL: error is set. */
	const char *(*read)(struct importing *importing);
};

#define X(id) extern const struct importer importer_##id;
#include "import/list.def"
#undef X
extern const struct importer *const importers[]; /* NULL-terminated */

/* All of the file, to be changed at will; NULL: error is set. */
char *import_text(struct importing *importing, size_t *length);
/* "file.json" of "dir/file.json". */
const char *import_file_name(const char *path);

/* A writer into memory, and its text in the arena; NULL: out of memory, or not `written`. */
struct import_writing {
	struct json_writer writer;
	char *text;
	size_t length;
};
bool import_writing_begin(struct importing *importing, struct import_writing *writing);
const char *import_writing_end(struct importing *importing, struct import_writing *writing, bool written);

/* A number with its unit, as files have quantities: "12.5" and " GB/s". */
void import_quantity(struct json_writer *writer, const char *key, double value, const char *unit);

#endif
