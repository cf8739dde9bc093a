/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Steps of transformers on a machine whose memory and start-ups cost nothing, so that every phase has a closed form:
 * products 2 m n k flop at 100 Tflop/s, rings (n - 1) / n of the bytes at the rate of the links.
 */
#include "oracle/random.h"
#include "oracle/setup.h"

#include "model/transformer.h"

static const double peak = 100e12, link_rate = 100e9, port_rate = 10e9;
enum { LAYERS = 8, HIDDEN = 1024, HEADS = 16, FFN = 4096, VOCABULARY = 32768, SEQUENCE = 2048 };

static const struct transformer_shape shape = {.name = "t",
	.precision = "bf16-mixed",
	.layers = LAYERS,
	.hidden = HIDDEN,
	.heads = HEADS,
	.ffn = FFN,
	.vocabulary = VOCABULARY,
	.sequence = SEQUENCE};

static const struct transformer_shape experts = {.name = "e",
	.precision = "bf16-mixed",
	.layers = LAYERS,
	.hidden = HIDDEN,
	.heads = HEADS,
	.ffn = FFN,
	.vocabulary = VOCABULARY,
	.sequence = SEQUENCE,
	.experts = 16,
	.top_k = 2,
	.moe_ffn = FFN};

static struct paradl_oracle *oracle_of(
	struct setup *setup, const struct transformer_shape *of, const char *training, bool events)
{
	const struct paradl_options options = {.events = events};
	const struct paradl_model *const model = transformer_build(setup->arena, of, &setup->error);
	if (!model)
		fail_msg("%s", setup->error.message);
	const struct paradl_machine *const machine = setup_machine(setup,
		"\"memory\": \"1 TB\", \"memory_rate\": \"1e17 B/s\", "
		"\"peak\": {\"fp32\": \"100 Tflop/s\", \"bf16\": \"100 Tflop/s\"}, "
		"\"contraction\": {\"efficiency\": 1}, \"attention\": {\"forward\": 1, \"backward\": 1}",
		"{\"name\": \"node\", \"devices\": 8, \"latency\": \"0 s\", \"bandwidth\": \"100 GB/s\", "
		"\"ring\": \"100 GB/s\", \"ports\": 1}, "
		"{\"name\": \"all\", \"devices\": 4096, \"latency\": \"0 s\", \"bandwidth\": \"10 GB/s\", "
		"\"ring\": \"10 GB/s\", \"ports\": 8}");
	const struct paradl_framework *const framework = setup_framework(
		setup, arena_printf(setup->arena,
			       ", \"activations\": {\"rings\": 0}, \"gradients\": {\"rings\": 0}, "
			       "\"training\": {\"passes\": 0.1, \"gradient_bytes\": \"2 B\"%s}",
			       training));
	struct paradl_oracle *const oracle =
		paradl_oracle_create(setup->arena, model, machine, framework, &options, &setup->error);
	if (!oracle)
		fail_msg("%s", setup->error.message);
	return oracle;
}

static struct paradl_oracle *plain(struct setup *setup)
{
	return oracle_of(setup, &shape, "", false);
}

/* Products and fused causal attention of one block, forward, one sample. */
static double block_s(void)
{
	const double s = SEQUENCE, h = HIDDEN;
	const double products = 2 * s * h * (4 * h + 2.0 * FFN);
	const double attention = 4 * s * (s / 2 + 64) * h;
	return (products + attention) / peak;
}

static double block_backward_s(void)
{
	const double s = SEQUENCE, h = HIDDEN;
	return (2 * 2 * s * h * (4 * h + 2.0 * FFN) + 2.5 * 4 * s * (s / 2 + 64) * h) / peak;
}

static double head_s(void)
{
	return 2.0 * SEQUENCE * HIDDEN * VOCABULARY / peak;
}

static void one_device_computes(void **state)
{
	struct paradl_oracle *const oracle = plain(*state);
	const struct paradl_plan plan = setup_plan("serial,micro=2", 8);
	const struct paradl_estimate estimate = setup_estimate(oracle, &plan);
	assert_close(estimate.phase_s[PARADL_FORWARD], 8 * (LAYERS * block_s() + head_s()), 1e-3);
	assert_close(
		estimate.phase_s[PARADL_BACKWARD], 8 * (LAYERS * block_backward_s() + 2 * head_s()), 1e-3);
	assert_close(estimate.communication_s, 0, 0);
	assert_close(estimate.phase_s[PARADL_BUBBLE], 0, 0);
	assert_close(estimate.micro_batches, 4, 0);
}

