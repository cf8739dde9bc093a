/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * recompute=modules against closed forms: what latent attention and experts need not keep (modules mla_up_proj, moe_act and
 * layernorm of Megatron-Core), the products and passes that make it once more; and what scores move with and without dropout.
 */
#include "oracle/random.h"
#include "oracle/setup.h"

#include <math.h>

#include "model/transformer.h"
#include "oracle/oracle.h"

enum { HIDDEN = 512, HEADS = 8, SEQUENCE = 256, QUERIES = 192, KEYS = 128, ROPE = 16, NOPE = 32, VALUE = 48 };
enum { EXPERTS = 16, TOP_K = 4, WIDTH = 320, SHARED = 64, MICRO = 2, ROUNDS = 8 };
static const double tokens = (double)SEQUENCE * MICRO;

struct subject {
	bool is_latent, has_experts;
	unsigned query_rank;
	const char *training; /* further rules of the program */
	bool unfused;
	double dropout;
};

/* Returns an oracle of a network whose memory costs no time, or whose products cost none. */
static struct paradl_oracle *oracle_of(
	struct setup *setup, const struct subject *subject, unsigned layers, bool counts_bytes)
{
	struct transformer_shape shape = {.name = "t",
		.layers = layers,
		.hidden = HIDDEN,
		.heads = HEADS,
		.ffn = WIDTH,
		.gated = true,
		.vocabulary = 64,
		.sequence = SEQUENCE,
		.precision = "bf16-mixed",
		.optimizer = "adam"};
	shape.unfused = subject->unfused;
	shape.dropout = shape.attention_dropout = subject->dropout;
	if (subject->is_latent) {
		shape.q_rank = subject->query_rank;
		shape.kv_rank = KEYS;
		shape.rope_dim = ROPE;
		shape.nope_dim = NOPE;
		shape.value_dim = VALUE;
	}
	if (subject->has_experts) {
		shape.experts = EXPERTS;
		shape.top_k = TOP_K;
		shape.moe_ffn = WIDTH;
		shape.shared_ffn = SHARED;
	}
	const struct paradl_model *const model = transformer_build(setup->arena, &shape, &setup->error);
	if (!model)
		fail_msg("%s %s", setup->error.pointer, setup->error.message);
	const struct paradl_machine *const machine = setup_machine(setup,
		arena_printf(setup->arena,
			"\"memory\": \"64 GB\", \"memory_rate\": \"%s\", \"peak\": {\"fp32\": \"%s\", "
			"\"bf16\": "
			"\"%s\"}, \"contraction\": {\"efficiency\": 1}, \"attention\": {\"forward\": 1, "
			"\"backward\": 1}",
			counts_bytes ? "1 TB/s" : "1e17 B/s", counts_bytes ? "1e22 flop/s" : "100 Tflop/s",
			counts_bytes ? "1e22 flop/s" : "100 Tflop/s"),
		"{\"name\": \"node\", \"devices\": 64, \"latency\": \"1 us\", \"bandwidth\": \"50 GB/s\"}");
	return setup_oracle(setup, model, machine,
		setup_framework(setup, arena_printf(setup->arena, ", \"rules\": {\"passes\": 1%s}",
					       subject->training ? subject->training : "")),
		false);
}

static struct paradl_estimate estimate_of(
	struct paradl_oracle *oracle, const char *plan, const char *recompute)
{
	char text[PARADL_PLAN_TEXT];
	struct paradl_estimate estimate;
	struct paradl_error error = {0};
	snprintf(text, sizeof text, "%s,micro=%d,recompute=%s", plan, MICRO, recompute);
	const struct paradl_plan parsed = setup_plan(text, ROUNDS * MICRO);
	if (!paradl_estimate(oracle, &parsed, &estimate, &error))
		fail_msg("%s: %s (%s)", text, error.message, error.hint);
	return estimate;
}

