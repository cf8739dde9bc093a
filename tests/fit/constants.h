/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Five constants and the rows that they are fitted to, made anew for each test. */
#ifndef TESTS_FIT_CONSTANTS_H
#define TESTS_FIT_CONSTANTS_H

#include "fit/fitting.h"
#include "test.h"

static const char rows_path[] = "tests/data/fit/published.csv";
static const char constants_path[] = "tests/data/fit/constants.csv";
static const char *const directories[] = {".", NULL};
static const struct paradl_lookup lookup = {.directories = directories};

enum { SUSTAINED, HOST, PASSES, SCORES, UNUSED, CONSTANTS };

struct state {
	struct paradl_arena *arena;
	struct fit_data data;
	struct fit_constants constants;
	struct fit_problem problem;
};

static inline int setup(void **context)
{
	struct state *state = calloc(1, sizeof *state);
	struct paradl_error error = {0};
	*context = state;
	if (!state || !(state->arena = paradl_arena_create()))
		return -1;
	if (constants_load(state->arena, constants_path, &state->constants, &error) &&
		data_load(state->arena, rows_path, &lookup, &state->data, &error) &&
		constants_bind(state->arena, &state->data, &state->constants, &error) &&
		problem_create(state->arena, &state->data, &state->constants, &state->problem, &error))
		return 0;
	print_error("%s\n", error.message);
	return -1;
}

static inline int teardown(void **context)
{
	struct state *state = *context;
	paradl_arena_free(state->arena);
	free(state);
	return 0;
}

#endif