static void recomputation_runs_blocks_again(void **state)
{
	struct paradl_oracle *const oracle = plain(*state);
	const struct paradl_plan plan = setup_plan("serial,micro=1,recompute=full", 4);
	const struct paradl_estimate estimate = setup_estimate(oracle, &plan);
	assert_close(estimate.phase_s[PARADL_RECOMPUTE], 4 * LAYERS * block_s(), 1e-3);
	/* A fused kernel keeps no scores, so there is nothing to select. */
	const struct paradl_plan selective = setup_plan("serial,micro=1,recompute=selective", 4);
	assert_close(setup_estimate(oracle, &selective).phase_s[PARADL_RECOMPUTE], 0, 0);
}

/* Four allreduces a block, one after the embedding and one before the head; three of 4 bytes a token at the loss. */
static void tensor_sums_partial_results(void **state)
{
	struct paradl_oracle *const oracle = plain(*state);
	const double t = 8, tokens = SEQUENCE, ring = 2 * (t - 1) / t / link_rate;
	const double expected = 4 * ((4 * LAYERS + 2) * tokens * HIDDEN * 2 + 3 * tokens * 4) * ring;
	const struct paradl_plan plan = setup_plan("tensor=8,micro=1", 4);
	const struct paradl_estimate estimate = setup_estimate(oracle, &plan);
	assert_close(estimate.phase_s[PARADL_ACTIVATION_EXCHANGE], expected, 1e-6);
	assert_close(estimate.phase_s[PARADL_FORWARD], 4 * (LAYERS * block_s() + head_s()) / t, 1e-3);
	/* Scattering and gathering the sequence moves the same bytes. */
	const struct paradl_plan sequence = setup_plan("tensor=8,micro=1,sequence=on", 4);
	assert_close(setup_estimate(oracle, &sequence).phase_s[PARADL_ACTIVATION_EXCHANGE], expected, 1e-6);
	/* Recomputation repeats the two forward ones of each block. */
	const struct paradl_plan again = setup_plan("tensor=8,micro=1,recompute=full", 4);
	assert_close(setup_estimate(oracle, &again).phase_s[PARADL_ACTIVATION_EXCHANGE],
		expected + 4 * 2 * LAYERS * tokens * HIDDEN * 2 * ring, 1e-6);
}

static double weights(struct paradl_oracle *oracle)
{
	struct paradl_error error = {0};
	struct paradl_estimate estimate;
	const struct paradl_plan plan = setup_plan("serial,micro=1", 1);
	assert_true(paradl_estimate(oracle, &plan, &estimate, &error));
	return estimate.memory.weights_bytes / 2;
}

/* A ring over 32 devices of 4 nodes goes through 8 ports of each: limited by 8 x 10 GB/s. */
static void replicas_exchange_gradients(void **state)
{
	struct paradl_oracle *const oracle = plain(*state);
	const double n = 32, bytes = 2 * weights(oracle), rate = 8 * port_rate;
	/* Of two micro-batches: passes around the ring. With zero=2 gradients are scattered after each. */
	static const struct {
		const char *plan;
		double passes;
	} cases[] = {{"data=32,micro=1", 2}, {"data=32,micro=1,zero=1", 2}, {"data=32,micro=1,zero=2", 3},
		{"data=32,micro=2,zero=2", 2}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
		const struct paradl_plan plan = setup_plan(cases[i].plan, 64);
		assert_close(setup_estimate(oracle, &plan).phase_s[PARADL_GRADIENT_EXCHANGE],
			cases[i].passes * (n - 1) / n * bytes / rate, 1e-6);
	}
	/* Whole weights are gathered twice and gradients scattered, in each of the two micro-batches. */
	const struct paradl_plan sharded = setup_plan("data=32,micro=1,zero=3", 64);
	assert_close(setup_estimate(oracle, &sharded).phase_s[PARADL_GRADIENT_EXCHANGE],
		2 * 3 * (n - 1) / n * bytes / rate, 1e-6);
	/* Shards inside a node: the links carry the gathers; only sums of shards cross. */
	const struct paradl_plan hybrid = setup_plan("data=32,micro=1,zero=1,shard=8", 64);
	const double inside = 2 * 7.0 / 8 * bytes / link_rate, across = 2 * 3.0 / 4 * bytes / 8 / port_rate;
	assert_close(
		setup_estimate(oracle, &hybrid).phase_s[PARADL_GRADIENT_EXCHANGE], inside + across, 1e-6);
}

