/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Requests to an engine through real prices: at a rate, with tokens that are guessed, with prompts that are known in part. */
#include "oracle/oracle.h"
#include "oracle/shipped.h"

/* 100 Tflop/s and 1 TB/s, no launch: kernels take max(flop / peak, bytes / rate). */
static struct paradl_oracle *oracle_with(
	struct setup *setup, const struct paradl_options *options, const char *framework)
{
	static const char levels[] =
		"{\"name\": \"all\", \"devices\": 4096, \"latency\": \"1 us\", \"bandwidth\": \"100 GB/s\"}";
	static const char device[] =
		"\"memory\": \"200 GB\", \"memory_rate\": \"1 TB/s\", \"peak\": {\"fp32\": \"100 Tflop/s\", "
		"\"fp16\": \"100 Tflop/s\", \"bf16\": \"100 Tflop/s\", \"fp8\": \"100 Tflop/s\"}, "
		"\"contraction\": "
		"{\"efficiency\": 1}, \"attention\": {\"forward\": 1, \"backward\": 1}";
	struct paradl_oracle *const oracle = paradl_oracle_create(setup->arena,
		shipped_model(setup, "llama2-7b"), setup_machine(setup, device, levels),
		setup_framework(setup, framework), options, &setup->error);
	if (!oracle)
		fail_msg("%s", setup->error.message);
	return oracle;
}

static struct paradl_oracle *oracle_of(struct setup *setup, const struct paradl_options *options)
{
	return oracle_with(setup, options, "");
}

static struct paradl_estimate served(
	struct setup *setup, const struct paradl_options *options, const char *plan, double batch)
{
	const struct paradl_plan parsed = setup_plan(plan, batch);
	return setup_estimate(oracle_of(setup, options), &parsed);
}

/* A step reads weights and the cache once, however many tokens it checks, as long as reading takes longer than computing. */
static void guessed_tokens_share_a_step(void **state)
{
	struct paradl_options options = {.inference = true, .prompt_tokens = 1000, .output_tokens = 101};
	const struct paradl_estimate plain = served(*state, &options, "serial", 1);
	options.speculative_tokens = 3;
	for (double accepted = 1; accepted <= 4; ++accepted) {
		options.accepted_tokens = accepted;
		const struct paradl_estimate got = served(*state, &options, "serial", 1);
		assert_close(got.inference.token_s, plain.inference.token_s / accepted, 0.005);
		assert_close(got.iteration_s, got.inference.prompts_s + 100 * got.inference.token_s, 1e-12);
		assert_close(got.inference.tokens_per_s, 101 / got.iteration_s, 1e-12);
	}
	/* Where computing takes longer, guesses that are wrong are paid for. */
	options.accepted_tokens = 1;
	options.prompt_tokens = 10;
	const double guessed_s = served(*state, &options, "serial", 512).inference.token_s;
	options.speculative_tokens = options.accepted_tokens = 0;
	assert_true(guessed_s > 2 * served(*state, &options, "serial", 512).inference.token_s);
}

/* What is in the cache is not computed, but attended to: flop of layers by tokens, of attention by pairs. */
static void cached_tokens_are_attended_to(void **state)
{
	const double h = 4096, f = 11008, s = 4096, rate = 100e12;
	const double layers_s = 2 * s * 32 * (4 * h * h + 3 * h * f) / rate;
	const double attention_s = 32 * 2 * s * (s / 2 + 64) * 2 * h / rate;
	struct paradl_options options = {.inference = true, .prompt_tokens = s, .output_tokens = 1};
	const double whole_s = served(*state, &options, "serial", 1).inference.prompts_s;
	for (double cached = 0.25; cached < 1; cached += 0.25) {
		options.cached_prefix = cached;
		const double saved_s = whole_s - served(*state, &options, "serial", 1).inference.prompts_s;
		assert_close(saved_s, cached * layers_s + cached * cached * attention_s, 0.05);
	}
}

