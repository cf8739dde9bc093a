/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Memory of steps against closed forms: activations of a block (Korthikanti et al., 2022, equations 1 to 6, and 16 bytes
 * for each token of two norms' statistics, which they leave out), states of the ZeRO table (Rajbhandari et al., 2020),
 * micro-batches in flight of each schedule; and what must never grow.
 */
#include "oracle/setup.h"

#include "model/transformer.h"

enum { HIDDEN = 512, HEADS = 8, SEQUENCE = 256, MICRO = 2 };
static const double tokens = (double)SEQUENCE * MICRO;

static struct paradl_oracle *oracle_of(
	struct setup *setup, unsigned layers, bool unfused, const char *training)
{
	const struct transformer_shape shape = {.name = "gpt",
		.layers = layers,
		.hidden = HIDDEN,
		.heads = HEADS,
		.vocabulary = 1024,
		.sequence = SEQUENCE,
		.attention_bias = true,
		.mlp_bias = true,
		.dropout = 0.1,
		.attention_dropout = 0.1,
		.unfused = unfused,
		.precision = "fp16-mixed",
		.optimizer = "adam"};
	const struct paradl_model *const model = transformer_build(setup->arena, &shape, &setup->error);
	if (!model)
		fail_msg("%s %s", setup->error.pointer, setup->error.message);
	const struct paradl_machine *const machine = setup_machine(setup,
		"\"memory\": \"16 GB\", \"memory_rate\": \"1 TB/s\", \"peak\": {\"fp32\": \"10 Tflop/s\", "
		"\"fp16\": \"100 Tflop/s\"}, \"contraction\": {\"efficiency\": 1}",
		"{\"name\": \"node\", \"devices\": 8, \"latency\": \"1 us\", \"bandwidth\": \"50 GB/s\"}, "
		"{\"name\": \"all\", \"devices\": 4096, \"latency\": \"5 us\", \"bandwidth\": \"10 GB/s\"}");
	return setup_oracle(setup, model, machine,
		setup_framework(setup, arena_printf(setup->arena, ", \"training\": {%s}", training)), false);
}

static struct paradl_estimate estimate_of(struct paradl_oracle *oracle, const char *text, double batch)
{
	const struct paradl_plan plan = setup_plan(text, batch);
	struct paradl_estimate estimate;
	struct paradl_error error = {0};
	if (!paradl_estimate(oracle, &plan, &estimate, &error))
		fail_msg("%s: %s (%s)", text, error.message, error.hint);
	return estimate;
}

static double activations(struct paradl_oracle *oracle, const char *text)
{
	char with_micro[120];
	snprintf(with_micro, sizeof with_micro, "%s,micro=%d", text, MICRO);
	const struct paradl_estimate estimate = estimate_of(oracle, with_micro, MICRO);
	assert_int_equal(estimate.memory.moment, PARADL_MOMENT_BACKWARD);
	return estimate.memory.activations_bytes;
}

/* What eight blocks keep more than four: the embedding, the head and what lives in one backward cancel. */
static void blocks_keep_what_the_paper_says(void **state)
{
	struct setup *const setup = *state;
	const double t = 4, scores = 5.0 * HEADS * SEQUENCE / HIDDEN, statistics = 16.0 / HIDDEN;
	const struct {
		const char *plan;
		double per_item; /* bytes of s b h */
	} cases[] = {
		{"serial", 34 + scores + statistics},
		{"tensor=4", 10 + 24 / t + scores / t + statistics},
		{"tensor=4,sequence=on", (34 + scores + statistics) / t},
		{"tensor=4,recompute=selective", 10 + 24 / t + statistics},
		{"tensor=4,sequence=on,recompute=selective", (34 + statistics) / t},
		{"serial,recompute=selective", 34 + statistics},
		{"tensor=4,recompute=full", 2},
		{"tensor=4,sequence=on,recompute=full", 2 / t},
		{"serial,recompute=full", 2},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
		const double four = activations(oracle_of(setup, 4, true, ""), cases[i].plan);
		const double eight = activations(oracle_of(setup, 8, true, ""), cases[i].plan);
		print_message("# %s\n", cases[i].plan);
		assert_close(eight - four, 4 * cases[i].per_item * tokens * HIDDEN, 1e-9);
	}
}

/* A fused kernel keeps the log-sum-exp in fp32 instead of the scores. */
static void fused_attention_keeps_no_scores(void **state)
{
	struct setup *const setup = *state;
	const double four = activations(oracle_of(setup, 4, false, ""), "serial");
	const double eight = activations(oracle_of(setup, 8, false, ""), "serial");
	assert_close(eight - four, 4 * tokens * (HIDDEN * 34.0 + 16 + 4.0 * HEADS), 1e-9);
}

/* Of eight blocks so many are recomputed: the others keep all of 34 s b h and scores. */
static void some_blocks_are_recomputed(void **state)
{
	struct paradl_oracle *const oracle = oracle_of(*state, 8, true, "");
	const double whole = tokens * (HIDDEN * (34.0 + 5.0 * HEADS * SEQUENCE / HIDDEN) + 16);
	const double two = activations(oracle, "serial,recompute=full:2");
	const double six = activations(oracle, "serial,recompute=full:6");
	assert_close(two - six, 4 * (whole - 2 * tokens * HIDDEN), 1e-9);
	assert_close(activations(oracle, "serial,recompute=full:8"),
		activations(oracle, "serial,recompute=full"), 1e-12);
	const struct paradl_estimate a = estimate_of(oracle, "serial,recompute=full:2", MICRO),
				     b = estimate_of(oracle, "serial,recompute=full:6", MICRO);
	assert_close(3 * a.phase_s[PARADL_RECOMPUTE], b.phase_s[PARADL_RECOMPUTE], 1e-9);
}

/* Bytes of each parameter: 2 + 2 + 12 without zero (gradients of 4: 18), then divided by the four replicas. */
static void states_are_those_of_the_zero_table(void **state)
{
	struct setup *const setup = *state;
	const struct {
		const char *plan, *training;
		double weights, gradients, optimizer;
	} cases[] = {
		{"data=4", "\"gradient_bytes\": \"2 B\"", 2, 2, 12},
		{"data=4", "\"gradient_bytes\": \"4 B\"", 2, 4, 12},
		{"data=4", "\"gradient_bytes\": \"2 B\", \"gradient_held\": \"4 B\"", 2, 4, 12},
		{"data=4,zero=1", "\"gradient_bytes\": \"2 B\"", 2, 2, 3},
		{"data=4,zero=2", "\"gradient_bytes\": \"2 B\"", 2, 0.5, 3},
		{"data=4,zero=3", "\"gradient_bytes\": \"2 B\"", 0.5, 0.5, 3},
		{"data=4,zero=3,shard=2", "\"gradient_bytes\": \"2 B\"", 1, 1, 6},
		{"data=2,context=2,zero=1", "\"gradient_bytes\": \"2 B\"", 2, 2, 3},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
		const struct paradl_estimate got =
			estimate_of(oracle_of(setup, 4, false, cases[i].training), cases[i].plan, 4);
		/* 12 L h^2 + 13 L h of the blocks, two tables, the norm at the end. */
		const double parameters =
			4 * (12.0 * HIDDEN * HIDDEN + 13.0 * HIDDEN) + 2 * 1024.0 * HIDDEN + 2.0 * HIDDEN;
		print_message("# %s\n", cases[i].plan);
		assert_close(got.memory.weights_bytes, cases[i].weights * parameters, 1e-12);
		assert_close(got.memory.gradients_bytes, cases[i].gradients * parameters, 1e-12);
		assert_close(got.memory.optimizer_bytes, cases[i].optimizer * parameters, 1e-12);
	}
}

static void schedules_hold_micro_batches(void **state)
{
	struct paradl_oracle *const oracle = oracle_of(*state, 16, false, "");
	const struct {
		const char *plan;
		double held; /* by the fullest, of eight */
	} cases[] = {
		{"pipeline=4,micro=2,schedule=gpipe", 8},
		{"pipeline=4,micro=2,schedule=1f1b", 4},
		{"pipeline=4,micro=2,schedule=interleaved:2", 5.5}, /* 2 (p - 1) + (v - 1) p + 1 halves */
		{"pipeline=4,micro=2,schedule=interleaved:4", 4.75},
		{"pipeline=4,micro=2,schedule=zero-bubble", 4},
		{"pipeline=4,micro=2,schedule=zero-bubble-2p", 8},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
		const struct paradl_estimate got = estimate_of(oracle, cases[i].plan, 16);
		print_message("# %s\n", cases[i].plan);
		assert_close(got.memory.in_flight, cases[i].held, 1e-12);
		assert_true(got.memory.stage >= 1 && got.memory.stage <= 4);
	}
	assert_close(estimate_of(oracle, "serial", 1).memory.in_flight, 1, 0);
	assert_int_equal(estimate_of(oracle, "serial", 1).memory.stage, 0);
}

/* A step whose temporaries are larger than all activations, and a loss whose scores are. */
static void the_moment_follows_what_is_largest(void **state)
{
	struct setup *const setup = *state;
	const struct paradl_estimate step =
		estimate_of(oracle_of(setup, 4, false, "\"step_memory\": \"900 B\""), "serial", 1);
	assert_int_equal(step.memory.moment, PARADL_MOMENT_STEP);
	assert_close(step.memory.activations_bytes, 0, 0);
	const struct paradl_estimate loss = estimate_of(
		oracle_of(setup, 4, false, "\"logits_bytes\": \"900 B\""), "serial,micro=2", MICRO);
	assert_int_equal(loss.memory.moment, PARADL_MOMENT_LOSS);
	assert_close(loss.memory.logits_bytes, 900 * tokens * 1024, 1e-12);
}

/* Pairs of which the second never needs more. */
static void options_save_memory(void **state)
{
	struct paradl_oracle *const oracle = oracle_of(*state, 16, true, "\"fragmentation\": 0.1");
	static const char *const chains[][4] = {
		{"data=8,micro=4", "data=8,micro=4,zero=1", "data=8,micro=4,zero=2", "data=8,micro=4,zero=3"},
		{"tensor=2,micro=4", "tensor=2,micro=4,recompute=selective",
			"tensor=2,micro=4,recompute=full", "tensor=2,micro=4,recompute=full,sequence=on"},
		{"data=8,micro=4", "data=8,tensor=2,micro=4", "data=8,tensor=4,micro=4",
			"data=8,tensor=8,micro=4"},
		{"pipeline=4,micro=8", "pipeline=4,micro=4", "pipeline=4,micro=2", "pipeline=4,micro=1"},
		{"pipeline=4,micro=1,schedule=gpipe", "pipeline=4,micro=1,schedule=zero-bubble-2p",
			"pipeline=4,micro=1,schedule=interleaved:2", "pipeline=4,micro=1,schedule=1f1b"},
		{"data=8,micro=4,recompute=full:1", "data=8,micro=4,recompute=full:4",
			"data=8,micro=4,recompute=full:15", "data=8,micro=4,recompute=full"},
		{"data=8,micro=4", "data=8,context=2,micro=4", "data=8,context=4,micro=4",
			"data=8,context=8,micro=4"},
	};
	for (size_t i = 0; i < sizeof chains / sizeof *chains; ++i)
		for (unsigned k = 0; k < 3; ++k) {
			const double more = estimate_of(oracle, chains[i][k], 64).memory_bytes;
			const double less = estimate_of(oracle, chains[i][k + 1], 64).memory_bytes;
			if (less > more)
				fail_msg("%s needs %g, %s %g", chains[i][k], more, chains[i][k + 1], less);
		}
}

/* Every class is part of the sum, and the sum is what is compared with the device. */
static void classes_add_up(void **state)
{
	struct paradl_oracle *const oracle = oracle_of(*state, 8, true,
		"\"fragmentation\": 0.05, \"context\": \"1 GB\", \"communicator\": \"100 MB\"");
	const struct paradl_estimate got =
		estimate_of(oracle, "data=2,pipeline=2,tensor=2,micro=1,zero=1", 16);
	const struct paradl_memory *const memory = &got.memory;
	assert_close(memory->context_bytes, 1.3e9, 1e-12);
	assert_close(memory->fragmentation_bytes,
		0.05 * (memory->activations_bytes + memory->logits_bytes + memory->communication_bytes),
		1e-12);
	assert_close(got.memory_bytes,
		memory->weights_bytes + memory->gradients_bytes + memory->optimizer_bytes +
			memory->activations_bytes + memory->logits_bytes + memory->workspace_bytes +
			memory->communication_bytes + memory->context_bytes + memory->fragmentation_bytes,
		1e-12);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		setup_test(blocks_keep_what_the_paper_says),
		setup_test(fused_attention_keeps_no_scores),
		setup_test(some_blocks_are_recomputed),
		setup_test(states_are_those_of_the_zero_table),
		setup_test(schedules_hold_micro_batches),
		setup_test(the_moment_follows_what_is_largest),
		setup_test(options_save_memory),
		setup_test(classes_add_up),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
