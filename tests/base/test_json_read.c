/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "test.h"

#include "base/json.h"

struct target {
	bool flag;
	unsigned count, any_count;
	double share, any, positive, bandwidth, plain;
	const char *name;
	int choice;
	const struct json *node, *object, *array;
};

static const char *const choices[] = {"max", "average", "global", NULL};

#define AT(member) .offset = offsetof(struct target, member)
static const struct json_field fields[] = {
	{"flag", JSON_TO_BOOL, AT(flag)},
	{"count", JSON_TO_UNSIGNED, AT(count), .min = 1},
	{"any_count", JSON_TO_UNSIGNED, AT(any_count)},
	{"small", JSON_TO_UNSIGNED, AT(count), .min = 2, .max = 8},
	{"share", JSON_TO_DOUBLE, AT(share), .max = 1},
	{"any", JSON_TO_DOUBLE, AT(any)},
	{"positive", JSON_TO_DOUBLE, AT(positive), .min = 0.5, .max = 0},
	{"bandwidth", JSON_TO_QUANTITY, AT(bandwidth), .dimension = DIMENSION_BYTES_PER_S},
	{"fast", JSON_TO_QUANTITY, AT(bandwidth), .dimension = DIMENSION_BYTES_PER_S, .min = 1e9,
		.max = 1e12},
	{"plain", JSON_TO_QUANTITY, AT(plain), .dimension = DIMENSION_NONE},
	{"name", JSON_TO_TEXT, AT(name)},
	{"choice", JSON_TO_CHOICE, AT(choice), .choices = choices},
	{"node", JSON_TO_NODE, AT(node)},
	{"object", JSON_TO_OBJECT, AT(object)},
	{"array", JSON_TO_ARRAY, AT(array)},
};
enum { COUNT = sizeof fields / sizeof fields[0] };

static bool read_text(
	struct paradl_arena *arena, const char *text, struct target *target, struct paradl_error *error)
{
	const struct json *const root = json_parse(arena, text, strlen(text), "x.json", error);
	assert_non_null(root);
	return json_read(root, fields, COUNT, NULL, target, error);
}

static void fills_every_type(void **state)
{
	(void)state;
	struct paradl_arena *const arena = paradl_arena_create();
	struct paradl_error error = {.status = PARADL_OK};
	struct target target = {.count = 0};
	static const char text[] = "{\"flag\":true,\"count\":4294967295,\"any_count\":0,\"share\":1,\"any\":-"
				   "1e30,\"positive\":0.5,"
				   "\"bandwidth\":\"12.5 "
				   "GB/s\",\"plain\":3,\"name\":\"conv\",\"choice\":\"global\",\"node\":null,"
				   "\"object\":{\"b\":1},\"array\":[1,2]}";
	if (!read_text(arena, text, &target, &error))
		fail_msg("%s: %s", error.pointer, error.message);
	assert_true(target.flag);
	assert_int_equal(target.count, 4294967295u);
	assert_int_equal(target.any_count, 0);
	assert_close(target.share, 1, 0);
	assert_close(target.any, -1e30, 0);
	assert_close(target.positive, 0.5, 0);
	assert_close(target.bandwidth, 12.5e9, 0);
	assert_close(target.plain, 3, 0);
	assert_string_equal(target.name, "conv");
	assert_int_equal(target.choice, 2);
	assert_int_equal(target.node->kind, JSON_NULL);
	assert_int_equal(target.object->count, 1);
	assert_int_equal(target.array->count, 2);
	paradl_arena_free(arena);
}

static void absent_keys_touch_nothing(void **state)
{
	(void)state;
	struct paradl_arena *const arena = paradl_arena_create();
	struct target target, before;
	memset(&target, 0x5a, sizeof target);
	memcpy(&before, &target, sizeof target);
	assert_true(read_text(arena, "{\"_comment\":{\"x\":[]},\"$schema\":\"y\",\"_\":1}", &target, NULL));
	assert_memory_equal(&target, &before, sizeof target);
	paradl_arena_free(arena);
}

