/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "test.h"

#include <unistd.h>

#include "base/csv.h"

static bool parse(struct paradl_arena *arena, const char *text, struct csv *csv, struct paradl_error *error)
{
	return csv_parse(arena, text, strlen(text), "x.csv", csv, error);
}

static void reads_rows_under_a_header(void **state)
{
	(void)state;
	struct paradl_arena *const arena = paradl_arena_create();
	struct csv csv;
	assert_true(parse(arena, "model,hw,total_s\nresnet50,abci,0.5\nvgg16,,\n", &csv, NULL));
	assert_int_equal(csv.columns, 3);
	assert_int_equal(csv.rows, 2);
	assert_string_equal(csv.path, "x.csv");
	assert_string_equal(csv.header[1], "hw");
	assert_string_equal(csv.cells[2], "0.5");
	assert_string_equal(csv_cell(&csv, 0, "model"), "resnet50");
	assert_string_equal(csv_cell(&csv, 1, "model"), "vgg16");
	assert_string_equal(csv_cell(&csv, 1, "hw"), "");
	assert_string_equal(csv_cell(&csv, 1, "total_s"), "");
	assert_string_equal(csv_cell(&csv, 0, "Model"), "");
	assert_string_equal(csv_cell(&csv, 0, "none"), "");
	assert_string_equal(csv_cell(&csv, 2, "model"), "");
	assert_int_equal(csv.lines[0], 2);
	assert_int_equal(csv.lines[1], 3);
	paradl_arena_free(arena);
}

/* RFC 4180, section 2: each form of the same two rows. */
static void reads_every_form_of_rfc_4180(void **state)
{
	(void)state;
	static const char *const forms[] = {
		"f,g,h\r\naaa,bbb,ccc\r\nzzz,yyy,xxx\r\n",
		"f,g,h\r\naaa,bbb,ccc\r\nzzz,yyy,xxx",
		"f,g,h\naaa,bbb,ccc\nzzz,yyy,xxx",
		"\"f\",\"g\",\"h\"\n\"aaa\",\"bbb\",\"ccc\"\nzzz,yyy,xxx",
		("\xef\xbb\xbf"
		 "f,g,h\naaa,bbb,ccc\nzzz,yyy,xxx"),
		"# a note, with \"quotes\n#\n\nf,g,h\n\naaa,bbb,ccc\r\n\r\nzzz,yyy,xxx\n\n\n",
	};
	for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
		struct paradl_arena *const arena = paradl_arena_create();
		struct csv csv;
		assert_true(parse(arena, forms[i], &csv, NULL));
		assert_int_equal(csv.columns, 3);
		assert_int_equal(csv.rows, 2);
		assert_string_equal(csv.header[0], "f");
		assert_string_equal(csv_cell(&csv, 0, "h"), "ccc");
		assert_string_equal(csv_cell(&csv, 1, "f"), "zzz");
		assert_string_equal(csv_cell(&csv, 1, "h"), "xxx");
		paradl_arena_free(arena);
	}
}

static void quoted_fields_hold_anything(void **state)
{
	(void)state;
	struct paradl_arena *const arena = paradl_arena_create();
	struct csv csv;
	assert_true(parse(arena,
		"a,b,c\n\"b \"\"b\"\" b\",\"x,y\",\"line\r\nbreak\n\"\n\"\",\"\"\"\",#no\n # ,\xe9, \n", &csv,
		NULL));
	assert_int_equal(csv.rows, 3);
	assert_string_equal(csv_cell(&csv, 0, "a"), "b \"b\" b");
	assert_string_equal(csv_cell(&csv, 0, "b"), "x,y");
	assert_string_equal(csv_cell(&csv, 0, "c"), "line\r\nbreak\n");
	assert_string_equal(csv_cell(&csv, 1, "a"), "");
	assert_string_equal(csv_cell(&csv, 1, "b"), "\"");
	assert_string_equal(csv_cell(&csv, 1, "c"), "#no");
	assert_string_equal(csv_cell(&csv, 2, "a"), " # ");
	assert_string_equal(csv_cell(&csv, 2, "b"), "\xe9");
	assert_int_equal(csv.lines[0], 2);
	assert_int_equal(csv.lines[1], 5);
	assert_int_equal(csv.lines[2], 6);
	paradl_arena_free(arena);
}

static void a_header_alone_has_no_rows(void **state)
{
	(void)state;
	struct paradl_arena *const arena = paradl_arena_create();
	struct csv csv;
	assert_true(parse(arena, "a,b", &csv, NULL));
	assert_int_equal(csv.rows, 0);
	assert_int_equal(csv.columns, 2);
	assert_true(parse(arena, "a,,", &csv, NULL)); /* spreadsheets leave empty columns behind */
	assert_int_equal(csv.columns, 3);
	paradl_arena_free(arena);
}

