/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Work and memory of layers of tokens against closed forms from the literature, or worked out by hand. */
#include "model/build.h"

#include "model/transformers.h"

static const struct paradl_model *build_shape(
	struct paradl_arena *arena, const struct transformer_shape *shape)
{
	struct paradl_error error = {0};
	const struct paradl_model *const model = transformer_build(arena, shape, &error);
	if (!model)
		fail_msg("%s: %s %s", shape->name, error.pointer, error.message);
	return model;
}

/* The first layer of a class. */
static const struct layer *first_of(const struct paradl_model *model, enum layer_class wanted)
{
	for (unsigned i = 0; i < model->layer_count; i++)
		if (model->layers[i].class_ == wanted)
			return &model->layers[i];
	fail_msg("no %s", layer_class_names[wanted]);
	return model->layers;
}

static const struct unit *first_block(const struct paradl_model *model)
{
	for (unsigned i = 0; i < model->unit_count; i++)
		if (model->units[i].is_block)
			return &model->units[i];
	fail_msg("no block");
	return model->units;
}

/* Narayanan et al., 2021: 24 s h^2 (1 + s / 6h) forward for each layer, and 2 s h V; backward twice that. */
static void work_of_a_gpt_is_the_closed_form(void **state)
{
	(void)state;
	for (size_t i = 0; i < SHIPPED_TRANSFORMERS; i++) {
		const struct transformer_shape *const shape = &shipped_transformers[i].shape;
		if (!shape->tied || shape->end != TRANSFORMER_PREDICTS)
			continue;
		struct paradl_arena *const arena = paradl_arena_create();
		const struct paradl_model *const model = build_shape(arena, shape);
		const double s = shape->sequence, h = shape->hidden;
		const double want =
			24 * shape->layers * s * h * h * (1 + s / (6 * h)) + 2 * s * h * shape->vocabulary;
		assert_close(model->forward_flop, want, 1e-12);
		assert_close(model->backward_flop, 2 * want, 1e-12);
		paradl_arena_free(arena);
	}
}

/* Chowdhery et al. (PaLM), 2022: 6 N + 12 L a d s for each token, N without tables that are only looked up. */
static void work_of_a_llama_follows_its_parameters(void **state)
{
	(void)state;
	struct paradl_arena *const arena = paradl_arena_create();
	const struct transformer_shape shape = {.name = "Llama-3-8B", LLAMA(32, 4096, 32, 8, 14336, 128256)};
	const struct paradl_model *const model = build_shape(arena, &shape);
	const double products = 8030261248 - 128256.0 * 4096 - 65 * 4096;
	const double want = 4096 * (6 * products + 12.0 * 32 * 4096 * 4096);
	assert_close(model->forward_flop + model->backward_flop, want, 1e-12);
	paradl_arena_free(arena);
}

static void a_window_bounds_the_keys(void **state)
{
	(void)state;
	struct paradl_arena *const arena = paradl_arena_create();
	struct transformer_shape shape = {.name = "all", LLAMA(1, 512, 8, 0, 1024, 1000)};
	const double all = first_of(build_shape(arena, &shape), LAYER_ATTENTION)->forward_flop;
	shape.window = 1024;
	const double some = first_of(build_shape(arena, &shape), LAYER_ATTENTION)->forward_flop;
	assert_close(all - some, 4.0 * 4096 * (4096 - 1024) * 512, 1e-12);
	shape.window = 8192;
	assert_close(first_of(build_shape(arena, &shape), LAYER_ATTENTION)->forward_flop, all, 0);
	paradl_arena_free(arena);
}