static void refusals_say_what_it_must_be_and_is(void **state)
{
	(void)state;
	static const struct {
		const char *text, *pointer, *message, *hint;
	} cases[] = {
		{"[]", "", "must be an object, is an empty array", ""},
		{"3", "", "must be an object, is 3", ""},
		{"{\"flag\":0}", "/flag", "must be true or false, is 0", ""},
		{"{\"flag\":\"true\"}", "/flag", "must be true or false, is \"true\"", ""},
		{"{\"flag\":null}", "/flag", "must be true or false, is null", ""},
		{"{\"count\":\"x\"}", "/count", "must be a whole number from 1 to 4294967295, is \"x\"", ""},
		{"{\"count\":0}", "/count", "must be a whole number from 1 to 4294967295, is 0", ""},
		{"{\"count\":-1}", "/count", "must be a whole number from 1 to 4294967295, is -1", ""},
		{"{\"count\":1.5}", "/count", "must be a whole number from 1 to 4294967295, is 1.5", ""},
		{"{\"count\":4294967296}", "/count",
			"must be a whole number from 1 to 4294967295, is 4294967296", ""},
		{"{\"any_count\":-1}", "/any_count", "must be a whole number from 0 to 4294967295, is -1",
			""},
		{"{\"any_count\":1e300}", "/any_count",
			"must be a whole number from 0 to 4294967295, is 1e+300", ""},
		{"{\"small\":9}", "/small", "must be a whole number from 2 to 8, is 9", ""},
		{"{\"share\":1.01}", "/share", "must be a number from 0 to 1, is 1.01", ""},
		{"{\"share\":-0.1}", "/share", "must be a number from 0 to 1, is -0.1", ""},
		{"{\"any\":\"1\"}", "/any", "must be a number, is \"1\"", ""},
		{"{\"positive\":0.25}", "/positive", "must be a number of at least 0.5, is 0.25", ""},
		{"{\"name\":1}", "/name", "must be a string, is 1", ""},
		{"{\"name\":[1]}", "/name", "must be a string, is an array", ""},
		{"{\"choice\":\"averge\"}", "/choice",
			"must be \"max\", \"average\" or \"global\", is \"averge\"",
			"did you mean \"average\"?"},
		{"{\"choice\":{}}", "/choice", "must be \"max\", \"average\" or \"global\", is an object",
			""},
		{"{\"choice\":\"MAX\"}", "/choice", "must be \"max\", \"average\" or \"global\", is \"MAX\"",
			"did you mean \"max\"?"},
		{"{\"object\":[]}", "/object", "must be an object, is an empty array", ""},
		{"{\"array\":{}}", "/array", "must be an array, is an object", ""},
		{"{\"array\":"
		 "\"12345678901234567890123456789012345678901234567890123456789012345678901234567890\"}",
			"/array",
			"must be an array, is "
			"\"12345678901234567890123456789012345678901234567890123456789012345678901234...\"",
			""},
		{"{\"bandwidth\":12.5}", "/bandwidth",
			"bandwidth needs a unit: write \"12.5 GB/s\" (bytes) or \"100 Gb/s\" (bits)", ""},
		{"{\"bandwidth\":true}", "/bandwidth", "must be a string with a number and its unit, is true",
			""},
		{"{\"bandwidth\":-3}", "/bandwidth", "bandwidth must not be negative, is \"-3\"", ""},
		{"{\"plain\":-3}", "/plain", "plain must not be negative, is \"-3\"", ""},
		{"{\"fast\":\"1 MB/s\"}", "/fast", "must be at least 1.00 GB/s, is \"1 MB/s\"", ""},
		{"{\"fast\":\"2 TB/s\"}", "/fast", "must be at most 1.00 TB/s, is \"2 TB/s\"", ""},
		{"{\"flga\":true}", "/flga", "unknown key \"flga\"; did you mean \"flag\"?", ""},
		{"{\"flag\":true,\"bandwith\":1}", "/bandwith",
			"unknown key \"bandwith\"; did you mean \"bandwidth\"?", ""},
		{"{\"Flag\":true}", "/Flag", "unknown key \"Flag\"; did you mean \"flag\"?", ""},
		{"{\"zzz\":1}", "/zzz",
			"unknown key \"zzz\"; known are \"flag\", \"count\", \"any_count\", \"small\", "
			"\"share\", \"any\", "
			"\"positive\", \"bandwidth\", \"fast\", \"plain\", \"name\", \"choice\", \"node\", "
			"\"object\" and "
			"\"array\"",
			""},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct paradl_arena *const arena = paradl_arena_create();
		struct paradl_error error = {.status = PARADL_OK};
		struct target target = {.count = 0};
		assert_false(read_text(arena, cases[i].text, &target, &error));
		assert_string_equal(error.message, cases[i].message);
		assert_string_equal(error.pointer, cases[i].pointer);
		assert_string_equal(error.hint, cases[i].hint);
		assert_int_equal(error.status, PARADL_SCHEMA);
		assert_string_equal(error.path, "x.json");
		assert_false(read_text(arena, cases[i].text, &target, NULL));
		paradl_arena_free(arena);
	}
}

