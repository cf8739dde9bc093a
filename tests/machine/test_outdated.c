/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Framework files in the spelling of the last release. */
#include "damage.h"

#include <stddef.h>

#include "machine/framework.h"
#include "machine/machine.h"

#define HEAD "{\"format\": \"paradl-framework\", \"version\": 1, \"name\": \"base\", \"summary\": \"s\",\n "

/* What is told twice here was a fact of networks of images and another of networks of tokens. */
static const char old[] = HEAD
	"\"execution\": { \"host_call\": \"0.5 ms\", \"sync\": \"0.2 ms\", \"blocking\": [\"filter\"], "
	"\"overlap\": 0.4, \"passes\": 0.8 },\n"
	" \"gradients\": { \"rings\": 2, \"passes\": 6, \"per_tensor\": \"50 us\", \"bucket\": \"25 MB\", "
	"\"spatial_leader\": true },\n"
	" \"activations\": { \"rings\": 5, \"per_call\": \"0.1 ms\", \"per_piece\": \"70 us\", "
	"\"filter_passes\": 6, \"channel_passes\": 2, \"spatial_passes\": 4, "
	"\"filter_backward_partial\": true },\n"
	" \"messages\": { \"staged\": true, \"halo_chain\": true, \"segments\": [\n"
	"  { \"latency\": \"7 us\", \"bandwidth\": \"2 GB/s\" } ] },\n"
	" \"waiting\": { \"jitter\": \"1 ms\", \"growth\": 0.75 },\n"
	" \"pipeline\": { \"micro_batches\": 4, \"staged\": true, \"recompute\": true },\n"
	" \"memory\": { \"workspace\": \"3 GB\", \"gradient_buffers\": 0.5 },\n"
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
	" \"gradient_held\": \"4 B\", \"gradient_bytes\": \"2 B\", \"collective_sync\": \"2 ms\", "
	"\"bucket\": "
	"\"40 MB\",\n"
	" \"recompute\": \"selective\", \"balanced\": true, \"graphs\": true, \"context\": \"1 GB\",\n"
	" \"communicator\": \"100 MB\", \"fragmentation\": 0.05, \"logits_bytes\": \"8 B\", \"step_memory\": "
	"\"14 B\", \"stage_outputs\": true }}";

static const char new[] = HEAD
	"\"rules\": { \"host_layer\": { \"images\": \"0.5 ms\", \"tokens\": \"0.46 ms\" }, \"layer_sync\": "
	"\"0.2 ms\", \"blocking\": [\"filter\"], \"overlap_gradients\": { \"images\": 0.4, \"tokens\": 0.1 "
	"}, "
	"\"passes\": { \"images\": 0.8, \"tokens\": 1.7 },\n"
	" \"gradient_rings\": 2, \"gradient_passes\": { \"images\": 6 }, \"gradient_tensor\": { \"images\": "
	"\"50 us\" }, \"bucket\": { \"images\": \"25 MB\", \"tokens\": \"40 MB\" }, \"spatial_leader\": "
	"true,\n"
	" \"activation_rings\": 5, \"collective_call\": { \"images\": \"0.1 ms\", \"tokens\": \"2 ms\" }, "
	"\"filter_piece\": \"70 us\", \"filter_passes\": 6, \"channel_passes\": 2, \"spatial_passes\": 4, "
	"\"filter_backward_partial\": true, \"staged\": true, \"halo_chain\": true, \"segments\": [{ "
	"\"latency\": \"7 us\", \"bandwidth\": \"2 GB/s\" }],\n"
	" \"jitter\": { \"images\": \"1 ms\" }, \"jitter_growth\": 0.75, \"micro_batches\": 4, "
	"\"stage_staged\": true, \"recompute\": { \"images\": \"stages\", \"tokens\": \"selective\" },\n"
	" \"workspace\": \"3 GB\", \"context\": { \"tokens\": \"1 GB\" }, \"gradient_buffers\": { "
	"\"images\": "
	"0.5, \"tokens\": 1 }, \"host_moe_layer\": \"3 ms\", \"host_collective\": \"30 us\",\n"
	" \"host_micro_batch\": \"0.5 ms\", \"host_sharpness\": 3.8, \"score_bytes\": \"15 B\",\n"
	" \"attention\": 0.6, \"portable_attention\": true, \"flash\": false, \"overlap_gathers\": 0.2, "
	"\"overlap_tensor\": 0.3, \"overlap_experts\": 0.4, \"overlap_context\": 0.5, \"overlap_shards\": "
	"0.6, "
	"\"interference\": 0.11,\n"
	" \"stage_blocking\": { \"tokens\": 0.7 }, \"scatter_gather\": true, \"stage_start\": { \"tokens\": "
	"\"0.75 ms\" }, \"host_exposed\": 2.3, \"accumulate_bytes\": \"10 B\", \"selective_share\": 0.5,\n"
	" \"step\": { \"tokens\": \"5 ms\" }, \"step_bytes\": { \"tokens\": \"11 B\" }, \"gradient_bytes\": "
	"{ "
	"\"tokens\": \"2 B\" }, \"balanced\": true, \"graphs\": { \"tokens\": true },\n"
	" \"communicator\": { \"tokens\": \"100 MB\" }, \"fragmentation\": { \"tokens\": 0.05 }, "
	"\"logits_bytes\": \"8 B\", \"step_memory\": { \"tokens\": \"14 B\" }, \"stage_outputs\": true }}";

