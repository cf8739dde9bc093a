/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Searches where input binds, somewhat or for all plans: proofs leave out nothing that an estimate of each plan would find. */
#include "oracle/oracle.h"
#include "search/networks.h"

enum { RATES = 4 };

struct fed {
	struct paradl_model model;
	struct paradl_machine machine;
	struct storage_tier tiers[2];
};

static struct paradl_oracle *fed_oracle(struct setup *setup, enum small network, double rate, struct fed *fed)
{
	const struct paradl_options options = {
		.input = &(struct paradl_input_options){.cache = PARADL_CACHE_NONE}};
	const struct paradl_model *const model = network_model(setup, network);
	const struct paradl_machine *const machine = network_machine(setup, "24 GB");
	if (!model || !machine)
		abort();
	*fed = (struct fed){.model = *model,
		.machine = *machine,
		.tiers = {{.name = "local", .scope = STORAGE_NODE, .read_bytes_per_s = rate / 10},
			{.name = "shared", .scope = STORAGE_SYSTEM, .read_bytes_per_s = rate}}};
	fed->machine.storage = fed->tiers;
	fed->machine.storage_count = 2;
	fed->machine.host.cores = 64;
	const struct paradl_framework *framework =
		setup_framework(setup, ", \"rules\": {\"dispatcher\": \"hybridep\"}, " SETUP_SPLIT_ALL);
	struct paradl_oracle *oracle = paradl_oracle_create(
		setup->arena, &fed->model, &fed->machine, framework, &options, &setup->error);
	if (!oracle)
		fail_msg("%s", setup->error.message);
	return oracle;
}

/* Rates at which a step of the best plan waits for samples, hardly, and for most of it. */
static const double rates[RATES] = {1e9, 3e6, 1e6, 1e5};

struct counts {
	unsigned waits, cuts;
};

/* The same with proofs and without, and as an estimate of the plan alone has it. */
static void check(struct setup *setup, struct paradl_oracle *oracle, struct paradl_search_request *request,
	struct counts *counts)
{
	struct paradl_search proved, all;
	struct paradl_estimate estimate;
	request->exhaustive = false;
	assert_true(paradl_search(oracle, request, setup->arena, &proved, &setup->error));
	request->exhaustive = true;
	assert_true(paradl_search(oracle, request, setup->arena, &all, &setup->error));
	assert_true(proved.count > 0 && all.count > 0);
	const double value = paradl_search_value(&all.results[0], request->goal);
	assert_close(paradl_search_value(&proved.results[0], request->goal), value, 0);
	assert_true(proved.lower_bound >= value);
	assert_true(proved.gap <= 0);
	assert_true(paradl_estimate(oracle, &proved.results[0].plan, &estimate, &setup->error));
	assert_close(paradl_search_value(&estimate, request->goal), value, 0);
	counts->waits += estimate.phase_s[PARADL_INPUT] > 0;
	counts->cuts += proved.evaluated < all.evaluated;
}

static void proofs_hold(void **state)
{
	static const unsigned devices[] = {8, 16};
	struct setup *const setup = *state;
	struct counts counts = {0, 0};
	for (unsigned i = 0; i < NETWORK_COUNT * RATES; ++i)
		for (unsigned goal = PARADL_TIME; goal <= PARADL_ENERGY; ++goal) {
			struct fed fed;
			struct paradl_search_request request = {.devices = devices,
				.device_count = 2,
				.batch = 64,
				.goal = (enum paradl_goal)goal,
				.vary = "order,micro,recompute,zero",
				.threads = 1};
			check(setup, fed_oracle(setup, (enum small)(i / RATES), rates[i % RATES], &fed),
				&request, &counts);
			setup_renew(setup);
		}
	assert_true(counts.waits >= 16);
	assert_true(counts.cuts >= 16);
}

/* The best plan for each layer is no worse than any for all, and the gap is to a bound that knows of input. */
static void layers_know_of_input(void **state)
{
	struct setup *const setup = *state;
	for (unsigned k = 0; k < RATES; ++k) {
		struct fed fed;
		struct paradl_oracle *const oracle = fed_oracle(setup, NETWORK_IMAGES, rates[k], &fed);
		const struct paradl_layers_request request = {.devices = 8, .batch = 64, .threads = 1};
		struct paradl_layered_search search;
		assert_true(paradl_search_layers(oracle, &request, setup->arena, &search, &setup->error));
		assert_true(search.estimate.input_known);
		assert_true(search.estimate.iteration_s <= search.uniform.iteration_s);
		assert_true(search.lower_bound_s <= search.objective_s);
		if (search.estimate.phase_s[PARADL_INPUT] > 0)
			assert_true(search.gap < 1e-6);
		setup_renew(setup);
	}
}

