/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where no plan keeps what is promised, the one that comes closest, against all plans that there are. */
#include <math.h>

#include "oracle/random.h"
#include "oracle/shipped.h"

enum { CASES = 12, DEVICES_MOST = 8, BATCHES = 1 << 16 };

struct asked {
	struct setup *setup;
	struct paradl_oracle *oracle;
	struct paradl_promise promise;
	unsigned devices;
};

/* Returns by how much a limit is missed: takes / most, of what has a limit. */
static double missed(double takes, double most)
{
	return most > 0 ? takes / most : 0;
}

/* Takes the least distance of the batches of a plan, as paradl/oracle.h says what it is. */
static double plan_distance(const struct asked *asked, struct paradl_plan plan)
{
	const double replicas = plan.degree[PARADL_DATA] * plan.degree[PARADL_EXPERT];
	const double rate = paradl_oracle_rate(asked->oracle);
	double least = HUGE_VAL;
	for (double each = 1; each <= (rate > 0 ? 1 : BATCHES); each *= 2) {
		struct paradl_estimate estimate;
		plan.batch = each * replicas;
		if (!paradl_estimate(asked->oracle, &plan, &estimate, NULL)) {
			if (estimate.inference.most_per_s > 0)
				least = fmin(least, 2 - estimate.inference.most_per_s / rate);
			continue;
		}
		const struct paradl_inference *const served = &estimate.inference;
		const enum paradl_percentile percentile = asked->promise.percentile;
		const double worst = fmax(missed(estimate.iteration_s, asked->promise.latency_s),
			fmax(missed(served->first_percentile_s[percentile], asked->promise.first_s),
				missed(served->token_percentile_s[percentile], asked->promise.token_s)));
		if (!estimate.fits)
			least = fmin(least, 3 - estimate.usable_bytes / estimate.memory_bytes);
		else
			least = fmin(least, worst > 1 ? 1 - 1 / worst : 0);
	}
	return least;
}

/* Returns the least distance of all plans along data, pipeline and tensor, in every order. */
static double least_distance(const struct asked *asked)
{
	static const char *const orders[][3] = {{"data", "pipeline", "tensor"},
		{"data", "tensor", "pipeline"}, {"pipeline", "data", "tensor"},
		{"pipeline", "tensor", "data"}, {"tensor", "data", "pipeline"},
		{"tensor", "pipeline", "data"}};
	const unsigned devices = asked->devices;
	double least = HUGE_VAL;
	for (unsigned a = 1; a <= devices; ++a)
		for (unsigned b = 1; a * b <= devices; ++b)
			for (unsigned i = 0; i < 6 && devices % (a * b) == 0; ++i) {
				char text[96];
				struct paradl_plan plan;
				snprintf(text, sizeof text, "%s=%u,%s=%u,%s=%u", orders[i][0], a,
					orders[i][1], b, orders[i][2], devices / a / b);
				assert_true(paradl_plan_parse(text, &plan, NULL));
				least = fmin(least, plan_distance(asked, plan));
			}
	return least;
}

/* Asks what is impossible in one of four ways: times, a rate, memory, or both times and what some plans lack. */
static void random_question(struct random *random, struct setup *setup, struct asked *asked, unsigned kind)
{
	const struct paradl_model *const model = shipped_model(setup, kind == 2   ? "llama3-405b"
								      : kind == 3 ? "llama3-70b"
										  : "llama3-8b");
	const struct paradl_machine *const machine = paradl_machine_load(setup->arena,
		&(struct paradl_source){.path = "hw-profiles/dgx-h100-superpod.json"}, &setup->error);
	const struct paradl_framework *const framework = paradl_framework_load(setup->arena,
		&(struct paradl_source){.path = "hw-profiles/frameworks/vllm.json"}, &setup->error);
	struct paradl_options options = {.inference = true,
		.prompt_tokens = floor(random_real(random, 256, 8192)),
		.output_tokens = floor(random_real(random, 16, 256)),
		.threads = 1};
	*asked = (struct asked){.setup = setup, .devices = random_between(random, 1, DEVICES_MOST)};
	if (kind == 1)
		options.rate_per_s = 5000;
	if (kind != 1) {
		asked->promise.first_s = random_real(random, 0.001, 0.05);
		asked->promise.token_s = random_real(random, 0.0001, 0.02);
		asked->promise.latency_s = random_real(random, 0.01, 1);
		asked->promise.percentile = kind == 3 ? PARADL_P90 : PARADL_MEAN;
	}
	asked->oracle =
		paradl_oracle_create(setup->arena, model, machine, framework, &options, &setup->error);
	assert_non_null(asked->oracle);
}