/* Replicas share what comes; hardly any of it finds the engine idle; what is too much is refused. */
static void requests_come_at_a_rate(void **state)
{
	struct paradl_options options = {.inference = true, .prompt_tokens = 512, .output_tokens = 65};
	const double alone_s = served(*state, &options, "serial", 1).iteration_s;
	options.rate_per_s = 1e-5;
	const struct paradl_estimate rare = served(*state, &options, "serial", 1);
	assert_close(rare.iteration_s, alone_s, 0.02);
	assert_close(rare.samples_per_s, 1e-5, 1e-12);
	const double most_per_s = rare.inference.most_per_s;
	options.rate_per_s = 0.6 * most_per_s;
	const struct paradl_estimate one = served(*state, &options, "serial", 7);
	double sum = 0;
	for (unsigned k = 0; k < PARADL_PHASE_COUNT; ++k)
		sum += one.phase_s[k];
	assert_close(sum, one.iteration_s, 1e-8);
	assert_close(one.inference.under_way, options.rate_per_s * one.iteration_s, 1e-9);
	assert_close(one.local_batch, ceil(one.inference.under_way), 1e-12);
	options.rate_per_s *= 4;
	const struct paradl_estimate four = served(*state, &options, "data=4", 4);
	assert_close(four.iteration_s, one.iteration_s, 1e-9);
	assert_close(four.inference.tokens_per_s, 4 * one.inference.tokens_per_s, 1e-9);
	assert_close(four.memory_bytes, one.memory_bytes, 1e-9);
	options.rate_per_s = 1.05 * most_per_s;
	struct paradl_estimate estimate;
	struct paradl_error error = {0};
	const struct paradl_plan plan = setup_plan("serial", 1);
	assert_false(paradl_estimate(oracle_of(*state, &options), &plan, &estimate, &error));
	assert_int_equal(error.status, PARADL_INFEASIBLE);
	assert_non_null(strstr(error.hint, "2 GPUs"));
}

/* Whoever asks, clients or a rate, a replica that memory bounds answers as many: requests beyond find no seat. */
static void a_replica_has_one_capacity(void **state)
{
	static const char *const frameworks[] = {
		", \"rules\": {\"serve_reserves\": false}", ", \"rules\": {\"serve_reserves\": true}"};
	for (unsigned reserves = 0; reserves < 2; ++reserves) {
		struct paradl_options options = {
			.inference = true, .prompt_tokens = 512, .output_tokens = 257};
		struct paradl_oracle *const closed = oracle_with(*state, &options, frameworks[reserves]);
		struct paradl_plan plan = setup_plan("serial", 1);
		const struct paradl_estimate one = setup_estimate(closed, &plan);
		const double seats = plan.batch = one.inference.largest_batch;
		const struct paradl_estimate full = setup_estimate(closed, &plan);
		assert_close(full.samples_per_s, one.inference.largest_batch_answers_per_s, 1e-9);
		options.rate_per_s = 0.92 * full.samples_per_s;
		const struct paradl_estimate open =
			setup_estimate(oracle_with(*state, &options, frameworks[reserves]), &plan);
		assert_close(open.inference.most_per_s, 0.95 * full.samples_per_s, 0.02);
		assert_close(open.inference.largest_batch_answers_per_s, open.inference.most_per_s, 1e-9);
		plan.batch = 2 * seats;
		const struct paradl_estimate crowd = setup_estimate(closed, &plan);
		plan.seqs = (unsigned)seats;
		const struct paradl_estimate few = setup_estimate(closed, &plan);
		assert_close(0.95 * few.samples_per_s, open.inference.most_per_s, 0.02);
		assert_true((crowd.inference.preemptions > 0) == !reserves);
		assert_true(!(few.inference.preemptions > 0));
		assert_true(reserves || crowd.samples_per_s < 0.95 * few.samples_per_s);
	}
}

/* A prompt of one token is read as any other: hardly sooner than one of two. */
static void one_token_is_a_prompt(void **state)
{
	struct paradl_options options = {.inference = true, .output_tokens = 33};
	static const struct {
		double rate_per_s, cached;
		const char *prefill;
	} ways[] = {{0}, {.rate_per_s = 3}, {.cached = 0.5}, {.prefill = "tensor=2"}};
	static const char *const plans[] = {"serial", "tensor=2", "pipeline=2", "data=2"};
	for (size_t i = 0; i < sizeof ways / sizeof *ways; ++i)
		for (size_t k = 0; k < sizeof plans / sizeof *plans; ++k) {
			struct paradl_estimate got[2];
			options.rate_per_s = ways[i].rate_per_s;
			options.cached_prefix = ways[i].cached;
			options.prefill = ways[i].prefill;
			for (unsigned tokens = 1; tokens <= 2; ++tokens) {
				options.prompt_tokens = tokens;
				got[tokens - 1] = served(*state, &options, plans[k], 4);
			}
			const struct paradl_inference *const one = &got[0].inference,
							     *const two = &got[1].inference;
			assert_true(one->prompts_s > 0 && one->prompts_s <= two->prompts_s * (1 + 1e-9));
			assert_close(one->prompts_s, two->prompts_s, 0.02);
			assert_close(one->token_s, two->token_s, 0.02);
		}
}

/* The same cache for those under way as a batch of so many has. */
static void memory_is_of_those_under_way(void **state)
{
	struct paradl_options options = {
		.inference = true, .prompt_tokens = 512, .output_tokens = 65, .rate_per_s = 3};
	const struct paradl_estimate open = served(*state, &options, "tensor=2", 1);
	options.rate_per_s = 0;
	const struct paradl_estimate closed = served(*state, &options, "tensor=2", open.local_batch);
	assert_close(open.memory.cache_bytes, closed.memory.cache_bytes, 1e-9);
	assert_close(open.memory_bytes, closed.memory_bytes, 1e-9);
}