static bool is_canonical(const struct paradl_plan *plan)
{
	unsigned i = 0;
	while (i < PARADL_AXIS_COUNT && plan->order[i] == i)
		++i;
	return i == PARADL_AXIS_COUNT;
}

/* The plan that is given takes what is said of it, whether its layers, its stages, or none of them differ. */
static void layers_are_what_is_said_of_them(void **state)
{
	static const double batches[] = {2, 64};
	struct setup *const setup = *state;
	unsigned found = 0, reordered = 0;
	for (unsigned i = 0; i < NETWORK_COUNT * RATES * 2; ++i)
		for (unsigned devices = 4; devices <= 16; devices *= 2) {
			struct fed fed;
			struct paradl_layered_search search;
			struct paradl_estimate again;
			struct paradl_oracle *const oracle =
				fed_oracle(setup, (enum small)(i / 2 / RATES), rates[i / 2 % RATES], &fed);
			const struct paradl_layers_request request = {
				.devices = devices, .batch = batches[i % 2], .threads = 1};
			if (paradl_search_layers(oracle, &request, setup->arena, &search, &setup->error)) {
				assert_true(
					paradl_estimate_layered(oracle, &search.best, &again, &setup->error));
				assert_close(again.iteration_s, search.estimate.iteration_s, 1e-12);
				assert_close(again.memory_bytes, search.estimate.memory_bytes, 1e-12);
				reordered += search.best.part_count == 1 &&
					     !is_canonical(&search.best.parts[0].plan);
				++found;
			}
			setup_renew(setup);
		}
	assert_true(found > 40 &&
		    reordered > 0); /* ways for layers keep the canonical order of axes, one plan need not */
}

static double busy_s_of(const struct paradl_estimate *estimate)
{
	return estimate->iteration_s - estimate->phase_s[PARADL_INPUT];
}

/* The least time without input among plans of these that take as long as the first. */
static double least_busy_s(const struct paradl_estimate *estimates, size_t count)
{
	double least_s = busy_s_of(&estimates[0]);
	for (size_t i = 1; i < count && estimates[i].iteration_s <= estimates[0].iteration_s; ++i)
		least_s = fmin(least_s, busy_s_of(&estimates[i]));
	return least_s;
}

/* Where all plans wait equally long for samples, the one that computes least comes first, whatever looks for it. */
static void ties_compute_least(void **state)
{
	static const unsigned devices = 8;
	struct setup *const setup = *state;
	for (unsigned network = 0; network < NETWORK_COUNT; ++network) {
		struct fed fed;
		struct paradl_oracle *const oracle = fed_oracle(setup, (enum small)network, 1e5, &fed);
		const struct paradl_request all = {.devices = devices, .batch = 64, .all_members = true};
		const struct paradl_request families = {.devices = devices, .batch = 64};
		struct paradl_search_request request = {.devices = &devices,
			.device_count = 1,
			.batch = 64,
			.vary = "order,micro,schedule,recompute,zero,experts",
			.threads = 1};
		struct paradl_ranking ranking;
		struct paradl_search plain, proved, threads;
		assert_true(paradl_advise(
			oracle, &all, PARADL_RANKED_ALL, setup->arena, &ranking, &setup->error));
		const struct paradl_estimate *const best = &ranking.results[0];
		const double least_s = least_busy_s(ranking.results, ranking.count);
		assert_true(ranking.count > 2 && best->phase_s[PARADL_INPUT] > 0);
		assert_true(ranking.results[2].iteration_s <= best->iteration_s); /* they do tie */
		assert_close(busy_s_of(best), least_s, 0);
		assert_true(busy_s_of(&ranking.results[2]) > least_s);
		assert_true(paradl_advise(
			oracle, &families, PARADL_RANKED_ALL, setup->arena, &ranking, &setup->error));
		assert_close(busy_s_of(&ranking.results[0]), least_s, 0);
		assert_true(paradl_search(oracle, &request, setup->arena, &proved, &setup->error));
		request.threads = 2;
		assert_true(paradl_search(oracle, &request, setup->arena, &threads, &setup->error));
		request.exhaustive = true;
		assert_true(paradl_search(oracle, &request, setup->arena, &plain, &setup->error));
		assert_close(busy_s_of(&proved.results[0]), busy_s_of(&plain.results[0]), 0);
		assert_memory_equal(
			&proved.results[0].plan, &plain.results[0].plan, sizeof plain.results->plan);
		assert_memory_equal(
			&proved.results[0].plan, &threads.results[0].plan, sizeof plain.results->plan);
		assert_true(busy_s_of(&proved.results[0]) <= least_s);
		setup_renew(setup);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		setup_test(proofs_hold),
		setup_test(layers_know_of_input),
		setup_test(layers_are_what_is_said_of_them),
		setup_test(ties_compute_least),
	};
	return cmocka_run_group_tests_name("search/input", tests, NULL, NULL);
}
