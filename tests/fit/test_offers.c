/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the shipped profiles say that programs have, against what they did: every plan of published runs. Zero-bubble
 * schedules were run with a fork of the program whose profile the rows take.
 */
#include "test.h"

#include "base/csv.h"
#include "fit/validate/published.h"
#include "machine/framework.h"

static const char *const directories[] = {".", NULL};

static void check_row(struct paradl_arena *arena, const struct measurement *row, unsigned *checked)
{
	struct paradl_error error = {0};
	char lacking[64] = "";
	if (!row->plan_text || !*row->row.framework)
		return;
	const char *const path = arena_printf(arena, "hw-profiles/frameworks/%.*s.json%s",
		(int)strcspn(row->row.framework, "+"), row->row.framework,
		row->row.framework + strcspn(row->row.framework, "+"));
	const struct paradl_framework *const framework =
		paradl_framework_load(arena, &(struct paradl_source){.path = path}, &error);
	if (!framework) {
		fail_msg("%s", error.message);
		return;
	}
	++*checked;
	if (!framework_offers_plan(framework, &row->plan, lacking, sizeof lacking) &&
		strncmp(lacking, "schedule=zero-bubble", strlen("schedule=zero-bubble")) != 0)
		fail_msg("%s: %s has no %s", row->row.id, framework->name, lacking);
}

static void programs_have_what_they_ran(void **state)
{
	(void)state;
	struct paradl_arena *const arena = paradl_arena_create();
	const struct paradl_lookup lookup = {.directories = directories};
	struct paradl_error error = {0};
	struct aliases aliases;
	struct csv csv;
	struct measurements rows = {NULL, 0};
	size_t left_out = 0;
	unsigned checked = 0;
	if (!csv_load(arena, "tests/validation/llm_measured.csv", &csv, &error) ||
		!aliases_load(arena, directories, &aliases, &error) ||
		!published_read(arena, &csv, &lookup, &aliases, &rows, &left_out, &error))
		fail_msg("%s", error.message);
	for (size_t i = 0; i < rows.count; ++i)
		check_row(arena, &rows.rows[i], &checked);
	assert_true(checked > 1000);
	paradl_arena_free(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(programs_have_what_they_ran),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
