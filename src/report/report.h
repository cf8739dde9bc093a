/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This folder presents results. A document (an advice, an estimate, ...) holds results and what they rest on. A format
 * writes each kind of document; it is one file that ends in one `const struct report_format report_NAME`, and one line
 * X(NAME) in list.def. Nothing here computes a result.
 */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include <stdio.h>

#include "result/documents.h"

enum report_colors { COLORS_NONE, COLORS_256, COLORS_RGB };

struct report_style {
	size_t width;     /* columns of a line of text */
	bool width_asked; /* whether --width said so: tables then say which of their columns have no room */
	bool ascii;
	enum report_colors colors;
	bool brief;    /* tables only */
	bool detailed; /* everything, instead of the short answer */
};

struct report_sink {
	FILE *file;
	struct paradl_arena *arena;
	struct report_style style;
	bool out_of_memory; /* whether memory ran out, so that the output is not to be trusted */
};

struct report_sweep_lines; /* sweep_document.h */

enum { REASON_BYTES = 96 };

struct report_format {
	const char *name, *extension, *summary;
	bool names_inputs; /* whether documents name input files by digests, which are taken on reading */
#define X(member, type, ...) void (*member)(struct report_sink * sink, const struct type *report);
#include "report/written.def"
#undef X
	const struct report_sweep_lines *sweep;
};

#define X(id) extern const struct report_format report_##id;
#include "report/list.def"
#undef X

/* All formats in the order of list.def, with NULL at the end. */
extern const struct report_format *const report_formats[];
const struct report_format *report_find(const char *name);
/* Returns the format for the extension of a file name; NULL if no format has it. */
const struct report_format *report_of_file(const char *path);

/* Returns the message for the errno value `reason`, written into `text`. */
const char *report_reason(char text[REASON_BYTES], int reason);

/* Writes an error as a JSON document, for the formats that programs read. */
void report_error_json(FILE *file, bool compact, const struct paradl_error *error);

/* Writes the JSON Schema of a document. */
void schema_write(FILE *file, const struct result_document *document);

#endif