/* Bytes that four blocks more keep. */
static double four_blocks(
	struct setup *setup, const struct subject *subject, const char *plan, const char *recompute)
{
	const struct paradl_estimate four = estimate_of(oracle_of(setup, subject, 4, false), plan, recompute),
				     eight = estimate_of(
					     oracle_of(setup, subject, 8, false), plan, recompute);
	assert_int_equal(four.memory.moment, PARADL_MOMENT_BACKWARD);
	return eight.memory.activations_bytes - four.memory.activations_bytes;
}

static const struct subject networks[] = {
	{.is_latent = true, .has_experts = true, .query_rank = QUERIES, .training = NULL},
	{.is_latent = true, .has_experts = false, .query_rank = QUERIES, .training = NULL},
	{.is_latent = true, .has_experts = true, .query_rank = 0, .training = NULL},
	{.is_latent = false, .has_experts = true, .query_rank = 0, .training = NULL}};
enum { NETWORKS = sizeof networks / sizeof *networks };

static void modules_keep_less(void **state)
{
	const double heads = HEADS, keys = heads * (ROPE + NOPE) + heads * VALUE;
	for (size_t i = 0; i < NETWORKS; ++i) {
		const struct subject *const of = &networks[i];
		const double norms = HIDDEN * ((of->is_latent ? 1.0 : 0) + (of->has_experts ? 1.0 : 0));
		const double cut = of->is_latent ? keys + (of->query_rank ? heads * (ROPE + NOPE) : 0) : 0;
		const double copies = of->has_experts ? (double)TOP_K * WIDTH : 0;
		const struct {
			const char *plan;
			double items; /* of one token, that one device need not keep */
		} cases[] = {
			{"serial", norms + cut + copies},
			{"tensor=2", norms + cut / 2 + copies / 2},
			{"tensor=2,sequence=on", (norms + cut + copies) / 2},
		};
		for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
			const double none = four_blocks(*state, of, cases[k].plan, "none");
			const double modules = four_blocks(*state, of, cases[k].plan, "modules");
			print_message("# network %zu, %s\n", i, cases[k].plan);
			assert_close(none - modules, 4 * 2 * tokens * cases[k].items, 1e-9);
		}
	}
}

/* Products from the latents, where bytes cost nothing. */
static void products_run_once_more(void **state)
{
	const double heads = HEADS, layers = 4;
	for (size_t i = 0; networks[i].is_latent; ++i) {
		const struct subject *const of = &networks[i];
		const double columns = heads * (NOPE + VALUE);
		const double weights = of->query_rank * heads * (ROPE + NOPE) + KEYS * columns;
		const struct paradl_estimate got =
			estimate_of(oracle_of(*state, of, (unsigned)layers, false), "serial", "modules");
		assert_close(
			got.phase_s[PARADL_RECOMPUTE], ROUNDS * layers * 2 * tokens * weights / 100e12, 1e-3);
	}
}

/* Norms, the experts' activation, and the pass over queries, keys and values, where products cost bytes only. */
static void passes_run_once_more(void **state)
{
	const double layers = 4, heads = HEADS, width = ROPE + NOPE;
	const struct subject
		of = {.is_latent = false, .has_experts = true, .query_rank = 0, .training = NULL},
		latent = {.is_latent = true, .has_experts = false, .query_rank = QUERIES, .training = NULL};
	const struct paradl_estimate experts =
		estimate_of(oracle_of(*state, &of, (unsigned)layers, true), "serial", "modules");
	const double items = tokens * (2.0 * HIDDEN + 3.0 * TOP_K * WIDTH);
	assert_close(experts.phase_s[PARADL_RECOMPUTE], ROUNDS * layers * items * 2 / 1e12, 1e-9);
	const struct paradl_estimate attention =
		estimate_of(oracle_of(*state, &latent, (unsigned)layers, true), "serial", "modules");
	const double passes = tokens * (2.0 * HIDDEN + 2 * heads * (2 * width + VALUE));
	assert_true(attention.phase_s[PARADL_RECOMPUTE] >= ROUNDS * layers * passes * 2 / 1e12);
}