/* Every token pays the router, top_k experts and the shared one. */
static void experts_work_on_the_tokens_routed_to_them(void **state)
{
	(void)state;
	struct paradl_arena *const arena = paradl_arena_create();
	const struct transformer_shape shape = {.name = "moe",
		LLAMA(2, 512, 8, 0, 1024, 1000),
		.experts = 16,
		.top_k = 3,
		.moe_ffn = 256,
		.shared_ffn = 768,
		.shared_gate = true,
		.capacity = 1.25,
		.imbalance = 1.5};
	const struct layer *const moe = first_of(build_shape(arena, &shape), LAYER_MOE);
	const double h = 512, s = 4096;
	assert_close(moe->forward_flop, s * (2 * h * 16 + 3 * 6 * h * 256 + 6 * h * 768 + 2 * h), 1e-12);
	assert_close(moe->weight_items, 16 * h + 16 * 3 * h * 256 + 3 * h * 768 + h, 0);
	/* 16 bit items: 3 copies and results of h, 3 f each; the shared expert's 3 f; the router's 16 in fp32; x apart. */
	assert_close(moe->work->kept_routed_items, 3 * (2 * h + 3 * 256), 0);
	assert_close(moe->work->kept_cut_items, 3 * 768, 0);
	assert_close(moe->work->capacity, 1.25, 0);
	assert_close(moe->work->imbalance, 1.5, 0);
	assert_int_equal(moe->work->experts, 16);
	unsigned routed = 0;
	for (unsigned i = 0; i < moe->work->kernel_count; i++)
		routed += moe->work->kernels[i].routed;
	assert_int_equal(routed, 3); /* up, activation, down */
	paradl_arena_free(arena);
}

/* DeepSeek-V3: h 7168, r_q 1536, r_kv 512, 128 heads of 128 + 64, values of 128: 187.1 M weights (and two norms). */
static void latent_attention_goes_through_its_ranks(void **state)
{
	(void)state;
	struct paradl_arena *const arena = paradl_arena_create();
	const struct transformer_shape shape = {.name = "DeepSeek-V3", DEEPSEEK_V3};
	const struct layer *const layer = first_of(build_shape(arena, &shape), LAYER_ATTENTION);
	const double h = 7168, s = 4096, a = 128;
	const double products =
		h * 1536 + 1536 * a * 192 + h * (512 + 64) + 512 * a * (128 + 128) + a * 128 * h;
	assert_close(layer->weight_items, products + 1536 + 512, 0);
	assert_close(layer->forward_flop, 2 * s * products + 2 * s * s * a * (192 + 128), 1e-12);
	assert_close(layer->work->attention.key_items, 512 + 64, 0);
	/* Latents before and after their norms; queries, keys, values, outputs of the heads, log-sum-exp. */
	const double latents = 2 * 1536 + 2 * 512 + 64, cut = a * (192 + 192 + 128 + 128) + 2 * a;
	assert_close(layer->work->kept_cut_items, cut, 0);
	assert_close(layer->kept_items, s * (latents + cut), 1e-12);
	paradl_arena_free(arena);
}

struct kept {
	double all, cut, scores; /* bytes of one sample, items of 16 bit; scores: as if they were stored */
};

static struct kept kept_of_block(const struct paradl_model *model)
{
	const struct unit *const unit = first_block(model);
	struct kept kept = {0, 0, 0};
	for (unsigned i = unit->first; i < unit->end; i++) {
		const struct layer *const layer = &model->layers[model->order[i]];
		const struct token_work *const work = layer->work;
		kept.all += 2 * layer->kept_items;
		kept.cut += 2 * work->tokens * work->kept_cut_items;
		kept.scores += 2 * work->tokens * work->tokens * work->kept_score_items;
	}
	return kept;
}

/*
 * Korthikanti et al., 2022: s h (34 + 5 a s / h) bytes, of which s h (24 + 5 a s / h) are cut by the tensor axis. They
 * leave the statistics of the two norms out: 8 bytes for each token and norm.
 */
