/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file declares a reader of JSON of any size, value by value, from a file. It is strict as base/json.h is, and
 * builds no tree. The caller asks what the next value is, and takes it or skips it.
 */
#ifndef STUDY_MEASURED_STREAM_H
#define STUDY_MEASURED_STREAM_H

#include <stdio.h>

#include "base/json.h"

enum { STREAM_BUFFER = 65536, STREAM_TEXT = 256 };

struct json_stream {
	FILE *file;
	const char *path;
	struct paradl_error *error;
	size_t at, end;
	/* Offsets in the file: of buffer[0], and of the first character of the line. */
	double offset, line_offset;
	int line;
	unsigned depth;
	bool failed, first; /* first: no member of the innermost array or object was read yet */
	unsigned char buffer[STREAM_BUFFER];
};

void stream_begin(struct json_stream *stream, FILE *file, const char *path, struct paradl_error *error);
/* Finds the kind of the next value; false at an error. */
bool stream_kind(struct json_stream *stream, enum json_kind *kind);
/* Takes a text, the next value. Texts longer than `size` - 1 bytes are cut at a character. */
bool stream_text(struct json_stream *stream, char *text, size_t size);
bool stream_number(struct json_stream *stream, double *number);
bool stream_skip(struct json_stream *stream);
/*
 * Begins an array or object. The next two begin each member until they return false, as they do at an error
 * (stream->failed).
 */
bool stream_enter(struct json_stream *stream, char bracket);
bool stream_next(struct json_stream *stream, char closing);
bool stream_next_key(struct json_stream *stream, char *key, size_t size);
/* Returns whether nothing but white space follows. */
bool stream_finish(struct json_stream *stream);
bool stream_fail(struct json_stream *stream, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