static void questions_without_an_answer(void **state)
{
	static const struct {
		struct paradl_options options;
		const char *text;
	} cases[] = {{{.inference = true, .speculative_tokens = 3}, "3 speculative tokens"},
		{{.inference = true, .speculative_tokens = 3, .accepted_tokens = 4.5}, "from 1 to 4"},
		{{.inference = true, .accepted_tokens = 2}, "0 speculative tokens"},
		{{.inference = true, .cached_prefix = 1}, "in the cache"},
		{{.inference = true, .rate_per_s = 1, .requests = 5}, "not both"},
		{{.rate_per_s = 1}, "inference only"}, {{.cached_prefix = 0.5}, "inference only"}};
	struct setup *const setup = *state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
		struct paradl_error error = {0};
		assert_null(paradl_oracle_create(setup->arena, shipped_model(setup, "llama2-7b"),
			paradl_machine_load(setup->arena,
				&(struct paradl_source){.path = "hw-profiles/dgx-a100-superpod.json"},
				&error),
			NULL, &cases[i].options, &error));
		assert_int_equal(error.status, PARADL_USAGE);
		if (!strstr(error.message, cases[i].text))
			fail_msg("\"%s\" lacks \"%s\"", error.message, cases[i].text);
	}
}

static void assert_bits(double a, double b)
{
	assert_memory_equal(&a, &b, sizeof a);
}

/* Holds that an estimate without some parts has the rest bit for bit, and leaves the next estimate whole. */
static void omits_hold(struct paradl_oracle *oracle, const struct paradl_plan *plan, unsigned omits)
{
	struct paradl_estimate whole, part, again;
	assert_true(paradl_estimate(oracle, plan, &whole, NULL));
	assert_true(estimate_without(oracle, plan, omits, &part, NULL));
	assert_true(paradl_estimate(oracle, plan, &again, NULL));
	assert_bits(whole.mfu, again.mfu);
	assert_bits(whole.inference.largest_batch_tokens_per_s, again.inference.largest_batch_tokens_per_s);
	const struct paradl_inference *const x = &whole.inference, *const y = &part.inference;
	assert_bits(whole.iteration_s, part.iteration_s);
	assert_bits(whole.memory_bytes, part.memory_bytes);
	assert_bits(whole.samples_per_s, part.samples_per_s);
	assert_bits(x->tokens_per_s, y->tokens_per_s);
	assert_bits(x->largest_batch, y->largest_batch);
	assert_bits(x->most_per_s, y->most_per_s);
	assert_bits(x->prompt_s, y->prompt_s);
	assert_memory_equal(x->first_percentile_s, y->first_percentile_s, sizeof x->first_percentile_s);
	assert_memory_equal(x->token_percentile_s, y->token_percentile_s, sizeof x->token_percentile_s);
	const bool phases = !(omits & 1u << OMITTED_PHASES), largest = !(omits & 1u << OMITTED_LARGEST);
	assert_bits(part.phase_s[PARADL_FORWARD], phases ? whole.phase_s[PARADL_FORWARD] : 0);
	assert_bits(part.mfu, phases ? whole.mfu : 0);
	assert_bits(y->largest_batch_tokens_per_s, largest ? x->largest_batch_tokens_per_s : 0);
	assert_true(whole.mfu > 0 && x->largest_batch_tokens_per_s > 0);
}

static void parts_are_left_out(void **state)
{
	static const char *const plans[] = {"serial", "data=2", "tensor=2", "pipeline=2,tensor=2"};
	for (unsigned rate = 0; rate < 2; ++rate) {
		const struct paradl_options options = {.inference = true,
			.prompt_tokens = 512,
			.output_tokens = 65,
			.rate_per_s = rate * 0.5};
		struct paradl_oracle *const oracle = oracle_of(*state, &options);
		for (unsigned i = 0; i < sizeof plans / sizeof *plans; ++i)
			for (unsigned omits = 0; omits < 1u << OMITTED_COUNT; ++omits) {
				const struct paradl_plan plan = setup_plan(plans[i], 32);
				omits_hold(oracle, &plan, omits);
			}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {setup_test(guessed_tokens_share_a_step),
		setup_test(cached_tokens_are_attended_to), setup_test(requests_come_at_a_rate),
		setup_test(memory_is_of_those_under_way), setup_test(one_token_is_a_prompt),
		setup_test(a_replica_has_one_capacity), setup_test(parts_are_left_out),
		setup_test(questions_without_an_answer)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
