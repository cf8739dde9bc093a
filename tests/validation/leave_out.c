/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What to expect of a program or a machine that constants were never fitted to: each set of published results is projected
 * with constants that were fitted to the others. Prints the table; fails if a set is more than 14 % off, but for two whose
 * host time nobody can guess (vtrain-single, nemo-bridge), or if the shipped constants are not those of the fit.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "paradl.h"

static const double most = 14; /* percent */
static const double nearness =
	0.25; /* percentage points between the shipped constants' errors and the fit's */

static bool is_open(const char *set)
{
	return strcmp(set, "vtrain-single") == 0 || strcmp(set, "nemo-bridge") == 0;
}

static int look(const struct paradl_fit *fit)
{
	int failures = 0;
	for (size_t i = 0; i < fit->set_count; ++i) {
		const struct paradl_fit_set *set = &fit->sets[i];
		const bool far = !is_open(set->name) && !(set->left_out <= most);
		const bool stale = fabs(set->before - set->after) > nearness;
		printf("%-18s %4zu rows, shipped %5.2f %%, fitted %5.2f %%, left out %5.2f %%%s%s\n",
			set->name, set->rows, set->before, set->after, set->left_out, far ? "  too far" : "",
			stale ? "  run paradl fit --into hw-profiles" : "");
		failures += far || stale;
	}
	return failures;
}

int main(void)
{
	static const char *const directories[] = {".", NULL};
	const struct paradl_lookup lookup = {.directories = directories};
	const struct paradl_fit_request request = {.leave_each_out = true, .restarts = 8};
	struct paradl_arena *const arena = paradl_arena_create();
	struct paradl_error error = {0};
	struct paradl_fit fit;
	if (!arena ||
		!paradl_fit(arena, "tests/validation/llm_measured.csv", &lookup, &request, &fit, &error)) {
		fprintf(stderr, "%s\n", error.message);
		return 1;
	}
	const int failures = look(&fit);
	paradl_arena_free(arena);
	return failures > 0;
}