static void a_gpt_keeps_what_korthikanti_counts(void **state)
{
	(void)state;
	struct paradl_arena *const arena = paradl_arena_create();
	const struct transformer_shape shape = {
		.name = "GPT-3", GPT(96, 12288, 96, 51200, 2048), .unfused = true};
	const struct kept kept = kept_of_block(build_shape(arena, &shape));
	const double s = 2048, h = 12288, a = 96;
	assert_close(kept.all, s * h * (34 + 5 * a * s / h) + 2 * 8 * s, 1e-12);
	assert_close(kept.cut, s * h * 24, 1e-12);
	assert_close(kept.scores, 5 * a * s * s, 1e-12);
	paradl_arena_free(arena);
}

/* s h (12 + 4 g + 6 r) with g = k / a, r = f / h; flash besides 4 a s of log-sum-exp, norms 4 s each. */
static void a_llama_keeps_no_scores(void **state)
{
	(void)state;
	struct paradl_arena *const arena = paradl_arena_create();
	const struct transformer_shape shape = {.name = "Llama-3-8B", LLAMA(32, 4096, 32, 8, 14336, 128256)};
	const struct kept kept = kept_of_block(build_shape(arena, &shape));
	const double s = 4096, h = 4096, a = 32, g = 8.0 / 32, r = 14336.0 / 4096;
	assert_close(kept.all, s * h * (12 + 4 * g + 6 * r) + 4 * a * s + 2 * 4 * s, 1e-12);
	assert_close(kept.cut, s * h * (4 + 4 * g + 6 * r) + 4 * a * s, 1e-12);
	assert_close(kept.scores, 2 * a * s * s, 1e-12); /* and they are not in kept.all */
	paradl_arena_free(arena);
}

/* Korthikanti et al., 4.3: after the blocks 4 s h (1 + V / h) bytes: two norms' worth of x and y, logits in fp32. */
static void the_end_keeps_its_scores_in_fp32(void **state)
{
	(void)state;
	struct paradl_arena *const arena = paradl_arena_create();
	const struct transformer_shape shape = {.name = "GPT-3", GPT(96, 12288, 96, 51200, 2048)};
	const struct paradl_model *const model = build_shape(arena, &shape);
	const double s = 2048, h = 12288, v = 51200;
	const struct layer *const loss = first_of(model, LAYER_LOSS), *const head =
									      first_of(model, LAYER_HEAD);
	const struct layer *const norm = &model->layers[model->order[model->order_count - 3]];
	const struct layer *const add = &model->layers[model->order[model->order_count - 4]];
	assert_int_equal(norm->class_, LAYER_NORM);
	assert_close(2 * (add->kept_items + norm->kept_items + head->kept_items + loss->kept_items),
		4 * s * h * (1 + v / h) + 8 * s, 1e-12);
	assert_close(loss->work->small_sums, 3, 0);
	paradl_arena_free(arena);
}

static void check_kernel_weights(const struct layer *layer)
{
	double weights = 0;
	for (unsigned i = 0; i < layer->work->kernel_count; i++)
		weights += layer->work->kernels[i].weight_items;
	if (layer->work->tied)
		weights -= (double)layer->x.channels * layer->y.channels;
	assert_close(weights, layer->weight_items, 0);
}

/* Weights of kernels are those of their layer, but for a head that is tied. */
static void kernels_add_up_to_their_layer(void **state)
{
	(void)state;
	for (size_t i = 0; i < SHIPPED_TRANSFORMERS; i++) {
		struct paradl_arena *const arena = paradl_arena_create();
		const struct paradl_model *const model = build_shape(arena, &shipped_transformers[i].shape);
		for (unsigned j = 0; j < model->layer_count; j++)
			if (model->layers[j].work)
				check_kernel_weights(&model->layers[j]);
		paradl_arena_free(arena);
	}
}

static void check_sums(const struct layer *layer, double forward, double backward)
{
	assert_close(layer->work->sums_forward, forward, 0);
	assert_close(layer->work->sums_backward, backward, 0);
}

