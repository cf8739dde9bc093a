/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A search with and without proofs against an estimate of each plan of its space. */
#ifndef TESTS_SEARCH_PROOF_H
#define TESTS_SEARCH_PROOF_H

#include "search/brute.h"
#include "search/networks.h"

/* What a row must hold to count. */
static inline bool wanted(const struct paradl_search_request *request, const struct brute_row *row)
{
	const double run_s = request->samples / row->plan.batch * row->iteration_s;
	if (!row->runs || !row->fits)
		return false;
	if (request->deadline_s > 0 && run_s > request->deadline_s)
		return false;
	return !(request->budget > 0) || run_s / 3600 * row->cost_per_hour <= request->budget;
}

static inline const struct brute_row *best_row(
	const struct paradl_search_request *request, const struct brute *brute)
{
	const struct brute_row *best = NULL;
	for (size_t i = 0; i < brute->count; ++i) {
		const struct brute_row *row = &brute->rows[i];
		if (wanted(request, row) && (!best || row->value[request->goal] < best->value[request->goal]))
			best = row;
	}
	return best;
}

/* Is the plan in the space, with this value? */
static inline void check_listed(
	const struct brute *brute, const struct paradl_estimate *found, enum paradl_goal goal)
{
	char text[PARADL_PLAN_TEXT], other[PARADL_PLAN_TEXT];
	paradl_plan_format(&found->plan, text, sizeof text);
	for (size_t i = 0; i < brute->count; ++i) {
		const struct brute_row *row = &brute->rows[i];
		if (!row->runs || row->value[goal] < paradl_search_value(found, goal) ||
			row->value[goal] > paradl_search_value(found, goal))
			continue;
		paradl_plan_format(&row->plan, other, sizeof other);
		if (strcmp(text, other) == 0)
			return;
	}
	fail_msg("%s is no plan of the space with this value", text);
}

static inline double counted(const struct paradl_search *search)
{
	double sum = search->evaluated;
	for (unsigned cut = 0; cut < PARADL_CUT_COUNT; ++cut)
		sum += search->cut[cut];
	return sum;
}

static inline struct paradl_search searched(struct setup *setup, struct paradl_oracle *oracle,
	struct paradl_search_request request, bool exhaustive)
{
	struct paradl_search search;
	request.exhaustive = exhaustive;
	request.threads = 1;
	if (!paradl_search(oracle, &request, setup->arena, &search, &setup->error))
		fail_msg("%s", setup->error.message);
	return search;
}

/* Is it as good as the best row? */
static inline void check_found(const struct brute *brute, const struct paradl_estimate *found,
	const struct brute_row *best, enum paradl_goal goal)
{
	const double value = paradl_search_value(found, goal);
	char texts[2][PARADL_PLAN_TEXT];
	if (value > best->value[goal] || value < best->value[goal]) {
		paradl_plan_format(&found->plan, texts[0], sizeof texts[0]);
		paradl_plan_format(&best->plan, texts[1], sizeof texts[1]);
		fail_msg("of goal %d: found %s, %.17g; best %s, %.17g", (int)goal, texts[0], value, texts[1],
			best->value[goal]);
	}
	check_listed(brute, found, goal);
}

/* With and without proofs; the same plan for both. True: there is one. */
static inline bool check_best(struct setup *setup, struct paradl_oracle *oracle,
	const struct paradl_search_request *request, const struct brute *brute)
{
	const struct paradl_search all = searched(setup, oracle, *request, true);
	const struct paradl_search proved = searched(setup, oracle, *request, false);
	const struct brute_row *best = best_row(request, brute);
	char texts[2][PARADL_PLAN_TEXT];
	assert_close(all.plans, (double)brute->count, 0);
	assert_close(proved.plans, (double)brute->count, 0);
	assert_close(all.evaluated, (double)brute->runs, 0);
	assert_close(all.cut[PARADL_CUT_DEGREES], (double)(brute->count - brute->runs), 0);
	assert_close(counted(&proved), proved.plans, 0);
	assert_int_equal(all.count, best != NULL);
	assert_int_equal(proved.count, best != NULL);
	if (!best) {
		assert_true(*proved.closest.reason || !brute->runs);
		return false;
	}
	check_found(brute, all.results, best, request->goal);
	check_found(brute, proved.results, best, request->goal);
	paradl_plan_format(&all.results->plan, texts[0], sizeof texts[0]);
	paradl_plan_format(&proved.results->plan, texts[1], sizeof texts[1]);
	if (strcmp(texts[0], texts[1]) != 0)
		fail_msg("of goal %d (deadline %g, budget %g): %s, %.17g, %.17g s; with proofs %s, %.17g, "
			 "%.17g s",
			(int)request->goal, request->deadline_s, request->budget, texts[0],
			paradl_search_value(all.results, request->goal), all.results->iteration_s, texts[1],
			paradl_search_value(proved.results, request->goal), proved.results->iteration_s);
	assert_true(proved.lower_bound >= best->value[request->goal]);
	assert_true(proved.gap <= 0);
	return true;
}

