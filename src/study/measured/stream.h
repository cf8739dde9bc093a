/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * JSON of any size, value by value, from a file: strict as base/json.h is, without a tree. The caller asks for what the
 * next value is, and takes it or leaves it.
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
	double offset, line_offset; /* of buffer[0], and of the first character of the line, in the file */
	int line;
	unsigned depth;
	bool failed, first; /* first: no member of the innermost array or object was read yet */
	unsigned char buffer[STREAM_BUFFER];
};

void stream_begin(struct json_stream *stream, FILE *file, const char *path, struct paradl_error *error);
/* What the next value is; false at an error. */
bool stream_kind(struct json_stream *stream, enum json_kind *kind);
/* Takes it. Texts longer than `size` - 1 bytes are cut at a character. */
bool stream_text(struct json_stream *stream, char *text, size_t size);
bool stream_number(struct json_stream *stream, double *number);
bool stream_skip(struct json_stream *stream);
/* An array or object: begin, then each member until false, which is also what an error is (stream->failed). */
bool stream_enter(struct json_stream *stream, char bracket);
bool stream_next(struct json_stream *stream, char closing);
bool stream_next_key(struct json_stream *stream, char *key, size_t size);
/* Nothing but white space follows. */
bool stream_finish(struct json_stream *stream);
bool stream_fail(struct json_stream *stream, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
