/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The best way to answer, against an estimate of every plan and batch. */
#include "search/brute.h"
#include "search/networks.h"

#include <math.h>

/* What a row is worth: the whole answer's time, or the time for each answer; infinite: it does not count. */
static double worth(const struct paradl_search_request *request, const struct brute_row *row)
{
	if (!row->runs || !row->fits ||
		(request->promise.latency_s > 0 && row->iteration_s > request->promise.latency_s) ||
		(request->promise.token_s > 0 && row->token_s > request->promise.token_s))
		return HUGE_VAL;
	if (request->goal == PARADL_THROUGHPUT)
		return row->iteration_s / row->plan.batch;
	return request->goal == PARADL_TIME ? row->iteration_s : row->value[request->goal];
}

static double found_worth(const struct paradl_search_request *request, const struct paradl_estimate *found)
{
	struct brute_row row = {.plan = found->plan,
		.runs = true,
		.fits = found->fits,
		.iteration_s = found->iteration_s,
		.token_s = found->inference.token_s};
	row.value[PARADL_MEMORY] = found->memory_bytes;
	return worth(request, &row);
}

/* Returns whether some plan counts. */
static bool check_question(struct setup *setup, struct paradl_oracle *oracle, const struct brute *brute,
	struct paradl_search_request request)
{
	double best = HUGE_VAL;
	for (size_t i = 0; i < brute->count; ++i)
		best = fmin(best, worth(&request, &brute->rows[i]));
	for (unsigned exhaustive = 0; exhaustive < 2; ++exhaustive) {
		struct paradl_search search;
		request.exhaustive = exhaustive;
		if (!paradl_search(oracle, &request, setup->arena, &search, &setup->error))
			fail_msg("%s", setup->error.message);
		assert_close(search.plans, (double)brute->count, 0);
		assert_int_equal(search.count, best < HUGE_VAL);
		if (!search.count)
			continue;
		/* Under a promise, batches between powers of two answer more, but not twice as much. */
		const double found = found_worth(&request, search.results);
		if (request.goal == PARADL_THROUGHPUT && paradl_promise_made(&request.promise) &&
			oracle->output_tokens > 0)
			assert_true(found <= best * (1 + 1e-12) && 2 * found > best);
		else
			assert_close(found, best, 0);
	}
	return best < HUGE_VAL;
}

static double least_token_s(const struct brute *brute)
{
	double least = HUGE_VAL;
	for (size_t i = 0; i < brute->count; ++i)
		if (brute->rows[i].runs && brute->rows[i].fits)
			least = fmin(least, brute->rows[i].token_s);
	return least;
}

static double least_answer_s(const struct brute *brute)
{
	double least = HUGE_VAL;
	for (size_t i = 0; i < brute->count; ++i)
		if (brute->rows[i].runs && brute->rows[i].fits)
			least = fmin(least, brute->rows[i].iteration_s);
	return least;
}

/* What a search varies where no promise and no rate leaves settings of the engine open. */
static const char all_but_settings[] =
	"order,micro,schedule,recompute,zero,shard,sequence,experts,context,overlap,batch";

static void check_network(struct setup *setup, enum small network, const char *memory, double batch)
{
	static const enum paradl_goal goals[] = {PARADL_TIME, PARADL_THROUGHPUT, PARADL_MEMORY};
	const unsigned devices = 4;
	const struct paradl_options options = {.inference = true};
	struct paradl_oracle *oracle = network_oracle(setup, network, memory,
		", \"rules\": {\"host_layer\": \"0.1 ms\", \"serve_memory\": 0.8}", &options);
	struct brute brute = {NULL, 0, 0};
	brute_add(oracle, devices, batch, BRUTE_USUAL, &brute);
	const double token_s = least_token_s(&brute), answer_s = least_answer_s(&brute);
	for (unsigned i = 0; i < sizeof goals / sizeof *goals; ++i) {
		struct paradl_search_request request = {.devices = &devices,
			.device_count = 1,
			.batch = batch,
			.goal = goals[i],
			.vary = all_but_settings,
			.threads = 1};
		assert_int_equal(check_question(setup, oracle, &brute, request), answer_s < HUGE_VAL);
		if (!(answer_s < HUGE_VAL))
			continue;
		for (double slower = 1; slower < 100;
			slower *= takes_all() || network == NETWORK_EXPERTS ? 2 : 8) {
			request.promise.latency_s = slower * 1.1 * answer_s;
			assert_true(check_question(setup, oracle, &brute, request));
			request.promise.latency_s = 0;
			request.promise.token_s = slower * 1.1 * token_s;
			assert_true(!(token_s > 0) || check_question(setup, oracle, &brute, request));
			request.promise.token_s = 0;
		}
		request.promise.latency_s = 0.9 * answer_s;
		assert_false(check_question(setup, oracle, &brute, request));
	}
	brute_free(&brute);
}

