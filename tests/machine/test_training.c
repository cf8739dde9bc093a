/* SPDX-License-Identifier: GPL-3.0-or-later */
/* "training" of framework files. */
#include "damage.h"

#include "machine/framework.h"
#include "machine/machine.h"

static const char training[] =
	"{\"format\": \"paradl-framework\", \"version\": 1, \"name\": \"base\", \"summary\": \"s\",\n"
	" \"training\": { \"host_layer\": \"0.4 ms\", \"host_moe_layer\": \"3 ms\", \"host_collective\": "
	"\"30 us\",\n"
	" \"host_micro_batch\": \"0.5 ms\", \"host_sharpness\": 3.8, \"passes\": 1.7, \"score_bytes\": \"15 "
	"B\",\n"
	" \"attention\": 0.6, \"portable_attention\": true, \"flash\": false, \"overlap_gradients\": 0.1,\n"
	" \"overlap_gathers\": 0.2, \"overlap_tensor\": 0.3, \"overlap_experts\": 0.4, \"overlap_context\": "
	"0.5,\n"
	" \"overlap_shards\": 0.6, \"interference\": 0.11, \"stage_blocking\": 0.7, \"scatter_gather\": "
	"true,\n"
	" \"stage_start\": \"0.75 ms\", \"host_exposed\": 2.3, \"accumulate_bytes\": \"10 B\",\n"
	" \"selective_share\": 0.5, \"step\": \"5 ms\", \"step_bytes\": \"11 B\",\n"
	" \"gradient_bytes\": \"2 B\", \"collective_sync\": \"2 ms\", \"bucket\": \"40 MB\",\n"
	" \"recompute\": \"selective\", \"balanced\": true, \"graphs\": true, \"context\": \"1 GiB\",\n"
	" \"communicator\": \"100 MB\", \"fragmentation\": 0.05, \"logits_bytes\": \"8 B\" }}";

static void training_read(struct paradl_arena *arena, const char *text, struct framework_training *into)
{
	struct paradl_error error = {0};
	const struct json *const root = json_parse(arena, text, strlen(text), "", &error);
	assert_non_null(root);
	if (!framework_training_read(json_member(root, "training"), into, &error))
		fail_msg("%s", error.message);
}

static void reads_training(void **state)
{
	(void)state;
	struct paradl_arena *const arena = paradl_arena_create();
	struct framework_training read;
	framework_training_default(&read);
	assert_close(read.passes, 1, 0);
	assert_true(read.flash);
	training_read(arena, training, &read);
	const struct framework_training *t = &read;
	assert_close(t->host_layer_s, 4e-4, 1e-15);
	assert_close(t->host_moe_layer_s, 3e-3, 1e-15);
	assert_close(t->host_collective_s, 3e-5, 1e-15);
	assert_close(t->host_micro_batch_s, 5e-4, 1e-15);
	assert_close(t->host_sharpness, 3.8, 0);
	assert_close(t->passes, 1.7, 0);
	assert_close(t->score_bytes, 15, 0);
	assert_close(t->attention, 0.6, 0);
	assert_true(t->portable_attention && !t->flash && t->scatter_gather && t->balanced && t->graphs);
	assert_close(t->overlap_gradients, 0.1, 0);
	assert_close(t->overlap_gathers, 0.2, 0);
	assert_close(t->overlap_tensor, 0.3, 0);
	assert_close(t->overlap_experts, 0.4, 0);
	assert_close(t->overlap_context, 0.5, 0);
	assert_close(t->overlap_shards, 0.6, 0);
	assert_close(t->interference, 0.11, 0);
	assert_close(t->stage_blocking, 0.7, 0);
	assert_close(t->stage_start_s, 7.5e-4, 1e-15);
	assert_close(t->host_exposed, 2.3, 0);
	assert_close(t->accumulate_bytes, 10, 0);
	assert_close(t->selective_share, 0.5, 0);
	assert_close(t->step_s, 5e-3, 1e-15);
	assert_close(t->step_bytes, 11, 0);
	assert_close(t->gradient_bytes, 2, 0);
	assert_close(t->collective_sync_s, 2e-3, 1e-15);
	assert_close(t->bucket_bytes, 40e6, 0);
	assert_int_equal(t->recompute, PARADL_RECOMPUTE_SELECTIVE);
	assert_close(t->context_bytes, 1073741824, 0);
	assert_close(t->communicator_bytes, 1e8, 0);
	assert_close(t->fragmentation, 0.05, 0);
	assert_close(t->logits_bytes, 8, 0);
	/* what another file says replaces it, key by key */
	training_read(
		arena, "{\"training\": {\"passes\": 2, \"recompute\": \"none\", \"flash\": true}}", &read);
	assert_close(t->passes, 2, 0);
	assert_true(t->flash && t->graphs);
	assert_int_equal(t->recompute, PARADL_RECOMPUTE_NONE);
	assert_close(t->host_layer_s, 4e-4, 1e-15);
	paradl_arena_free(arena);
}

static void says_what_is_wrong_with_training(void **state)
{
	(void)state;
	static const struct damage damages[] = {
		{"\"training\": {", "\"training\": 1, \"_training\": {",
			"2:14: /training: must be an object, is 1"},
		{"\"0.4 ms\"", "0.4",
			"2:30: /training/host_layer: host_layer needs a unit: write \"1.5 us\", \"20 ms\" or "
			"\"3 h\""},
		{"\"host_sharpness\": 3.8", "\"host_sharpness\": 0.5",
			"3:50: /training/host_sharpness: must be a number from 1 to 100, is 0.5"},
		{"\"overlap_tensor\": 0.3", "\"overlap_tensor\": 1.3",
			"5:44: /training/overlap_tensor: must be a number from 0 to 1, is 1.3"},
		{"\"overlap_shards\"", "\"overlap_shard\"",
			"6:19: /training/overlap_shard: unknown key \"overlap_shard\"; did you mean "
			"\"overlap_shards\"?"},
		{"\"gradient_bytes\": \"2 B\"", "\"gradient_bytes\": \"16 B\"",
			"9:20: /training/gradient_bytes: must be at most 8.00 B, is \"16 B\""},
		{"\"flash\": false", "\"flash\": \"no\"",
			"4:57: /training/flash: must be true or false, is \"no\""},
		{"\"selective\"", "\"some\"",
			"10:15: /training/recompute: must be \"none\", \"selective\" or \"full\", is "
			"\"some\""},
	};
	assert_damages(framework_check, training, damages, sizeof damages / sizeof damages[0]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_training),
		cmocka_unit_test(says_what_is_wrong_with_training),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
