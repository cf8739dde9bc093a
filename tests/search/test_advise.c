/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Advice against estimates of every plan there is: the best of each family, their order, and what fell out and why. */
#include <time.h>

#include "search/branch.h"
#include "search/networks.h"
#include "search/plans.h"

#define MACHINE                                                                                              \
	"{\"name\": \"node\", \"devices\": 4, \"latency\": \"2 us\", \"bandwidth\": \"50 GB/s\", \"ring\": " \
	"\"20 GB/s\"}, "                                                                                     \
	"{\"name\": \"all\", \"devices\": 1048576, \"latency\": \"10 us\", \"bandwidth\": \"12.5 GB/s\", "   \
	"\"ports\": 2}"

#define FRAMEWORK                                                                                            \
	", \"known_error\": 0.05, " SETUP_SPLIT_ALL                                                          \
	", \"execution\": {\"host_call\": \"50 us\"}, \"activations\": {\"per_call\": \"20 us\"}, "          \
	"\"memory\": {\"workspace\": "                                                                       \
	"\"1 MB\"}"

/* Some layers with few channels, so that limits bind; `memory` so that some plans do not fit. */
static struct paradl_oracle *oracle_of(struct setup *setup, const char *memory)
{
	const struct paradl_model *const model = setup_model(setup,
		"\"input\": {\"channels\": 3, \"shape\": [64, 64]}, \"training\": {\"optimizer\": \"adam\", "
		"\"batch_per_gpu\": 2}, "
		"\"dataset\": {\"name\": \"d\", \"samples\": 50000}",
		"{\"type\": \"conv\", \"out\": 16, \"kernel\": 3, \"pad\": 1}, {\"type\": \"act\", \"kind\": "
		"\"relu\"}, "
		"{\"type\": \"conv\", \"out\": 64, \"kernel\": 3, \"pad\": 1, \"stride\": 2}, {\"type\": "
		"\"act\", \"kind\": \"relu\"}, "
		"{\"type\": \"conv\", \"out\": 256, \"kernel\": 5, \"pad\": 2}, {\"type\": \"pool\", "
		"\"kind\": \"max\", \"kernel\": 4}, "
		"{\"type\": \"linear\", \"out\": 100}");
	const char *const device = arena_printf(setup->arena,
		"\"memory\": \"%s\", \"memory_rate\": \"1 TB/s\", \"peak\": {\"fp32\": \"10 Tflop/s\"}, "
		"\"contraction\": {\"efficiency\": 0.5}, \"power\": {\"busy\": \"300 W\", \"idle\": \"50 "
		"W\"}",
		memory);
	return setup_oracle(setup, model, setup_machine(setup, device, MACHINE),
		setup_framework(setup, FRAMEWORK), false);
}

/* What every plan there is comes to. */
struct truth {
	struct paradl_estimate best[FAMILIES];
	bool exists[FAMILIES], runs[FAMILIES];
	size_t feasible; /* sets of degrees, of wanted families */
};

/* Estimates a plan with all options that an advice may choose; returns how many of them fit. */
static size_t options_try(struct paradl_oracle *oracle, enum paradl_goal goal, struct paradl_plan plan,
	struct paradl_estimate *best)
{
	static const enum paradl_pipeline_schedule schedules[] = {
		PARADL_SCHEDULE_DEFAULT, PARADL_1F1B, PARADL_INTERLEAVED};
	const bool stages = plan.degree[PARADL_PIPELINE] > 1;
	size_t fitting = 0;
	for (unsigned choice = 0; choice < 2 * 3 * 4; ++choice) {
		struct paradl_estimate estimate;
		plan.recompute = choice % 2 ? PARADL_RECOMPUTE_FULL : PARADL_RECOMPUTE_DEFAULT;
		plan.schedule = schedules[choice / 2 % 3];
		plan.chunks = plan.schedule == PARADL_INTERLEAVED ? 2 : 0;
		plan.zero = choice / 6;
		if ((!stages && plan.schedule != PARADL_SCHEDULE_DEFAULT) ||
			!paradl_estimate(oracle, &plan, &estimate, NULL) || !estimate.fits)
			continue;
		if (!fitting++ || paradl_goal_value(&estimate, goal) < paradl_goal_value(best, goal))
			*best = estimate;
	}
	return fitting;
}

