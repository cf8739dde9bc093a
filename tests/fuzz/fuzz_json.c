/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A refused text has a message and a place in it. In an accepted one every value is found again, by its pointer
 * and by its place in its parents alike, and the text written from it reads as the same tree.
 */
#include "fuzz.h"

#include <math.h>
#include <string.h>

#include "base/json.h"

struct text {
	const char *bytes;
	size_t length;
};

static void require_place(const struct json *node, const struct text *text)
{
	struct paradl_error error;
	int line, column;
	json_error(node, &error, "x");
	REQUIRE(error.line > 0 && error.column > 0);
	const size_t length = strlen(error.pointer);
	if (length < 4 || strcmp(error.pointer + length - 4, "/...") != 0) /* else it is shortened */
		REQUIRE(json_locate(text->bytes, text->length, error.pointer, &line, &column) &&
			line == error.line && column == error.column);
	for (const struct json *child = node->child; child; child = child->next) {
		REQUIRE(child->parent == node && child->index < node->count);
		require_place(child, text);
	}
}

static void write_value(struct json_writer *writer, const struct json *node)
{
	if (node->kind == JSON_NUMBER)
		json_write_number(writer, node->key, node->number);
	else if (node->kind == JSON_STRING)
		json_write_text(writer, node->key, node->string);
	else if (node->kind == JSON_BOOL)
		json_write_bool(writer, node->key, node->boolean);
	else if (node->kind == JSON_NULL)
		json_write_null(writer, node->key);
	else {
		(node->kind == JSON_OBJECT ? json_begin_object : json_begin_array)(writer, node->key);
		for (const struct json *child = node->child; child; child = child->next)
			write_value(writer, child);
		(node->kind == JSON_OBJECT ? json_end_object : json_end_array)(writer);
	}
}

static void require_equal(const struct json *a, const struct json *b)
{
	REQUIRE(a->kind == b->kind && a->count == b->count && a->boolean == b->boolean);
	REQUIRE(isfinite(a->number) && !(a->number < b->number) && !(a->number > b->number));
	REQUIRE(!a->key == !b->key && (!a->key || strcmp(a->key, b->key) == 0));
	REQUIRE(!a->string == !b->string && (!a->string || strcmp(a->string, b->string) == 0));
	const struct json *other = b->child;
	for (const struct json *child = a->child; child; child = child->next, other = other->next)
		require_equal(child, other);
}

static void require_same_when_written(struct paradl_arena *arena, const struct json *root, bool compact)
{
	char *text = NULL;
	size_t length = 0;
	struct json_writer writer = {.file = open_memstream(&text, &length), .compact = compact};
	REQUIRE(writer.file);
	write_value(&writer, root);
	fclose(writer.file);
	const struct json *const again = json_parse(arena, text, length, "again", NULL);
	REQUIRE(again);
	require_equal(root, again);
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct paradl_arena *const arena = paradl_arena_create();
	struct paradl_error error = {.status = PARADL_OK};
	const struct text text = {(const char *)data, size};
	const struct json *const root = json_parse(arena, text.bytes, size, "x", &error);
	if (root) {
		require_place(root, &text);
		require_same_when_written(arena, root, true);
		require_same_when_written(arena, root, false);
	} else {
		REQUIRE(error.status == PARADL_SYNTAX && error.line > 0 && error.column > 0 &&
			*error.message);
	}
	paradl_arena_free(arena);
	return 0;
}
