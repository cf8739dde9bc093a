/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which plans of a network of tokens can run at all, why the others cannot, and that what is named instead can. */
#include "oracle/setup.h"

#include "model/transformer.h"

static const struct transformer_shape dense = {.name = "dense",
	.layers = 8,
	.hidden = 384,
	.heads = 12,
	.kv_heads = 4,
	.vocabulary = 1000,
	.sequence = 64,
	.precision = "fp32",
	.optimizer = "adam"};

static struct paradl_oracle *oracle_of(struct setup *setup, const struct transformer_shape *shape)
{
	const struct paradl_model *const model = transformer_build(setup->arena, shape, &setup->error);
	if (!model)
		fail_msg("%s %s", setup->error.pointer, setup->error.message);
	const struct paradl_machine *const machine = setup_machine(setup, SETUP_DEVICE,
		"{\"name\": \"node\", \"devices\": 8, \"latency\": \"1 us\", \"bandwidth\": \"50 GB/s\"}, "
		"{\"name\": \"all\", \"devices\": 4096, \"latency\": \"5 us\", \"bandwidth\": \"10 GB/s\"}");
	return setup_oracle(setup, model, machine, setup_framework(setup, ", " SETUP_SPLIT_ALL), false);
}

static void assert_runs(struct paradl_oracle *oracle, const char *text, double batch)
{
	const struct paradl_plan plan = setup_plan(text, batch);
	struct paradl_estimate estimate;
	struct paradl_error error = {0};
	if (!paradl_estimate(oracle, &plan, &estimate, &error))
		fail_msg("%s: %s (%s)", text, error.message, error.hint);
}

static void assert_refused(
	struct paradl_oracle *oracle, const char *text, double batch, const char *message, const char *hint)
{
	const struct paradl_plan plan = setup_plan(text, batch);
	struct paradl_estimate estimate;
	struct paradl_error error = {0};
	if (paradl_estimate(oracle, &plan, &estimate, &error))
		fail_msg("%s is accepted", text);
	assert_int_equal(error.status, PARADL_INFEASIBLE);
	assert_string_equal(error.message, message);
	assert_string_equal(error.hint, hint);
}

/* 8 blocks, and the embedding, the norm at the end, the head and the loss. */
static void pipelines_have_a_unit_for_each_stage(void **state)
{
	struct paradl_oracle *const oracle = oracle_of(*state, &dense);
	assert_refused(oracle, "pipeline=16", 64,
		"needs 16 stages; the network can be cut into 12 (branches stay together)",
		"at most pipeline=12");
	assert_runs(oracle, "pipeline=12", 64);
	assert_refused(oracle, "pipeline=8,schedule=interleaved:2", 64,
		"needs 16 stages; the network can be cut into 12 (branches stay together)",
		"at most pipeline=6 with 2 stages on each device");
	assert_runs(oracle, "pipeline=6,schedule=interleaved:2", 60);
	assert_refused(oracle, "pipeline=8,schedule=zero-bubble-v", 64,
		"needs 16 stages; the network can be cut into 12 (branches stay together)",
		"at most pipeline=6 with 2 stages on each device");
}

static void interleaved_schedules_have_whole_rounds(void **state)
{
	struct paradl_oracle *const oracle = oracle_of(*state, &dense);
	assert_runs(oracle, "pipeline=4,schedule=interleaved:2,micro=1", 8);
	assert_refused(oracle, "pipeline=4,schedule=interleaved:2,micro=1", 10,
		"an interleaved schedule needs a multiple of 4 micro-batches; a replica has 10",
		"--batch 12, or schedule=1f1b");
	assert_runs(oracle, "pipeline=4,schedule=interleaved:2,micro=1", 12);
	assert_runs(oracle, "pipeline=4,schedule=1f1b,micro=1", 10);
	assert_refused(oracle, "data=3,pipeline=4,schedule=interleaved:2,micro=2", 30,
		"an interleaved schedule needs a multiple of 4 micro-batches; a replica has 5",
		"--batch 48, or schedule=1f1b");
	assert_runs(oracle, "data=3,pipeline=4,schedule=interleaved:2,micro=2", 48);
}

static void tensor_has_heads(void **state)
{
	struct paradl_oracle *const oracle = oracle_of(*state, &dense);
	struct paradl_plan plan = setup_plan("tensor=12", 8);
	assert_refused(oracle, "tensor=16", 8,
		"needs 16 heads in every layer it cuts; block/0/attn allows 12",
		"at most tensor=12; the other devices along data");
	assert_false(setup_estimate(oracle, &plan).uneven);
	plan = setup_plan("tensor=8", 8); /* 12 heads: two on some, one on others */
	assert_true(setup_estimate(oracle, &plan).uneven);
}

static void context_has_tokens_and_ulysses_heads(void **state)
{
	struct paradl_oracle *const oracle = oracle_of(*state, &dense);
	assert_refused(oracle, "context=128", 8,
		"needs 128 tokens in every layer it cuts; block/0/attn allows 64",
		"at most context=64; the other devices along data");
	assert_runs(oracle, "context=64", 8);
	assert_runs(oracle, "context=4:ulysses", 8);
	assert_refused(oracle, "context=8:ulysses", 8,
		"needs 8 heads of keys and values, for the devices along context and tensor; "
		"block/0/attn "
		"has 4",
		"context=8:ring or context=8:gather");
	assert_runs(oracle, "context=8:ring", 8);
	assert_runs(oracle, "context=8:gather", 8);
	assert_refused(oracle, "context=4:ulysses,tensor=2", 8,
		"needs 8 heads of keys and values, for the devices along context and tensor; "
		"block/0/attn "
		"has 4",
		"context=4:ring or context=4:gather");
}

