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

#endif
