/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What attention to another sequence costs on several devices, by hand: exchanges of both sequences, memory, limits. */
#include "oracle/setup.h"

#include "oracle/oracle.h"

enum { S = 64, T = 16, H = 32, BATCH = 1024 }; /* tokens of source and target, width; items of 4 bytes */

#define EMBEDDINGS                                                                                           \
	"{\"name\": \"embed\", \"type\": \"embedding\", \"rows\": 128, \"out\": 32}, {\"name\": "            \
	"\"target\", "                                                                                       \
	"\"type\": \"embedding\", \"rows\": 128, \"out\": 32, \"tokens\": 16}, "
#define BLOCK                                                                                                \
	"{\"type\": \"add\", \"branches\": [[{\"name\": \"ln\", \"type\": \"norm\", \"kind\": \"rms\"}, "    \
	"{\"type\": \"attention\", \"heads\": 4, \"causal\": false, \"from\": [\"ln\", \"embed\"]}], []]}"

static struct paradl_oracle *oracle_over(struct setup *setup, const char *repeat, const char *bandwidth)
{
	const struct paradl_model *const model = setup_model(setup, "\"input\": {\"tokens\": 64}",
		arena_printf(setup->arena,
			EMBEDDINGS "{\"name\": \"block\", \"repeat\": %s, \"layers\": [" BLOCK
				   "]}, {\"type\": \"loss\", \"kind\": \"mse\"}",
			repeat));
	return setup_oracle(setup, model,
		setup_machine(setup, SETUP_DEVICE,
			arena_printf(setup->arena,
				"{\"name\": \"all\", \"devices\": 8, \"latency\": \"1 ns\", \"bandwidth\": "
				"\"%s\"}",
				bandwidth)),
		setup_framework(setup, ""), false);
}

static struct paradl_oracle *oracle_of(struct setup *setup, const char *repeat)
{
	return oracle_over(setup, repeat, "1 GB/s");
}

static double exchange_s(struct setup *setup, const char *repeat, const char *text)
{
	struct paradl_oracle *const oracle = oracle_of(setup, repeat);
	const struct paradl_plan plan = setup_plan(text, BATCH);
	return setup_estimate(oracle, &plan).phase_s[PARADL_ACTIVATION_EXCHANGE];
}

/* Seconds in which two devices sum, or gather, `items` of a sample: a half each way and step. */
static double sum_s(double items)
{
	return 2 * BATCH * items * 4 / 2 / 1e9;
}

/*
 * A block more: sums of the output forward and of the queries' input backward, T x H, and of the gradient of the source,
 * S x H. With sequence parallelism the source is gathered forward and its gradient scattered backward: as much.
 */
static void the_tensor_axis_sums_the_gradient_of_the_source(void **state)
{
	struct setup *const setup = *state;
	static const char *const plans[] = {"tensor=2", "tensor=2,sequence=on"};
	for (size_t i = 0; i < 2; i++) {
		const double more = exchange_s(setup, "3", plans[i]) - exchange_s(setup, "2", plans[i]);
		assert_close(more, 2 * sum_s(T * H) + sum_s(S * H), 1e-3);
	}
}

/* Keys and values of S tokens, 2 H wide: a gather forward, and backward another and a scatter of their gradients. */
static void the_context_axis_gathers_the_source(void **state)
{
	struct setup *const setup = *state;
	const double more =
		exchange_s(setup, "3", "context=2:gather") - exchange_s(setup, "2", "context=2:gather");
	assert_close(more, 3 * sum_s(S * 2 * H) / 2, 1e-3);
}

static double kept_bytes(struct setup *setup, const char *repeat, const char *text)
{
	struct paradl_oracle *const oracle = oracle_of(setup, repeat);
	const struct paradl_plan plan = setup_plan(text, BATCH);
	return setup_estimate(oracle, &plan).memory.activations_bytes;
}

/* A block that is computed again keeps what enters it, of T tokens: the source is there once for all of them. */
static void recomputed_blocks_share_the_source(void **state)
{
	struct setup *const setup = *state;
	const double more = kept_bytes(setup, "6", "recompute=full,micro=1024") -
			    kept_bytes(setup, "5", "recompute=full,micro=1024");
	assert_close(more, 4.0 * BATCH * T * H, 1e-9);
}

/* The axis cuts heads and widths, so a device holds half of a block's products and of what they keep. */
static void heads_are_divided(void **state)
{
	struct setup *const setup = *state;
	const double whole = kept_bytes(setup, "6", "micro=1024") - kept_bytes(setup, "5", "micro=1024");
	const double half =
		kept_bytes(setup, "6", "tensor=2,micro=1024") - kept_bytes(setup, "5", "tensor=2,micro=1024");
	/* Of T tokens queries, output and log-sum-exp, of S keys and values; norm and sum stay whole. */
	const double cut = 4.0 * BATCH * (T * (2.0 * H + 2 * 4) + S * 2.0 * H);
	assert_close(whole - half, cut / 2, 1e-9);
}

/* Three messages have the source and the output of a block, and three go back; half as fast, they take as long again. */
static void pipelines_cut_the_decoder(void **state)
{
	struct setup *const setup = *state;
	const struct paradl_plan plan = setup_plan("pipeline=4,micro=1024", BATCH);
	const double slow_s = setup_estimate(oracle_over(setup, "4", "1 GB/s"), &plan).iteration_s;
	const double fast_s = setup_estimate(oracle_over(setup, "4", "2 GB/s"), &plan).iteration_s;
	assert_close(slow_s - fast_s, 6 * 4.0 * BATCH * (S + T) * H / 2e9, 1e-3);
}

/* A decoder answers token by token; a query of its own that attends to an image (SigLIP) does not. */
static void decoders_of_encoders_are_not_served(void **state)
{
	struct setup *const setup = *state;
	static const char *const causal[] = {"false", "true"};
	const struct paradl_options options = {.inference = true};
	for (size_t i = 0; i < 2; i++) {
		const struct paradl_oracle *const trains = oracle_of(setup, "2");
		struct paradl_error error = {0};
		const struct paradl_model *const model = setup_model(setup, "\"input\": {\"tokens\": 64}",
			arena_printf(setup->arena,
				EMBEDDINGS "{\"type\": \"attention\", \"heads\": 4, \"causal\": %s}, " BLOCK
					   ", {\"type\": \"loss\", \"kind\": \"mse\"}",
				causal[i]));
		const struct paradl_oracle *const serves = paradl_oracle_create(
			setup->arena, model, trains->machine, trains->framework, &options, &error);
		assert_int_equal(serves != NULL, i == 0);
		assert_true(serves || strstr(error.message, "an encoder and a decoder"));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		setup_test(the_tensor_axis_sums_the_gradient_of_the_source),
		setup_test(the_context_axis_gathers_the_source),
		setup_test(recomputed_blocks_share_the_source),
		setup_test(heads_are_divided),
		setup_test(pipelines_cut_the_decoder),
		setup_test(decoders_of_encoders_are_not_served),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
