/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Layers of hybrid networks: the work of recurrences against chunked algorithms that are run through, multiplication by
 * multiplication; of attention with gates and an index against sums worked out by hand.
 */
#include "model/build.h"

enum { WIDTH = 64, TOKENS = 96 };

/* Multiplications of [m x k] [k x n], one by one. */
static double multiplied(unsigned m, unsigned k, unsigned n)
{
	double count = 0;
	for (unsigned row = 0; row < m; row++)
		for (unsigned column = 0; column < n; column++)
			for (unsigned i = 0; i < k; i++)
				count++;
	return count;
}

/*
 * Gated delta rule in chunks of C (Yang et al., 2024): keys by keys, the inverse T of that triangle by keys and by values (T is taken
 * for nothing), queries by keys, those scores by values, state by both keys and queries, and keys by values into the state.
 */
static double gated_delta(unsigned tokens, unsigned chunk, unsigned heads, unsigned keys, unsigned values)
{
	double count = 0;
	for (unsigned start = 0; start < tokens; start += chunk)
		for (unsigned head = 0; head < heads; head++) {
			count += multiplied(chunk, keys, chunk) + multiplied(chunk, chunk, keys) +
				 multiplied(chunk, chunk, values);
			count += multiplied(chunk, keys, chunk) + multiplied(chunk, chunk, values);
			count += 2 * multiplied(chunk, keys, values) + multiplied(keys, chunk, values);
		}
	return count;
}

/* The state space dual of Mamba-2 (Dao and Gu, 2024): scores of a group, times values, values into the state and out of it. */
static double mamba2(
	unsigned tokens, unsigned chunk, unsigned heads, unsigned groups, unsigned keys, unsigned values)
{
	double count = 0;
	for (unsigned start = 0; start < tokens; start += chunk) {
		for (unsigned group = 0; group < groups; group++)
			count += multiplied(chunk, keys, chunk);
		for (unsigned head = 0; head < heads; head++)
			count += multiplied(chunk, chunk, values) + multiplied(keys, chunk, values) +
				 multiplied(chunk, keys, values);
	}
	return count;
}

static const struct layer *mixer(struct built *built, const char *line)
{
	char layers[512];
	(void)snprintf(layers, sizeof layers,
		"{ \"type\": \"embedding\", \"rows\": 10, \"out\": 64 }, { \"name\": \"m\", %s }, "
		"{ \"type\": \"head\", \"out\": 10 }, { \"type\": \"loss\", \"kind\": \"cross-entropy\" }",
		line);
	*built = build_tokens(layers, TOKENS);
	for (unsigned i = 0; i < built->model->layer_count; i++)
		if (strcmp(built->model->layers[i].name, "m") == 0)
			return &built->model->layers[i];
	fail_msg("no layer m");
	return NULL;
}

static void a_gated_delta_network_does_the_work_of_its_chunks(void **state)
{
	(void)state;
	struct built built;
	const struct layer *const layer = mixer(&built, "\"type\": \"recurrent\", \"kind\": \"gated-delta\", "
							"\"heads\": 4, \"key_heads\": 2, \"key_dim\": 8, "
							"\"value_dim\": 12, \"conv\": 4, \"chunk\": 16");
	const double in = WIDTH * (2.0 * 2 * 8 + 2 * 4 * 12 + 2 * 4), out = 4.0 * 12 * WIDTH;
	assert_close(layer->weight_items, in + out + 4 * (2 * 2 * 8 + 4 * 12) + 12 + 2 * 4, 0);
	assert_close(
		layer->forward_flop, 2 * (TOKENS * (in + out) + gated_delta(TOKENS, 16, 4, 8, 12)), 1e-12);
	assert_close(layer->backward_flop, 2 * layer->forward_flop, 1e-12);
	assert_close(layer->work->state_items, 4 * 8 * 12, 0);
	assert_int_equal(layer->work->state_heads, 2);
	assert_int_equal(layer->work->attention.heads, 0);
	paradl_arena_free(built.arena);
}

static void mamba2_does_the_work_of_its_chunks(void **state)
{
	(void)state;
	struct built built;
	const struct layer *const layer =
		mixer(&built, "\"type\": \"recurrent\", \"kind\": \"mamba2\", \"heads\": 8, \"key_heads\": "
			      "2, \"key_dim\": 16, "
			      "\"value_dim\": 12, \"conv\": 4, \"chunk\": 32, \"conv_bias\": true");
	const double in = WIDTH * (2.0 * 8 * 12 + 2 * 2 * 16 + 8), out = 8.0 * 12 * WIDTH;
	assert_close(layer->weight_items, in + out + 5 * (8 * 12 + 2 * 2 * 16) + 8 * 12 + 3 * 8, 0);
	assert_close(
		layer->forward_flop, 2 * (TOKENS * (in + out) + mamba2(TOKENS, 32, 8, 2, 16, 12)), 1e-12);
	paradl_arena_free(built.arena);
}

