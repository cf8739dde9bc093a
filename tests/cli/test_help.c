/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What -h of a command shows is options that it has; tests/cli/help.t looks at the pages, and runs their examples. */
#include "test.h"

#include <string.h>

#include "cli/command.h"

enum { USUAL_MOST = 15, NAME_BYTES = 32 };

/* Fails unless a name is that of an option which the command lists; an older spelling is not. */
static void check_name(const char *command, const char *name)
{
	const struct option_row *const row = option_find(&arguments_table, command, name);
	if (!row || !row->group || strcmp(row->name, name) != 0)
		fail_msg("%s -h: no option --%s", command, name);
}

static void check_usual(const struct command *command)
{
	char names[USUAL_MOST][NAME_BYTES];
	size_t count = 0;
	for (const char *rest = command->usual; *rest; count++) {
		const size_t length = strcspn(rest, " ");
		assert_true(count < USUAL_MOST && length < NAME_BYTES);
		snprintf(names[count], NAME_BYTES, "%.*s", (int)length, rest);
		check_name(command->name, names[count]);
		for (size_t i = 0; i < count; i++)
			if (strcmp(names[i], names[count]) == 0)
				fail_msg("%s -h: --%s twice", command->name, names[i]);
		rest += length + strspn(rest + length, " ");
	}
	assert_true(count > 0);
}

static void usual_options_are_options(void **state)
{
	(void)state;
	for (size_t i = 0; commands[i]; i++)
		check_usual(commands[i]);
}

static void people_begin_with_seven(void **state)
{
	(void)state;
	size_t count = 0;
	for (size_t i = 0; commands[i]; i++)
		count += commands[i]->first;
	assert_int_equal(count, 7);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(usual_options_are_options),
		cmocka_unit_test(people_begin_with_seven),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