static void truth_find(
	struct paradl_oracle *oracle, const struct paradl_request *request, double batch, struct truth *truth)
{
	struct plans plans = {NULL, 0, 0};
	memset(truth, 0, sizeof *truth);
	plans_list(&plans, request->devices, 2, IMAGE_AXES);
	for (size_t i = 0; i < plans.count; ++i) {
		struct paradl_plan *const plan = &plans.items[i];
		const unsigned family = plans_family(plan);
		struct paradl_estimate estimate;
		plan->batch = batch;
		plan->micro = plan->degree[PARADL_PIPELINE] > 1 ? request->micro : 0;
		truth->exists[family] = true;
		if (!options_try(oracle, request->goal, *plan, &estimate))
			continue;
		truth->feasible++;
		if (!truth->runs[family] || paradl_goal_value(&estimate, request->goal) <
						    paradl_goal_value(&truth->best[family], request->goal))
			truth->best[family] = estimate;
		truth->runs[family] = true;
	}
	plans_free(&plans);
}

static struct paradl_ranking advise(
	struct setup *setup, struct paradl_oracle *oracle, const struct paradl_request *request)
{
	struct paradl_ranking ranking;
	if (!paradl_advise(oracle, request, PARADL_RANKED_ALL, setup->arena, &ranking, &setup->error))
		fail_msg("%s", setup->error.message);
	return ranking;
}

static void assert_failures(const struct paradl_ranking *ranking, const struct truth *truth)
{
	size_t failing = 0;
	for (unsigned family = 0; family < FAMILIES; ++family)
		failing += truth->exists[family] && !truth->runs[family];
	assert_int_equal(ranking->infeasible_count, failing);
	for (size_t i = 0; i < ranking->infeasible_count; ++i) {
		const struct paradl_infeasible *const failed = &ranking->infeasible[i];
		const struct paradl_plan plan = setup_plan(failed->strategy, 1);
		char family[64];
		paradl_plan_family(&plan, family, sizeof family);
		assert_string_equal(failed->family, family);
		assert_true(truth->exists[plans_family(&plan)] && !truth->runs[plans_family(&plan)]);
		assert_true(*failed->reason && *failed->needs);
		for (size_t k = 0; k < i; ++k)
			assert_string_not_equal(failed->family, ranking->infeasible[k].family);
	}
}

/* The first plan of a ranking alone, bit for bit, or why there is none. */
static void check_first(struct setup *setup, struct paradl_oracle *oracle,
	const struct paradl_request *request, const struct paradl_ranking *ranking)
{
	struct paradl_ranking first;
	if (!paradl_advise(oracle, request, PARADL_RANKED_FIRST, setup->arena, &first, &setup->error))
		fail_msg("%s", setup->error.message);
	assert_int_equal(first.count, ranking->count > 0);
	assert_close(first.batch, ranking->batch, 0);
	assert_int_equal(first.infeasible_count, ranking->count > 0 ? 0 : ranking->infeasible_count);
	for (size_t i = 0; i < first.infeasible_count; ++i) {
		assert_string_equal(first.infeasible[i].strategy, ranking->infeasible[i].strategy);
		assert_string_equal(first.infeasible[i].reason, ranking->infeasible[i].reason);
		assert_string_equal(first.infeasible[i].needs, ranking->infeasible[i].needs);
	}
	if (ranking->count == 0)
		return;
	assert_memory_equal(&first.results[0].plan, &ranking->results[0].plan, sizeof first.results[0].plan);
	assert_memory_equal(
		first.results[0].phase_s, ranking->results[0].phase_s, sizeof first.results[0].phase_s);
	assert_close(first.results[0].memory_bytes, ranking->results[0].memory_bytes, 0);
}

/* The same plans, and why the others have none only where nothing runs; else how many of them were tried. */
static void check_brief(struct setup *setup, struct paradl_oracle *oracle,
	const struct paradl_request *request, const struct paradl_ranking *ranking)
{
	struct paradl_ranking brief;
	if (!paradl_advise(oracle, request, PARADL_RANKED_BRIEF, setup->arena, &brief, &setup->error))
		fail_msg("%s", setup->error.message);
	assert_int_equal(brief.count, ranking->count);
	for (size_t i = 0; i < brief.count; ++i) {
		assert_memory_equal(
			&brief.results[i].plan, &ranking->results[i].plan, sizeof brief.results[i].plan);
		assert_close(brief.results[i].iteration_s, ranking->results[i].iteration_s, 0);
	}
	assert_int_equal(brief.infeasible_count, ranking->count > 0 ? 0 : ranking->infeasible_count);
	assert_true(brief.unexplained + brief.infeasible_count <= ranking->infeasible_count);
	assert_int_equal(ranking->unexplained, 0);
}

