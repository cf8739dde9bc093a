/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What programs are told of a network: a decoder of these dimensions alone has as many parameters as the layers together. */
#include "test.h"

#include "paradl/files.h"

static struct paradl_model_info shipped(struct paradl_arena *arena, const char *name)
{
	struct paradl_error error = {0};
	char path[128];
	snprintf(path, sizeof path, "models/%s.json", name);
	const struct paradl_model *const model =
		paradl_model_load(arena, &(struct paradl_source){.path = path}, &error);
	if (!model)
		fail_msg("%s: %s", path, error.message);
	return paradl_model_info(model);
}

static void test_decoders(void **state)
{
	static const char *const names[] = {"llama2-7b", "llama2-70b", "llama3-8b", "llama3-70b",
		"llama3-405b", "gpt2-xl", "gpt3-175b", "megatron-1.7b", "megatron-22b", "megatron-530b",
		"megatron-1t", "mixtral-8x7b", "qwen3-30b-a3b", "deepseek-v3"};
	struct paradl_arena *const arena = paradl_arena_create();
	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		const struct paradl_model_info info = shipped(arena, names[i]);
		assert_null(info.dimensions.beyond);
		assert_close(info.dimensions.parameters, info.parameters, 1e-15);
	}
	paradl_arena_free(arena);
}

/* As the paper of DeepSeek-V3 (2024, section 4.2) has them. */
static void test_experts(void **state)
{
	struct paradl_arena *const arena = paradl_arena_create();
	const struct paradl_dimensions of = shipped(arena, "deepseek-v3").dimensions;
	(void)state;
	assert_close(of.blocks, 61, 0);
	assert_close(of.dense_blocks, 3, 0);
	assert_close(of.experts, 256, 0);
	assert_close(of.top_k, 8, 0);
	assert_close(of.expert_width, 2048, 0);
	assert_close(of.shared_width, 2048, 0);
	assert_close(of.feed_forward, 18432, 0);
	assert_close(of.query_rank, 1536, 0);
	assert_close(of.key_rank, 512, 0);
	assert_close(of.rotary_dim, 64, 0);
	assert_close(of.head_dim, 192, 0);
	assert_close(of.value_dim, 128, 0);
	assert_string_equal(of.activation, "silu");
	assert_string_equal(of.norm, "rms");
	assert_true(of.gated && !of.tied && of.router_bias);
	paradl_arena_free(arena);
}

static void test_others(void **state)
{
	struct paradl_arena *const arena = paradl_arena_create();
	(void)state;
	assert_non_null(shipped(arena, "bert-large").dimensions.beyond);
	assert_non_null(shipped(arena, "vit-b16").dimensions.beyond);
	assert_close(shipped(arena, "vit-b16").dimensions.parameters, 0, 0);
	assert_close(shipped(arena, "resnet50").dimensions.blocks, 0, 0);
	paradl_arena_free(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_decoders),
		cmocka_unit_test(test_experts),
		cmocka_unit_test(test_others),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