/* What is said of the exchange is what the phases have of it; collectives of tensor parallelism hide by themselves. */
static void exchanges_are_described(void **state)
{
	struct paradl_oracle *const oracle = oracle_of(*state, &shape,
		", \"overlap_gradients\": 0.5, \"overlap_tensor\": 0.25, \"bucket\": \"40 MB\"", false);
	const struct paradl_plan alone = setup_plan("tensor=8,micro=1", 8),
				 plan = setup_plan("data=32,tensor=8,micro=1", 256);
	const struct paradl_estimate one = setup_estimate(oracle, &alone),
				     estimate = setup_estimate(oracle, &plan);
	assert_null(one.gradient_algorithm);
	assert_close(one.gradient_hidden_s, 0, 0);
	assert_close(one.exposed_communication_s, 0.75 * one.communication_s, 1e-9);
	assert_string_equal(estimate.gradient_algorithm, "allreduce-ring");
	assert_close(estimate.gradient_messages, ceil(weights(oracle) * 2 / 8 / 40e6), 0);
	assert_true(estimate.gradient_hidden_s > 0);
	assert_close(estimate.communication_s - estimate.exposed_communication_s,
		estimate.gradient_hidden_s + 0.25 * estimate.phase_s[PARADL_ACTIVATION_EXCHANGE], 1e-9);
}

/* Without sharding every replica updates all it has; its states sharded, a part of them. */
static void sharding_divides_the_update(void **state)
{
	struct paradl_oracle *const oracle = plain(*state);
	const struct paradl_plan serial = setup_plan("serial,micro=1", 64),
				 whole = setup_plan("data=32,micro=1", 64),
				 sharded = setup_plan("data=32,micro=1,zero=1", 64);
	const double once_s = setup_estimate(oracle, &serial).phase_s[PARADL_WEIGHT_UPDATE];
	assert_true(once_s > 0);
	assert_close(setup_estimate(oracle, &whole).phase_s[PARADL_WEIGHT_UPDATE], once_s, 1e-12);
	assert_close(setup_estimate(oracle, &sharded).phase_s[PARADL_WEIGHT_UPDATE], once_s / 32, 1e-12);
	/* And so it does layer by layer. */
	struct setup *const setup = *state;
	struct paradl_layer_table table;
	double layers_s = 0;
	assert_true(paradl_estimate_layers(oracle, &sharded, setup->arena, &table, &setup->error));
	for (size_t i = 0; i < table.count; ++i)
		layers_s += table.rows[i].weight_update_s;
	assert_close(layers_s, once_s / 32, 1e-9);
}

static void experts_travel(void **state)
{
	struct paradl_oracle *const oracle = oracle_of(*state, &experts, "", false);
	const struct paradl_plan plan = setup_plan("expert=8,micro=1", 8);
	const struct paradl_estimate estimate = setup_estimate(oracle, &plan);
	/* One sample a device: out and back, forward and backward, 7/8 of top_k copies of each token. */
	const double bytes = 4.0 * LAYERS * SEQUENCE * 2 * HIDDEN * 2 * 7 / 8;
	assert_close(estimate.phase_s[PARADL_ACTIVATION_EXCHANGE], bytes / link_rate, 1e-6);
	/* Experts are spread, everything else is replicated: only the latter is summed. */
	const struct paradl_plan data = setup_plan("data=8,micro=1", 8);
	const double all = setup_estimate(oracle, &data).phase_s[PARADL_GRADIENT_EXCHANGE];
	const double expert_bytes = 2.0 * LAYERS * 16 * 2 * HIDDEN * FFN;
	assert_close(all - estimate.phase_s[PARADL_GRADIENT_EXCHANGE], 2 * 7.0 / 8 * expert_bytes / link_rate,
		1e-6);
}

/* Equal stages but for the head: p - 1 stages wait (p - 1) / m of the work, interleaved 1 / v of that. */
static void pipelines_have_bubbles(void **state)
{
	struct transformer_shape headless = shape;
	headless.vocabulary = 128;
	struct paradl_oracle *const oracle = oracle_of(*state, &headless, "", false);
	const double p = 4, m = 16, work = m * LAYERS / p * (block_s() + block_backward_s());
	const struct paradl_plan plan = setup_plan("pipeline=4,micro=1", m);
	const struct paradl_plan chunks = setup_plan("pipeline=4,micro=1,schedule=interleaved:2", m);
	const struct paradl_estimate one = setup_estimate(oracle, &plan),
				     two = setup_estimate(oracle, &chunks);
	const double message = SEQUENCE * HIDDEN * 2 / link_rate;
	/* Messages there and back once, and one a micro-batch where two stages wait for one another in turn. */
	const double bubble = (p - 1) / m * work;
	assert_true(one.phase_s[PARADL_BUBBLE] > bubble + 2 * (p - 1) * message);
	assert_true(one.phase_s[PARADL_BUBBLE] < bubble + (m + 3 * (p - 1)) * message);
	assert_true(two.phase_s[PARADL_BUBBLE] < 0.6 * one.phase_s[PARADL_BUBBLE]);
	assert_true(two.phase_s[PARADL_BUBBLE] > 0.45 * one.phase_s[PARADL_BUBBLE]);
}

