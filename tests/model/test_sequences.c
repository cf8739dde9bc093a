/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Networks with two sequences in a sample: attention to another one, embeddings of a second one, cuts of a pipeline. */
#include "model/build.h"

#include "model/transformer.h"

#define SOURCE "{ \"name\": \"embed\", \"type\": \"embedding\", \"rows\": 50, \"out\": 24 }"
#define TARGET "{ \"name\": \"target\", \"type\": \"embedding\", \"rows\": 50, \"out\": 16, \"tokens\": 7 }"
#define CROSS(more)                                                                                          \
	"{ \"name\": \"cross\", \"type\": \"attention\", \"heads\": 4, \"from\": [\"target\", \"embed\"], "  \
	"\"causal\": false" more " }"
#define LOSS "{ \"type\": \"loss\", \"kind\": \"none\" }"

enum { S = 11, T = 7, H = 16, W = 24 }; /* tokens and widths of source (S, W) and target (T, H) */

/* Vaswani et al., 2017: queries and output are H x H each of T tokens, keys and values W x H of S. */
static void keys_come_from_the_source(void **state)
{
	(void)state;
	const struct built built = build_tokens(SOURCE ", " TARGET ", " CROSS("") ", " LOSS, S);
	const struct layer *const cross = layer_at(&built, 2);
	const struct attention *const attention = &cross->work->attention;
	assert_close(cross->weight_items, 2 * H * H + 2 * W * H, 0);
	const double products = 2.0 * T * 2 * H * H + 2.0 * S * 2 * W * H, scores = 4.0 * T * S * H;
	assert_close(cross->forward_flop, products + scores, 0);
	assert_close(cross->backward_flop, 2 * cross->forward_flop, 0);
	assert_int_equal(attention->source_tokens, S);
	assert_close(attention_span(cross->work), S, 0);
	/* Queries, output of the heads and log-sum-exp (2 items each head) of T tokens; keys and values of S. */
	assert_close(cross->kept_items, T * (2.0 * H + 2 * 4) + S * 2.0 * H, 0);
	assert_string_equal(paradl_model_layer(built.model, 2).x, "16x7");
	assert_true(built.model->has_source);
	assert_close(built.model->sequence, S, 0);
	assert_close(built.model->further_tokens, T, 0);
	paradl_arena_free(built.arena);
}

/* A sequence that attends to itself by way of "from" has the weights and the flop of self-attention. */
static void attention_to_oneself_is_self_attention(void **state)
{
	(void)state;
#define HEADS                                                                                                \
	"\"type\": \"attention\", \"heads\": 6, \"kv_heads\": 2, \"bias\": true, \"causal\": false, "        \
	"\"kernel\": \"unfused\""
	const struct built own = build_tokens(SOURCE ", { " HEADS " }, " LOSS, S);
	const struct built other =
		build_tokens(SOURCE ", { " HEADS ", \"from\": [\"embed\", \"embed\"] }, " LOSS, S);
	const struct layer *const a = layer_at(&own, 1), *const b = layer_at(&other, 1);
	assert_close(a->weight_items, b->weight_items, 0);
	assert_close(a->forward_flop, b->forward_flop, 0);
	assert_close(a->backward_flop, b->backward_flop, 0);
	assert_close(a->forward_items, b->forward_items, 0);
	assert_close(own.model->layers[own.model->order[1]].kept_items, b->kept_items, 0);
	paradl_arena_free(own.arena);
	paradl_arena_free(other.arena);
}

static void biases_and_tables_count_once(void **state)
{
	(void)state;
	const struct built biased = build_tokens(
		SOURCE ", " TARGET ", " CROSS(", \"bias\": true, \"key_bias\": false") ", " LOSS, S);
	assert_close(layer_at(&biased, 2)->weight_items, 2 * H * H + 2 * W * H + 3 * H, 0);
	assert_true(paradl_model_shape(biased.model, 2).bias);
	const struct built tied = build_tokens(
		"{ \"name\": \"embed\", \"type\": \"embedding\", \"rows\": 50, \"out\": 16 }, { \"name\": "
		"\"target\", \"type\": \"embedding\", \"rows\": 50, \"out\": 16, \"tokens\": 7, \"tied\": "
		"\"embed\", \"positions\": 9 }, " LOSS,
		S);
	assert_close(layer_at(&tied, 1)->weight_items, 9 * 16, 0);
	assert_true(layer_at(&tied, 1)->work->tied);
	assert_false(paradl_model_shape(tied.model, 1).bias);
	paradl_arena_free(biased.arena);
	paradl_arena_free(tied.arena);
}

static void registers_have_no_positions(void **state)
{
	(void)state;
	const struct built built = build_at("3", "[8, 8]",
		"{ \"type\": \"embedding\", \"kind\": \"patch\", \"patch\": 4, \"out\": 6, \"class_token\": "
		"true, "
		"\"registers\": 3, \"positions\": 5 }, " LOSS);
	assert_string_equal(paradl_model_layer(built.model, 0).y, "6x8");
	assert_close(layer_at(&built, 0)->weight_items, 3 * 16 * 6 + 6 + (5 + 1 + 3) * 6, 0);
	paradl_arena_free(built.arena);
}

/* A scale of a branch has a weight for each item and moves two items forward, three backward. */
static void a_scale_is_a_norm_without_statistics(void **state)
{
	(void)state;
	const struct built built =
		build_tokens(SOURCE ", { \"type\": \"norm\", \"kind\": \"scale\" }, " LOSS, S);
	assert_close(layer_at(&built, 1)->weight_items, W, 0);
	assert_close(layer_at(&built, 1)->forward_items, 2 * S * W, 0);
	assert_close(layer_at(&built, 1)->backward_items, 3 * S * W, 0);
	paradl_arena_free(built.arena);
}

