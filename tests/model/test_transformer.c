/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Transformers from their dimensions: published parameter counts, and work against closed forms. */
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

static const struct {
	double parameters;
	struct transformer_shape shape;
} published[] = {
	{124439808, {.name = "gpt2", GPT(12, 768, 12, 50257, 1024)}},
	{354823168, {.name = "gpt2-medium", GPT(24, 1024, 16, 50257, 1024)}},
	{774030080, {.name = "gpt2-large", GPT(36, 1280, 20, 50257, 1024)}},
	{1557611200, {.name = "gpt2-xl", GPT(48, 1600, 25, 50257, 1024)}},
	{6738415616, {.name = "Llama-2-7B", LLAMA(32, 4096, 32, 0, 11008, 32000)}},
	{13015864320, {.name = "Llama-2-13B", LLAMA(40, 5120, 40, 0, 13824, 32000)}},
	{68976648192, {.name = "Llama-2-70B", LLAMA(80, 8192, 64, 8, 28672, 32000)}},
	{8030261248, {.name = "Llama-3-8B", LLAMA(32, 4096, 32, 8, 14336, 128256)}},
	{70553706496, {.name = "Llama-3-70B", LLAMA(80, 8192, 64, 8, 28672, 128256)}},
	{405853388800, {.name = "Llama-3.1-405B", LLAMA(126, 16384, 128, 8, 53248, 128256)}},
	{7241732096, {.name = "Mistral-7B", LLAMA(32, 4096, 32, 8, 14336, 32000), .window = 4096}},
	{46702792704,
		{.name = "Mixtral-8x7B", LLAMA(32, 4096, 32, 8, 14336, 32000), .experts = 8, .top_k = 2}},
	{7615616512, {.name = "Qwen2.5-7B", LLAMA(28, 3584, 28, 4, 18944, 152064), .qkv_bias = true}},
	{494032768, {.name = "Qwen2.5-0.5B",
			    LLAMA(24, 896, 14, 2, 4864, 151936),
			    .qkv_bias = true,
			    .tied = true}},
	{72706203648, {.name = "Qwen2.5-72B", LLAMA(80, 8192, 64, 8, 29568, 152064), .qkv_bias = true}},
	{8190735360, {.name = "Qwen3-8B",
			     LLAMA(36, 4096, 32, 8, 12288, 151936),
			     .head_dim = 128,
			     .qk_norm = true}},
	{30532122624, {.name = "Qwen3-30B-A3B",
			      LLAMA(48, 2048, 32, 4, 6144, 151936),
			      .head_dim = 128,
			      .qk_norm = true,
			      .experts = 128,
			      .top_k = 8,
			      .moe_ffn = 768}},
	{14315784192, {.name = "Qwen1.5-MoE-A2.7B",
			      LLAMA(24, 2048, 16, 16, 5632, 151936),
			      .qkv_bias = true,
			      .experts = 60,
			      .top_k = 4,
			      .moe_ffn = 1408,
			      .shared_ffn = 5632,
			      .shared_gate = true}},
	{15706484224, {.name = "DeepSeek-V2-Lite",
			      LLAMA(27, 2048, 16, 0, 10944, 102400),
			      LATENT(512),
			      .experts = 64,
			      .top_k = 6,
			      .moe_ffn = 1408,
			      .shared_ffn = 2816,
			      .first_dense = 1}},
	{235741434880, {.name = "DeepSeek-V2",
			       LLAMA(60, 5120, 128, 0, 12288, 102400),
			       LATENT(512),
			       .q_rank = 1536,
			       .experts = 160,
			       .top_k = 6,
			       .moe_ffn = 1536,
			       .shared_ffn = 3072,
			       .first_dense = 1}},
	{671026419200, {.name = "DeepSeek-V3",
			       LLAMA(61, 7168, 128, 0, 18432, 129280),
			       LATENT(512),
			       .q_rank = 1536,
			       .experts = 256,
			       .top_k = 8,
			       .moe_ffn = 2048,
			       .shared_ffn = 2048,
			       .first_dense = 3,
			       .router_bias = true}},
	{109482240, {.name = "bert-base", BERT(12, 768, 12)}},
	{335141888, {.name = "bert-large", BERT(24, 1024, 16)}},
	{86567656, {.name = "vit-b/16", VIT(12, 768, 12, 16)}},
	{304326632, {.name = "vit-l/16", VIT(24, 1024, 16, 16)}},
	{632045800, {.name = "vit-h/14", VIT(32, 1280, 16, 14)}},
};

static void parameters_are_the_published_ones(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof published / sizeof published[0]; i++) {
		struct paradl_arena *const arena = paradl_arena_create();
		const struct paradl_model *const model = build_shape(arena, &published[i].shape);
		if (model->weight_items > published[i].parameters ||
			model->weight_items < published[i].parameters)
			fail_msg("%s has %.0f parameters, published are %.0f", model->name,
				model->weight_items, published[i].parameters);
		assert_true(model->tokens);
		paradl_arena_free(arena);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parameters_are_the_published_ones),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
