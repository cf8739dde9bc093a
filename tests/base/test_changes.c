/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "test.h"

#include <string.h>

#include "base/changes.h"

static const char file[] = "{\"name\": \"M\", \"levels\": [{\"bandwidth\": \"12.5 GB/s\", \"ports\": 2}, "
			   "{\"bandwidth\": \"1e9 B/s\"}],\n"
			   " \"peak\": {\"_why\": 1, \"fp32\": \"15 Tflop/s\", \"fp16\": \"100 Tflop/s\"}, "
			   "\"us\": [1, 2, 3], \"on\": true}";

static bool equal(double a, double b)
{
	return !(a < b) && !(a > b);
}

struct fixture {
	struct paradl_arena *arena;
	const struct json *root;
	struct paradl_error error;
};

static int prepare(void **state)
{
	static struct fixture fixture;
	fixture = (struct fixture){.arena = paradl_arena_create()};
	fixture.root = json_parse(fixture.arena, file, sizeof file - 1, "m.json", &fixture.error);
	*state = &fixture;
	return fixture.root ? 0 : 1;
}

static int release(void **state)
{
	struct fixture *const fixture = *state;
	paradl_arena_free(fixture->arena);
	return 0;
}

/* The tree after the changes; NULL: error is set. */
static const struct json *changed(struct fixture *fixture, const char *const *texts, size_t count)
{
	struct change_tally tally = {0};
	const struct paradl_changes *const changes =
		paradl_changes_parse(fixture->arena, texts, count, &fixture->error);
	const struct json *const root = changes ? changes_apply(fixture->arena, changes, CHANGE_MACHINE,
							  fixture->root, true, &tally, &fixture->error)
						: NULL;
	return root && changes_met(changes, CHANGE_MACHINE, fixture->root, &tally, &fixture->error) ? root
												    : NULL;
}

static const struct json *at(const struct json *node, const char *first, unsigned index, const char *last)
{
	node = json_member(node, first);
	return last ? json_member(node->kind == JSON_ARRAY ? &node->child[index] : node, last)
		    : &node->child[index];
}

static void multiplies(void **state)
{
	static const char *const texts[] = {"hw.levels.0.bandwidth=x2", "hw.us=x0.5", "hw.peak=-20%",
		"hw.levels.0.ports=x2", "hw.us.1=x10"};
	const struct json *const root = changed(*state, texts, 5);
	assert_non_null(root);
	assert_string_equal(at(root, "levels", 0, "bandwidth")->string, "25 GB/s");
	assert_string_equal(at(root, "levels", 1, "bandwidth")->string, "1e9 B/s");
	assert_string_equal(at(root, "peak", 0, "fp32")->string, "12 Tflop/s");
	assert_string_equal(at(root, "peak", 0, "fp16")->string, "80 Tflop/s");
	assert_true(equal(at(root, "levels", 0, "ports")->number, 4));
	assert_true(
		equal(at(root, "us", 0, NULL)->number, 0.5) && equal(at(root, "us", 1, NULL)->number, 10));
	assert_true(equal(at(root, "peak", 0, "_why")->number, 1));
}

static void replaces_and_adds(void **state)
{
	static const char *const texts[] = {"hw.name=true", "hw.levels.*.bandwidth=3 GB/s", "hw.on=false",
		"hw.pue=1.2", "hw.levels.1.ports=8", "hw.power={\"node\": \"2 kW\"}"};
	const struct json *const root = changed(*state, texts, 6);
	assert_non_null(root);
	assert_string_equal(json_member(root, "name")->string, "true"); /* text stays text */
	assert_string_equal(at(root, "levels", 1, "bandwidth")->string, "3 GB/s");
	assert_true(json_member(root, "on")->kind == JSON_BOOL && !json_member(root, "on")->boolean);
	assert_true(equal(json_member(root, "pue")->number, 1.2));
	assert_true(equal(at(root, "levels", 1, "ports")->number, 8));
	assert_string_equal(at(root, "power", 0, "node")->string, "2 kW");
	assert_int_equal(root->count, 7);
}

