/* SPDX-License-Identifier: GPL-3.0-or-later */
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

static void reads_the_example_of_rfc_8259(void **state)
{
	(void)state;
	static const char text[] = /* section 13 */
		"{\n \"Image\": {\n  \"Width\":  800,\n  \"Height\": 600,\n  \"Title\":  \"View from 15th "
		"Floor\",\n"
		"  \"Thumbnail\": {\n   \"Url\":    \"http://www.example.com/image/481989943\",\n"
		"   \"Height\": 125,\n   \"Width\":  100\n  },\n  \"Animated\" : false,\n"
		"  \"IDs\": [116, 943, 234, 38793]\n  }\n}\n";
	struct paradl_arena *const arena = paradl_arena_create();
	const struct json *const image = json_member(parse_good(arena, text), "Image");
	assert_int_equal(image->kind, JSON_OBJECT);
	assert_int_equal(image->count, 6);
	assert_close(json_member(image, "Width")->number, 800, 0);
	assert_string_equal(json_member(image, "Title")->string, "View from 15th Floor");
	assert_close(json_member(json_member(image, "Thumbnail"), "Height")->number, 125, 0);
	assert_int_equal(json_member(image, "Animated")->kind, JSON_BOOL);
	assert_false(json_member(image, "Animated")->boolean);
	const struct json *const ids = json_member(image, "IDs");
	assert_int_equal(ids->kind, JSON_ARRAY);
	assert_int_equal(ids->count, 4);
	static const double want[] = {116, 943, 234, 38793};
	unsigned index = 0;
	for (const struct json *id = ids->child; id; id = id->next, index++) {
		assert_close(id->number, want[index], 0);
		assert_int_equal(id->index, index);
		assert_ptr_equal(id->parent, ids);
		assert_null(id->key);
	}
	assert_int_equal(index, 4);
	assert_null(json_member(image, "width")); /* case matters */
	assert_null(json_member(ids, "Width"));
	assert_string_equal(json_path(ids), "x.json");
	paradl_arena_free(arena);
}

static void reads_scalars_and_spaces(void **state)
{
	(void)state;
	struct paradl_arena *const arena = paradl_arena_create();
	assert_string_equal(parse_good(arena, "\"Hello world!\"")->string, "Hello world!");
	assert_close(parse_good(arena, "42")->number, 42, 0);
	assert_true(parse_good(arena, " \t\r\n true \n")->boolean);
	assert_int_equal(parse_good(arena, "null")->kind, JSON_NULL);
	assert_int_equal(parse_good(arena, "[]")->count, 0);
	assert_null(parse_good(arena, "{}")->child);
	static const struct {
		const char *text;
		double value;
	} numbers[] = {{"0", 0}, {"-0", 0}, {"-1.5e-3", -0.0015}, {"1E+2", 100}, {"1e2", 100}, {"0.5", 0.5},
		{"1.7976931348623157e308", 1.7976931348623157e308}, {"4.9e-324", 4.9e-324}, {"1e-999", 0},
		{"9007199254740993", 9007199254740992}, {"3.0000000000000004", 3.0000000000000004},
		{"0.30000000000000004", 0.30000000000000004},
		{"100000000000000000000000000000000000000000000000000000000000000", 1e62}};
	for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
		assert_close(parse_good(arena, numbers[i].text)->number, numbers[i].value, 0);
	paradl_arena_free(arena);
}

