/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "test.h"

#include "machine/format.h"

static const struct json *parse(struct paradl_arena *arena, const char *text)
{
	struct paradl_error error = {0};
	const struct json *const root = json_parse(arena, text, strlen(text), "f.json", &error);
	assert_non_null(root);
	return root;
}

static void expects_a_format(void **state)
{
	(void)state;
	static const char *const cases[][2] = {
		{"{\"format\": \"x\", \"version\": 2}", ""},
		{"{\"format\": \"x\", \"version\": 1}", ""},
		{"[]", "f.json:1:1: must be an object with \"format\": \"x\""},
		{"7", "f.json:1:1: must be an object with \"format\": \"x\""},
		{"{}", "f.json:1:1: needs \"format\": \"x\""},
		{"{\"format\": null}", "f.json:1:12: /format: needs \"format\": \"x\""},
		{"{\"format\": \"y\"}", "f.json:1:12: /format: is a \"y\" file where a \"x\" file is wanted"},
		{"{\"format\": \"x\"}", "f.json:1:1: needs \"version\": 2"},
		{"{\"format\": \"x\", \"version\": 3}",
			"f.json:1:28: /version: is version 3 of \"x\"; this program reads up to version 2"},
		{"{\"format\": \"x\", \"version\": 1.5}",
			"f.json:1:28: /version: must be a whole number from 1 to 1000000, is 1.5"},
		{"{\"format\": \"x\", \"version\": 0}",
			"f.json:1:28: /version: must be a whole number from 1 to 1000000, is 0"},
	};
	struct paradl_arena *const arena = paradl_arena_create();
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
		struct paradl_error error = {0};
		char text[2048] = "";
		if (!format_expect(parse(arena, cases[i][0]), "x", 2, &error))
			paradl_error_format(&error, text, sizeof text);
		assert_string_equal(text, cases[i][1]);
	}
	paradl_arena_free(arena);
}

static void lists_assumed_numbers(void **state)
{
	(void)state;
	static const char text[] =
		"{\"from\": {\"a\": \"assumed\", \"b\": \"assumed: guess\", \"c\": \"measured\", \"d\": "
		"\"assumedly\", "
		"\"e\": \"derived from assumed\", \"f\": \"assumed, as b\", \"_g\": \"assumed\"}}";
	struct paradl_arena *const arena = paradl_arena_create();
	struct paradl_error error = {0};
	const char *const *paths;
	unsigned count;
	assert_true(origins_assumed(arena, json_member(parse(arena, text), "from"), &paths, &count, &error));
	assert_int_equal(count, 3);
	assert_string_equal(paths[0], "a");
	assert_string_equal(paths[1], "b");
	assert_string_equal(paths[2], "f");
	assert_true(origins_assumed(arena, NULL, &paths, &count, &error));
	assert_int_equal(count, 0);
	assert_false(origins_assumed(
		arena, json_member(parse(arena, "{\"from\": []}"), "from"), &paths, &count, &error));
	assert_string_equal(error.pointer, "/from");
	assert_false(origins_assumed(arena, json_member(parse(arena, "{\"from\": {\"a\": [1]}}"), "from"),
		&paths, &count, &error));
	assert_string_equal(error.pointer, "/from/a");
	paradl_arena_free(arena);
}

static void finds_numbers_without_an_origin(void **state)
{
	(void)state;
	static const char text[] = "{\"format\": \"f\", \"version\": 1, \"name\": \"4 wheels\", \"_n\": 1,\n"
				   " \"a\": 1, \"b\": {\"c\": \"2 s\", \"d\": \"two\"}, \"l\": [{\"name\": "
				   "\"400G rails\", \"x\": 1}, "
				   "{\"x\": 2, \"y\": 3}], \"q\": \"5 GB\",\n"
				   " \"from\": {\"a\": \"datasheet\", \"l/1\": \"paper: one\", \"l/0/y\": "
				   "\"derived\", \"q\": \"guessed\", \"_\": \"measured\"}}";
	static const char *const want[] = {
		"/b/c: no origin; say in \"from\" where the number is from",
		"/l/0/x: no origin; say in \"from\" where the number is from",
		"/from/l/0/y: there is no such value",
		"/from/q: an origin starts with datasheet, measured, paper, derived or assumed",
	};
	struct paradl_arena *const arena = paradl_arena_create();
	struct paradl_error error = {0};
	struct paradl_findings findings = {0};
	assert_true(origins_check(arena, parse(arena, text), &findings, &error));
	for (size_t i = 0; i < findings.count && i < 4; ++i)
		assert_string_equal(findings.warnings[i], want[i]);
	assert_int_equal(findings.count, 4);
	paradl_arena_free(arena);
}

static void refuses_origins_that_are_none(void **state)
{
	(void)state;
	static const char *const texts[] = {
		"{\"from\": [1]}", "{\"from\": \"measured\"}", "{\"from\": {\"a\": 1}, \"a\": 1}"};
	struct paradl_arena *const arena = paradl_arena_create();
	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i) {
		struct paradl_error error = {0};
		struct paradl_findings findings = {0};
		assert_false(origins_check(arena, parse(arena, texts[i]), &findings, &error));
		assert_int_equal(error.status, PARADL_SCHEMA);
	}
	paradl_arena_free(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(expects_a_format),
		cmocka_unit_test(lists_assumed_numbers),
		cmocka_unit_test(finds_numbers_without_an_origin),
		cmocka_unit_test(refuses_origins_that_are_none),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
