/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Repeats the warnings of measuring programs when they began, such as of a library that does not know the processor.
 */
#include <string.h>

#include "fit/verdict/verdict.h"

/* Returns the warning of a launch; NULL: there was none. */
static const char *warning_of(const struct sample_launch *launch)
{
	for (unsigned i = 0; i < launch->environment_count; ++i)
		if (strcmp(launch->environment[i].name, "warning") == 0)
			return launch->environment[i].text;
	return NULL;
}

static bool is_repeated(const struct sample_set *set, size_t index)
{
	for (size_t i = 0; i < index; ++i) {
		const char *before = warning_of(set->launches[i]);
		if (before && strcmp(before, warning_of(set->launches[index])) == 0)
			return true;
	}
	return false;
}

void judge_warned(struct calibration *calibration)
{
	const struct sample_set *set = calibration->cells->set;
	for (size_t i = 0; i < set->launch_count; ++i) {
		const char *warning = warning_of(set->launches[i]);
		if (!warning || is_repeated(set, i))
			continue;
		const struct verdict_head head = {PARADL_SUSPECT, "warned", set->launches[i]->file,
			"mend it and calibrate again, or train with the same setting: numbers hold for that "
			"only"};
		verdict_say(calibration, &head, "%s: %s", set->launches[i]->program, warning);
	}
}
