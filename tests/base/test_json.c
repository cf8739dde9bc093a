/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "test.h"

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
	{"{\"a\":1,\"b\":1,\"c\":1,\"d\":1,\"e\":1,\"f\":1,\"g\":1,\"e\":1}", 1, 48,
		"the key \"e\" is there twice"},
	{"{\"a\":1,\"b\":1,\"c\":1,\"d\":1,\"e\":1,\"f\":1,\"g\":1,\"h\":1,\"e\":1,\"a\":1}", 1, 54,
		"the key \"e\" is there twice"},
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_the_example_of_rfc_8259),
		cmocka_unit_test(reads_scalars_and_spaces),
		cmocka_unit_test(resolves_escapes),
		cmocka_unit_test(refuses_what_is_not_json),
		cmocka_unit_test(accepts_what_only_looks_equal),
		cmocka_unit_test(refuses_nul_bytes),
		cmocka_unit_test(errors_point_at_values),
		cmocka_unit_test(files_are_loaded),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
