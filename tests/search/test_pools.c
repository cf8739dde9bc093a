/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The best of all plans with and without readers of prompts, against every pair of plans that there is. */
#include <math.h>

#include "oracle/random.h"
#include "oracle/shipped.h"

enum { DEVICES_MOST = 4, CASES = 10, BATCHES = 1 << 16 };

/* A question, and what the best answer to it is worth. */
struct asked {
	struct setup *setup;
	const struct paradl_model *model;
	const struct paradl_machine *machine;
	const struct paradl_framework *framework;
	struct paradl_options options;
	struct paradl_search_request request;
	unsigned devices;
};

static struct paradl_oracle *oracle_of(const struct asked *asked, const char *prefill)
{
	struct paradl_options options = asked->options;
	struct paradl_error error;
	options.prefill = prefill;
	return paradl_oracle_create(
		asked->setup->arena, asked->model, asked->machine, asked->framework, &options, &error);
}

/* Takes the best of all batches of a plan that keep the promise: 1, 2, 4 ..., and up to the first that breaks it. */
static double best_batch(const struct asked *asked, struct paradl_oracle *oracle, struct paradl_plan plan)
{
	const struct paradl_promise *const promise = &asked->request.promise;
	const bool grows = paradl_promise_made(promise) && asked->request.goal == PARADL_THROUGHPUT;
	const double replicas = plan.degree[PARADL_DATA] * plan.degree[PARADL_EXPERT];
	double best = HUGE_VAL;
	for (double each = 1; each <= BATCHES; each = grows && best < HUGE_VAL ? each + 1 : 2 * each) {
		struct paradl_estimate estimate;
		plan.batch = each * replicas;
		if (!paradl_estimate(oracle, &plan, &estimate, NULL) || !estimate.fits)
			return best;
		const struct paradl_inference *const answer = &estimate.inference;
		const bool holds = !(promise->first_s > 0 && answer->prompts_s > promise->first_s) &&
				   !(promise->token_s > 0 && answer->token_s > promise->token_s);
		if (holds)
			best = fmin(best, paradl_search_value(&estimate, asked->request.goal));
		else if (grows)
			return best;
	}
	return best;
}

/* Returns the best that plans of `devices` devices along data, tensor and pipeline are worth, in every order. */
static double best_plan(const struct asked *asked, struct paradl_oracle *oracle, unsigned devices)
{
	static const char *const orders[][3] = {{"data", "pipeline", "tensor"},
		{"data", "tensor", "pipeline"}, {"pipeline", "data", "tensor"},
		{"pipeline", "tensor", "data"}, {"tensor", "data", "pipeline"},
		{"tensor", "pipeline", "data"}};
	double best = HUGE_VAL;
	for (unsigned a = 1; a <= devices; ++a)
		for (unsigned b = 1; a * b <= devices; ++b)
			for (unsigned i = 0; i < 6 && devices % (a * b) == 0; ++i) {
				char text[96];
				struct paradl_plan plan;
				snprintf(text, sizeof text, "%s=%u,%s=%u,%s=%u", orders[i][0], a,
					orders[i][1], b, orders[i][2], devices / a / b);
				assert_true(paradl_plan_parse(text, &plan, NULL));
				best = fmin(best, best_batch(asked, oracle, plan));
			}
	return best;
}

static double best_of_all(const struct asked *asked)
{
	double best = best_plan(asked, oracle_of(asked, NULL), asked->devices);
	for (unsigned part = 1; part < asked->devices; ++part)
		for (unsigned a = 1; a <= part; ++a)
			for (unsigned b = 1; a * b <= part; ++b) {
				char text[96];
				if (part % (a * b))
					continue;
				snprintf(text, sizeof text, "data=%u,pipeline=%u,tensor=%u", a, b,
					part / a / b);
				struct paradl_oracle *const oracle =
					oracle_of(asked, arena_printf(asked->setup->arena, "%s", text));
				if (oracle)
					best = fmin(best, best_plan(asked, oracle, asked->devices - part));
			}
	return best;
}

static void random_promise(struct random *random, struct asked *asked)
{
	asked->options.prompt_tokens = floor(random_real(random, 128, 8192));
	asked->options.output_tokens = floor(random_real(random, 16, 256));
	asked->devices = random_between(random, 2, DEVICES_MOST);
	asked->request = (struct paradl_search_request){.devices = &asked->devices,
		.device_count = 1,
		.goal = random_real(random, 0, 1) < 0.7 ? PARADL_THROUGHPUT : PARADL_TIME,
		.strategies = "serial,data,tensor,pipeline,data+tensor,data+pipeline,pipeline+tensor,"
			      "data+pipeline+tensor",
		.threads = 1};
	if (random_real(random, 0, 1) < 0.8)
		asked->request.promise.first_s = random_real(random, 0.2, 3);
	asked->request.promise.token_s = random_real(random, 0.006, 0.03);
}

/* What is proved away is never better; and what is found is the best of every pair of plans. */
static void best_of_both_kinds_is_found(void **state)
{
	struct random random = {20261205};
	struct asked asked = {.setup = *state, .options = {.inference = true}};
	unsigned pooled = 0, found = 0;
	asked.model = shipped_model(asked.setup, "llama3-8b");
	asked.machine = paradl_machine_load(asked.setup->arena,
		&(struct paradl_source){.path = "hw-profiles/dgx-h100-superpod.json"}, &asked.setup->error);
	asked.framework = paradl_framework_load(asked.setup->arena,
		&(struct paradl_source){.path = "hw-profiles/frameworks/vllm.json"}, &asked.setup->error);
	assert_non_null(asked.framework);
	for (unsigned i = 0; i < CASES; ++i) {
		struct paradl_search search[2];
		random_promise(&random, &asked);
		struct paradl_oracle *const oracle = oracle_of(&asked, "auto");
		for (unsigned exhaustive = 0; exhaustive < 2; ++exhaustive) {
			asked.request.exhaustive = exhaustive;
			if (!paradl_search(oracle, &asked.request, asked.setup->arena, &search[exhaustive],
				    &asked.setup->error))
				fail_msg("%s", asked.setup->error.message);
			assert_close(search[exhaustive].plans, search[0].plans, 0);
		}
		const double best = best_of_all(&asked);
		assert_int_equal(search[0].count > 0, best < HUGE_VAL);
		assert_int_equal(search[0].count, search[1].count);
		assert_true(search[0].evaluated <= search[1].evaluated);
		if (!search[0].count)
			continue;
		const enum paradl_goal goal = asked.request.goal;
		assert_close(paradl_search_value(search[0].results, goal),
			paradl_search_value(search[1].results, goal), 0);
		assert_true(paradl_search_value(search[0].results, goal) <= best * (1 + 1e-9));
		if (goal == PARADL_THROUGHPUT)
			assert_close(paradl_search_value(search[0].results, goal), best, 1e-9);
		++found;
		pooled += search[0].results[0].inference.prefill != NULL;
	}
	assert_true(found >= CASES / 2 && pooled > 0 && pooled < found);
}

int main(void)
{
	const struct CMUnitTest tests[] = {setup_test(best_of_both_kinds_is_found)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
