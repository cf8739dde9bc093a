/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where numbers may be written to: not to shipped profiles, also where a link leads there. */
#include "test.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "cli/command.h"

struct place {
	struct paradl_arena *arena;
	char folder[40];
};

static const char *in(const struct place *place, const char *name)
{
	return arena_printf(place->arena, "%s/%s", place->folder, name);
}

/* Makes share/hw-profiles/ with a profile and a device, and mine/, whose parts are links to it. */
static int make(void **state)
{
	static struct place place;
	static const char *const folders[] = {"share", "share/hw-profiles", "share/hw-profiles/devices",
		"share/hw-profiles/frameworks", "share/hw-profiles-too", "mine", "own", "own/devices"};
	place = (struct place){paradl_arena_create(), "/tmp/paradl-into-XXXXXX"};
	if (!place.arena || !mkdtemp(place.folder))
		return -1;
	for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
		if (mkdir(in(&place, folders[i]), 0777) != 0)
			return -1;
	fclose(fopen(in(&place, "share/hw-profiles/a.json"), "w"));
	fclose(fopen(in(&place, "share/hw-profiles/devices/d.json"), "w"));
	*state = &place;
	return symlink("../share/hw-profiles/a.json", in(&place, "mine/a.json")) ||
	       symlink("../share/hw-profiles/devices", in(&place, "mine/devices")) ||
	       symlink("../../share/hw-profiles/devices/d.json", in(&place, "own/devices/d.json"));
}

static int clear(void **state)
{
	const struct place *const place = *state;
	static const char *const names[] = {"own/devices/d.json", "own/devices", "own", "mine/devices",
		"mine/a.json", "mine", "share/hw-profiles-too", "share/hw-profiles/frameworks",
		"share/hw-profiles/devices/d.json", "share/hw-profiles/devices", "share/hw-profiles/a.json",
		"share/hw-profiles", "share", ""};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		remove(in(place, names[i]));
	paradl_arena_free(place->arena);
	return 0;
}

static struct session session_into(const struct place *place, const char *const *shipped, const char *into)
{
	return (struct session){.arena = place->arena,
		.shipped = shipped,
		.installed = shipped[0],
		.arguments = {.fit = {.into = in(place, into)}}};
}

static void profiles(void **state)
{
	const struct place *const place = *state;
	const char *const shipped[] = {in(place, "share"), NULL};
	static const struct {
		const char *into;
		bool is_shipped;
	} cases[] = {{"share/hw-profiles/a.json", true}, {"share/hw-profiles/new.json", true},
		{"share/hw-profiles/devices/d.json", true}, {"share/hw-profiles/frameworks/new.json", true},
		{"mine/a.json", true}, {"mine/devices/d.json", true}, {"mine/devices/new.json", true},
		{"mine/new.json", false}, {"share/new.json", false}, {"share/hw-profiles-too/a.json", false},
		{"nowhere/a.json", false}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct session session = session_into(place, shipped, cases[i].into);
		assert_int_equal(fit_into_shipped(&session), cases[i].is_shipped);
		assert_int_equal(session.error.status, cases[i].is_shipped ? PARADL_USAGE : PARADL_OK);
	}
}

/* A device is written to devices/ beside the profile, which may lead to shipped devices, or be one. */
static void devices(void **state)
{
	const struct place *const place = *state;
	const char *const shipped[] = {in(place, "share"), NULL};
	struct session session = session_into(place, shipped, "mine/new.json");
	assert_true(fit_device_shipped(&session, "d.json"));
	assert_true(fit_device_shipped(&session, "new.json"));
	session = session_into(place, shipped, "own/new.json");
	assert_true(fit_device_shipped(&session, "d.json"));
	session.error.status = PARADL_OK;
	assert_false(fit_device_shipped(&session, "new.json"));
	assert_int_equal(session.error.status, PARADL_OK);
}

/* Constants go to devices/ and frameworks/ of a folder: of the sources, too, but of no installed program. */
static void constants(void **state)
{
	const struct place *const place = *state;
	const char *const shipped[] = {in(place, "share"), NULL};
	struct session session = session_into(place, shipped, "share/hw-profiles");
	assert_true(fit_folder_installed(&session));
	assert_int_equal(session.error.status, PARADL_USAGE);
	session = session_into(place, shipped, "mine");
	assert_true(fit_folder_installed(&session));
	session = session_into(place, shipped, "own");
	assert_false(fit_folder_installed(&session));
	session = session_into(place, shipped, "share/hw-profiles");
	session.installed = in(place, "usr/share/paradl");
	assert_false(fit_folder_installed(&session));
	session.installed = NULL;
	assert_false(fit_folder_installed(&session));
	assert_int_equal(session.error.status, PARADL_OK);
}

/* A folder of one's own may have links to single files of an installed one: those that constants go to decide. */
static void constants_links(void **state)
{
	const struct place *const place = *state;
	const char *const shipped[] = {in(place, "share"), NULL};
	struct paradl_fit_place places[] = {{.file = "devices/new"}, {.file = "devices/d"}};
	struct paradl_fit_constant constant = {.places = places, .place_count = 1, .rows = 1};
	const struct paradl_fit fit = {.constants = &constant, .constant_count = 1};
	struct session session = session_into(place, shipped, "own");
	assert_false(fit_file_installed(&session, &fit));
	constant.place_count = 2;
	assert_true(fit_file_installed(&session, &fit));
	assert_int_equal(session.error.status, PARADL_USAGE);
	assert_non_null(strstr(session.error.message, "own/devices/d.json"));
	constant.rows = 0; /* no row depends on it: it is not written */
	assert_false(fit_file_installed(&session, &fit));
	constant.rows = 1;
	session.installed = NULL; /* the sources of a program are there to be fitted */
	assert_false(fit_file_installed(&session, &fit));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(constants_links),
		cmocka_unit_test(profiles),
		cmocka_unit_test(devices),
		cmocka_unit_test(constants),
	};
	return cmocka_run_group_tests_name("fit_into", tests, make, clear);
}