/* n equal buckets, each sent when its part of backward is done and the one before has gone. */
static double exposed_of_buckets(double backward_s, double exchange_s, unsigned count)
{
	double free_s = 0;
	for (unsigned i = 1; i <= count; ++i) {
		const double ready_s = backward_s * i / count;
		free_s = (free_s > ready_s ? free_s : ready_s) + exchange_s / count;
	}
	return free_s - backward_s;
}

static void gradients_hide_bucket_by_bucket(void **state)
{
	struct paradl_oracle *const oracle =
		oracle_of(*state, &shape, ", \"overlap_gradients\": 1, \"bucket\": \"20 MB\"", false);
	struct setup *const setup = *state;
	const unsigned replicas[] = {2, 8, 16, 64, 512};
	for (size_t i = 0; i < sizeof replicas / sizeof *replicas; ++i) {
		const struct paradl_plan plan =
			setup_plan(arena_printf(setup->arena, "data=%u,micro=1", replicas[i]), replicas[i]);
		const struct paradl_estimate estimate = setup_estimate(oracle, &plan);
		const unsigned count = (unsigned)(2 * weights(oracle) / 20e6) + 1;
		const double expected = exposed_of_buckets(
			estimate.phase_s[PARADL_BACKWARD], estimate.phase_s[PARADL_GRADIENT_EXCHANGE], count);
		/* The last bucket counts as hidden by the closed form where it is shorter than its part of backward. */
		const double last = estimate.phase_s[PARADL_GRADIENT_EXCHANGE] / count;
		assert_true(estimate.exposed_communication_s <= expected + 1e-9);
		assert_true(estimate.exposed_communication_s >= expected - last - 1e-9);
	}
	/* All in one bucket: it is full when backward ends. */
	const struct paradl_plan plan = setup_plan("data=8,micro=1", 8);
	const struct paradl_estimate estimate = setup_estimate(
		oracle_of(*state, &shape, ", \"overlap_gradients\": 1, \"bucket\": \"20 GB\"", false), &plan);
	assert_close(estimate.exposed_communication_s, estimate.phase_s[PARADL_GRADIENT_EXCHANGE], 1e-12);
}

static void degrees_of_one_change_nothing(void **state)
{
	struct paradl_oracle *const oracle = plain(*state);
	const char *const plans[][2] = {
		{"data=8,micro=1,zero=1", "data=8,tensor=1,context=1,pipeline=1,expert=1,micro=1,zero=1"},
		{"tensor=4,micro=1", "data=1,tensor=4,context=1,micro=1"},
		{"pipeline=4,micro=1", "pipeline=4,tensor=1,micro=1,schedule=1f1b"}};
	for (size_t i = 0; i < sizeof plans / sizeof *plans; ++i) {
		const struct paradl_plan a = setup_plan(plans[i][0], 32), b = setup_plan(plans[i][1], 32);
		const struct paradl_estimate x = setup_estimate(oracle, &a), y = setup_estimate(oracle, &b);
		assert_close(x.iteration_s, y.iteration_s, 1e-12);
		assert_close(x.memory_bytes, y.memory_bytes, 1e-12);
	}
}

static unsigned power(struct random *random, unsigned most)
{
	return 1U << random_between(random, 0, most);
}

static struct paradl_plan random_plan(struct setup *setup, struct random *random)
{
	static const char *const schedules[] = {"1f1b", "gpipe", "interleaved:2", "zero-bubble"};
	static const char *const kinds[] = {"none", "selective", "full"};
	/* One at a time: compilers draw a call's arguments in orders of their own. */
	const unsigned pipeline = power(random, 2);
	const unsigned tensor = power(random, 3);
	const unsigned micro = power(random, 1);
	const unsigned data = power(random, 4);
	const unsigned expert = power(random, 1);
	const unsigned context = power(random, 2);
	const unsigned zero = random_between(random, 0, 3);
	const char *text = arena_printf(setup->arena,
		"data=%u,expert=%u,context=%u,tensor=%u,micro=%u,zero=%u,recompute=%s", data, expert, context,
		tensor, micro, zero, kinds[random_between(random, 0, 2)]);
	if (tensor > 1 && random_true(random))
		text = arena_printf(setup->arena, "%s,sequence=on", text);
	if (pipeline > 1)
		text = arena_printf(setup->arena, "pipeline=%u,%s,schedule=%s", pipeline, text,
			schedules[random_between(random, 0, 3)]);
	struct paradl_plan plan = setup_plan(text, 1);
	plan.batch = 8.0 * micro * plan.degree[PARADL_DATA] * plan.degree[PARADL_EXPERT];
	return plan;
}