static void required_and_allowed_keys(void **state)
{
	(void)state;
	static const struct json_field needed[] = {
		{"kernel", JSON_TO_UNSIGNED, true, AT(count), .min = 1},
		{"stride", JSON_TO_UNSIGNED, false, AT(any_count), .min = 1},
	};
	static const char *const allowed[] = {"type", "layers", NULL};
	static const char text[] =
		"{\"a\":\n {\"type\":\"conv\",\"stride\":2},\"b\":{\"layer\":1}, \"c\":{\"kernel\":3}}";
	struct paradl_arena *const arena = paradl_arena_create();
	struct paradl_error error = {.status = PARADL_OK};
	struct target target = {.count = 0};
	const struct json *const root = json_parse(arena, text, strlen(text), "x.json", &error);
	assert_non_null(root);
	assert_false(json_read(root->child, needed, 2, allowed, &target, &error));
	assert_string_equal(error.message, "needs a \"kernel\"");
	assert_string_equal(error.pointer, "/a");
	assert_int_equal(error.line, 2);
	assert_int_equal(error.column, 2);
	assert_int_equal(target.any_count, 2);
	assert_false(json_read(json_member(root, "b"), needed, 2, allowed, &target, &error));
	assert_string_equal(error.message, "unknown key \"layer\"; did you mean \"layers\"?");
	assert_string_equal(error.pointer, "/b/layer");
	assert_true(json_read(json_member(root, "c"), needed, 2, NULL, &target, &error));
	assert_int_equal(target.count, 3);
	assert_false(json_read(json_member(root, "c"), NULL, 0, NULL, NULL, &error));
	assert_string_equal(error.message, "unknown key \"kernel\"; no key belongs here");
	paradl_arena_free(arena);
}

static void single_values(void **state)
{
	(void)state;
	struct paradl_arena *const arena = paradl_arena_create();
	struct paradl_error error = {.status = PARADL_OK};
	const struct json *const array = json_parse(arena, "[7, \"16 GiB\", 2.5]", 18, "x.json", &error);
	unsigned count = 0;
	double bytes = 0;
	const struct json_field is_count = {.key = "kernel", .type = JSON_TO_UNSIGNED, .min = 1, .max = 5};
	const struct json_field is_bytes = {
		.key = "memory", .type = JSON_TO_QUANTITY, .dimension = DIMENSION_BYTES};
	assert_false(json_read_value(array->child, &is_count, &count, &error));
	assert_string_equal(error.pointer, "/0");
	assert_int_equal(error.column, 2);
	assert_int_equal(count, 0);
	assert_true(json_read_value(&array->child[1], &is_bytes, &bytes, &error));
	assert_close(bytes, 17179869184., 0);
	assert_false(json_read_value(&array->child[2], &is_bytes, &bytes, &error));
	assert_string_equal(error.message, "memory needs a unit: write \"16 GiB\" or \"25 MB\"");
	paradl_arena_free(arena);
}

static void long_lists_end_in_dots(void **state)
{
	(void)state;
	static char names[100][40];
	static const char *list[101];
	for (size_t i = 0; i < 100; i++) {
		snprintf(names[i], sizeof names[i], "a_rather_long_choice_number_%zu", i);
		list[i] = names[i];
	}
	struct paradl_arena *const arena = paradl_arena_create();
	struct paradl_error error = {.status = PARADL_OK};
	const struct json *const node = json_parse(arena, "\"x\"", 3, "x.json", &error);
	const struct json_field field = {.key = "kind", .type = JSON_TO_CHOICE, .choices = list};
	int choice = -1;
	assert_false(json_read_value(node, &field, &choice, &error));
	assert_non_null(strstr(error.message, "_0\", \"a_rather"));
	assert_non_null(strstr(error.message, ", ..., is \"x\""));
	assert_false(
		json_read(json_parse(arena, "{\"y\":1}", 7, "x.json", &error), NULL, 0, list, NULL, &error));
	assert_non_null(strstr(error.message, ", ..."));
	paradl_arena_free(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fills_every_type),
		cmocka_unit_test(absent_keys_touch_nothing),
		cmocka_unit_test(refusals_say_what_it_must_be_and_is),
		cmocka_unit_test(required_and_allowed_keys),
		cmocka_unit_test(single_values),
		cmocka_unit_test(long_lists_end_in_dots),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
