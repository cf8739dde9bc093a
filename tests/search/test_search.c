/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The best of all plans, against an estimate of each of them. */
#include "oracle/shipped.h"
#include "search/brute.h"
#include "search/networks.h"

#include <math.h>

#define OVERLAPS                                                                                             \
	", \"training\": {\"overlap_gradients\": 0.5, \"overlap_gathers\": 0.5, \"overlap_tensor\": 0.5, "   \
	"\"overlap_experts\": 0.5, \"host_layer\": \"0.1 ms\", \"host_exposed\": 0.5, \"interference\": "    \
	"0.1}"
#define PLAIN ", \"training\": {\"overlap_gradients\": 0, \"overlap_gathers\": 0, \"overlap_shards\": 0}"

/* What a row must hold to count. */
static bool wanted(const struct paradl_search_request *request, const struct brute_row *row)
{
	const double run_s = request->samples / row->plan.batch * row->iteration_s;
	if (!row->runs || !row->fits)
		return false;
	if (request->deadline_s > 0 && run_s > request->deadline_s)
		return false;
	return !(request->budget > 0) || run_s / 3600 * row->cost_per_hour <= request->budget;
}

static const struct brute_row *best_row(
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
static void check_listed(
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

static double counted(const struct paradl_search *search)
{
	double sum = search->evaluated;
	for (unsigned cut = 0; cut < PARADL_CUT_COUNT; ++cut)
		sum += search->cut[cut];
	return sum;
}

static struct paradl_search searched(struct setup *setup, struct paradl_oracle *oracle,
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
static void check_found(const struct brute *brute, const struct paradl_estimate *found,
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
static bool check_best(struct setup *setup, struct paradl_oracle *oracle,
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
	assert_string_equal(texts[0], texts[1]);
	assert_true(proved.lower_bound >= best->value[request->goal]);
	assert_true(proved.gap <= 0);
	return true;
}

/* All goals; then a deadline and a budget that leave few plans, then none. */
static void check_questions(struct setup *setup, struct paradl_oracle *oracle, unsigned devices, double batch,
	const char *vary, const struct brute *brute)
{
	struct paradl_search_request request = {
		.devices = &devices, .device_count = 1, .batch = batch, .vary = vary, .samples = 1e6};
	static const enum paradl_goal goals[] = {PARADL_TIME, PARADL_MEMORY, PARADL_COST, PARADL_ENERGY};
	for (unsigned i = 0; i < 4; ++i) {
		request.goal = goals[i];
		check_best(setup, oracle, &request, brute);
	}
	request.goal = PARADL_TIME;
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

static const char *vary_text(struct setup *setup, unsigned vary)
{
	const char *text = "";
	for (unsigned i = 0; i < PARADL_VARY_COUNT; ++i)
		if (vary >> i & 1)
			text = arena_printf(setup->arena, "%s%s%s", text, *text ? "," : "",
				paradl_vary_name((enum paradl_vary)i));
	return *text ? text : "none";
}

/* With much memory, with as much as `share` of the plans need, and with too little. */
static void check_network(struct setup *setup, enum small network, unsigned devices, double batch,
	const char *keys, unsigned vary)
{
	static const double shares[] = {1, 0.2, 0.02, 0};
	struct paradl_options options = {.ideal = false};
	struct brute brute = {NULL, 0, 0};
	double least = 0, most = 0;
	for (unsigned i = 0; i < sizeof shares / sizeof *shares; ++i) {
		const double bytes = i ? least * 0.99 + shares[i] * (most - least) : 1e13;
		const char *memory = arena_printf(setup->arena, "%.0f B", bytes);
		struct paradl_oracle *oracle = network_oracle(setup, network, memory, keys, &options);
		brute_free(&brute);
		brute_add(oracle, devices, batch, vary, &brute);
		check_questions(setup, oracle, devices, batch, vary_text(setup, vary), &brute);
		for (size_t k = 0; !i && k < brute.count; ++k) {
			const double value = brute.rows[k].value[PARADL_MEMORY];
			least = brute.rows[k].runs && (least <= 0 || value < least) ? value : least;
			most = value > most ? value : most;
		}
	}
	brute_free(&brute);
}

static void dense_networks(void **state)
{
	check_network(*state, NETWORK_DENSE, 4, 8, OVERLAPS, BRUTE_USUAL);
	check_network(*state, NETWORK_DENSE, 6, 12, PLAIN, BRUTE_USUAL);
}

static void with_offload(void **state)
{
	check_network(*state, NETWORK_DENSE, 2, 2, OVERLAPS, BRUTE_USUAL | 1u << PARADL_VARY_OFFLOAD);
}

static void networks_with_experts(void **state)
{
	check_network(*state, NETWORK_EXPERTS, 4, 4, OVERLAPS, BRUTE_USUAL);
}

static void long_sequences(void **state)
{
	check_network(*state, NETWORK_LONG, 4, 2, PLAIN, BRUTE_USUAL);
}

/* Each choice alone, and none. */
static void one_choice(void **state)
{
	check_network(*state, NETWORK_EXPERTS, 8, 8, OVERLAPS, 0);
	for (unsigned i = 0; i < PARADL_VARY_COUNT; ++i)
		check_network(*state, NETWORK_EXPERTS, 8, 8, OVERLAPS, 1u << i);
}

/* Stages in shapes that a small network does not have, and of all plans those that a program offers. */
static void check_shipped(struct setup *setup, const char *name)
{
	struct paradl_options options = {.ideal = false};
	const unsigned vary = 1u << PARADL_VARY_MICRO | 1u << PARADL_VARY_SCHEDULE | 1u << PARADL_VARY_ZERO |
			      1u << PARADL_VARY_RECOMPUTE | 1u << PARADL_VARY_SHARD |
			      1u << PARADL_VARY_SEQUENCE;
	const struct paradl_machine *machine =
		paradl_machine_load(setup->arena, "hw-profiles/dgx-a100-superpod.json", &setup->error);
	const struct paradl_model *model =
		paradl_model_load(setup->arena, "models/llama2-7b.json", &setup->error);
	struct brute brute = {NULL, 0, 0};
	assert_true(machine && model);
	struct paradl_oracle *oracle = paradl_oracle_create(
		setup->arena, model, machine, shipped_framework(setup, name), &options, &setup->error);
	assert_non_null(oracle);
	brute_add(oracle, 16, 16, vary, &brute);
	check_questions(setup, oracle, 16, 16, vary_text(setup, vary), &brute);
	brute_free(&brute);
}

static void shipped_networks(void **state)
{
	check_shipped(*state, "nccl");
	check_shipped(*state, "megatron-core");
	check_shipped(*state, "megatron-deepspeed");
	check_shipped(*state, "torchtitan");
}

/* What real programs offer, whose plans without options are always in the space. */
#define OFFERS                                                                                               \
	", \"offers\": {\"axes\": [\"data\"], \"schedules\": [\"1f1b\"], \"zero\": [1, 3], "                 \
	"\"zero_with_pipeline\": "                                                                           \
	"[1], \"recomputes\": [\"full\"], \"offload\": [\"optimizer\"], \"shard\": false, \"contexts\": []}"
#define EXECUTION                                                                                            \
	", \"execution\": {\"overlap\": 0.5, \"host_call\": \"20 us\"}, \"pipeline\": {\"recompute\": "      \
	"true, "                                                                                             \
	"\"micro_batches\": 4}"

static void images(void **state)
{
	check_network(*state, NETWORK_IMAGES, 12, 48, "", BRUTE_USUAL);
	check_network(*state, NETWORK_IMAGES, 16, 64, ", " SETUP_SPLIT_ALL, BRUTE_USUAL);
}

static void images_with_offers(void **state)
{
	const unsigned all = BRUTE_USUAL | 1u << PARADL_VARY_OFFLOAD;
	check_network(*state, NETWORK_IMAGES, 8, 32, OFFERS, all);
	check_network(*state, NETWORK_IMAGES, 6, 24, OFFERS EXECUTION, all);
	check_network(*state, NETWORK_IMAGES, 8, 16, EXECUTION, BRUTE_USUAL);
	check_network(*state, NETWORK_IMAGES, 4, 8, EXECUTION PLAIN, all);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		setup_test(dense_networks),
		setup_test(with_offload),
		setup_test(networks_with_experts),
		setup_test(long_sequences),
		setup_test(one_choice),
		setup_test(shipped_networks),
		setup_test(images),
		setup_test(images_with_offers),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