static void random_plans_add_up(void **state)
{
	struct setup *const setup = *state;
	const char *const training =
		", \"overlap_gradients\": 0.5, \"overlap_tensor\": 0.3, \"overlap_gathers\": "
		"0.5, \"overlap_shards\": 0.5, \"host_layer\": \"0.1 ms\", "
		"\"stage_blocking\": 0.5";
	struct paradl_oracle *const oracle = oracle_of(setup, &experts, training, false);
	struct paradl_oracle *const events = oracle_of(setup, &experts, training, true);
	struct random random = {20261121};
	for (unsigned i = 0; i < 300; ++i) {
		const struct paradl_plan plan = random_plan(setup, &random);
		const struct paradl_estimate estimate = setup_estimate(oracle, &plan);
		double sum = 0;
		for (unsigned phase = 0; phase < PARADL_PHASE_COUNT; ++phase) {
			assert_true(estimate.phase_s[phase] >= 0);
			sum += estimate.phase_s[phase];
		}
		const double hidden = estimate.communication_s - estimate.exposed_communication_s;
		assert_true(hidden >= -1e-12 && hidden <= estimate.communication_s);
		assert_close(estimate.iteration_s, sum - hidden, 1e-9);
		assert_close(setup_estimate(events, &plan).iteration_s, estimate.iteration_s, 1e-9);
		struct paradl_plan more = plan;
		more.batch *= 2;
		assert_true(setup_estimate(oracle, &more).iteration_s > estimate.iteration_s);
		/* Published rates count attention in full, of which causal kernels skip half. */
		assert_true(estimate.mfu > 0 && estimate.mfu < 1.3);
	}
}

static struct paradl_oracle *program(struct setup *setup, unsigned apart)
{
	const double replicas = apart & PARADL_OVERLAP_GRADIENTS ? 0 : 0.5,
		     tensor = apart & PARADL_OVERLAP_TENSOR ? 0 : 0.3,
		     expert = apart & PARADL_OVERLAP_EXPERTS ? 0 : 0.7;
	return oracle_of(setup, &experts,
		arena_printf(setup->arena,
			", \"host_layer\": \"0.1 ms\", \"overlap_gradients\": %g, \"overlap_gathers\": %g, "
			"\"overlap_shards\": %g, \"overlap_tensor\": %g, \"overlap_experts\": %g",
			replicas, replicas, replicas, tensor, expert),
		false);
}

/* A plan without an overlap is that of a program that has none; hiding less never saves time. */
static void overlaps_can_be_left_out(void **state)
{
	struct setup *const setup = *state;
	struct paradl_oracle *programs[8];
	struct random random = {20261122};
	for (unsigned apart = 0; apart < 8; ++apart)
		programs[apart] = program(setup, apart);
	for (unsigned i = 0; i < 60; ++i) {
		struct paradl_plan plan = random_plan(setup, &random);
		double iteration_s[8];
		for (unsigned apart = 0; apart < 8; ++apart) {
			plan.apart = 0;
			const struct paradl_estimate theirs = setup_estimate(programs[apart], &plan);
			plan.apart = apart;
			const struct paradl_estimate estimate = setup_estimate(programs[0], &plan);
			iteration_s[apart] = estimate.iteration_s;
			assert_close(estimate.iteration_s, theirs.iteration_s, 0);
			assert_memory_equal(estimate.phase_s, theirs.phase_s, sizeof estimate.phase_s);
			for (unsigned bit = 1; bit < 8; bit *= 2)
				assert_true(iteration_s[apart] >= iteration_s[apart & ~bit] * (1 - 1e-12));
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		setup_test(one_device_computes),
		setup_test(recomputation_runs_blocks_again),
		setup_test(tensor_sums_partial_results),
		setup_test(replicas_exchange_gradients),
		setup_test(exchanges_are_described),
		setup_test(sharding_divides_the_update),
		setup_test(experts_travel),
		setup_test(pipelines_have_bubbles),
		setup_test(gradients_hide_bucket_by_bucket),
		setup_test(degrees_of_one_change_nothing),
		setup_test(random_plans_add_up),
		setup_test(overlaps_can_be_left_out),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
