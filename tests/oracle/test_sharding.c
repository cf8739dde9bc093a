/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sharded weights as programs exchange and hold them: sums across copies of shards, the ports that flows take, weights that stay whole in
 * a pipeline, and gradients that are added up apart. Start-ups and memory cost nothing, so that every exchange has a closed form.
 */
#include "oracle/setup.h"

#include "model/transformer.h"

static const double link_rate = 100e9, port_rate = 10e9;

static struct paradl_oracle *oracle_of(struct setup *setup, const char *rules)
{
	const struct transformer_shape shape = {.name = "t",
		.precision = "bf16-mixed",
		.optimizer = "adam",
		.layers = 8,
		.hidden = 1024,
		.heads = 16,
		.ffn = 4096,
		.vocabulary = 32768,
		.sequence = 2048};
	const struct paradl_model *const model = transformer_build(setup->arena, &shape, &setup->error);
	if (!model)
		fail_msg("%s", setup->error.message);
	const struct paradl_machine *const machine = setup_machine(setup,
		"\"memory\": \"1 TB\", \"memory_rate\": \"1e17 B/s\", "
		"\"peak\": {\"fp32\": \"1 Tflop/s\", \"bf16\": \"1 Tflop/s\"}, "
		"\"contraction\": {\"efficiency\": 1}",
		"{\"name\": \"node\", \"devices\": 8, \"latency\": \"0 s\", \"bandwidth\": \"100 GB/s\", "
		"\"ring\": \"100 GB/s\", \"ports\": 1}, "
		"{\"name\": \"all\", \"devices\": 4096, \"latency\": \"0 s\", \"bandwidth\": \"10 GB/s\", "
		"\"ring\": \"10 GB/s\", \"ports\": 8}");
	return setup_oracle(setup, model, machine,
		setup_framework(
			setup, arena_printf(setup->arena,
				       ", \"rules\": {\"gradient_bytes\": {\"tokens\": \"2 B\"}%s}", rules)),
		false);
}

static double weights_of(struct paradl_oracle *oracle, const char *text)
{
	const struct paradl_plan plan = setup_plan(text, 8);
	return setup_estimate(oracle, &plan).memory.weights_bytes / 2;
}

static double exchange_of(struct paradl_oracle *oracle, const char *text, double batch)
{
	const struct paradl_plan plan = setup_plan(text, batch);
	return setup_estimate(oracle, &plan).phase_s[PARADL_GRADIENT_EXCHANGE];
}

/* In each of two micro-batches three passes of shards inside nodes, and sums of an eighth across four of them. */
static void sums_across_copies_hide_like_shards(void **state)
{
	struct setup *const setup = *state;
	static const char rings[] = ", \"gradient_rings\": 0, \"interference\": 0, \"overlap_shards\": %s";
	struct paradl_oracle *const plain = oracle_of(setup, arena_printf(setup->arena, rings, "0"));
	const double bytes = 2 * weights_of(plain, "serial,micro=1");
	const double inside = 3 * 7.0 / 8 * bytes / link_rate, across = 2 * 3.0 / 4 * bytes / 8 / port_rate;
	assert_close(exchange_of(plain, "data=32,micro=1,zero=3,shard=8", 64), 2 * (inside + across), 1e-6);
	struct paradl_oracle *const hiding = oracle_of(setup, arena_printf(setup->arena, rings, "0.8"));
	const struct paradl_plan plan = setup_plan("data=32,micro=1,zero=3,shard=8", 64);
	const struct paradl_estimate estimate = setup_estimate(hiding, &plan);
	assert_close(estimate.exposed_communication_s, 0, 1e-9);
	assert_close(estimate.gradient_hidden_s, 2 * (inside + across), 1e-6);
}

/* By one flow all leave a node through one of its eight ports. */
static void flows_take_the_ports_that_programs_use(void **state)
{
	struct setup *const setup = *state;
	static const char *const plans[] = {
		"data=32,micro=1,zero=3", "data=32,micro=1,zero=1", "data=32,micro=1"};
	struct paradl_oracle *const all =
		oracle_of(setup, ", \"gradient_rings\": 0, \"activation_rings\": 0");
	struct paradl_oracle *const one =
		oracle_of(setup, ", \"gradient_rings\": 1, \"activation_rings\": 0");
	for (size_t i = 0; i < sizeof plans / sizeof *plans; ++i)
		assert_close(exchange_of(one, plans[i], 32), 8 * exchange_of(all, plans[i], 32), 1e-6);
	/* What layers send is not of replicas. */
	const struct paradl_plan plan = setup_plan("data=2,tensor=16,micro=1,sequence=on", 2);
	assert_close(setup_estimate(one, &plan).phase_s[PARADL_ACTIVATION_EXCHANGE],
		setup_estimate(all, &plan).phase_s[PARADL_ACTIVATION_EXCHANGE], 1e-9);
}

