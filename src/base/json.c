/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/json.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"

enum {
	VALUE_LIMIT = 4 << 20, /* some 200 bytes each while both cJSON's tree and this one exist */
	FEW_KEYS = 8
};

struct json_document {
	const char *path, *text;
	size_t length;
};

/* Lock of cJSON_Parse, which writes a static error record; it is the only mutable static of the library. */
static pthread_mutex_t cjson_mutex = PTHREAD_MUTEX_INITIALIZER;

struct keyed {
	const char *key;
	unsigned index;
};

static int compare_keys(const void *a, const void *b)
{
	const struct keyed *const first = a, *const second = b;
	const int order = strcmp(first->key, second->key);
	return order != 0 ? order : (first->index > second->index) - (first->index < second->index);
}

/*
 * Returns the first member whose key an earlier one has; object->count if there is none, and more if memory is
 * missing.
 */
static unsigned twice_in_many(const struct json *object)
{
	unsigned twice = object->count;
	struct keyed *const keys = malloc(object->count * sizeof *keys);
	if (!keys)
		return object->count + 1;
	for (unsigned i = 0; i < object->count; i++)
		keys[i] = (struct keyed){object->child[i].key, i};
	qsort(keys, object->count, sizeof *keys, compare_keys);
	for (unsigned i = 1; i < object->count; i++)
		if (strcmp(keys[i - 1].key, keys[i].key) == 0 && keys[i].index < twice)
			twice = keys[i].index;
	free(keys);
	return twice;
}

/* Returns the same for an object of few members, where comparing all pairs is quicker than sorting. */
static unsigned twice_in_few(const struct json *object)
{
	for (unsigned i = 1; i < object->count; i++)
		for (unsigned before = 0; before < i; before++)
			if (strcmp(object->child[before].key, object->child[i].key) == 0)
				return i;
	return object->count;
}

static bool refuse_equal_keys(const struct json *object, struct paradl_error *error)
{
	char key[80];
	const unsigned twice = object->count <= FEW_KEYS ? twice_in_few(object) : twice_in_many(object);
	if (twice == object->count)
		return true;
	if (twice > object->count)
		return out_of_memory(error);
	json_error(&object->child[twice], error, "the key %s is there twice",
		error_quote(key, sizeof key, object->child[twice].key));
	return false;
}

static bool copy_value(
	struct paradl_arena *arena, const cJSON *from, struct json *to, struct paradl_error *error);

static bool copy_children(
	struct paradl_arena *arena, const cJSON *from, struct json *to, struct paradl_error *error)
{
	for (const cJSON *child = from->child; child; child = child->next)
		to->count++;
	if (to->count == 0)
		return true;
	struct json *const children = arena_alloc(arena, to->count, sizeof *children);
	if (!children)
		return out_of_memory(error);
	to->child = children;
	struct json *node = children;
	for (const cJSON *child = from->child; child; child = child->next, node++) {
		node->index = (unsigned)(node - children);
		node->next = child->next ? node + 1 : NULL;
		node->parent = to;
		node->document = to->document;
		if (child->string && !(node->key = arena_text(arena, child->string)))
			return out_of_memory(error);
	}
	/* Values come after all keys, which the place of an error needs. */
	node = children;
	for (const cJSON *child = from->child; child; child = child->next)
		if (!copy_value(arena, child, node++, error))
			return false;
	return to->kind != JSON_OBJECT || refuse_equal_keys(to, error);
}

static bool copy_number(const cJSON *from, struct json *to, struct paradl_error *error)
{
	to->kind = JSON_NUMBER;
	to->number = from->valuedouble;
	return isfinite(to->number) || json_error(to, error, "the number is too large");
}

static bool copy_string(
	struct paradl_arena *arena, const cJSON *from, struct json *to, struct paradl_error *error)
{
	to->kind = JSON_STRING;
	to->string = arena_text(arena, from->valuestring);
	return to->string || out_of_memory(error);
}

/* Copies a value of cJSON into a node; recurses as deep as the text nests, which json_scan has limited. */
static bool copy_value(
	struct paradl_arena *arena, const cJSON *from, struct json *to, struct paradl_error *error)
{
	if (cJSON_IsNumber(from))
		return copy_number(from, to, error);
	if (cJSON_IsString(from))
		return copy_string(arena, from, to, error);
	if (cJSON_IsObject(from) || cJSON_IsArray(from)) {
		to->kind = cJSON_IsObject(from) ? JSON_OBJECT : JSON_ARRAY;
		return copy_children(arena, from, to, error);
	}
	to->kind = cJSON_IsBool(from) ? JSON_BOOL : JSON_NULL;
	to->boolean = cJSON_IsTrue(from);
	return true;
}

