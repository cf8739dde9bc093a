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
	bool runs; /* whether a plan is known that keeps all that is asked */
	double evaluated, cut[PARADL_CUT_COUNT], least_cut;
};

/* Fills which families a search looks at: those of the text, NULL: all that mean something, as far as programs go. */
bool families_wanted(
	const struct paradl_oracle *oracle, const char *text, bool *families, struct paradl_error *error);
/*
 * Checks the request and lists the tasks, for a batch that nobody gave and that is halved `halvings` times. The
 * search must be closed whether this succeeds or not, and must not be moved.
 */
bool search_state_open(struct search_state *state, struct paradl_oracle *oracle,
	const struct paradl_search_request *request, unsigned halvings, struct paradl_error *error);
/* Finds the best plans; the caller sets incumbents.keep and the groups before. */
bool search_state_run(struct search_state *state, struct paradl_error *error);
/* Fills what follows from the results of a search, of which there is one at least: bound, gap, margin, ties. */
void results_compare(enum paradl_goal goal, double least_cut, struct paradl_search *search);
/* Compares plans of a front as for qsort: by the first goal, then the next ones. */
int compare_traded(const void *a, const void *b);
void search_state_close(struct search_state *state);

/*
 * A search goes in rounds. The tasks of a round are searched side by side, by threads and by members of a team, with
 * what was known when the round began; then all learn what was found. The tasks of a round depend on what the rounds
 * before found, and not on who searched, so every figure of a search is the same for any number of threads and
 * processes.
 */

/* Computes the bounds of all tasks, and counts the plans of those that cannot run or count, whatever is found. */
bool rounds_bound(struct search_state *state, struct paradl_error *error);
/* Runs all rounds. */
bool rounds_run(struct search_state *state, struct paradl_error *error);

/* Task of a round. */
struct turn {
	size_t place; /* index of the task */
	size_t queue; /* its queue */
	bool done;
	struct report report;
};

/* Sends what this process found in the turns that it has done, and takes what the others found; search_team.c. */
bool turns_exchange(struct search_state *state, struct turn *turns, size_t count, struct paradl_error *error);

/* A search answers more than its results: a map of degrees, and the plan that came closest. */

/* Makes the groups of the request's map, with a cell for each; called before search_state_run. */
bool map_groups(struct search_state *state, struct paradl_arena *arena, struct paradl_map_cell **cells,
	struct paradl_error *error);
/* Fills the cells, after search_state_run, and hands them to `search`. */
bool map_fill(struct search_state *state, struct paradl_map_cell *cells, struct paradl_search *search,
	struct paradl_error *error);
/* Estimates the plan of a group (-1: of all) that may need least memory; false: none runs. */
bool leanest_estimate(struct search_state *state, long group, struct paradl_estimate *estimate);
/* Fills in the plan that came closest, where no plan was found. */
void closest_fill(struct search_state *state, struct paradl_infeasible *closest);
/* Fills in the best plan without the constraints of a request, if any runs, as what comes closest to it. */
void nearest_fill(const struct paradl_oracle *oracle, const struct paradl_search_request *request,
	const struct paradl_search *nearest, struct paradl_infeasible *closest);

/*
 * Replaces a plan of an engine by one with other settings (tokens of prompts in a step, sequences at a time), and as
 * many requests as keep the promise then, where that gains more than a fiftieth: programs are tuned on their own.
 */
void settings_improve(
	const struct search_problem *problem, struct paradl_oracle *oracle, struct paradl_estimate *best);
/*
 * Takes settings from plans that were found, best first, where nobody asked for them and they gain less than that. Returns
 * the least value that was found with them.
 */
double settings_spare(const struct search_state *state, struct found_plan *found, size_t count);
/* Takes settings from a plan that came closest, unless it comes a fiftieth closer by them. */
void nearest_settings_spare(const struct search_state *state, struct found_plan *nearest);
static const unsigned settings_all = 1u << PARADL_VARY_CHUNK | 1u << PARADL_VARY_SEQS;
/* Returns the settings that a search tries: set of 1u << enum paradl_vary. */
unsigned settings_tried(const struct search_problem *problem, const struct paradl_oracle *oracle);

#endif
