/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A streaming JSON writer: fixed key order, %.17g shortened to the digits that read back equal, strings escaped and
 * bad UTF-8 replaced, non-finite numbers written as null. The key is NULL inside an array.
 */
#ifndef BASE_JSON_WRITE_H
#define BASE_JSON_WRITE_H

#include <stdbool.h>
#include <stdio.h>

struct json_writer {
	FILE *file;
	int depth;
	bool comma, compact; /* compact: one line per document (jsonl) */
	bool spaced;         /* with compact: blanks after ',' and ':' and within braces, for people */
};

void json_begin_object(struct json_writer *writer, const char *key);
void json_end_object(struct json_writer *writer);
void json_begin_array(struct json_writer *writer, const char *key);
void json_end_array(struct json_writer *writer);
/* Writes a string, or null for NULL. */
void json_write_text(struct json_writer *writer, const char *key, const char *value);
void json_write_number(struct json_writer *writer, const char *key, double value);
void json_write_bool(struct json_writer *writer, const char *key, bool value);
/* Writes a value that is JSON already. */
void json_write_raw(struct json_writer *writer, const char *key, const char *value);
void json_write_null(struct json_writer *writer, const char *key);

#endif