/* Are the plans that no other beats in all of these goals the same with and without proofs? */
static inline void check_front_proved(struct setup *setup, struct paradl_oracle *oracle,
	struct paradl_search_request request, unsigned goals)
{
	request.pareto = goals;
	const struct paradl_search all = searched(setup, oracle, request, true);
	const struct paradl_search proved = searched(setup, oracle, request, false);
	assert_close(counted(&proved), all.plans, 0);
	assert_int_equal(proved.front_count, all.front_count);
	for (size_t i = 0; i < all.front_count; ++i) {
		char texts[2][PARADL_PLAN_TEXT];
		paradl_plan_format(&all.front[i].plan, texts[0], sizeof texts[0]);
		paradl_plan_format(&proved.front[i].plan, texts[1], sizeof texts[1]);
		assert_string_equal(texts[0], texts[1]);
	}
}

/* All goals; fronts of some; then a deadline and a budget that leave few plans, then none. */
static inline void check_questions(struct setup *setup, struct paradl_oracle *oracle, unsigned devices,
	double batch, const char *vary, const struct brute *brute)
{
	struct paradl_search_request request = {
		.devices = &devices, .device_count = 1, .batch = batch, .vary = vary, .samples = 1e6};
	static const enum paradl_goal goals[] = {PARADL_TIME, PARADL_MEMORY, PARADL_COST, PARADL_ENERGY};
	for (unsigned i = 0; i < 4; ++i) {
		request.goal = goals[i];
		check_best(setup, oracle, &request, brute);
	}
	request.goal = PARADL_TIME;
	check_front_proved(setup, oracle, request, 1U << PARADL_TIME | 1U << PARADL_MEMORY);
	check_front_proved(setup, oracle, request, 1U << PARADL_MEMORY | 1U << PARADL_COST);
	const struct brute_row *best = best_row(&request, brute);
	if (!best)
		return;
	request.goal = PARADL_MEMORY;
	request.deadline_s = 1.05 * 1e6 * best->value[PARADL_TIME];
	assert_true(check_best(setup, oracle, &request, brute));
	request.deadline_s *= 0.9;
	assert_false(check_best(setup, oracle, &request, brute));
	request.deadline_s = 0;
	request.goal = PARADL_ENERGY;
	request.budget = 1.05 * 1e6 * best->value[PARADL_TIME] / 3600 * best->cost_per_hour;
	if (!(request.budget > 0))
		return;
	assert_true(check_best(setup, oracle, &request, brute));
	request.budget *= 0.9;
	assert_false(check_best(setup, oracle, &request, brute));
}

static inline const char *vary_text(struct setup *setup, unsigned vary)
{
	const char *text = "";
	for (unsigned i = 0; i < PARADL_VARY_COUNT; ++i)
		if (vary >> i & 1)
			text = arena_printf(setup->arena, "%s%s%s", text, *text ? "," : "",
				paradl_vary_name((enum paradl_vary)i));
	return *text ? text : "none";
}

/* A question of proofs: what is searched, and what may be chosen. */
struct proof {
	const struct paradl_model *model;
	unsigned devices;
	double batch;
	const char *keys; /* of the framework */
	unsigned vary;
};

/* With much memory, with as much as `share` of the plans need, and with too little. */
static inline void check_proof(struct setup *setup, const struct proof *proof)
{
	static const double shares[] = {1, 0.2, 0.02, 0};
	struct paradl_options options = {.ideal = false};
	struct brute brute = {NULL, 0, 0};
	double least = 0, most = 0;
	for (unsigned i = 0; i < sizeof shares / sizeof *shares; ++i) {
		const double bytes = i ? least * 0.99 + shares[i] * (most - least) : 1e13;
		const char *memory = arena_printf(setup->arena, "%.0f B", bytes);
		struct paradl_oracle *oracle =
			model_oracle(setup, proof->model, memory, proof->keys, &options);
		brute_free(&brute);
		brute_add(oracle, proof->devices, proof->batch, proof->vary, &brute);
		check_questions(
			setup, oracle, proof->devices, proof->batch, vary_text(setup, proof->vary), &brute);
		for (size_t k = 0; !i && k < brute.count; ++k) {
			const double value = brute.rows[k].value[PARADL_MEMORY];
			least = brute.rows[k].runs && (least <= 0 || value < least) ? value : least;
			most = value > most ? value : most;
		}
	}
	brute_free(&brute);
}

#endif
