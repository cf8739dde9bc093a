/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "test.h"

#include "base/json.h"

/* Runs `write` and compares what it wrote. */
static void check(void (*write)(struct json_writer *writer), bool compact, const char *want)
{
	char *text = NULL;
	size_t length = 0;
	struct json_writer writer = {.file = open_memstream(&text, &length), .compact = compact};
	assert_non_null(writer.file);
	write(&writer);
	fclose(writer.file);
	assert_string_equal(text, want);
	free(text);
}

static void write_document(struct json_writer *writer)
{
	json_begin_object(writer, NULL);
	json_write_text(writer, "name", "a\"b");
	json_begin_array(writer, "list");
	json_write_number(writer, NULL, 1);
	json_begin_object(writer, NULL);
	json_end_object(writer);
	json_begin_array(writer, NULL);
	json_end_array(writer);
	json_end_array(writer);
	json_write_bool(writer, "yes", true);
	json_write_bool(writer, "no", false);
	json_write_null(writer, "none");
	json_write_text(writer, "nothing", NULL);
	json_end_object(writer);
}

static void a_document_is_indented_or_one_line(void **state)
{
	(void)state;
	check(write_document, false,
		"{\n  \"name\": \"a\\\"b\",\n  \"list\": [\n    1,\n    {},\n    []\n  ],\n  \"yes\": true,\n"
		"  \"no\": false,\n  \"none\": null,\n  \"nothing\": null\n}\n");
	check(write_document, true,
		"{\"name\":\"a\\\"b\",\"list\":[1,{},[]],\"yes\":true,\"no\":false,\"none\":null,\"nothing\":"
		"null}\n");
}

static void write_lines(struct json_writer *writer)
{
	for (int i = 0; i < 3; i++) {
		json_begin_object(writer, NULL);
		json_write_number(writer, "rank", i);
		json_end_object(writer);
	}
	json_write_number(writer, NULL, 7);
	json_begin_array(writer, NULL);
	json_end_array(writer);
}

static void documents_follow_each_other(void **state)
{
	(void)state;
	check(write_lines, true, "{\"rank\":0}\n{\"rank\":1}\n{\"rank\":2}\n7\n[]\n");
}

static void write_numbers(struct json_writer *writer)
{
	static const double numbers[] = {0, -1.5, 0.1, 0.1 + 0.2, 1e21, 5e-324, 25557032, 1.0 / 3,
		9007199254740992, 1.7976931348623157e308, 3.0000000000000004, (double)INFINITY,
		-(double)INFINITY, (double)NAN};
	json_begin_array(writer, NULL);
	for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
		json_write_number(writer, NULL, numbers[i]);
	json_end_array(writer);
}

static void numbers_are_as_short_as_reads_back(void **state)
{
	(void)state;
	check(write_numbers, true,
		"[0,-1.5,0.1,0.30000000000000004,1e+21,4.94065645841247e-324,25557032,0.3333333333333333,"
		"9007199254740992,1.7976931348623157e+308,3.0000000000000004,null,null,null]\n");
}

static void write_strings(struct json_writer *writer)
{
	json_begin_object(writer, NULL);
	json_write_text(writer, "k\n", "\"\\/\b\f\n\r\t\x01\x1f\x7f");
	json_write_text(writer, "utf8", "\xc3\xa9\xe2\x82\xac\xf0\x9d\x84\x9e");
	json_write_text(writer, "bad", "a\xff\xed\xa0\x80\xc3");
	json_write_text(writer, "", "");
	json_end_object(writer);
}

static void strings_are_escaped_and_repaired(void **state)
{
	(void)state;
	check(write_strings, true,
		"{\"k\\n\":\"\\\"\\\\/\\b\\f\\n\\r\\t\\u0001\\u001f\\u007f\","
		"\"utf8\":\"\xc3\xa9\xe2\x82\xac\xf0\x9d\x84\x9e\","
		"\"bad\":\"a\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\",\"\":\"\"}\n");
}

static void random_doubles_read_back(void **state)
{
	(void)state;
	uint64_t bits = 88172645463325252u; /* xorshift64 */
	for (int i = 0; i < 20000; i++) {
		char text[400] = "";
		double value, back;
		bits ^= bits << 13;
		bits ^= bits >> 7;
		bits ^= bits << 17;
		memcpy(&value, &bits, sizeof value);
		if (!isfinite(value))
			continue;
		FILE *const file = fmemopen(text, sizeof text, "w");
		assert_non_null(file);
		struct json_writer writer = {.file = file, .compact = true};
		json_write_number(&writer, NULL, value);
		fclose(file);
		back = strtod(text, NULL);
		assert_memory_equal(&back, &value, sizeof value);
	}
}

static void what_is_written_is_read(void **state)
{
	(void)state;
	char *text = NULL;
	size_t length = 0;
	struct json_writer writer = {.file = open_memstream(&text, &length)};
	assert_non_null(writer.file);
	write_strings(&writer);
	fclose(writer.file);
	struct paradl_arena *const arena = paradl_arena_create();
	const struct json *const root = json_parse(arena, text, length, "x", NULL);
	assert_non_null(root);
	assert_string_equal(json_member(root, "k\n")->string, "\"\\/\b\f\n\r\t\x01\x1f\x7f");
	paradl_arena_free(arena);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_document_is_indented_or_one_line),
		cmocka_unit_test(documents_follow_each_other),
		cmocka_unit_test(numbers_are_as_short_as_reads_back),
		cmocka_unit_test(strings_are_escaped_and_repaired),
		cmocka_unit_test(random_doubles_read_back),
		cmocka_unit_test(what_is_written_is_read),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