/* Of eight micro-batches: one gather and one scatter instead of two and one for each; all whole, gradients in fp32. */
static void pipelines_may_keep_what_they_gathered(void **state)
{
	struct setup *const setup = *state;
	static const char text[] = "pipeline=2,data=4,micro=1,zero=3";
	struct paradl_oracle *const lets_go = oracle_of(setup, "");
	const struct paradl_plan plan = setup_plan(text, 32), flat = setup_plan("data=4,micro=1,zero=3", 32);
	const struct paradl_estimate before = setup_estimate(lets_go, &plan),
				     one = setup_estimate(lets_go, &flat);
	struct paradl_oracle *const keeps = oracle_of(setup, ", \"keeps_gathered\": true");
	const struct paradl_estimate after = setup_estimate(keeps, &plan), two = setup_estimate(keeps, &flat);
	assert_close(after.phase_s[PARADL_GRADIENT_EXCHANGE],
		before.phase_s[PARADL_GRADIENT_EXCHANGE] * 2 / (8 * 3), 1e-6);
	const double whole = 4 * after.memory.weights_bytes / 2;
	assert_true(after.memory.communication_bytes >= (2 + 4) * whole);
	assert_true(after.memory_bytes > before.memory_bytes);
	/* Without a pipeline nothing is kept. */
	assert_close(two.iteration_s, one.iteration_s, 0);
	assert_close(two.memory_bytes, one.memory_bytes, 0);
}

/*
 * Who holds an eighth of the gradients scatters those of each micro-batch, and gathers weights once; a pipeline that keeps them whole
 * scatters once, and holds them in fp32.
 */
static void gradients_of_each_micro_batch_are_scattered(void **state)
{
	struct setup *const setup = *state;
	struct paradl_oracle *const oracle = oracle_of(setup, ", \"interference\": 0, \"overlap_shards\": 0"),
				    *const keeps = oracle_of(setup, ", \"keeps_gathered\": true");
	const double pass_s = 7.0 / 8 * 2 * weights_of(oracle, "serial,micro=1") / link_rate;
	for (unsigned micro_batches = 1; micro_batches <= 16; micro_batches *= 2) {
		const double batch = 8.0 * micro_batches;
		assert_close(exchange_of(oracle, "data=8,micro=1,zero=1", batch), 2 * pass_s, 1e-6);
		assert_close(exchange_of(oracle, "data=8,micro=1,zero=2", batch),
			(micro_batches + 1) * pass_s, 1e-6);
		assert_close(exchange_of(oracle, "data=8,micro=1,zero=3", batch), 3 * micro_batches * pass_s,
			1e-6);
	}
	const struct paradl_plan one = setup_plan("pipeline=2,data=4,micro=1,zero=1", 32),
				 two = setup_plan("pipeline=2,data=4,micro=1,zero=2", 32);
	const struct paradl_estimate before = setup_estimate(keeps, &one),
				     after = setup_estimate(keeps, &two);
	assert_close(after.iteration_s, before.iteration_s, 1e-9);
	assert_close(after.memory.communication_bytes - before.memory.communication_bytes,
		4 * before.memory.gradients_bytes / 2, 1e-6);
}

/* Two bytes of bf16, and four of the sum in fp32; programs that shard gradients have none. */
static void sums_of_bf16_gradients_are_held(void **state)
{
	struct setup *const setup = *state;
	struct paradl_oracle *const oracle = oracle_of(setup, ", \"gradient_sums\": \"4 B\"");
	static const struct {
		const char *plan;
		double bytes;
	} cases[] = {{"data=8,micro=1", 6}, {"data=8,micro=1,zero=1", 6}, {"data=8,micro=1,zero=2", 0.25}};
	const double weights = weights_of(oracle, "serial,micro=1");
	for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
		const struct paradl_plan plan = setup_plan(cases[i].plan, 8);
		assert_close(
			setup_estimate(oracle, &plan).memory.gradients_bytes, cases[i].bytes * weights, 1e-9);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		setup_test(sums_across_copies_hide_like_shards),
		setup_test(flows_take_the_ports_that_programs_use),
		setup_test(pipelines_may_keep_what_they_gathered),
		setup_test(gradients_of_each_micro_batch_are_scattered),
		setup_test(sums_of_bf16_gradients_are_held),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
