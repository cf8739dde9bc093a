/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A search while it goes on. All that it makes lives in arenas of its own. */
#ifndef SEARCH_CAMPAIGN_H
#define SEARCH_CAMPAIGN_H

#include "base/pool.h"
#include "search/branch.h"

struct campaign {
	struct quest quest;
	struct paradl_oracle *oracle;
	struct pool *pool;
	struct worker *workers[POOL_MOST]; /* one for each thread that is at work */
	struct tasks tasks;
	struct incumbents incumbents;
	struct paradl_arena *arena, *arenas[POOL_MOST]; /* of workers: whatever they keep */
	double evaluated, cut[PARADL_CUT_COUNT], least_cut;
};

/*
 * Checks the question and lists the tasks, for a batch that is halved so often; to be closed whether it succeeds or not, and not
 * moved.
 */
bool campaign_open(struct campaign *campaign, struct paradl_oracle *oracle,
	const struct paradl_search_request *request, unsigned halvings, struct paradl_error *error);
/* Finds the best plans; incumbents.keep and groups are the caller's to set before. */
bool campaign_run(struct campaign *campaign, struct paradl_error *error);
void campaign_close(struct campaign *campaign);

#endif