/* A star adds to all items what none of them has, and what only some have. */
static void adds_to_all(void **state)
{
	static const char *const texts[] = {"hw.levels.*.ring=2 GB/s", "hw.levels.*.ports=4"};
	const struct json *const root = changed(*state, texts, 2);
	assert_non_null(root);
	for (unsigned i = 0; i < 2; i++) {
		assert_string_equal(at(root, "levels", i, "ring")->string, "2 GB/s");
		assert_true(equal(at(root, "levels", i, "ports")->number, 4));
	}
}

/* The old tree stays as it was, and without changes the new one is the old one. */
static void leaves_the_old(void **state)
{
	static const char *const texts[] = {"hw.levels.0.bandwidth=x2"}, *const other[] = {"model.name=x"};
	struct fixture *const fixture = *state;
	assert_non_null(changed(fixture, texts, 1));
	assert_string_equal(at(fixture->root, "levels", 0, "bandwidth")->string, "12.5 GB/s");
	assert_ptr_equal(changed(fixture, other, 1), fixture->root);
}

static void refuses(void **state)
{
	static const struct {
		const char *text, *message, *hint;
	} cases[] = {
		{"levels.0.bandwidth=x2", "changes nothing that is known", "hw.KEYS=VALUE"},
		{"hw.=x2", "changes nothing that is known", ""},
		{"hw.levels.7.bandwidth=x2", "m.json has no 'levels.7'", "'levels' has 0 to 1"},
		{"hw.levels.0.bandwith=x2", "has no 'levels.0.bandwith'", "did you mean 'bandwidth'?"},
		{"hw.pue=x2", "has no 'pue'", "cannot be multiplied"},
		{"hw.name=x2", "is not a number", ""},
		{"hw.levels.0=x2", "say which of its members", ""},
		{"hw.on={", "", ""},
	};
	struct fixture *const fixture = *state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		fixture->error = (struct paradl_error){0};
		assert_null(changed(fixture, &cases[i].text, 1));
		assert_non_null(strstr(fixture->error.message, cases[i].message));
		assert_non_null(strstr(fixture->error.hint, cases[i].hint));
		assert_true(fixture->error.status != PARADL_OK);
	}
}

/* Every number of a shipped profile times 1 is that profile; its errors name the change. */
static void machines(void **state)
{
	static const char *const same[] = {
		"hw.levels.*.latency=x1", "device.peak.*=x1", "framework.rules.host_layer=x1"};
	static const char *const wrong[] = {"hw.levels.1.bandwidth=12.5"};
	struct fixture *const fixture = *state;
	struct paradl_arena *const arena = fixture->arena;
	const struct paradl_changes *changes = paradl_changes_parse(arena, same, 2, &fixture->error);
	assert_non_null(paradl_machine_load(arena,
		&(struct paradl_source){.path = "hw-profiles/dgx-h100-superpod.json", .changes = changes},
		&fixture->error));
	changes = paradl_changes_parse(arena, wrong, 1, &fixture->error);
	assert_null(paradl_machine_load(arena,
		&(struct paradl_source){.path = "hw-profiles/abci.json", .changes = changes},
		&fixture->error));
	assert_string_equal(fixture->error.path, wrong[0]);
	assert_string_equal(fixture->error.pointer, "/levels/1/bandwidth");
	assert_non_null(strstr(fixture->error.message, "unit"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(multiplies, prepare, release),
		cmocka_unit_test_setup_teardown(replaces_and_adds, prepare, release),
		cmocka_unit_test_setup_teardown(adds_to_all, prepare, release),
		cmocka_unit_test_setup_teardown(leaves_the_old, prepare, release),
		cmocka_unit_test_setup_teardown(refuses, prepare, release),
		cmocka_unit_test_setup_teardown(machines, prepare, release),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