/* 128 channels of 16: in, out, what gives step, keys and queries, and the step of rank 4; conv, its bias, A and D. */
static void mamba_scans_item_by_item(void **state)
{
	(void)state;
	struct built built;
	const struct layer *const layer = mixer(&built, "\"type\": \"recurrent\", \"kind\": \"mamba\", "
							"\"key_dim\": 16, \"value_dim\": 128, \"conv\": 4, "
							"\"rank\": 4, \"conv_bias\": true");
	const double products = 64 * 256.0 + 128 * 64 + 128 * (4 + 32) + 4 * 128;
	assert_close(layer->weight_items, products + 128 + 128 * 5 + 128 * 16 + 128, 0);
	assert_close(layer->forward_flop, TOKENS * (2 * products + 6 * 16 * 128), 1e-12);
	paradl_arena_free(built.arena);
}

static void gates_and_sinks_add_their_columns(void **state)
{
	(void)state;
	struct built plain, gated;
	const struct layer *const a =
		mixer(&plain, "\"type\": \"attention\", \"heads\": 4, \"kv_heads\": 2, \"head_dim\": 16");
	const struct layer *const b = mixer(&gated, "\"type\": \"attention\", \"heads\": 4, \"kv_heads\": 2, "
						    "\"head_dim\": 16, \"gate\": true, \"sinks\": true");
	assert_close(b->weight_items - a->weight_items, WIDTH * 64 + 4, 0);
	assert_close(b->forward_flop - a->forward_flop, 2.0 * TOKENS * WIDTH * 64, 1e-12);
	paradl_arena_free(plain.arena);
	paradl_arena_free(gated.arena);
}

/* Scores of 4 heads of 8 with all keys; then 10 keys instead of 96. */
static void an_index_scores_all_keys_and_leaves_few(void **state)
{
	(void)state;
	struct built plain, chosen, followed, unweighted;
	const struct layer *const a =
		mixer(&plain, "\"type\": \"attention\", \"heads\": 4, \"head_dim\": 16");
	const struct layer *const b =
		mixer(&chosen, "\"type\": \"attention\", \"heads\": 4, \"head_dim\": 16, "
			       "\"top_keys\": 10, \"index_heads\": 4, \"index_dim\": 8");
	const struct layer *const c =
		mixer(&followed, "\"type\": \"attention\", \"heads\": 4, \"head_dim\": 16, \"top_keys\": 10");
	const double weights = WIDTH * (4 * 8 + 8 + 4), saved = 2.0 * 4 * 32 * (TOKENS - 10);
	assert_close(b->weight_items - a->weight_items, weights + 2 * 8, 0);
	assert_close(b->forward_flop - a->forward_flop, TOKENS * (2 * weights + 2 * 4 * 8 * TOKENS - saved),
		1e-12);
	assert_close(a->forward_flop - c->forward_flop, TOKENS * saved, 1e-12);
	assert_close(c->weight_items, a->weight_items, 0);
	/* Of a published checkpoint wq_b, wk, k_norm with a bias, weights_proj; without weights not the last. */
	const struct layer *const d = mixer(&unweighted,
		"\"type\": \"attention\", \"heads\": 4, \"head_dim\": 16, \"top_keys\": 10, "
		"\"index_heads\": 4, \"index_dim\": 8, \"index_weighted\": false");
	assert_int_equal(b->weight_tensors - a->weight_tensors, 5);
	assert_int_equal(d->weight_tensors - a->weight_tensors, 4);
	assert_close(b->weight_items - d->weight_items, WIDTH * 4, 0);
	paradl_arena_free(unweighted.arena);
	paradl_arena_free(plain.arena);
	paradl_arena_free(chosen.arena);
	paradl_arena_free(followed.arena);
}

/* Experts of width 16: two products of 64 x 16 besides, and what is sent is a quarter. */
static void narrow_experts_are_sent_narrow_tokens(void **state)
{
	(void)state;
	struct built built;
	const struct layer *const layer = mixer(&built,
		"\"type\": \"moe\", \"experts\": 8, \"top_k\": 2, \"hidden\": 32, \"expert_width\": 16");
	assert_close(layer->weight_items, 64 * 8 + 2 * 64 * 16 + 8 * 2 * 16 * 32, 0);
	assert_close(layer->forward_flop, 2.0 * TOKENS * (64 * 8 + 2 * 64 * 16 + 2 * 2 * 16 * 32), 1e-12);
	assert_close(layer->work->routed_items, 16, 0);
	paradl_arena_free(built.arena);
}

static void what_is_held_does_no_work(void **state)
{
	(void)state;
	struct built built;
	const struct layer *const layer =
		mixer(&built, "\"type\": \"held\", \"params\": 12345, \"freeze\": true");
	assert_close(layer->frozen_items, 12345, 0);
	assert_close(layer->weight_items, 0, 0);
	assert_close(layer->forward_flop + layer->backward_flop, 0, 0);
	paradl_arena_free(built.arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_gated_delta_network_does_the_work_of_its_chunks),
		cmocka_unit_test(mamba2_does_the_work_of_its_chunks),
		cmocka_unit_test(mamba_scans_item_by_item),
		cmocka_unit_test(gates_and_sinks_add_their_columns),
		cmocka_unit_test(an_index_scores_all_keys_and_leaves_few),
		cmocka_unit_test(narrow_experts_are_sent_narrow_tokens),
		cmocka_unit_test(what_is_held_does_no_work),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
