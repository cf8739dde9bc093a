/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Depth, size, memory and threads: where a reader of JSON breaks first. */
#include "test.h"

#include <pthread.h>

#include "base/json.h"

static const struct json *parse(struct paradl_arena *arena, const char *text, struct paradl_error *error)
{
	return json_parse(arena, text, strlen(text), "x.json", error);
}

static const struct json *parse_good(struct paradl_arena *arena, const char *text)
{
	struct paradl_error error = {.status = PARADL_OK};
	const struct json *const root = parse(arena, text, &error);
	if (!root)
		fail_msg("%s: %d:%d: %s", text, error.line, error.column, error.message);
	return root;
}

static char *nest(size_t depth, const char *open, const char *inner, const char *close)
{
	char *const text = calloc(depth * (strlen(open) + strlen(close)) + strlen(inner) + 1, 1);
	char *at = text;
	assert_non_null(text);
	for (size_t i = 0; i < depth; i++, at += strlen(open))
		memcpy(at, open, strlen(open));
	memcpy(at, inner, strlen(inner));
	at += strlen(inner);
	for (size_t i = 0; i < depth; i++, at += strlen(close))
		memcpy(at, close, strlen(close));
	return text;
}

static void nests_as_deep_as_it_says(void **state)
{
	(void)state;
	static const struct {
		size_t depth;
		const char *open, *inner, *close;
		bool is_good;
		int column;
	} cases[] = {
		{JSON_DEPTH, "[", "", "]", true, 0},
		{JSON_DEPTH + 1, "[", "", "]", false, JSON_DEPTH + 1},
		{JSON_DEPTH, "{\"a\":", "1", "}", true, 0},
		{JSON_DEPTH + 1, "{\"a\":", "1", "}", false, JSON_DEPTH * 5 + 1},
		{1000000, "[", "", "]", false, JSON_DEPTH + 1},
		{1000000, "[", "", "", false, JSON_DEPTH + 1},
		{1000000, "{\"a\":", "", "", false, JSON_DEPTH * 5 + 1},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct paradl_arena *const arena = paradl_arena_create();
		struct paradl_error error = {.status = PARADL_OK};
		char *const text = nest(cases[i].depth, cases[i].open, cases[i].inner, cases[i].close);
		assert_int_equal(parse(arena, text, &error) != NULL, cases[i].is_good);
		assert_int_equal(error.column, cases[i].column);
		free(text);
		paradl_arena_free(arena);
	}
}

static void the_deepest_value_has_a_place(void **state)
{
	(void)state;
	struct paradl_arena *const arena = paradl_arena_create();
	char *const text = nest(JSON_DEPTH, "{\"k\":", "7", "}");
	const struct json *node = parse_good(arena, text);
	while (node->child)
		node = node->child;
	struct paradl_error error;
	assert_false(json_error(node, &error, "deep"));
	assert_int_equal(error.column, JSON_DEPTH * 5 + 1);
	assert_int_equal(strlen(error.pointer), JSON_DEPTH * 2);
	free(text);
	paradl_arena_free(arena);
}

static void reads_large_things(void **state)
{
	(void)state;
	enum { SIZE = 1 << 20, COUNT = 100000 };
	struct paradl_arena *const arena = paradl_arena_create();
	char *const text = malloc(COUNT * 20 > SIZE + 3 ? COUNT * 20 : SIZE + 3);
	assert_non_null(text);
	memset(text, 'a', SIZE + 2);
	text[0] = text[SIZE + 1] = '"';
	text[SIZE + 2] = '\0';
	assert_int_equal(strlen(parse_good(arena, text)->string), SIZE);
	size_t length = 0;
	for (int i = 0; i < COUNT; i++) /* quadratic checks of keys would take minutes */
		length +=
			(size_t)sprintf(text + length, "%s\"key%06d\":%d", i == 0 ? "{" : ",", COUNT - i, i);
	memcpy(text + length, "}", 2);
	assert_int_equal(parse_good(arena, text)->count, COUNT);
	memcpy(text + 5, "000001", 6); /* now the first and the last key are equal */
	struct paradl_error error;
	assert_null(parse(arena, text, &error));
	assert_string_equal(error.pointer, "/key000001");
	assert_int_equal(error.column, length - 4);
	free(text);
	paradl_arena_free(arena);
}

