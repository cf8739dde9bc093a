/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Importers write files of other tools as native JSON text. An importer stands for one format: it recognises a file
 * by the file's first bytes, its name or the keys of its JSON, and writes the text. load.c opens files and chooses
 * importers; import.c checks that the text can be read back.
 */
#ifndef IMPORT_IMPORTER_H
#define IMPORT_IMPORTER_H

#include "base/file.h"
#include "base/json.h"
#include "model/model.h"

enum { IMPORT_HEAD_BYTES = 64 << 10, IMPORT_SIZE_LIMIT = 16 << 20 };

/*
 * The start of a file, by which importers recognise it. Formats that need more bytes open `path` themselves, unless
 * `head` is the whole file.
 */
struct import_source {
	const char *path;
	struct file_head head;
	const struct json *root; /* tree of a file that is a JSON object; else NULL */
};

/* Options of `import` that only some formats have a meaning for. */
enum import_option {
	IMPORT_LAYER_CONFIG = 1,
	IMPORT_DATASET = 2,
	IMPORT_WEIGHTS = 4,
	IMPORT_SHAPES = 8,
	IMPORT_ASSUME = 16,
	IMPORT_PART = 32
};

/* State of one import. */
struct importing {
	struct paradl_arena *arena;
	struct import_source source;
	const struct paradl_import_options *options;
	struct warnings warnings;
	const char *note; /* remark on the result for users; NULL: none */
	struct paradl_error *error;
};

struct importer {
	const char *name, *summary; /* "onnx", "ONNX, networks of images" */
	const char *becomes;        /* format of the text: "paradl-model" or "paradl-hw" */
	unsigned options;           /* bits of enum import_option */
	bool needs_json;            /* read() needs source.root */
	bool (*knows)(const struct import_source *source);
	/* Returns the JSON text, in the arena; NULL: error is set. */
	const char *(*read)(struct importing *importing);
};

#define X(id) extern const struct importer importer_##id;
#include "import/list.def"
#undef X
extern const struct importer *const importers[]; /* NULL-terminated */

/* Returns a copy of the whole file, which may be changed; NULL: error is set. */
char *import_text(struct importing *importing, size_t *length);
/* Returns "file.json" of "dir/file.json". */
const char *import_file_name(const char *path);

/*
 * Writer of JSON into memory. import_writing_end returns the text in the arena; NULL: out of memory, or not
 * `written`.
 */
struct import_writing {
	struct json_writer writer;
	char *text;
	size_t length;
};
bool import_writing_begin(struct importing *importing, struct import_writing *writing);
const char *import_writing_end(struct importing *importing, struct import_writing *writing, bool written);

/* Writes a number with its unit, as quantities stand in files: "12.5" and " GB/s". */
void import_quantity(struct json_writer *writer, const char *key, double value, const char *unit);

/* Reads files of any format as native trees. */

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
