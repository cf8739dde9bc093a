/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A strict JSON reader over cJSON, which is lenient: duplicate keys, 01, 1., 1e999, NUL bytes and \u0000, raw control
 * characters, bad UTF-8, a byte order mark, trailing text and nesting deeper than JSON_DEPTH are refused here, with
 * their place. json.c is the only file that includes cJSON.h.
 *
 * Objects are read by a table of fields (json_read): it is at once the list of allowed keys, their types, units,
 * ranges and where the value goes. Keys that start with '_' or '$' are comments.
 */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include "base/arena.h"
#include "base/quantity.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { JSON_DEPTH = 64 };
enum { JSON_SIZE_LIMIT = 64 << 20 };

enum json_kind { JSON_NULL, JSON_BOOL, JSON_NUMBER, JSON_STRING, JSON_ARRAY, JSON_OBJECT };

struct json { /* one value; the tree is immutable after parsing */
	enum json_kind kind;
	bool boolean;
	double number;
	const char *string;    /* text of a string */
	const char *key;       /* key of an object's member, else NULL */
	unsigned index, count; /* index: place in the parent; count: children */
	const struct json *child, *next, *parent;
	const struct json_document *document;
	int line, column; /* 0: found in the text of the document */
};

/* Reads and parses a file; path "-" is stdin. */
const struct json *json_load(struct paradl_arena *arena, const char *path, struct paradl_error *error);
/* Parses text; path is for messages only. */
const struct json *json_parse(struct paradl_arena *arena, const char *text, size_t length, const char *path,
	struct paradl_error *error);

/* Creates a document for trees of files that are not JSON, all of whose nodes have a line. NULL: out of memory. */
const struct json_document *json_document(struct paradl_arena *arena, const char *path);

/* Returns the member of an object with a key; NULL if absent. */
const struct json *json_member(const struct json *object, const char *key);
/* Returns the path of the node's file. */
const char *json_path(const struct json *node);

/* Sets an error at a node, with its path, line, column and pointer. Returns false. */
bool json_error(const struct json *node, struct paradl_error *error, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

enum json_type {
	JSON_TO_BOOL,     /* bool */
	JSON_TO_UNSIGNED, /* unsigned: a whole number in [min, max] */
	JSON_TO_DOUBLE,   /* double in [min, max] */
	JSON_TO_TEXT,     /* const char * */
	JSON_TO_CHOICE,   /* int: index into choices */
	JSON_TO_QUANTITY, /* double in SI: a string with a unit of `dimension`, within [min, max] */
	JSON_TO_NODE,     /* const struct json *: taken as it is */
	JSON_TO_OBJECT,   /* const struct json *, must be an object */
	JSON_TO_ARRAY     /* const struct json *, must be an array */
};

struct json_field {
	const char *key;
	enum json_type type;
	bool required;
	size_t offset;   /* place in the struct that json_read fills; untouched when the key is absent */
	double min, max; /* range of numbers; both 0: any (unsigned: 1 .. UINT_MAX is min 1, max 0) */
	enum dimension dimension;   /* unit of a JSON_TO_QUANTITY */
	const char *const *choices; /* names of a JSON_TO_CHOICE, NULL-terminated */
};

/*
 * Reads the members of `object` that `fields` lists into *out. An unknown key is an error with a suggestion, a
 * missing required key an error at the object. `allowed` (NULL-terminated, may be NULL) lists further keys that the
 * caller reads itself.
 */
bool json_read(const struct json *object, const struct json_field *fields, size_t field_count,
	const char *const *allowed, void *out, struct paradl_error *error);
/* Reads one value as json_read would. */
bool json_read_value(
	const struct json *node, const struct json_field *field, void *out, struct paradl_error *error);

/*
 * The grammar of RFC 8259 and nothing more lenient: json_scan finds the first fault of a text before cJSON reads it.
 */

struct json_fault {
	size_t offset;
	char message[160];
};
/*
 * Checks a text; false, with the fault, if it is not JSON. Arrays and objects may nest `depth` deep; `values` is the
 * most values that there may be.
 */
bool json_scan(const char *text, size_t length, unsigned depth, size_t values, struct json_fault *fault);

/*
 * Finds line and column, both 1-based, of the value at an RFC 6901 pointer; false (and 0, 0) if it does not exist.
 * Runs on the error path only.
 */
bool json_locate(const char *text, size_t length, const char *pointer, int *line, int *column);
/*
 * Finds the same by the places of the values in their parents, outermost first, and so the second of two equal keys,
 * too.
 */
bool json_locate_child(
	const char *text, size_t length, const unsigned *indices, size_t depth, int *line, int *column);
/* Finds the text of the value at a pointer, `size` bytes at `offset`; false if it does not exist. */
bool json_locate_text(const char *text, size_t length, const char *pointer, size_t *offset, size_t *size);
/* Finds line and column (counted in characters, not bytes) of a byte offset. */
void json_position(const char *text, size_t length, size_t offset, int *line, int *column);

/*
 * A streaming JSON writer: fixed key order, %.17g shortened to the digits that read back equal, strings escaped and
 * bad UTF-8 replaced, non-finite numbers written as null. The key is NULL inside an array.
 */

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
