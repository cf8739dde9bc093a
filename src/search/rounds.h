/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A search in rounds. The tasks of a round are looked at side by side, by threads and by members of a team, with what was
 * known when the round began; then all learn what was found. Which tasks a round has depends on what the rounds before
 * found, and not on who looked: so every figure of a search is the same for any number of threads and processes.
 */
#ifndef SEARCH_ROUNDS_H
#define SEARCH_ROUNDS_H

#include "search/campaign.h"

/* Bounds of all tasks; tasks that cannot run are counted. */
bool rounds_bound(struct campaign *campaign, struct paradl_error *error);
/* All rounds. */
bool rounds_run(struct campaign *campaign, struct paradl_error *error);

#endif
