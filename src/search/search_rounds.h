/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A search goes in rounds. The tasks of a round are searched side by side, by threads and by members of a team, with
 * what was known when the round began; then all learn what was found. The tasks of a round depend on what the rounds
 * before found, and not on who searched, so every figure of a search is the same for any number of threads and
 * processes.
 */
#ifndef SEARCH_SEARCH_ROUNDS_H
#define SEARCH_SEARCH_ROUNDS_H

#include "search/search_state.h"

/* Computes the bounds of all tasks, and counts the plans of those that cannot run. */
bool rounds_bound(struct search_state *state, struct paradl_error *error);
/* Runs all rounds. */
bool rounds_run(struct search_state *state, struct paradl_error *error);

#endif