static void has_a_limit_of_values(void **state)
{
	(void)state;
	enum { VALUES = 4 << 20 }; /* and the array itself makes one too many */
	struct paradl_arena *const arena = paradl_arena_create();
	struct paradl_error error;
	char *const text = malloc(2 * VALUES + 1);
	assert_non_null(text);
	for (size_t i = 0; i < VALUES; i++)
		memcpy(text + 2 * i, i == 0 ? "[0" : ",0", 2);
	text[2 * VALUES] = ']';
	assert_null(json_parse(arena, text, 2 * VALUES + 1, "x.json", &error));
	assert_string_equal(error.message, "too many values");
	assert_int_equal(error.column, 2 * VALUES);
	free(text);
	paradl_arena_free(arena);
}

static void long_pointers_end_in_dots(void **state)
{
	(void)state;
	struct paradl_arena *const arena = paradl_arena_create();
	for (size_t length = 200; length < 300; length++) {
		char text[400] = "{\"b\":{\"";
		memset(text + 7, '/', length);
		memcpy(text + 7 + length, "\":{\"\":{\"\":0}}}}", 16);
		const struct json *const inner = parse_good(arena, text)->child->child->child->child;
		struct paradl_error error;
		json_error(inner, &error, "no");
		assert_true(strlen(error.pointer) < sizeof error.pointer);
		assert_string_equal(error.pointer, "/b/...");
		assert_int_equal(error.column, 18 + (int)length);
	}
	char text[700] = "{\"";
	memset(text + 2, 'k', 600);
	memcpy(text + 602, "\":0}", 5);
	struct paradl_error error;
	json_error(parse_good(arena, text)->child, &error, "no");
	assert_string_equal(error.pointer, "/...");
	assert_int_equal(error.column, 605);
	for (size_t length = 230; length < 256; length++) { /* the end of the buffer, byte by byte */
		memset(text, 0, sizeof text);
		memcpy(text, "{\"", 2);
		memset(text + 2, 'k', length);
		char *const tail = nest(20, "\":{\"", "\":0", "}");
		memcpy(text + 2 + length, tail, strlen(tail));
		memcpy(text + 2 + length + strlen(tail), "}", 2);
		free(tail);
		const struct json *node = parse_good(arena, text);
		while (node->child)
			node = node->child;
		json_error(node, &error, "no");
		assert_int_equal(error.column, 2 + length + 20 * 4 + 2 + 1);
		assert_true(strlen(error.pointer) < sizeof error.pointer);
	}
	paradl_arena_free(arena);
}

static void every_allocation_may_fail(void **state)
{
	(void)state;
	static const char text[] = "{\"a\":[1,2,{\"b\":\"text\"}],\"c\":null,\"d\":{\"e\":true}}";
	bool is_read = false;
	size_t failures = 0;
	for (size_t limit = 0; !is_read; limit += 16) {
		struct paradl_arena *const arena = arena_create_limited(limit);
		struct paradl_error error = {.status = PARADL_OK};
		is_read = parse(arena, text, &error) != NULL;
		assert_int_equal(error.status, is_read ? PARADL_OK : PARADL_NO_MEMORY);
		failures += !is_read;
		paradl_arena_free(arena);
	}
	assert_true(failures > 20);
}

static void *parse_often(void *is_good)
{
	for (int i = 0; i < 200; i++) {
		struct paradl_arena *const arena = paradl_arena_create();
		const struct json *const root = parse(arena, "{\"a\":[1,2,3]}", NULL);
		if (!root || root->child->count != 3 || parse(arena, "[1e999]", NULL))
			*(bool *)is_good = false;
		paradl_arena_free(arena);
	}
	return NULL;
}

static void threads_may_parse(void **state)
{
	(void)state;
	pthread_t threads[4];
	bool is_good[4] = {true, true, true, true};
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, parse_often, &is_good[i]), 0);
	for (size_t i = 0; i < 4; i++) {
		pthread_join(threads[i], NULL);
		assert_true(is_good[i]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nests_as_deep_as_it_says),
		cmocka_unit_test(the_deepest_value_has_a_place),
		cmocka_unit_test(reads_large_things),
		cmocka_unit_test(has_a_limit_of_values),
		cmocka_unit_test(long_pointers_end_in_dots),
		cmocka_unit_test(every_allocation_may_fail),
		cmocka_unit_test(threads_may_parse),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