/* The best of each family, best first. */
static void check(struct setup *setup, struct paradl_oracle *oracle, const struct paradl_request *request)
{
	static struct truth truth;
	const struct paradl_ranking ranking = advise(setup, oracle, request);
	size_t running = 0;
	truth_find(oracle, request, ranking.batch, &truth);
	for (unsigned family = 0; family < FAMILIES; ++family)
		running += truth.runs[family];
	assert_int_equal(ranking.count, running);
	assert_int_equal(ranking.devices, request->devices);
	for (size_t i = 0; i < ranking.count; ++i) {
		const struct paradl_estimate *const result = &ranking.results[i];
		const unsigned family = plans_family(&result->plan);
		const double value = paradl_goal_value(result, request->goal);
		assert_true(truth.runs[family] && result->fits);
		assert_close(value, paradl_goal_value(&truth.best[family], request->goal), 1e-12);
		assert_true(i == 0 || value >= paradl_goal_value(&ranking.results[i - 1], request->goal));
		for (size_t k = 0; k < i; ++k)
			assert_int_not_equal(family, plans_family(&ranking.results[k].plan));
	}
	if (ranking.count > 1) {
		const double margin = paradl_goal_value(&ranking.results[1], request->goal) /
				      paradl_goal_value(&ranking.results[0], request->goal);
		assert_close(ranking.margin, margin, 1e-12);
		assert_int_equal(ranking.tie,
			request->goal != PARADL_MEMORY && margin < 1 + paradl_tie_share(&ranking.results[0]));
	}
	assert_failures(&ranking, &truth);
	check_first(setup, oracle, request, &ranking);
	check_brief(setup, oracle, request, &ranking);
}

static void the_best_of_each_family(void **state)
{
	struct setup *const setup = *state;
	struct paradl_oracle *const oracle = oracle_of(setup, "16 GB");
	static const unsigned devices[] = {
		1, 2, 3, 4, 6, 7, 8, 12, 16, 24, 30, 32, 36, 64, 97, 128, 210, 256};
	for (size_t i = 0; i < sizeof devices / sizeof *devices; ++i)
		for (unsigned goal = PARADL_TIME; goal <= PARADL_ENERGY; ++goal)
			check(setup, oracle,
				&(struct paradl_request){
					.devices = devices[i], .goal = goal, .batch = i % 2 ? 64 : 1000});
}

static void what_does_not_fit_is_left_out(void **state)
{
	struct setup *const setup = *state;
	static const char *const memories[] = {"1 MB", "12 MB", "20 MB", "40 MB", "200 MB"};
	for (size_t i = 0; i < sizeof memories / sizeof *memories; ++i) {
		struct paradl_oracle *const oracle = oracle_of(setup, memories[i]);
		for (unsigned devices = 1; devices <= 64; devices *= 2)
			check(setup, oracle, &(struct paradl_request){.devices = devices, .per_device = 4});
	}
}

/* Adds to the numbers of plans that cut a network of tokens along none, one and both of the axes that divide its weights. */
static void check_needs(struct setup *setup, struct paradl_oracle *oracle, unsigned devices, unsigned seen[3])
{
	const struct paradl_request request = {.devices = devices};
	const struct paradl_ranking ranking = advise(setup, oracle, &request);
	assert_int_equal(ranking.count, 0);
	for (size_t i = 0; i < ranking.infeasible_count; ++i) {
		const struct paradl_infeasible *const failed = &ranking.infeasible[i];
		const struct paradl_plan plan = setup_plan(failed->strategy, 1);
		const bool tensor = plan.degree[PARADL_TENSOR] > 1,
			   pipeline = plan.degree[PARADL_PIPELINE] > 1;
		const unsigned cut = tensor + (unsigned)pipeline;
		if (!strstr(failed->reason, "fullest"))
			continue;
		++seen[cut];
		assert_int_equal(strstr(failed->needs, "tensor or pipeline") != NULL, cut == 0);
		assert_int_equal(strstr(failed->needs, "tensor and pipeline") != NULL, cut == 1);
		assert_int_equal(strstr(failed->needs, "more devices") != NULL, cut > 0);
	}
}

/* A network of tokens that fits nowhere may be cut along what its closest plans do not cut, or needs other devices. */
static void networks_of_tokens_need_what_is_left(void **state)
{
	struct paradl_oracle *const oracle = network_oracle(*state, NETWORK_DENSE, "1 MB", "", NULL);
	unsigned seen[3] = {0};
	for (unsigned devices = 2; devices <= 16; devices *= 2)
		check_needs(*state, oracle, devices, seen);
	assert_true(seen[0] && seen[1] && seen[2]);
}