static void resolves_escapes(void **state)
{
	(void)state;
	struct paradl_arena *const arena = paradl_arena_create();
	assert_string_equal(parse_good(arena, "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"")->string, "\"\\/\b\f\n\r\t");
	assert_string_equal(parse_good(arena, "\"\\u0041\\u00e9\\u20AC\\ud834\\udd1e\"")->string,
		"A\xc3\xa9\xe2\x82\xac\xf0\x9d\x84\x9e"); /* U+1D11E: RFC 8259 section 7 */
	assert_string_equal(parse_good(arena, "\"\xc3\xa9\xf0\x9d\x84\x9e\x7f\"")->string,
		"\xc3\xa9\xf0\x9d\x84\x9e\x7f");
	assert_non_null(json_member(parse_good(arena, "{\"\\u0061\": 1}"), "a"));
	assert_non_null(json_member(parse_good(arena, "{\"\": 1}"), ""));
	paradl_arena_free(arena);
}

static const struct bad {
	const char *text;
	int line, column;
	const char *says;
} bad[] = {
	{"", 1, 1, "empty"},
	{" \n ", 1, 1, "empty"},
	{"\xef\xbb\xbf{}", 1, 1, "byte order mark"},
	{"{\"a\":1}\n\nx", 3, 1, "nothing after the value, found 'x'"},
	{"{} {}", 1, 4, "nothing after the value, found '{'"},
	{"[1,2,]", 1, 6, "a ',' before ']'"},
	{"{\"a\":1,}", 1, 8, "a ',' before '}'"},
	{"[1 2]", 1, 4, "expected ',' or ']', found '2'"},
	{"{\"a\":1 \"b\":2}", 1, 8, "expected ',' or '}', found '\"'"},
	{"[,1]", 1, 2, "expected a value, found ','"},
	{"[1,,2]", 1, 4, "expected a value, found ','"},
	{"{\"a\"}", 1, 5, "expected ':' after a key, found '}'"},
	{"{\"a\" 1}", 1, 6, "expected ':' after a key, found '1'"},
	{"{\"a\":}", 1, 6, "expected a value, found '}'"},
	{"{\"a\":\n", 2, 1, "expected a value, found the end of the text"},
	{"{a:1}", 1, 2, "a key in double quotes, found 'a'"},
	{"{1:1}", 1, 2, "a key in double quotes, found '1'"},
	{"{'a':1}", 1, 2, "a key in double quotes"},
	{"['a']", 1, 2, "double quotes"},
	{"[1 // one\n]", 1, 4, "expected ',' or ']', found '/'"},
	{"// one\n[]", 1, 1, "no comments"},
	{"# one\n[]", 1, 1, "no comments"},
	{"/* one */ []", 1, 1, "no comments"},
	{"[1,\n 2", 1, 1, "'[' without its ']'"},
	{"{\n \"a\": [", 2, 7, "'[' without its ']'"},
	{"{\"a\":1", 1, 1, "'{' without its '}'"},
	{"{", 1, 1, "'{' without its '}'"},
	{"[1}", 1, 3, "expected ',' or ']', found '}'"},
	{"]", 1, 1, "expected a value, found ']'"},
	{"01", 1, 1, "superfluous 0"},
	{"-01", 1, 1, "superfluous 0"},
	{"00", 1, 1, "superfluous 0"},
	{"1.", 1, 3, "a digit after '.'"},
	{"[1.]", 1, 4, "a digit after '.', found ']'"},
	{"1.e5", 1, 3, "a digit after '.', found 'e5'"},
	{".5", 1, 1, "starts with a digit"},
	{"+1", 1, 1, "starts with a digit"},
	{"-", 1, 2, "a digit after '-'"},
	{"-.5", 1, 2, "a digit after '-'"},
	{"1e", 1, 3, "a digit in the exponent"},
	{"1e+", 1, 4, "a digit in the exponent"},
	{"0x10", 1, 2, "nothing after the value, found 'x10'"},
	{"1e999", 1, 1, "too large"},
	{"[0,\n-1e999]", 2, 1, "too large"},
	{"1000000000000000000000000000000000000000000000000000000000000000", 1, 1, "more than 63 characters"},
	{"NaN", 1, 1, "expected a value, found 'NaN'"},
	{"[Infinity]", 1, 2, "found 'Infinity'"},
	{"-Infinity", 1, 2, "a digit after '-', found 'Infinity'"},
	{"True", 1, 1, "found 'True'"},
	{"nul", 1, 1, "found 'nul'"},
	{"nullx", 1, 1, "found 'nullx'"},
	{"trUe", 1, 1, "found 'trUe'"},
	{"\"abc", 1, 1, "without its closing"},
	{"\"abc\\\"", 1, 1, "without its closing"},
	{"\"a\nb\"", 1, 3, "line break"},
	{"\"a\tb\"", 1, 3, "a tab"},
	{"\"a\x01\"", 1, 3, "0x01"},
	{"\"a\x1f\"", 1, 3, "write \\u001f"},
	{"\"\\x41\"", 1, 2, "unknown escape"},
	{"\"C:\\dir\"", 1, 4, "unknown escape"},
	{"\"\\u12\"", 1, 2, "four hexadecimal"},
	{"\"\\u12g4\"", 1, 2, "four hexadecimal"},
	{"\"\\u 123\"", 1, 2, "four hexadecimal"},
	{"\"\\u0000\"", 1, 2, "\\u0000"},
	{"\"ab\\ud834\"", 1, 4, "half of a surrogate pair"},
	{"\"\\ud834\\u0041\"", 1, 2, "half of a surrogate pair"},
	{"\"\\ud834\\ue000\"", 1, 2, "half of a surrogate pair"},
	{"\"\\ud834\\udbff\"", 1, 2, "half of a surrogate pair"},
	{"\"\\udd1e\"", 1, 2, "half of a surrogate pair"},
	{"\"\\udd1e\\ud834\"", 1, 2, "half of a surrogate pair"},
	{"\"\xc3\xa9\xff\"", 1, 3, "0xff is not UTF-8"}, /* columns count characters */
	{"\"\xc0\xaf\"", 1, 2, "0xc0 is not UTF-8"},
	{"\"\xed\xa0\x80\"", 1, 2, "0xed is not UTF-8"},
	{"\"\xe2\x82\"", 1, 2, "0xe2 is not UTF-8"},
	{"{\"\xff\":1}", 1, 3, "0xff is not UTF-8"},
	{"[\xa0]", 1, 2, "the byte 0xa0"},
	{"[\xc2\xa0]", 1, 2, "expected a value"}, /* no-break space */
	{"\x0b[]", 1, 1, "the byte 0x0b"},        /* cJSON skips every byte up to 32 */
	{"[\x0c]", 1, 2, "the byte 0x0c"},
	{"{\"a\":1,\"b\":2,\"a\":3}", 1, 18, "the key \"a\" is there twice"},
	{"[{\"a\":1,\n \"\\u0061\":2}]", 2, 11, "the key \"a\" is there twice"},
	{"{\"_c\":1,\"_c\":2}", 1, 14, "the key \"_c\" is there twice"},
	{"{\"\":1,\"\":2}", 1, 10, "twice"},
};

static void refuses_what_is_not_json(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		struct paradl_arena *const arena = paradl_arena_create();
		struct paradl_error error = {.status = PARADL_OK};
		if (parse(arena, bad[i].text, &error))
			fail_msg("accepted: %s", bad[i].text);
		if (error.line != bad[i].line || error.column != bad[i].column ||
			!strstr(error.message, bad[i].says))
			fail_msg("%s: %d:%d: %s", bad[i].text, error.line, error.column, error.message);
		assert_int_equal(error.status, PARADL_SYNTAX);
		assert_string_equal(error.path, "x.json");
		assert_null(parse(arena, bad[i].text, NULL));
		paradl_arena_free(arena);
	}
}