static void networks_of_tokens(void **state)
{
	check_network(*state, NETWORK_DENSE, "10 TB", 0);
	check_network(*state, NETWORK_DENSE, "300 MB", 0);
	check_network(*state, NETWORK_DENSE, "1 MB", 0);
	check_network(*state, NETWORK_DENSE, "300 MB", 64);
	check_network(*state, NETWORK_DENSE, "300 MB", 1);
}

/* Engines leave a fifth of the memory free: plans that need a part of it do not fit. */
static void almost_full_devices(void **state)
{
	struct setup *const setup = *state;
	for (double megabytes = 12; megabytes < 60; megabytes *= 1.15)
		check_network(setup, NETWORK_DENSE, arena_printf(setup->arena, "%.0f MB", megabytes), 4);
}

static void networks_with_experts(void **state)
{
	check_network(*state, NETWORK_EXPERTS, "10 TB", 0);
	check_network(*state, NETWORK_EXPERTS, "400 MB", 0);
	check_network(*state, NETWORK_LONG, "2 GB", 0);
}

static void images(void **state)
{
	check_network(*state, NETWORK_IMAGES, "10 TB", 0);
	check_network(*state, NETWORK_IMAGES, "100 MB", 0);
	check_network(*state, NETWORK_IMAGES, "100 MB", 96);
}

/*
 * A promise and a rate leave settings of the engine open, in a search as in advice: no plan of advice is better, and what is
 * named costs less than a fiftieth more than the best of all settings.
 */
static void settings_check(struct setup *setup, struct paradl_oracle *oracle, double token_s, unsigned varied)
{
	const unsigned devices = 8, settings = 1u << PARADL_VARY_CHUNK | 1u << PARADL_VARY_SEQS;
	const enum paradl_goal goal = token_s > 0 ? PARADL_THROUGHPUT : PARADL_TIME;
	struct paradl_search_request request = {.devices = &devices,
		.device_count = 1,
		.goal = goal,
		.promise = {.token_s = token_s},
		.threads = 1};
	const struct paradl_request advised = {.devices = devices, .goal = goal, .promise = request.promise};
	struct paradl_search search, exact;
	struct paradl_ranking ranking;
	assert_true(paradl_search(oracle, &request, setup->arena, &search, &setup->error));
	request.vary = "+chunk,seqs";
	assert_true(paradl_search(oracle, &request, setup->arena, &exact, &setup->error));
	assert_true(
		paradl_advise(oracle, &advised, PARADL_RANKED_ALL, setup->arena, &ranking, &setup->error));
	assert_true(search.count > 0 && exact.count > 0 && ranking.count > 0);
	const double best = paradl_search_value(exact.results, goal);
	assert_true(best <= paradl_search_value(ranking.results, goal) * (1 + 1e-12));
	assert_true(paradl_search_value(search.results, goal) <= best / 0.98 * (1 + 1e-12));
	assert_close(search.lower_bound, exact.lower_bound, 1e-12);
	assert_close(search.plans, exact.plans, 0);
	assert_int_equal(search.varied & settings, varied);
}

static void settings_are_searched_as_advised(void **state)
{
	struct setup *const setup = *state;
	static const char rules[] =
		", \"rules\": {\"serve_memory\": 0.9, \"serve_mixes\": true, \"serve_chunk\": 8192}";
	struct paradl_options options = {.inference = true, .prompt_tokens = 300, .output_tokens = 100};
	const struct paradl_plan serial = setup_plan("serial", 1);
	struct paradl_oracle *const closed = network_oracle(setup, NETWORK_DENSE, "80 GB", rules, &options);
	const struct paradl_estimate alone = setup_estimate(closed, &serial);
	settings_check(setup, closed, 1.5 * alone.inference.token_s, 1u << PARADL_VARY_CHUNK);
	settings_check(setup, closed, 6 * alone.inference.token_s, 1u << PARADL_VARY_CHUNK);
	options.rate_per_s = 4 / alone.iteration_s;
	struct paradl_oracle *const open = network_oracle(setup, NETWORK_DENSE, "80 GB", rules, &options);
	settings_check(setup, open, 0, 1u << PARADL_VARY_CHUNK | 1u << PARADL_VARY_SEQS);
	settings_check(
		setup, open, 6 * alone.inference.token_s, 1u << PARADL_VARY_CHUNK | 1u << PARADL_VARY_SEQS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		setup_test(networks_of_tokens),
		setup_test(almost_full_devices),
		setup_test(networks_with_experts),
		setup_test(images),
		setup_test(settings_are_searched_as_advised),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