static void refuses_what_is_not_a_table(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		int line;
		const char *says;
	} cases[] = {
		{"", 1, "the file is empty"},
		{"\n\n# only a note\n", 4, "the file is empty"},
		{"a,b\n1,2\n3\n", 3, "a row of 1 field under a header of 2"},
		{"a,b\n1,2,3\n", 2, "a row of 3 fields under a header of 2"},
		{"a,b\n\"1\n1\",2\n# note\n", 4, "a row of 1 field under a header of 2"},
		{"a,b\n1,\"2", 2, "without its closing"},
		{"a,b\n1,\"2\n3,4\n", 2, "without its closing"},
		{"a,b\n1,\"2\"x\n", 2, "text after the closing"},
		{"a,b\n1,\"2\n\" \n", 3, "text after the closing"},
		{"a,b\n1,5\" disk\n", 2, "inside a field"},
		{"a,b\r1,2\r", 1, "carriage return"},
		{"a,b\n1,2\r", 2, "carriage return"},
		{"a,b,a\n", 1, "the column \"a\" is there twice"},
		{"# x\n\"a\",b,a\n", 2, "the column \"a\" is there twice"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct paradl_arena *const arena = paradl_arena_create();
		struct paradl_error error = {.status = PARADL_OK};
		struct csv csv;
		if (parse(arena, cases[i].text, &csv, &error))
			fail_msg("accepted: %s", cases[i].text);
		if (error.line != cases[i].line || !strstr(error.message, cases[i].says))
			fail_msg("%s: %d: %s", cases[i].text, error.line, error.message);
		assert_int_equal(error.status, PARADL_SYNTAX);
		assert_string_equal(error.path, "x.csv");
		assert_false(parse(arena, cases[i].text, &csv, NULL));
		paradl_arena_free(arena);
	}
	struct paradl_arena *const arena = paradl_arena_create();
	struct paradl_error error;
	struct csv csv;
	assert_false(csv_parse(arena, "a\0b", 3, "x", &csv, &error));
	assert_non_null(strstr(error.message, "NUL"));
	paradl_arena_free(arena);
}

static void large_tables(void **state)
{
	(void)state;
	enum { SIZE = 4 << 20 };
	char *const text = malloc(SIZE + 1);
	struct paradl_arena *const arena = paradl_arena_create();
	struct csv csv;
	struct paradl_error error;
	assert_non_null(text);
	for (size_t i = 0; i < SIZE; i += 4)
		memcpy(text + i, i == 0 ? "a,b\n" : "1,2\n", 4);
	text[SIZE] = '\0';
	assert_true(parse(arena, text, &csv, &error));
	assert_int_equal(csv.rows, SIZE / 4 - 1);
	assert_string_equal(csv_cell(&csv, SIZE / 4 - 2, "b"), "2");
	memset(text, ',', SIZE);
	assert_false(parse(arena, text, &csv, &error));
	assert_non_null(strstr(error.message, "columns"));
	memset(text, '\n', SIZE);
	assert_false(parse(arena, text, &csv, &error));
	memset(text, 'x', SIZE);
	memcpy(text, "a\n\"", 3);
	text[SIZE - 1] = '"';
	assert_true(parse(arena, text, &csv, &error));
	assert_int_equal(strlen(csv_cell(&csv, 0, "a")), SIZE - 4);
	memset(text + 3, '"', SIZE - 4);
	assert_true(parse(arena, text, &csv, &error));
	assert_int_equal(strlen(csv_cell(&csv, 0, "a")), SIZE / 2 - 2);
	free(text);
	paradl_arena_free(arena);
}

static void every_allocation_may_fail(void **state)
{
	(void)state;
	bool is_read = false;
	size_t failures = 0;
	for (size_t limit = 0; !is_read; limit += 4) {
		struct paradl_arena *const arena = arena_create_limited(limit);
		struct paradl_error error = {.status = PARADL_OK};
		struct csv csv;
		is_read = parse(arena, "a,b\n1,2\n3,4\n", &csv, &error);
		assert_int_equal(error.status, is_read ? PARADL_OK : PARADL_NO_MEMORY);
		failures += !is_read;
		paradl_arena_free(arena);
	}
	assert_true(failures > 5);
}

static void files_are_loaded(void **state)
{
	(void)state;
	char name[] = "/tmp/paradl-csv-XXXXXX";
	struct paradl_arena *const arena = paradl_arena_create();
	struct paradl_error error;
	struct csv csv;
	FILE *const file = fdopen(mkstemp(name), "w");
	assert_non_null(file);
	fputs("a,b\n1,2\n", file);
	fclose(file);
	assert_true(csv_load(arena, name, &csv, &error));
	assert_string_equal(csv.path, name);
	assert_string_equal(csv_cell(&csv, 0, "b"), "2");
	unlink(name);
	assert_false(csv_load(arena, name, &csv, &error));
	assert_int_equal(error.status, PARADL_IO);
	paradl_arena_free(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_rows_under_a_header),
		cmocka_unit_test(reads_every_form_of_rfc_4180),
		cmocka_unit_test(quoted_fields_hold_anything),
		cmocka_unit_test(a_header_alone_has_no_rows),
		cmocka_unit_test(refuses_what_is_not_a_table),
		cmocka_unit_test(large_tables),
		cmocka_unit_test(every_allocation_may_fail),
		cmocka_unit_test(files_are_loaded),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