static const struct json *parse(struct paradl_arena *arena, const char *text)
{
	struct paradl_error error = {0};
	const struct json *const root = json_parse(arena, text, strlen(text), "", &error);
	if (!root)
		fail_msg("%s", error.message);
	return root;
}

static void outdated(struct paradl_arena *arena, const char *text, struct paradl_framework *framework)
{
	struct paradl_error error = {0};
	if (!outdated_read(parse(arena, text), framework, &error))
		fail_msg("%s: %s", error.pointer, error.message);
}

/* Every key says what the rule of today says; numbers alike but for the rounding of a product. */
static void reads_the_old_spelling_as_the_rules_it_means(void **state)
{
	(void)state;
	struct paradl_arena *const arena = paradl_arena_create();
	struct paradl_error error = {0};
	struct paradl_framework before = {0}, after = {0};
	rules_default(before.rules);
	rules_default(after.rules);
	outdated(arena, old, &before);
	assert_int_equal(before.outdated, 65);
	if (!rules_read(json_member(parse(arena, new), "rules"), after.rules, &error))
		fail_msg("%s: %s", error.pointer, error.message);
	struct rules *const tokens = &before.rules[RULES_TOKENS];
	assert_close(tokens->host_layer_s, after.rules[RULES_TOKENS].host_layer_s, 1e-15);
	tokens->host_layer_s = after.rules[RULES_TOKENS].host_layer_s;
	for (unsigned kind = 0; kind < RULES_KINDS; ++kind)
		for (size_t i = 0; i < sizeof(struct rules); ++i)
			if (((const char *)&before.rules[kind])[i] != ((const char *)&after.rules[kind])[i])
				fail_msg("kind %u differs at byte %zu", kind, i);
	paradl_arena_free(arena);
}

/* A file that changes one of two keys which are one rule now changes its part of it. */
static void overlays_key_by_key(void **state)
{
	(void)state;
	struct paradl_arena *const arena = paradl_arena_create();
	struct paradl_framework framework = {0};
	const struct rules *const images = &framework.rules[RULES_IMAGES],
				  *const tokens = &framework.rules[RULES_TOKENS];
	rules_default(framework.rules);
	outdated(arena, old, &framework);
	outdated(arena, HEAD "\"training\": {\"passes\": 2, \"gradient_held\": \"0 B\"}}", &framework);
	assert_close(images->passes, 0.8, 0);
	assert_close(tokens->passes, 2, 0);
	assert_close(tokens->gradient_buffers, 0, 0);
	assert_close(images->gradient_buffers, 0.5, 0);
	paradl_arena_free(arena);
}

/* paradl check names the rule for each key. */
static void says_what_to_write_instead(void **state)
{
	(void)state;
	struct paradl_arena *const arena = paradl_arena_create();
	struct paradl_error error = {0};
	struct paradl_findings findings = {0};
	const struct json *const root = parse(arena,
		HEAD "\"execution\": {\"host_call\": \"0 us\"}, \"training\": {\"host_layer\": \"0 us\", "
		     "\"flash\": true}}");
	assert_true(outdated_check(arena, root, &findings, &error));
	assert_int_equal(findings.count, 3);
	assert_string_equal(findings.warnings[0], "/execution/host_call: an old spelling, read for this "
						  "release; write /rules/host_layer/images");
	assert_string_equal(findings.warnings[1],
		"/training/host_layer: an old spelling, read for this release; write "
		"/rules/host_layer/tokens, 1.15 times as much: of a layer and both passes");
	assert_string_equal(findings.warnings[2],
		"/training/flash: an old spelling, read for this release; write /rules/flash");
	paradl_arena_free(arena);
}

static void says_what_is_wrong(void **state)
{
	(void)state;
	static const struct damage damages[] = {
		{"\"training\": {", "\"training\": 1, \"_training\": {",
			"10:14: /training: must be an object, is 1"},
		{"\"0.4 ms\"", "0.4",
			"10:30: /training/host_layer: host_layer needs a unit: write \"1.5 us\", \"20 ms\", "
			"\"30 min\", \"3 h\" or \"30 d\""},
		{"\"overlap_shards\"", "\"overlap_shard\"",
			"14:19: /training/overlap_shard: unknown key \"overlap_shard\"; did you mean "
			"\"overlap_shards\"?"},
		{"\"gradient_bytes\": \"2 B\"", "\"gradient_bytes\": \"16 B\"",
			"17:44: /training/gradient_bytes: must be at most 8.00 B, is \"16 B\""},
		{"\"selective\"", "\"some\"", "18:15: /training/recompute: unknown name \"some\""},
		{"\"recompute\": true", "\"recompute\": 1",
			"8:65: /pipeline/recompute: must be true or false, is 1"},
	};
	assert_damages(framework_check, old, damages, sizeof damages / sizeof damages[0]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_the_old_spelling_as_the_rules_it_means),
		cmocka_unit_test(overlays_key_by_key),
		cmocka_unit_test(says_what_to_write_instead),
		cmocka_unit_test(says_what_is_wrong),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
