/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A strict JSON reader over cJSON, which is lenient: duplicate keys, 01, 1., 1e999, NUL bytes and
 * \u0000, raw control characters, bad UTF-8, a byte order mark, trailing text and nesting deeper than
 * JSON_DEPTH are refused here, with the place. json.c is the only file that includes cJSON.h.
 *
 * Objects are read by a table of fields (json_read): it is at once the list of allowed keys, their
 * types, units, ranges and where the value goes. Keys that start with '_' or '$' are comments.
 */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include "base/arena.h"
#include "base/quantity.h"

enum { JSON_DEPTH = 64 };
enum { JSON_SIZE_LIMIT = 64 << 20 };

enum json_kind { JSON_NULL, JSON_BOOL, JSON_NUMBER, JSON_STRING, JSON_ARRAY, JSON_OBJECT };

struct json { /* one value; the tree is immutable after parsing */
	enum json_kind kind;
	bool boolean;
	double number;
	const char *string;    /* of a string */
	const char *key;       /* of a member of an object, else NULL */
	unsigned index, count; /* place in the parent; number of children */
	const struct json *child, *next, *parent;
	const struct json_document *document;
	int line, column; /* 0: where the text of the document has it */
};

/* Reads and parses a file; path "-" is stdin. */
const struct json *json_load(struct paradl_arena *arena, const char *path, struct paradl_error *error);
/* Parses text; path is for messages only. */
const struct json *json_parse(struct paradl_arena *arena, const char *text, size_t length, const char *path,
	struct paradl_error *error);

/* For trees of files that are not JSON: all of their nodes have a line. NULL: out of memory. */
const struct json_document *json_document(struct paradl_arena *arena, const char *path);

const struct json *json_member(const struct json *object, const char *key); /* NULL if absent */
const char *json_path(const struct json *node);                             /* the file it is from */

/* An error at a node: fills path, line, column and pointer from it. Returns false. */
bool json_error(const struct json *node, struct paradl_error *error, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

enum json_type {
	JSON_TO_BOOL,     /* bool */
	JSON_TO_UNSIGNED, /* unsigned, integral, in [min, max] */
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
	size_t offset;            /* into the struct that json_read fills; untouched when the key is absent */
	double min, max;          /* of numbers; both 0: any (unsigned: 1 .. UINT_MAX is min 1, max 0) */
	enum dimension dimension; /* of JSON_TO_QUANTITY */
	const char *const *choices; /* NULL-terminated */
};

/*
 * Reads the members of `object` that `fields` lists into *out. Unknown key: error with a suggestion;
 * missing required key: error at the object. `allowed` (NULL-terminated, may be NULL) are further keys
 * that the caller reads itself.
 */
bool json_read(const struct json *object, const struct json_field *fields, size_t field_count,
	const char *const *allowed, void *out, struct paradl_error *error);
/* One value, as json_read would. */
bool json_read_value(
	const struct json *node, const struct json_field *field, void *out, struct paradl_error *error);

#endif