static void experts_are_dealt_out_evenly(void **state)
{
	struct transformer_shape shape = dense;
	struct paradl_oracle *oracle = oracle_of(*state, &dense);
	assert_refused(oracle, "expert=2", 8, "framework cuts no layer of this network along expert",
		"another strategy: this one is for mixtures of experts");
	shape.experts = 12;
	shape.top_k = 2;
	shape.moe_ffn = 64;
	oracle = oracle_of(*state, &shape);
	assert_runs(oracle, "expert=6", 12);
	assert_refused(oracle, "expert=16", 16,
		"needs 16 experts in every layer it cuts; block/0/moe allows 12",
		"at most expert=12; the other devices along data");
	assert_refused(oracle, "expert=8", 8,
		"needs as many experts on each device: block/0/moe has 12 for 8 devices", "expert=6");
	/* The tensor axis' devices have experts of their own, unless it cuts each of them. */
	assert_runs(oracle, "expert=6,tensor=2", 12);
	assert_refused(oracle, "expert=6,tensor=4", 12,
		"needs as many experts on each device: block/0/moe has 12 for 24 devices",
		"experts=tensor and expert=6");
	assert_runs(oracle, "expert=6,tensor=4,experts=tensor", 12);
}

/* The expert axis has samples of its own. */
static void each_replica_has_a_sample(void **state)
{
	struct transformer_shape shape = dense;
	shape.experts = 8;
	shape.top_k = 2;
	shape.moe_ffn = 64;
	struct paradl_oracle *const oracle = oracle_of(*state, &shape);
	assert_refused(oracle, "data=4,expert=4", 15,
		"needs a sample per replica: 16 replicas share a batch of 15",
		"--batch 16, or fewer devices along data and expert");
	assert_runs(oracle, "data=4,expert=4", 16);
	assert_runs(oracle, "data=4,context=4,tensor=2", 4); /* those have none */
	const struct paradl_plan plan = setup_plan("data=4,expert=4,context=2", 160);
	assert_close(setup_estimate(oracle, &plan).local_batch, 10, 0);
}

/* One sample in each micro-batch, unless the plan says otherwise. */
static void micro_batches_of_tokens_are_samples(void **state)
{
	struct paradl_oracle *const oracle = oracle_of(*state, &dense);
	static const struct {
		const char *plan;
		double micro_batches;
	} cases[] = {{"data=4", 6}, {"data=4,micro=2", 3}, {"pipeline=4", 24}, {"pipeline=4,micro=5", 5},
		{"tensor=4,micro=24", 1}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
		const struct paradl_plan plan = setup_plan(cases[i].plan, 24);
		assert_close(setup_estimate(oracle, &plan).micro_batches, cases[i].micro_batches, 0);
	}
}

static void offloading_needs_a_rate(void **state)
{
	struct paradl_oracle *const oracle = oracle_of(*state, &dense);
	assert_refused(oracle, "data=4,offload=optimizer", 8,
		"offloads to host memory, and how fast d reaches that is not known",
		"\"host_rate\" in the profile of the device, or no offload");
}

/* Axes of tokens cut no images. */
static void images_have_no_tokens(void **state)
{
	struct setup *const setup = *state;
	const struct paradl_model *const model =
		setup_model(setup, "\"input\": {\"channels\": 8, \"shape\": [16, 16]}",
			"{\"type\": \"conv\", \"out\": 8, \"kernel\": 3, \"pad\": 1}");
	const struct paradl_machine *const machine = setup_machine(setup, SETUP_DEVICE,
		"{\"name\": \"all\", \"devices\": 64, \"latency\": \"5 us\", \"bandwidth\": \"10 GB/s\"}");
	for (unsigned ideal = 0; ideal < 2; ++ideal) {
		struct paradl_oracle *const oracle = setup_oracle(
			setup, model, machine, setup_framework(setup, ", " SETUP_SPLIT_ALL), ideal == 1);
		assert_refused(oracle, "tensor=2", 8, "framework cuts no layer of this network along tensor",
			"another strategy: this one is for networks of tokens");
		assert_refused(oracle, "context=2", 8,
			"framework cuts no layer of this network along context",
			"another strategy: this one is for networks of tokens");
		assert_refused(oracle, "expert=2", 8, "framework cuts no layer of this network along expert",
			"another strategy: this one is for mixtures of experts");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		setup_test(pipelines_have_a_unit_for_each_stage),
		setup_test(interleaved_schedules_have_whole_rounds),
		setup_test(tensor_has_heads),
		setup_test(context_has_tokens_and_ulysses_heads),
		setup_test(experts_are_dealt_out_evenly),
		setup_test(each_replica_has_a_sample),
		setup_test(micro_batches_of_tokens_are_samples),
		setup_test(offloading_needs_a_rate),
		setup_test(images_have_no_tokens),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
