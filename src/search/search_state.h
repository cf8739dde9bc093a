/* SPDX-License-Identifier: GPL-3.0-or-later */
/* This header has a search while it runs. All that it makes lives in arenas of its own. */
#ifndef SEARCH_SEARCH_STATE_H
#define SEARCH_SEARCH_STATE_H

#include "base/pool.h"
#include "search/branch.h"

struct search_state {
	struct search_problem problem;
	struct paradl_oracle *oracle;
	struct pool *pool;
	struct worker *workers[POOL_MOST]; /* a worker for each thread that is at work */
	struct tasks tasks;
	struct incumbents incumbents;
	/* arenas: one for each worker, with all that it keeps. */
	struct paradl_arena *arena, *arenas[POOL_MOST];
	double evaluated, cut[PARADL_CUT_COUNT], least_cut;
};

/*
 * Checks the request and lists the tasks, for a batch that nobody gave and that is halved `halvings` times. The
 * search must be closed whether this succeeds or not, and must not be moved.
 */
bool search_state_open(struct search_state *state, struct paradl_oracle *oracle,
	const struct paradl_search_request *request, unsigned halvings, struct paradl_error *error);
/* Finds the best plans; the caller sets incumbents.keep and the groups before. */
bool search_state_run(struct search_state *state, struct paradl_error *error);
void search_state_close(struct search_state *state);

#endif
