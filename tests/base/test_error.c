/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "test.h"

#include "base/error.h"
#include "base/utf8.h"

static void set_fills_and_returns_false(void **state)
{
	(void)state;
	struct paradl_error error = {.line = 3, .pointer = "/old", .hint = "old"};
	assert_false(error_set(&error, PARADL_USAGE, "%d is %s", 4, "even"));
	assert_int_equal(error.status, PARADL_USAGE);
	assert_string_equal(error.message, "4 is even");
	assert_int_equal(error.line, 0);
	assert_string_equal(error.pointer, "");
	assert_string_equal(error.hint, "");
	assert_false(error_set(NULL, PARADL_USAGE, "%d", 4));
	assert_false(error_at(NULL, PARADL_USAGE, "a", 1, 1, "%d", 4));
	error_hint(NULL, "%d", 4);
}

static void arguments_may_be_the_old_error(void **state)
{
	(void)state;
	struct paradl_error error;
	error_at(&error, PARADL_IO, "models/a.json", 2, 7, "inner");
	error_at(&error, PARADL_SCHEMA, error.path, error.line, error.column, "outer: %s", error.message);
	assert_string_equal(error.message, "outer: inner");
	assert_string_equal(error.path, "models/a.json");
	assert_int_equal(error.line, 2);
	assert_int_equal(error.column, 7);
}

static void formats_the_parts_there_are(void **state)
{
	(void)state;
	static const struct {
		struct paradl_error error;
		const char *want;
	} cases[] = {
		{{.message = "no"}, "no"},
		{{.path = "a.json", .message = "no"}, "a.json: no"},
		{{.path = "a.json", .line = 41, .column = 17, .message = "no"}, "a.json:41:17: no"},
		{{.path = "a.json",
			 .line = 4,
			 .column = 1,
			 .pointer = "/b/0",
			 .message = "no",
			 .hint = "yes"},
			"a.json:4:1: /b/0: no"},
		{{.line = 4, .column = 1, .message = "no"}, "4:1: no"},
		{{.path = "-", .line = 4, .column = 1, .message = "no"}, "<stdin>:4:1: no"},
		{{.pointer = "/b", .message = "no"}, "/b: no"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		char text[64];
		assert_int_equal(
			paradl_error_format(&cases[i].error, text, sizeof text), strlen(cases[i].want));
		assert_string_equal(text, cases[i].want);
	}
	char small[6];
	assert_int_equal(paradl_error_format(&cases[1].error, small, sizeof small), 10);
	assert_string_equal(small, "a.jso");
}

static void the_longest_error_fits_its_own_format(void **state)
{
	(void)state;
	struct paradl_error error = {.line = 2147483647, .column = 2147483647};
	memset(error.path, 'p', sizeof error.path - 1);
	memset(error.message, 'm', sizeof error.message - 1);
	memset(error.pointer, '/', sizeof error.pointer - 1);
	char text[2048];
	assert_int_equal(
		paradl_error_format(&error, text, sizeof text), 511 + 1 + 10 + 1 + 10 + 2 + 255 + 2 + 511);
}

static void messages_drive_no_terminal(void **state)
{
	(void)state;
	struct paradl_error error;
	error_set(&error, PARADL_SCHEMA, "%s", "a\x1b[31m\n\x7f\xff\xc3\xa9");
	assert_string_equal(error.message, "a?[31m???\xc3\xa9");
	error_hint(&error, "%s", "\x07!");
	assert_string_equal(error.hint, "?!");
	char text[32];
	const struct paradl_error key = {.pointer = "/\x1b[31m", .message = "no"};
	assert_int_equal(paradl_error_format(&key, text, sizeof text), 10);
	assert_string_equal(text, "/?[31m: no");
	assert_int_equal(paradl_error_format(&key, NULL, 0), 10);
}

static void long_messages_end_at_a_character(void **state)
{
	(void)state;
	struct paradl_error error;
	char text[700];
	for (size_t i = 0; i < sizeof text - 1; i += 3)
		memcpy(text + i, "\xe2\x82\xac", 3); /* U+20AC, three bytes */
	text[sizeof text - 1] = '\0';
	error_set(&error, PARADL_SCHEMA, "%s", text);
	assert_int_equal(strlen(error.message), 510); /* the largest multiple of 3 below 512 */
	error_at(&error, PARADL_SCHEMA, text, 1, 1, "x");
	assert_int_equal(strlen(error.path), 510);
}

static void quotes_and_shortens(void **state)
{
	(void)state;
	char text[12];
	assert_string_equal(error_quote(text, sizeof text, "abc"), "\"abc\"");
	assert_string_equal(error_quote(text, sizeof text, "123456789"), "\"123456789\"");
	assert_string_equal(error_quote(text, sizeof text, "1234567890"), "\"123456...\"");
	assert_string_equal(error_quote(text, sizeof text, "12345\xc3\xa9-----"), "\"12345...\"");
}

static void utf8_characters(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		size_t bytes;
	} cases[] = {
		{"a", 1},
		{"\x7f", 1},
		{"\x80", 0},
		{"\xbf", 0},
		{"\xc0\x80", 0},
		{"\xc1\xbf", 0},
		{"\xc2\x80", 2},
		{"\xdf\xbf", 2},
		{"\xe0\x9f\xbf", 0},
		{"\xe0\xa0\x80", 3},
		{"\xed\x9f\xbf", 3},
		{"\xed\xa0\x80", 0},
		{"\xee\x80\x80", 3},
		{"\xef\xbf\xbf", 3},
		{"\xf0\x8f\xbf\xbf", 0},
		{"\xf0\x90\x80\x80", 4},
		{"\xf4\x8f\xbf\xbf", 4},
		{"\xf4\x90\x80\x80", 0},
		{"\xf5\x80\x80\x80", 0},
		{"\xff", 0},
		{"\xc3", 0},
		{"\xc3(", 0},
		{"\xe2\x82", 0},
		{"\xe2\x28\xa1", 0},
		{"", 0},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		assert_int_equal(utf8_character(cases[i].text, strlen(cases[i].text)), cases[i].bytes);
	assert_int_equal(utf8_prefix("a\xe2\x82\xac", 4, 3), 1);
	assert_int_equal(utf8_prefix("a\xe2\x82\xac", 4, 4), 4);
	assert_int_equal(utf8_prefix("a\xe2\x82\xac", 4, 9), 4);
	assert_int_equal(
		utf8_prefix("\x80\x80\x80\x80\x80\x80", 6, 5), 5); /* not UTF-8: nothing to keep whole */
	assert_int_equal(utf8_prefix("abc", 3, 0), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(set_fills_and_returns_false),
		cmocka_unit_test(arguments_may_be_the_old_error),
		cmocka_unit_test(formats_the_parts_there_are),
		cmocka_unit_test(the_longest_error_fits_its_own_format),
		cmocka_unit_test(messages_drive_no_terminal),
		cmocka_unit_test(long_messages_end_at_a_character),
		cmocka_unit_test(quotes_and_shortens),
		cmocka_unit_test(utf8_characters),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