static const struct json *parse(
	struct paradl_arena *arena, const struct json_document *document, struct paradl_error *error)
{
	struct json_fault fault = {.offset = 0};
	if (!json_scan(document->text, document->length, JSON_DEPTH, VALUE_LIMIT, &fault)) {
		int line, column;
		json_position(document->text, document->length, fault.offset, &line, &column);
		error_at(error, PARADL_SYNTAX, document->path, line, column, "%s", fault.message);
		return NULL;
	}
	struct json *const root = arena_alloc(arena, 1, sizeof *root);
	if (!root)
		return out_of_memory_null(error);
	root->document = document;
	pthread_mutex_lock(&cjson_mutex);
	cJSON *const tree = cJSON_ParseWithLengthOpts(document->text, document->length + 1, NULL, true);
	pthread_mutex_unlock(&cjson_mutex);
	/* json_scan has accepted the text, so only memory can have been missing. */
	const bool is_good = tree ? copy_value(arena, tree, root, error) : out_of_memory(error);
	cJSON_Delete(tree);
	if (!is_good && error && error->status == PARADL_SCHEMA) /* set by json_error; the text is at fault */
		error->status = PARADL_SYNTAX;
	return is_good ? root : NULL;
}

static const struct json *parse_owned(struct paradl_arena *arena, const char *text, size_t length,
	const char *path, struct paradl_error *error)
{
	struct json_document *const document = arena_alloc(arena, 1, sizeof *document);
	const char *const own_path = arena_text(arena, path ? path : "");
	if (!document || !own_path || !text)
		return out_of_memory_null(error);
	*document = (struct json_document){own_path, text, length};
	return parse(arena, document, error);
}

const struct json *json_load(struct paradl_arena *arena, const char *path, struct paradl_error *error)
{
	size_t length;
	const char *const text = file_read(arena, path, JSON_SIZE_LIMIT, &length, error);
	return text ? parse_owned(arena, text, length, path, error) : NULL;
}

const struct json *json_parse(struct paradl_arena *arena, const char *text, size_t length, const char *path,
	struct paradl_error *error)
{
	if (length > JSON_SIZE_LIMIT) {
		error_at(error, PARADL_SYNTAX, path, 0, 0, "is larger than %d bytes", (int)JSON_SIZE_LIMIT);
		return NULL;
	}
	return parse_owned(arena, arena_copy(arena, text, length), length, path, error);
}

const struct json_document *json_document(struct paradl_arena *arena, const char *path)
{
	struct json_document *const document = arena_alloc(arena, 1, sizeof *document);
	if (document)
		*document = (struct json_document){arena_text(arena, path ? path : ""), "", 0};
	return document && document->path ? document : NULL;
}

const struct json *json_member(const struct json *object, const char *key)
{
	if (object->kind != JSON_OBJECT)
		return NULL;
	for (const struct json *member = object->child; member; member = member->next)
		if (strcmp(member->key, key) == 0)
			return member;
	return NULL;
}

const char *json_path(const struct json *node)
{
	return node->document->path;
}

/* Writes "/token", escaped as RFC 6901 says; returns its length, or 0 if it does not fit. */
static size_t write_token(char *out, size_t size, const struct json *node)
{
	char number[16];
	const char *token = node->key;
	size_t length = 0;
	if (size < 2)
		return 0;
	if (!token) {
		snprintf(number, sizeof number, "%u", node->index);
		token = number;
	}
	for (out[length++] = '/'; *token; token++) {
		if (length + 2 > size)
			return 0;
		char c = *token;
		if (c == '~' || c == '/') {
			out[length++] = '~';
			c = "01"[c == '/'];
		}
		out[length++] = c;
	}
	return length;
}

/* Writes the whole pointer, or as many of its first tokens as fit with "/..." after them. */
static void write_pointer(char *out, size_t size, const struct json *const *path, size_t depth)
{
	static const char ellipsis[] = "/...";
	size_t length = 0;
	for (size_t i = 0; i < depth; i++) {
		const size_t token = write_token(out + length, size - length - sizeof ellipsis, path[i]);
		if (token == 0) {
			memcpy(out + length, ellipsis, sizeof ellipsis - 1);
			length += sizeof ellipsis - 1;
			break;
		}
		length += token;
	}
	out[length] = '\0';
}

bool json_error(const struct json *node, struct paradl_error *error, const char *format, ...)
{
	if (!error)
		return false;
	const struct json_document *const document = node->document;
	const struct json *path[JSON_DEPTH + 1];
	unsigned indices[JSON_DEPTH + 1];
	char message[sizeof error->message];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(message, sizeof message, format, arguments);
	va_end(arguments);
	size_t depth = 0;
	for (const struct json *at = node; at->parent; at = at->parent)
		depth++;
	size_t level = depth;
	for (const struct json *at = node; at->parent; at = at->parent) {
		path[--level] = at;
		indices[level] = at->index;
	}
	int line = node->line, column = node->column;
	if (line == 0 && document->length > 0)
		json_locate_child(document->text, document->length, indices, depth, &line, &column);
	error_at(error, PARADL_SCHEMA, document->path, line, column, "%s", message);
	write_pointer(error->pointer, sizeof error->pointer, path, depth);
	return false;
}