/* Without experts and latent attention there is nothing that modules drop beyond scores. */
static void dense_networks_have_no_modules(void **state)
{
	const struct subject dense = {
		.is_latent = false, .has_experts = false, .query_rank = 0, .training = NULL};
	struct paradl_oracle *const oracle = oracle_of(*state, &dense, 4, false);
	const struct paradl_estimate selective = estimate_of(oracle, "serial", "selective"),
				     modules = estimate_of(oracle, "serial", "modules");
	assert_false(oracle->model->has_modules);
	assert_close(selective.memory_bytes, modules.memory_bytes, 0);
	assert_close(selective.iteration_s, modules.iteration_s, 0);
	assert_true(oracle_of(*state, &networks[0], 4, false)->model->has_modules);
}

/* Scores made again: dropout reads and writes each once more, and writes its mask: 5 of 13 bytes; products are the same. */
static void scores_without_dropout_move_less(void **state)
{
	const double layers = 4, score_bytes = 10;
	const struct subject with = {.unfused = true, .dropout = 0.1}, without = {.unfused = true};
	const double more_s =
		estimate_of(oracle_of(*state, &with, (unsigned)layers, true), "serial", "selective")
			.phase_s[PARADL_RECOMPUTE] -
		estimate_of(oracle_of(*state, &without, (unsigned)layers, true), "serial", "selective")
			.phase_s[PARADL_RECOMPUTE];
	const double scores = ROUNDS * MICRO * layers * HEADS * SEQUENCE * SEQUENCE;
	assert_close(more_s, scores * score_bytes * 5 / 13 / 1e12, 1e-9);
}

/* Experts that weight what they make do not keep it: h items for each copy of a token. */
static void results_weighted_inside_are_not_kept(void **state)
{
	const struct subject after = {.is_latent = false,
				     .has_experts = true,
				     .query_rank = 0,
				     .training = NULL},
			     inside = {.is_latent = false,
				     .has_experts = true,
				     .query_rank = 0,
				     .training = ", \"weights_inside\": true"};
	const double kept = four_blocks(*state, &after, "serial", "none"),
		     less = four_blocks(*state, &inside, "serial", "none");
	assert_close(kept - less, 4 * 2 * tokens * TOP_K * HIDDEN, 1e-9);
	assert_close(four_blocks(*state, &after, "serial", "full"),
		four_blocks(*state, &inside, "serial", "full"), 0);
}

/* The more is recomputed, the longer it takes and the less is kept, in plans of all kinds. */
static void modules_are_between_scores_and_blocks(void **state)
{
	static const char *const names[] = {"none", "selective", "modules", "full"};
	struct random random = {17};
	for (unsigned round = 0; round < 200; ++round) {
		const struct subject *const of = &networks[random_between(&random, 0, NETWORKS - 1)];
		struct paradl_oracle *const oracle = oracle_of(*state, of, 8, random_true(&random));
		const unsigned tensor = 1u << random_between(&random, 0, 2),
			       pipeline = 1u << random_between(&random, 0, 2);
		char plan[PARADL_PLAN_TEXT];
		snprintf(plan, sizeof plan, "data=%u,pipeline=%u,tensor=%u%s%s",
			1u << random_between(&random, 0, 1), pipeline, tensor,
			tensor > 1 && random_true(&random) ? ",sequence=on" : "",
			random_true(&random) ? ",zero=1" : "");
		double s = 0, bytes = HUGE_VAL;
		for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
			const struct paradl_estimate got = estimate_of(oracle, plan, names[i]);
			assert_true(got.iteration_s >= s * (1 - 1e-12));
			assert_true(got.memory_bytes <= bytes * (1 + 1e-12));
			s = got.iteration_s;
			bytes = got.memory_bytes;
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		setup_test(modules_keep_less),
		setup_test(products_run_once_more),
		setup_test(passes_run_once_more),
		setup_test(dense_networks_have_no_modules),
		setup_test(scores_without_dropout_move_less),
		setup_test(results_weighted_inside_are_not_kept),
		setup_test(modules_are_between_scores_and_blocks),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