static void accepts_what_only_looks_equal(void **state)
{
	(void)state;
	struct paradl_arena *const arena = paradl_arena_create();
	assert_int_equal(parse_good(arena, "{\"a\":1,\"A\":2,\"a \":3,\"b\":{\"a\":4}}")->count, 4);
	paradl_arena_free(arena);
}

static void refuses_nul_bytes(void **state)
{
	(void)state;
	struct paradl_arena *const arena = paradl_arena_create();
	struct paradl_error error;
	assert_null(json_parse(arena, "[1]\0", 4, "x", &error));
	assert_int_equal(error.column, 4);
	assert_null(json_parse(arena, "[\0]", 3, "x", &error));
	assert_null(json_parse(arena, "\"a\0b\"", 5, "x", &error));
	assert_non_null(strstr(error.message, "NUL"));
	assert_null(json_parse(arena, "{\"a\0\":1}", 8, "x", &error));
	assert_non_null(json_parse(arena, "[1]\0", 3, "x", &error));
	paradl_arena_free(arena);
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

static void errors_point_at_values(void **state)
{
	(void)state;
	struct paradl_arena *const arena = paradl_arena_create();
	const struct json *const root = parse_good(
		arena, "{\n\t\"a/b\": [1, {\"m~n\": {\"\": \"x\"}}],\n  \"\\u00e9\\\"\": true\n}\n");
	const struct json *const array = root->child;
	const struct json *const empty = array->child->next->child->child;
	struct paradl_error error;
	assert_false(json_error(empty, &error, "must be %d", 3));
	assert_string_equal(error.pointer, "/a~1b/1/m~0n/");
	assert_int_equal(error.status, PARADL_SCHEMA);
	assert_int_equal(error.line, 2);
	assert_int_equal(error.column, 26);
	assert_string_equal(error.message, "must be 3");
	json_error(root, &error, "no");
	assert_string_equal(error.pointer, "");
	assert_int_equal(error.line, 1);
	assert_int_equal(error.column, 1);
	json_error(array->next, &error, "%s", error.message);
	assert_string_equal(error.pointer, "/\xc3\xa9\"");
	assert_int_equal(error.line, 3);
	assert_int_equal(error.column, 15);
	assert_string_equal(error.message, "no");
	assert_false(json_error(root, NULL, "no"));
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

static void files_are_loaded(void **state)
{
	(void)state;
	struct paradl_arena *const arena = paradl_arena_create();
	struct paradl_error error;
	char name[] = "/tmp/paradl-json-XXXXXX";
	const int descriptor = mkstemp(name);
	FILE *const file = fdopen(descriptor, "w");
	assert_non_null(file);
	fputs("{\n \"a\": 1,\n \"a\": 2}", file);
	fclose(file);
	assert_null(json_load(arena, name, &error));
	assert_string_equal(error.path, name);
	assert_int_equal(error.line, 3);
	assert_int_equal(error.column, 7);
	assert_int_equal(error.status, PARADL_SYNTAX);
	remove(name);
	assert_null(json_load(arena, name, &error));
	assert_int_equal(error.status, PARADL_IO);
	assert_non_null(json_parse(arena, "1", 1, NULL, &error));
	paradl_arena_free(arena);
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
		cmocka_unit_test(reads_the_example_of_rfc_8259),
		cmocka_unit_test(reads_scalars_and_spaces),
		cmocka_unit_test(resolves_escapes),
		cmocka_unit_test(refuses_what_is_not_json),
		cmocka_unit_test(accepts_what_only_looks_equal),
		cmocka_unit_test(refuses_nul_bytes),
		cmocka_unit_test(nests_as_deep_as_it_says),
		cmocka_unit_test(the_deepest_value_has_a_place),
		cmocka_unit_test(reads_large_things),
		cmocka_unit_test(has_a_limit_of_values),
		cmocka_unit_test(errors_point_at_values),
		cmocka_unit_test(long_pointers_end_in_dots),
		cmocka_unit_test(every_allocation_may_fail),
		cmocka_unit_test(files_are_loaded),
		cmocka_unit_test(threads_may_parse),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
