/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "test.h"

#include <sys/stat.h>
#include <unistd.h>

#include "paradl/files.h"

static char folder[] = "/tmp/paradl-find-XXXXXX";
static const char *const entries[] = {"/one/", "/one/models/", "/one/models/resnet50.json",
	"/one/models/vgg16.json", "/one/models/notes.txt", "/one/models/.hidden.json", "/two/",
	"/two/models/", "/two/models/alexnet.json", "/two/models/vgg16.json", "/two/models/folder.json/",
	"/one/hw-profiles/", "/one/hw-profiles/frameworks/", "/one/hw-profiles/frameworks/mine.json"};
enum { ENTRY_COUNT = sizeof entries / sizeof entries[0] };

static bool make(const char *path)
{
	if (path[strlen(path) - 1] == '/')
		return mkdir(path, 0700) == 0;
	FILE *const file = fopen(path, "w");
	return file && fclose(file) == 0;
}

static int make_folder(void **state)
{
	(void)state;
	if (!mkdtemp(folder))
		return -1;
	for (size_t i = 0; i < ENTRY_COUNT; ++i) {
		char path[128];
		snprintf(path, sizeof path, "%s%s", folder, entries[i]);
		if (!make(path))
			return -1;
	}
	return 0;
}

static int remove_folder(void **state)
{
	(void)state;
	for (size_t i = ENTRY_COUNT; i-- > 0;) {
		char path[128];
		snprintf(path, sizeof path, "%s%s", folder, entries[i]);
		if (remove(path) != 0)
			return -1;
	}
	return rmdir(folder);
}

struct search {
	struct paradl_arena *arena;
	char one[64], two[64];
	const char *directories[4];
};

static struct search search_begin(void)
{
	struct search search = {.arena = paradl_arena_create()};
	assert_non_null(search.arena);
	snprintf(search.one, sizeof search.one, "%s/one", folder);
	snprintf(search.two, sizeof search.two, "%s/two", folder);
	return search;
}

static const char *find(struct search *search, const char *name, const char *kind, struct paradl_error *error)
{
	search->directories[0] = "/nowhere";
	search->directories[1] = search->one;
	search->directories[2] = search->two;
	return paradl_find(search->arena, name, kind, search->directories, error);
}

static void finds_names_in_order(void **state)
{
	(void)state;
	static const char *const cases[][3] = {
		{"models", "resnet50", "/one/models/resnet50.json"},
		{"models", "vgg16", "/one/models/vgg16.json"}, /* not the second */
		{"models", "alexnet", "/two/models/alexnet.json"},
		{"hw-profiles/frameworks", "mine", "/one/hw-profiles/frameworks/mine.json"},
	};
	struct search search = search_begin();
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
		struct paradl_error error = {0};
		const char *const path = find(&search, cases[i][1], cases[i][0], &error);
		assert_non_null(path);
		assert_string_equal(path + strlen(folder), cases[i][2]);
	}
	paradl_arena_free(search.arena);
}

static void leaves_paths_alone(void **state)
{
	(void)state;
	static const char *const paths[] = {
		"a/b", "./vgg16", "vgg16.json", "nowhere.json", "-", "meson.build"};
	struct search search = search_begin();
	for (size_t i = 0; i < sizeof paths / sizeof paths[0]; ++i) {
		struct paradl_error error = {0};
		assert_string_equal(find(&search, paths[i], "models", &error), paths[i]);
		assert_string_equal(paradl_find(search.arena, paths[i], "models", NULL, &error), paths[i]);
	}
	paradl_arena_free(search.arena);
}

static void says_what_there_is(void **state)
{
	(void)state;
	static const char *const cases[][3] = {
		{"models", "resnet5", "there is no model \"resnet5\"; did you mean \"resnet50\"?"},
		{"models", "alexnte", "there is no model \"alexnte\"; did you mean \"alexnet\"?"},
		{"models", "gpt", "there is no model \"gpt\"; there are resnet50, vgg16, alexnet"},
		{"models", "folder", "there is no model \"folder\"; there are resnet50, vgg16, alexnet"},
		{"models", "", "there is no model \"\"; there are resnet50, vgg16, alexnet"},
		{"hw-profiles/frameworks", "min",
			"there is no framework profile \"min\"; did you mean \"mine\"?"},
		{"hw-profiles/devices", "v100", "there is no device \"v100\", and no directory with any"},
		{"sauces", "x", "there is no sauces \"x\", and no directory with any"},
	};
	struct search search = search_begin();
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
		struct paradl_error error = {0};
		assert_null(find(&search, cases[i][1], cases[i][0], &error));
		assert_int_equal(error.status, PARADL_IO);
		assert_string_equal(error.message, cases[i][2]);
	}
	struct paradl_error error = {0};
	assert_null(find(&search, "gpt", "models", &error));
	assert_string_equal(error.hint,
		"\"paradl list models\" shows the names; a file of your own is a path such as ./gpt.json");
	assert_null(paradl_find(search.arena, "gpt", "models", NULL, &error));
	assert_string_equal(error.message, "there is no model \"gpt\", and no directory with any");
	paradl_arena_free(search.arena);
}

static void survives_long_names(void **state)
{
	(void)state;
	char name[5000];
	struct search search = search_begin();
	struct paradl_error error = {0};
	memset(name, 'x', sizeof name - 1);
	name[sizeof name - 1] = '\0';
	assert_null(find(&search, name, "models", &error));
	assert_int_equal(error.status, PARADL_IO);
	paradl_arena_free(search.arena);
}

static void tells_version_and_units(void **state)
{
	(void)state;
	size_t count = 0;
	const struct paradl_entry *const units = paradl_units(&count);
	bool found = false;
	for (size_t i = 0; i < count; ++i)
		found = found || strcmp(units[i].name, "GiB") == 0;
	assert_true(found);
	assert_true(*paradl_version() != '\0');
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_names_in_order),
		cmocka_unit_test(leaves_paths_alone),
		cmocka_unit_test(says_what_there_is),
		cmocka_unit_test(survives_long_names),
		cmocka_unit_test(tells_version_and_units),
	};
	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
