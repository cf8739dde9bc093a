/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pools: some devices read the prompts of others, by a plan of their own. */
#ifndef SEARCH_POOLS_H
#define SEARCH_POOLS_H

#include "oracle/oracle.h"
#include "search/branch.h"

/* Plan of readers, and what the others see of it. */
struct reading {
	const char *text; /* plan, as options.prefill */
	unsigned devices;
	double replicas, reads_s[2], lone_s, cache_bytes; /* as in struct prefill */
	unsigned group;                                   /* replicas whose steps go together: along expert */
	double first_s;                                   /* least time to the first token */
	double value_bound; /* no plan that leaves its prompts to these readers has less of the goal's value */
	bool runs;
	size_t place;
};

struct readings {
	struct reading *items;
	size_t count, room;
	struct paradl_arena *arena;
};

/* Adds some forty ways to read on a part of `devices`: replicas of a node's devices, on an eighth to seven eighths. */
bool readings_usual(const struct paradl_oracle *oracle, unsigned devices, struct readings *readings,
	struct paradl_error *error);
/* Adds every plan on every part of `devices`, with the choices that the request varies. */
bool readings_all(struct paradl_oracle *oracle, const struct paradl_search_request *request, unsigned devices,
	struct readings *readings, struct paradl_error *error);
/* Fills times and bounds for a goal of what was added, and sorts: what cannot run last, then by the bound. */
bool readings_price(const struct paradl_oracle *oracle, enum paradl_goal goal, struct readings *readings,
	struct paradl_error *error);
/* Returns the least distance from what is promised, and from the rate, whoever answers; 0: it may keep all. */
double reading_distance(const struct paradl_oracle *oracle, const struct paradl_promise *promise,
	const struct reading *reading);
/* Adds to why a plan does not run who reads its prompts. */
void reading_note(const struct reading *reading, struct paradl_infeasible *failed);
/* Returns whether others see the same of two readings. */
bool reading_equals(const struct reading *a, const struct reading *b);
/* Searches all plans whose prompts the oracle's readers read, if it has any, else the GPUs of the plans. */
bool readers_search(struct paradl_oracle *oracle, const struct paradl_search_request *request,
	struct paradl_arena *arena, struct paradl_search *search, struct paradl_error *error);
/* Finds and ranks the same plans. */
bool readers_advise(struct paradl_oracle *oracle, const struct paradl_request *request,
	enum paradl_ranked plans, struct paradl_arena *arena, struct paradl_ranking *ranking,
	struct paradl_error *error);
/* Finds and ranks plans with and without readers: paradl_advise of an oracle that chooses them. */
bool pools_advise(struct paradl_oracle *oracle, const struct paradl_request *request,
	struct paradl_arena *arena, struct paradl_ranking *ranking, struct paradl_error *error);
/* Searches all plans, with and without readers: paradl_search of an oracle that chooses them. */
bool pools_search(struct paradl_oracle *oracle, const struct paradl_search_request *request,
	struct paradl_arena *arena, struct paradl_search *search, struct paradl_error *error);

#endif