static void check_pair(const struct layer *layer)
{
	const struct token_work *const work = layer->work;
	assert_int_equal(work->kernels[0].cut, CUT_COLUMNS);
	assert_int_equal(work->kernels[work->kernel_count - 1].cut, CUT_ROWS);
	assert_true(work->is_block);
	check_sums(layer, 1, 1);
}

static void pairs_of_products_are_summed_once(void **state)
{
	(void)state;
	struct paradl_arena *const arena = paradl_arena_create();
	const struct transformer_shape shape = {.name = "GPT", GPT(2, 512, 8, 1000, 256), .qk_norm = true};
	const struct paradl_model *const model = build_shape(arena, &shape);
	const struct layer *const head = first_of(model, LAYER_HEAD);
	check_pair(first_of(model, LAYER_ATTENTION));
	check_pair(first_of(model, LAYER_MLP));
	check_sums(first_of(model, LAYER_EMBEDDING), 1, 0);
	check_sums(head, 0, 1);
	assert_true(head->work->kernels[0].vocabulary);
	assert_true(head->work->tied);
	paradl_arena_free(arena);
}

/* The blocks are counted once, and a pipeline cuts between them. */
static void blocks_are_rows_and_units(void **state)
{
	(void)state;
	struct paradl_arena *const arena = paradl_arena_create();
	const struct transformer_shape shape = {.name = "GPT-3", GPT(96, 12288, 96, 51200, 2048)};
	const struct paradl_model *const model = build_shape(arena, &shape);
	unsigned blocks = 0;
	for (unsigned i = 0; i < model->unit_count; i++) {
		blocks += model->units[i].is_block;
		assert_int_equal(
			model->units[i].end - model->units[i].first, model->units[i].is_block ? 8 : 1);
		if (model->units[i].is_block)
			assert_close(model->units[i].boundary_items, 2048.0 * 12288, 0);
	}
	assert_int_equal(blocks, 96);
	assert_int_equal(model->unit_count, 96 + 2 + 3); /* embedding, dropout; norm, head, loss */
	assert_int_equal(first_of(model, LAYER_ATTENTION)->count, 96);
	assert_true(model->layer_count < 16);
	paradl_arena_free(arena);
}

static void another_sequence_is_another_length_of_everything(void **state)
{
	(void)state;
	struct paradl_arena *const arena = paradl_arena_create();
	struct paradl_error error = {0};
	const struct json *const root = json_load(arena, "models/llama2-7b.json", &error);
	const struct json *const image = json_load(arena, "models/vit-b16.json", &error);
	const struct json *const learned = json_load(arena, "models/gpt2-xl.json", &error);
	const struct model_variant variant = {.sequence = 1000};
	const struct model_variant extents = {.extent = {1000}};
	const struct model_variant longer = {.sequence = 1025};
	const struct paradl_model *const model = model_build(arena, root, &variant, &error);
	assert_non_null(model);
	assert_close(model->sequence, 1000, 0);
	assert_close(model->dataset.samples, 2e12 / 1000, 0);
	assert_close(model->dataset.sample_bytes, 2000, 0);
	assert_close(first_of(model, LAYER_MLP)->work->tokens, 1000, 0);
	assert_close(model->weight_items, 6738415616, 0);
	assert_null(model_build(arena, root, &extents, &error));
	assert_int_equal(error.status, PARADL_USAGE);
	assert_null(model_build(arena, image, &variant, &error));
	assert_int_equal(error.status, PARADL_USAGE);
	assert_non_null(model_build(arena, learned, &variant, &error));
	assert_null(model_build(arena, learned, &longer, &error));
	assert_true(strstr(error.message, "1024 learned positions"));
	assert_close(paradl_model_load(arena, &(struct paradl_source){.path = "models/vit-b16.json"}, &error)
			     ->sequence,
		197, 0);
	paradl_arena_free(arena);
}

