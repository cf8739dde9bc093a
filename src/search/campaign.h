/* SPDX-License-Identifier: GPL-3.0-or-later */
/* This header has a search while it runs. All that it makes lives in arenas of its own. */
#ifndef SEARCH_CAMPAIGN_H
#define SEARCH_CAMPAIGN_H

#include "base/pool.h"
#include "search/branch.h"

struct campaign {
	struct quest quest;
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
 * campaign must be closed whether this succeeds or not, and must not be moved.
 */
bool campaign_open(struct campaign *campaign, struct paradl_oracle *oracle,
	const struct paradl_search_request *request, unsigned halvings, struct paradl_error *error);
/* Finds the best plans; the caller sets incumbents.keep and the groups before. */
bool campaign_run(struct campaign *campaign, struct paradl_error *error);
void campaign_close(struct campaign *campaign);

#endif