static void micro_batches_are_as_asked_for(void **state)
{
	struct setup *const setup = *state;
	struct paradl_oracle *const oracle = oracle_of(setup, "100 MB");
	for (unsigned micro = 1; micro <= 16; micro *= 4)
		check(setup, oracle,
			&(struct paradl_request){.devices = 16, .per_device = 4, .micro = micro});
}

/* Networks of tokens and of images, whose plans have options to choose, that train or answer; many of them do not fit. */
static void the_first_plan_is_that_of_the_ranking(void **state)
{
	static const char *const memories[] = {"200 MB", "2 GB"};
	unsigned none = 0, some = 0;
	for (unsigned code = 0; code < 2 * 2 * NETWORK_COUNT; ++code) {
		const enum small network = (enum small)(code % NETWORK_COUNT);
		const bool answers = code / NETWORK_COUNT % 2 && network != NETWORK_IMAGES;
		const struct paradl_options options = {
			.inference = answers, .output_tokens = answers ? 64 : 0};
		struct paradl_oracle *const oracle =
			network_oracle(*state, network, memories[code / NETWORK_COUNT / 2], "", &options);
		for (unsigned devices = 1; devices <= 64; devices *= 2)
			for (unsigned goal = PARADL_TIME; goal <= PARADL_MEMORY; ++goal) {
				const struct paradl_request request = {.devices = devices,
					.goal = goal,
					.batch = 64,
					.all_members = devices == 8};
				const struct paradl_ranking ranking = advise(*state, oracle, &request);
				check_first(*state, oracle, &request, &ranking);
				none += ranking.count == 0;
				some += ranking.count > 1;
			}
	}
	assert_true(none > 10 && some > 50);
}

/* Without a price devices cost their time, without power energy is time. */
static void goals_are_what_is_small(void **state)
{
	(void)state;
	struct paradl_estimate estimate = {.iteration_s = 3,
		.devices = 7,
		.memory_bytes = 11,
		.cost_per_epoch = 13,
		.energy_joule_per_epoch = 17};
	assert_close(paradl_goal_value(&estimate, PARADL_TIME), 3, 0);
	assert_close(paradl_goal_value(&estimate, PARADL_MEMORY), 11, 0);
	assert_close(paradl_goal_value(&estimate, PARADL_COST), 13, 0);
	assert_close(paradl_goal_value(&estimate, PARADL_ENERGY), 17, 0);
	estimate.cost_per_epoch = estimate.energy_joule_per_epoch = -1;
	assert_close(paradl_goal_value(&estimate, PARADL_COST), 21, 0);
	assert_close(paradl_goal_value(&estimate, PARADL_ENERGY), 3, 0);
}

static void only_what_is_asked_for(void **state)
{
	struct setup *const setup = *state;
	struct paradl_oracle *const oracle = oracle_of(setup, "16 GB");
	struct paradl_ranking ranking = advise(setup, oracle,
		&(struct paradl_request){
			.devices = 16, .strategies = "data,data+spatial,filter+channel,serial"});
	assert_int_equal(ranking.count + ranking.infeasible_count, 3); /* 16 devices in series: not a plan */
	for (size_t i = 0; i < ranking.count; ++i) {
		char family[64];
		paradl_plan_family(&ranking.results[i].plan, family, sizeof family);
		assert_non_null(strstr("data,data+spatial,filter+channel,serial", family));
	}
	ranking = advise(setup, oracle, &(struct paradl_request){.devices = 1, .strategies = "serial"});
	assert_int_equal(ranking.count, 1);
	/* Of filter=32 there is one plan: 16 filters are the least. */
	ranking = advise(setup, oracle, &(struct paradl_request){.devices = 32, .strategies = "filter"});
	assert_int_equal(ranking.count, 0);
	assert_int_equal(ranking.infeasible_count, 1);
	assert_string_equal(ranking.infeasible[0].strategy, "filter=32");
	assert_non_null(strstr(ranking.infeasible[0].reason, "32 filters"));
	assert_non_null(strstr(ranking.infeasible[0].needs, "filter=16"));
}