/* Parallel blocks, further predictions, narrow tables: shapes that no shipped file has. */
static void other_forms_have_their_weights(void **state)
{
	(void)state;
	struct paradl_arena *const arena = paradl_arena_create();
	struct transformer_shape shape = {.name = "small", LLAMA(2, 64, 4, 0, 128, 1000)};
	const double block = 4.0 * 64 * 64 + 3.0 * 64 * 128 + 2 * 64, table = 64000;
	const double plain = 2 * block + 64 + 2 * table;
	assert_close(build_shape(arena, &shape)->weight_items, plain, 0);
	shape.mtp = 1; /* two norms, 2 h x h, a block, a norm */
	assert_close(build_shape(arena, &shape)->weight_items, plain + 2 * 64 + 2 * 64 * 64 + block + 64, 0);
	shape.mtp = 0;
	shape.block = TRANSFORMER_PARALLEL;
	assert_close(build_shape(arena, &shape)->weight_items, plain, 0);
	shape.block = TRANSFORMER_PARALLEL_SHARED;
	assert_close(build_shape(arena, &shape)->weight_items, plain - 2 * 64, 0);
	shape.block = TRANSFORMER_POST_NORM;
	assert_close(build_shape(arena, &shape)->weight_items, plain - 64, 0);
	shape.block = TRANSFORMER_PRE_NORM;
	shape.tied = true;
	shape.embedding = 16;
	assert_close(build_shape(arena, &shape)->weight_items, 2 * block + 64 + 16000 + 2 * 16 * 64, 0);
	shape.embedding = 0;
	shape.window = 128;
	shape.window_period = 2;
	const struct paradl_model *const alternating = build_shape(arena, &shape);
	assert_int_equal(first_of(alternating, LAYER_ATTENTION)->count, 1);
	assert_int_equal(first_of(alternating, LAYER_MLP)->count, 2);
	paradl_arena_free(arena);
}

/* Swin's first stage: 3136 tokens of 96 in windows of 7 x 7, 3 heads, 13 x 13 relative positions. */
static void a_block_bounds_keys_and_scores(void **state)
{
	(void)state;
	struct built built = build_at("3", "[224, 224]",
		"{ \"type\": \"embedding\", \"kind\": \"patch\", \"patch\": 4, \"out\": 96 }, { \"type\": "
		"\"attention\", "
		"\"heads\": 3, \"causal\": false, \"bias\": true, \"block\": 49, \"positions\": 169, "
		"\"kernel\": \"unfused\" }");
	const struct layer *const layer = layer_at(&built, 1);
	const double s = 3136, h = 96;
	assert_close(layer->weight_items, 4 * h * h + 4 * h + 169 * 3, 0);
	assert_int_equal(layer->weight_tensors, 5);
	assert_close(layer->forward_flop, 8 * s * h * h + 4 * s * 49 * h, 0);
	/* x, and 3 h for queries, keys, values, h for the output, and the scores of 49 keys for each head */
	assert_close(layer->kept_items, s * (4 * h + 49 * 3), 0);
	paradl_arena_free(built.arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(work_of_a_gpt_is_the_closed_form),
		cmocka_unit_test(work_of_a_llama_follows_its_parameters),
		cmocka_unit_test(a_window_bounds_the_keys),
		cmocka_unit_test(a_block_bounds_keys_and_scores),
		cmocka_unit_test(experts_work_on_the_tokens_routed_to_them),
		cmocka_unit_test(latent_attention_goes_through_its_ranks),
		cmocka_unit_test(a_gpt_keeps_what_korthikanti_counts),
		cmocka_unit_test(a_llama_keeps_no_scores),
		cmocka_unit_test(the_end_keeps_its_scores_in_fp32),
		cmocka_unit_test(kernels_add_up_to_their_layer),
		cmocka_unit_test(pairs_of_products_are_summed_once),
		cmocka_unit_test(blocks_are_rows_and_units),
		cmocka_unit_test(another_sequence_is_another_length_of_everything),
		cmocka_unit_test(other_forms_have_their_weights),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
