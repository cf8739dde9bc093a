/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "test.h"

#include "base/json.h"

/* RFC 6901, section 5, with a line for each member: value N of the document is on line N + 2. */
static const char example[] = "{\n"
			      "   \"foo\": [\"bar\", \"baz\"],\n"
			      "   \"\": 0,\n"
			      "   \"a/b\": 1,\n"
			      "   \"c%d\": 2,\n"
			      "   \"e^f\": 3,\n"
			      "   \"g|h\": 4,\n"
			      "   \"i\\\\j\": 5,\n"
			      "   \"k\\\"l\": 6,\n"
			      "   \" \": 7,\n"
			      "   \"m~n\": 8\n"
			      "}\n";

struct place {
	const char *pointer;
	int line, column;
};

static void check(const char *text, const struct place *places, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		int line = -1, column = -1;
		const bool is_found = json_locate(text, strlen(text), places[i].pointer, &line, &column);
		if (is_found != (places[i].line > 0) || line != places[i].line || column != places[i].column)
			fail_msg("%s is at %d:%d in %s", places[i].pointer, line, column, text);
	}
}

static void finds_the_table_of_rfc_6901(void **state)
{
	(void)state;
	static const struct place places[] = {
		{"", 1, 1},
		{"/foo", 2, 11},
		{"/foo/0", 2, 12},
		{"/foo/1", 2, 19},
		{"/", 3, 8},
		{"/a~1b", 4, 11},
		{"/c%d", 5, 11},
		{"/e^f", 6, 11},
		{"/g|h", 7, 11},
		{"/i\\j", 8, 12},
		{"/k\"l", 9, 12},
		{"/ ", 10, 9},
		{"/m~0n", 11, 11},
	};
	check(example, places, sizeof places / sizeof places[0]);
}

static void does_not_find_what_is_not_there(void **state)
{
	(void)state;
	static const struct place places[] = {
		{"foo", 0, 0},
		{"/fo", 0, 0},
		{"/fooo", 0, 0},
		{"/foo/2", 0, 0},
		{"/foo/-", 0, 0},
		{"/foo/00", 0, 0},
		{"/foo/01", 0, 0},
		{"/foo/0x", 0, 0},
		{"/foo/", 0, 0},
		{"/foo/0/0", 0, 0},
		{"/a~1b/0", 0, 0},
		{"/m~n", 11, 11}, /* a lone ~ stands for itself */
		{"/m~1n", 0, 0},
		{"//", 0, 0},
		{"/foo/99999999999999999999", 0, 0},
	};
	check(example, places, sizeof places / sizeof places[0]);
}

static void escapes_and_strings_with_brackets(void **state)
{
	(void)state;
	static const char text[] =
		"{\"\\u0061\\u00e9\\ud834\\udd1e\\n\\/\": {\"]}\\\"\": [\"[{\", {}, [[]], 1e5,\ttrue]}}";
	static const struct place places[] = {
		{"/a\xc3\xa9\xf0\x9d\x84\x9e\n~1", 1, 34},
		{"/a\xc3\xa9\xf0\x9d\x84\x9e\n~1/]}\"", 1, 43},
		{"/a\xc3\xa9\xf0\x9d\x84\x9e\n~1/]}\"/1", 1, 50},
		{"/a\xc3\xa9\xf0\x9d\x84\x9e\n~1/]}\"/2/0", 1, 55},
		{"/a\xc3\xa9\xf0\x9d\x84\x9e\n~1/]}\"/4", 1, 65},
	};
	check(text, places, sizeof places / sizeof places[0]);
}

static void the_first_of_equal_keys_by_name_any_by_index(void **state)
{
	(void)state;
	static const char text[] = "{\"a\": 1, \"a\": [2, 3]}";
	static const unsigned second[] = {1}, inner[] = {1, 1}, third[] = {2}, deep[] = {0, 0};
	int line, column;
	assert_true(json_locate(text, strlen(text), "/a", &line, &column));
	assert_int_equal(column, 7);
	assert_true(json_locate_child(text, strlen(text), second, 1, &line, &column));
	assert_int_equal(column, 15);
	assert_true(json_locate_child(text, strlen(text), inner, 2, &line, &column));
	assert_int_equal(column, 19);
	assert_true(json_locate_child(text, strlen(text), NULL, 0, &line, &column));
	assert_int_equal(column, 1);
	assert_false(json_locate_child(text, strlen(text), third, 1, &line, &column));
	assert_int_equal(line, 0);
	assert_false(json_locate_child(text, strlen(text), deep, 2, &line, &column));
}

static void stays_inside_broken_text(void **state)
{
	(void)state;
	static const char *const texts[] = {"", " ", "{", "[", "{\"", "{\"a", "{\"a\"", "{\"a\":", "{\"a\":1",
		"{\"a\\", "[[[[", "[\"\\", "[\"\\u12", "[1,", "[1,,", "]", "}", "[}", "{]", "{1:2}", "[1 2]",
		"{\"\\ud834", "{\"\\ud834\\u", "{\"b\":[}]}", "[\"a\\\""};
	static const char *const pointers[] = {"", "/a", "/0", "/1", "/0/0", "/a/b", "/"};
	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
		for (size_t j = 0; j < sizeof pointers / sizeof pointers[0]; j++) {
			const size_t length = strlen(texts[i]);
			char *const exact =
				malloc(length + 1); /* so that a sanitizer sees one byte too far */
			int line = -1, column = -1;
			assert_non_null(exact);
			memcpy(exact, texts[i], length);
			if (!json_locate(exact, length, pointers[j], &line, &column)) {
				assert_int_equal(line, 0);
				assert_int_equal(column, 0);
			}
			free(exact);
		}
}

static void positions_count_characters(void **state)
{
	(void)state;
	static const char text[] = "ab\n\xc3\xa9\xe2\x82\xac\xf0\x9d\x84\x9e\tx\r\n\n\xff!";
	static const struct {
		size_t offset;
		int line, column;
	} cases[] = {{0, 1, 1}, {2, 1, 3}, {3, 2, 1}, {5, 2, 2}, {8, 2, 3}, {12, 2, 4}, {13, 2, 5},
		{14, 2, 6}, {16, 3, 1}, {17, 4, 1}, {18, 4, 2}, {19, 4, 3}, {1000, 4, 3}};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		int line, column;
		json_position(text, strlen(text), cases[i].offset, &line, &column);
		assert_int_equal(line, cases[i].line);
		assert_int_equal(column, cases[i].column);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_the_table_of_rfc_6901),
		cmocka_unit_test(does_not_find_what_is_not_there),
		cmocka_unit_test(escapes_and_strings_with_brackets),
		cmocka_unit_test(the_first_of_equal_keys_by_name_any_by_index),
		cmocka_unit_test(stays_inside_broken_text),
		cmocka_unit_test(positions_count_characters),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