static void batches_come_from_the_request_or_the_model(void **state)
{
	struct setup *const setup = *state;
	struct paradl_oracle *const oracle = oracle_of(setup, "16 GB");
	assert_close(advise(setup, oracle, &(struct paradl_request){.devices = 8}).batch, 16, 0);
	assert_close(
		advise(setup, oracle, &(struct paradl_request){.devices = 8, .per_device = 5}).batch, 40, 0);
	assert_close(advise(setup, oracle, &(struct paradl_request){.devices = 8, .batch = 21}).batch, 21, 0);
	assert_close(
		advise(setup, oracle, &(struct paradl_request){.devices = 8, .batch = 21, .per_device = 5})
			.batch,
		21, 0);
}

static void all_members_are_ranked(void **state)
{
	struct setup *const setup = *state;
	struct paradl_oracle *const oracle = oracle_of(setup, "60 MB");
	static struct truth truth;
	for (unsigned devices = 1; devices <= 48; devices += devices < 8 ? 1 : 8) {
		const struct paradl_request request = {.devices = devices, .batch = 96, .all_members = true};
		const struct paradl_ranking ranking = advise(setup, oracle, &request);
		truth_find(oracle, &request, 96, &truth);
		assert_int_equal(ranking.count, truth.feasible);
		for (size_t i = 1; i < ranking.count; ++i)
			assert_true(ranking.results[i].iteration_s >= ranking.results[i - 1].iteration_s);
		assert_failures(&ranking, &truth);
	}
}

static void answers_do_not_change(void **state)
{
	struct setup *const setup = *state;
	struct paradl_oracle *const oracle = oracle_of(setup, "60 MB");
	const struct paradl_request request = {.devices = 64, .batch = 512, .all_members = true};
	const struct paradl_ranking first = advise(setup, oracle, &request);
	(void)advise(setup, oracle, &(struct paradl_request){.devices = 48, .goal = PARADL_MEMORY});
	const struct paradl_ranking again = advise(setup, oracle, &request);
	const struct paradl_ranking other = advise(setup, oracle_of(setup, "60 MB"), &request);
	assert_int_equal(again.count, first.count);
	assert_int_equal(other.count, first.count);
	for (size_t i = 0; i < first.count; ++i) {
		assert_memory_equal(
			&again.results[i].plan, &first.results[i].plan, sizeof first.results[i].plan);
		assert_memory_equal(
			again.results[i].phase_s, first.results[i].phase_s, sizeof first.results[i].phase_s);
		assert_memory_equal(
			other.results[i].phase_s, first.results[i].phase_s, sizeof first.results[i].phase_s);
		assert_close(again.results[i].memory_bytes, first.results[i].memory_bytes, 0);
	}
}

static void says_what_cannot_be_asked(void **state)
{
	struct setup *const setup = *state;
	struct paradl_oracle *const oracle = oracle_of(setup, "16 GB");
	static const struct paradl_request requests[] = {{.devices = 0}, {.devices = 4, .strategies = "dat"},
		{.devices = 1048577}, {.devices = 4, .batch = 1e16}};
	for (size_t i = 0; i < sizeof requests / sizeof *requests; ++i) {
		struct paradl_error error = {0};
		struct paradl_ranking ranking;
		assert_false(paradl_advise(
			oracle, &requests[i], PARADL_RANKED_ALL, setup->arena, &ranking, &error));
		assert_int_equal(error.status, PARADL_USAGE);
		assert_true(*error.message);
	}
}

static void ten_thousand_devices_in_a_moment(void **state)
{
	struct setup *const setup = *state;
	struct paradl_oracle *const oracle = oracle_of(setup, "16 GB");
	const clock_t begin = clock();
	const struct paradl_ranking ranking =
		advise(setup, oracle, &(struct paradl_request){.devices = 10000});
	const double s = (double)(clock() - begin) / CLOCKS_PER_SEC;
	assert_true(ranking.count > 0);
	assert_true(s < 5); /* a fraction of a second unless sanitizers or emulation slow it down */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		setup_test(the_best_of_each_family),
		setup_test(what_does_not_fit_is_left_out),
		setup_test(networks_of_tokens_need_what_is_left),
		setup_test(micro_batches_are_as_asked_for),
		setup_test(the_first_plan_is_that_of_the_ranking),
		cmocka_unit_test(goals_are_what_is_small),
		setup_test(only_what_is_asked_for),
		setup_test(batches_come_from_the_request_or_the_model),
		setup_test(all_members_are_ranked),
		setup_test(answers_do_not_change),
		setup_test(says_what_cannot_be_asked),
		setup_test(ten_thousand_devices_in_a_moment),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