static void closest_is_the_least_of_all(void **state)
{
	struct random random = {20261130};
	unsigned kinds[3] = {0};
	for (unsigned i = 0; i < CASES; ++i) {
		struct asked asked;
		struct paradl_search search;
		struct paradl_ranking ranking;
		random_question(&random, *state, &asked, i % 4);
		struct setup *const setup = asked.setup;
		struct paradl_search_request request = {.devices = &asked.devices,
			.device_count = 1,
			.goal = PARADL_THROUGHPUT,
			.promise = asked.promise,
			.vary = "order,micro,schedule,recompute,zero,shard,sequence,experts,context,overlap,"
				"batch",
			.threads = 1};
		const struct paradl_request advice = {.devices = asked.devices, .promise = asked.promise};
		assert_true(paradl_search(asked.oracle, &request, setup->arena, &search, &setup->error));
		assert_int_equal(search.count, 0);
		const double least = least_distance(&asked);
		assert_close(search.closest.distance, least, 1e-9);
		/* Settings of the engine, which are varied too unless something is named, may come closer. */
		request.vary = NULL;
		assert_true(paradl_search(asked.oracle, &request, setup->arena, &search, &setup->error));
		assert_int_equal(search.count, 0);
		assert_true(search.closest.distance <= least * (1 + 1e-9));
		assert_true(least > 0 && least < 3);
		++kinds[(unsigned)least];
		/* Advice also tries other settings of the engine; those that come closest are first. */
		assert_true(paradl_advise(
			asked.oracle, &advice, PARADL_RANKED_ALL, setup->arena, &ranking, &setup->error));
		assert_int_equal(ranking.count, 0);
		assert_true(ranking.infeasible[0].distance <= least * (1 + 1e-9));
		for (size_t k = 1; k < ranking.infeasible_count; ++k)
			assert_true(ranking.infeasible[k].distance >= ranking.infeasible[0].distance);
	}
	assert_true(kinds[0] > 2 && kinds[1] > 1 && kinds[2] > 0);
}

/* With readers of prompts, too, what comes closest is no farther than without, or with any that are named. */
static void readers_may_come_closer(void **state)
{
	static const char *const named[] = {NULL, "serial", "data=2", "tensor=2", "data=3", "pipeline=2"};
	struct setup *const setup = *state;
	const struct paradl_model *const model = shipped_model(setup, "llama3-8b");
	const struct paradl_machine *const machine = paradl_machine_load(setup->arena,
		&(struct paradl_source){.path = "hw-profiles/dgx-h100-superpod.json"}, &setup->error);
	struct paradl_options options = {.inference = true,
		.prompt_tokens = 8192,
		.output_tokens = 64,
		.prefill = "auto",
		.threads = 1};
	static const struct {
		double first_s, token_s, rate_per_s;
	} wanted[] = {{0.01, 0, 0}, {0.5, 0.0001, 0}, {0, 0, 1000}, {0.2, 0.002, 12}};
	const unsigned devices = 4;
	for (size_t i = 0; i < sizeof wanted / sizeof *wanted; ++i) {
		const struct paradl_search_request request = {.devices = &devices,
			.device_count = 1,
			.goal = PARADL_THROUGHPUT,
			.promise = {.first_s = wanted[i].first_s, .token_s = wanted[i].token_s},
			.threads = 1};
		const struct paradl_request advice = {.devices = devices, .promise = request.promise};
		struct paradl_search all, one;
		struct paradl_ranking ranking;
		double least = HUGE_VAL;
		options.rate_per_s = wanted[i].rate_per_s;
		options.prefill = "auto";
		struct paradl_oracle *oracle =
			paradl_oracle_create(setup->arena, model, machine, NULL, &options, &setup->error);
		assert_true(paradl_search(oracle, &request, setup->arena, &all, &setup->error));
		assert_true(paradl_advise(
			oracle, &advice, PARADL_RANKED_ALL, setup->arena, &ranking, &setup->error));
		assert_int_equal(all.count, 0);
		assert_int_equal(ranking.count, 0);
		for (size_t k = 0; k < sizeof named / sizeof *named; ++k) {
			options.prefill = named[k];
			oracle = paradl_oracle_create(
				setup->arena, model, machine, NULL, &options, &setup->error);
			assert_true(paradl_search(oracle, &request, setup->arena, &one, &setup->error));
			least = fmin(least, one.closest.distance);
		}
		assert_true(all.closest.distance <= least * (1 + 1e-9));
		assert_true(ranking.infeasible[0].distance < 2);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		setup_test(closest_is_the_least_of_all), setup_test(readers_may_come_closer)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