/* BERT predicts 15 % of the tokens: 77 of 512, and 20 of 128, as NVIDIA's scripts do (max_predictions_per_seq). */
static void a_share_of_the_tokens_is_masked(void **state)
{
	(void)state;
	static const unsigned cases[][2] = {{512, 77}, {128, 20}, {100, 15}, {20, 3}, {1, 1}};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const struct built built = build_tokens(SOURCE
			", { \"type\": \"pool\", \"kind\": \"masked\", \"share\": 0.15 }, " LOSS,
			cases[i][0]);
		assert_close(tensor_items(&layer_at(&built, 1)->y), W * cases[i][1], 0);
		paradl_arena_free(built.arena);
	}
}

static const struct transformer_shape encoder = {
	.layers = 3, .hidden = 32, .heads = 4, .vocabulary = 40, .sequence = 20, .bidirectional = true};

/* What the encoder made crosses every cut of the decoder, with the output of its block. */
static void a_decoder_is_cut_between_its_blocks(void **state)
{
	(void)state;
	struct paradl_arena *const arena = paradl_arena_create();
	struct paradl_error error = {0};
	const struct transformer_shape shape = {.layers = 4,
		.hidden = 32,
		.heads = 4,
		.vocabulary = 40,
		.sequence = 6,
		.encoder = &encoder,
		.embedding_shared = true,
		.tied = true};
	const struct paradl_model *const model = transformer_build(arena, &shape, &error);
	assert_non_null(model);
	unsigned encoding = 0, decoding = 0;
	for (unsigned i = 0; i + 1 < model->unit_count; i++) {
		const struct unit *const unit = &model->units[i];
		if (!unit->is_block)
			continue;
		const double passing = model->units[i + 1].passing_items;
		const bool both = passing > 0;
		const bool is_last = encoding + decoding == 6; /* no block after it reads the source */
		encoding += !both && !is_last;
		decoding += both || is_last;
		assert_close(unit->boundary_items, is_last ? 32 * 6 : both ? 32 * (20 + 6) : 32 * 20, 0);
		assert_close(passing, both ? 32 * 20 : 0, 0);
		assert_true(unit->boundary_kept);
	}
	assert_int_equal(encoding, 3);
	assert_int_equal(decoding, 4);
	/* 2 x 12 h^2 and 16 h^2 a block, h of norms: 2 and 3 a block and one at each end; one table. */
	assert_close(
		model->weight_items, 32 * 32 * (3 * 12 + 4 * 16) + 2 * 32 * (3 * 2 + 4 * 3 + 2) + 40 * 32, 0);
	assert_string_equal(model->dimensions.other, "attention to another sequence");
	paradl_arena_free(arena);
}

static void check_refused(const char *layers, const char *pointer, const char *message)
{
	char text[2048];
	snprintf(text, sizeof text,
		"{ \"format\": \"paradl-model\", \"version\": 1, \"name\": \"test\", \"input\": { "
		"\"tokens\": 11 }, "
		"\"layers\": [ %s ] }",
		layers);
	const struct built built = build_variant(text, NULL);
	if (built.model || strcmp(built.error.pointer, pointer) != 0 || !strstr(built.error.message, message))
		fail_msg("%s: %s %s", layers, built.error.pointer, built.error.message);
	paradl_arena_free(built.arena);
}

static void what_does_not_go_with_another_sequence_is_refused(void **state)
{
	(void)state;
	check_refused(SOURCE
		", " TARGET
		", { \"type\": \"attention\", \"heads\": 4, \"from\": [\"target\", \"embed\"] }, " LOSS,
		"/layers/2", "needs \"causal\": false");
	check_refused(SOURCE ", " TARGET ", " CROSS(", \"window\": 3") ", " LOSS, "/layers/2/window",
		"does not go with keys of another sequence");
	check_refused(SOURCE ", " TARGET ", " CROSS(", \"qk_norm\": true") ", " LOSS, "/layers/2/qk_norm",
		"does not go with");
	check_refused(SOURCE
		", { \"name\": \"first\", \"type\": \"pool\", \"kind\": \"first\" }, " TARGET
		", { \"type\": \"attention\", \"heads\": 4, \"causal\": false, \"from\": [\"target\", "
		"\"first\"] }, " LOSS,
		"/layers/3/from", "must be tokens");
	check_refused(SOURCE
		", { \"type\": \"embedding\", \"rows\": 51, \"out\": 24, \"tokens\": 3, \"tied\": "
		"\"embed\" }, " LOSS,
		"/layers/1/tied", "has 50 rows of 24, but this layer needs 51 rows of 24");
	check_refused(SOURCE
		", { \"name\": \"me\", \"type\": \"embedding\", \"rows\": 50, \"out\": 24, \"tied\": "
		"\"me\" }, " LOSS,
		"/layers/1/tied", "no earlier layer");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keys_come_from_the_source),
		cmocka_unit_test(attention_to_oneself_is_self_attention),
		cmocka_unit_test(biases_and_tables_count_once),
		cmocka_unit_test(registers_have_no_positions),
		cmocka_unit_test(a_scale_is_a_norm_without_statistics),
		cmocka_unit_test(a_share_of_the_tokens_is_masked),
		cmocka_unit_test(a_decoder_is_cut_between_its_blocks),
		cmocka_unit_test(what_does_not_go_with_another_sequence_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
