/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "damage.h"

#include <unistd.h>

#include "machine/format.h"
#include "machine/framework.h"
#include "machine/machine.h"

static const char good[] =
	"{\n"
	"  \"format\": \"paradl-framework\",\n"
	"  \"version\": 1,\n"
	"  \"name\": \"base\",\n"
	"  \"summary\": \"for tests\",\n"
	"  \"known_error\": 0.05,\n"
	"  \"split\": { \"filter\": [\"conv\", \"linear\"], \"spatial\": [\"conv\", \"pool\"] },\n"
	"  \"rules\": { \"host_layer\": \"0.5 ms\", \"layer_sync\": \"0.2 ms\", \"blocking\": [\"filter\", "
	"\"channel\"], \"overlap_gradients\": 0.4,\n"
	"    \"gradient_rings\": 2, \"gradient_passes\": 6, \"gradient_tensor\": \"50 us\", "
	"\"spatial_leader\": true,\n"
	"    \"activation_rings\": 5, \"collective_call\": \"0.1 ms\", \"filter_piece\": \"70 us\", "
	"\"filter_passes\": 6,\n"
	"    \"channel_passes\": 2, \"spatial_passes\": 4, \"filter_backward_partial\": true,\n"
	"    \"staged\": true, \"halo_chain\": true, \"segments\": [\n"
	"      { \"up_to\": \"1 MB\", \"latency\": \"3 us\", \"bandwidth\": \"4 GB/s\" },\n"
	"      { \"latency\": \"7 us\", \"bandwidth\": \"2 GB/s\" } ],\n"
	"    \"jitter\": \"1 ms\", \"micro_batches\": 4, \"recompute\": { \"images\": \"stages\", "
	"\"tokens\": \"full\" },\n"
	"    \"passes\": { \"tokens\": 1.7 }, \"workspace\": \"1 GiB\", \"gradient_buffers\": 1 },\n"
	"  \"quirks\": { \"inputs\": [{ \"families\": [\"serial\", \"data+spatial\"], \"extent\": [226, 224] "
	"}],\n"
	"    \"pool_padding\": [\"avg\"], \"pool_messages\": false },\n"
	"  \"assumptions\": [\"one\", \"two\"]\n"
	"}\n";

static char folder[] = "/tmp/paradl-framework-XXXXXX";

static void write_file(const char *name, const char *text)
{
	char path[128];
	snprintf(path, sizeof path, "%s/%s.json", folder, name);
	FILE *const file = fopen(path, "w");
	assert_non_null(file);
	assert_true(fputs(text, file) >= 0 && fclose(file) == 0);
}

static const struct paradl_framework *load(
	struct paradl_arena *arena, const char *name, struct paradl_error *error)
{
	char path[128];
	snprintf(path, sizeof path, "%s/%s.json", folder, name);
	return paradl_framework_load(arena, &(struct paradl_source){.path = path}, error);
}

static int make_folder(void **state)
{
	(void)state;
	return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
	(void)state;
	static const char *const names[] = {"base", "child", "loop"};
	char path[128];
	for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
		snprintf(path, sizeof path, "%s/%s.json", folder, names[i]);
		remove(path);
	}
	return rmdir(folder);
}

static void reads_every_number(void **state)
{
	(void)state;
	struct paradl_arena *const arena = paradl_arena_create();
	struct paradl_error error = {0};
	write_file("base", good);
	const struct paradl_framework *const f = load(arena, "base", &error);
	assert_non_null(f);
	assert_string_equal(f->name, "base");
	assert_close(f->known_error, 0.05, 0);
	assert_true(f->splits[PARADL_FILTER][0] && f->splits[PARADL_FILTER][1]);   /* conv, linear */
	assert_true(f->splits[PARADL_SPATIAL][0] && f->splits[PARADL_SPATIAL][3]); /* conv, pool */
	assert_false(f->splits[PARADL_SPATIAL][1] || f->splits[PARADL_CHANNEL][0]);
	for (unsigned kind = 0; kind < RULES_KINDS; ++kind) {
		const struct rules *const r = &f->rules[kind];
		assert_close(r->host_layer_s, 5e-4, 1e-15);
		assert_close(r->layer_sync_s, 2e-4, 1e-15);
		assert_true(r->blocking[PARADL_FILTER] && r->blocking[PARADL_CHANNEL] &&
			    !r->blocking[PARADL_SPATIAL]);
		assert_close(r->overlap_gradients, 0.4, 0);
		assert_int_equal(r->gradient_rings, 2);
		assert_close(r->gradient_passes, 6, 0);
		assert_close(r->gradient_tensor_s, 5e-5, 1e-15);
		assert_true(r->spatial_leader && r->filter_backward_partial && r->staged && r->halo_chain);
		assert_int_equal(r->activation_rings, 5);
		assert_close(r->collective_call_s, 1e-4, 1e-15);
		assert_close(r->piece_s, 7e-5, 1e-15);
		assert_close(r->filter_passes * 100 + r->channel_passes * 10 + r->spatial_passes, 624, 0);
		assert_int_equal(r->segment_count, 2);
		assert_close(r->segments[0].upto_bytes, 1e6, 0);
		assert_close(r->segments[0].latency_s, 3e-6, 1e-15);
		assert_close(r->segments[1].latency_s, 7e-6, 1e-15);
		assert_close(r->segments[1].bytes_per_s, 2e9, 0);
		assert_close(r->jitter_s, 1e-3, 1e-15);
		assert_close(r->micro_batches, 4, 0);
		assert_close(r->workspace_bytes, 1073741824, 0);
		assert_close(r->gradient_buffers, 1, 0);
	}
	const struct rules *const images = &f->rules[RULES_IMAGES], *const tokens = &f->rules[RULES_TOKENS];
	assert_close(images->passes, 1, 0);
	assert_close(tokens->passes, 1.7, 0);
	assert_true(images->recompute_stages && !tokens->recompute_stages);
	assert_int_equal(images->recompute, PARADL_RECOMPUTE_NONE);
	assert_int_equal(tokens->recompute, PARADL_RECOMPUTE_FULL);
	assert_int_equal(f->input_count, 1);
	for (unsigned family = 0; family < 1U << PARADL_AXIS_COUNT; ++family)
		assert_int_equal(f->inputs[0].families[family],
			family == 0 || family == (1U << PARADL_DATA | 1U << PARADL_SPATIAL));
	assert_int_equal(f->inputs[0].extent[0], 226);
	assert_int_equal(f->inputs[0].extent[1], 224);
	assert_int_equal(f->inputs[0].extent[2], 0);
	assert_int_equal(f->padded_pools, 1U << 1);
	assert_false(f->pool_messages);
	const struct paradl_framework_info info = paradl_framework_info(f);
	assert_string_equal(info.summary, "for tests");
	assert_int_equal(info.assumption_count, 2);
	assert_string_equal(info.assumptions[1], "two");
	paradl_arena_free(arena);
}

static void overlays_what_it_extends(void **state)
{
	(void)state;
	struct paradl_arena *const arena = paradl_arena_create();
	struct paradl_error error = {0};
	write_file("base", good);
	write_file("child", "{\"format\": \"paradl-framework\", \"version\": 1, \"extends\": \"base\", "
			    "\"name\": \"child\",\n"
			    " \"summary\": \"more\", \"split\": {\"filter\": [\"linear\"]}, \"rules\": "
			    "{\"blocking\": [], \"gradient_rings\": {\"images\": 3}, \"halo_chain\": "
			    "{\"tokens\": false}},\n"
			    "\"quirks\": {\"inputs\": []},\n"
			    " \"assumptions\": [\"three\"]}");
	const struct paradl_framework *const f = load(arena, "child", &error);
	assert_non_null(f);
	assert_string_equal(f->name, "child");
	assert_string_equal(f->summary, "more");
	assert_true(
		!f->splits[PARADL_FILTER][0] && f->splits[PARADL_FILTER][1]); /* the axis' list is replaced */
	assert_true(f->splits[PARADL_SPATIAL][0] && f->splits[PARADL_SPATIAL][3]); /* other axes are kept */
	const struct rules *const images = &f->rules[RULES_IMAGES], *const tokens = &f->rules[RULES_TOKENS];
	assert_false(images->blocking[PARADL_FILTER] || tokens->blocking[PARADL_CHANNEL]);
	assert_close(images->host_layer_s, 5e-4, 1e-15);
	assert_int_equal(images->gradient_rings, 3);
	assert_int_equal(tokens->gradient_rings, 2); /* a kind that is left out stays as it is */
	assert_close(images->gradient_passes, 6, 0);
	assert_true(images->staged && images->halo_chain && tokens->staged && !tokens->halo_chain);
	assert_int_equal(images->segment_count, 2);
	assert_int_equal(f->input_count, 0);
	assert_int_equal(f->padded_pools, 1U << 1);
	assert_int_equal(f->assumption_count, 1);
	assert_string_equal(f->assumptions[0], "three");
	paradl_arena_free(arena);
}

static const char optional[] =
	"{ \"format\": \"paradl-framework\", \"version\": 1, \"name\": \"base\", \"summary\": \"s\", "
	"\"family\": \"base\",\n"
	"  \"rules\": { \"flash\": false, \"overlap_tensor\": 0, \"host_layer\": { \"images\": \"1 ms\", "
	"\"tokens\": \"2 ms\" } },\n"
	"  \"options\": {\n"
	"    \"flash\": { \"summary\": \"not of the profile\", \"rules\": { \"flash\": true } },\n"
	"    \"tensor\": { \"rules\": { \"overlap_tensor\": 0.5 } },\n"
	"    \"graphs\": { \"known_error\": 0.1, \"rules\": { \"host_layer\": { \"tokens\": \"1 us\" } } } "
	"},\n"
	"  \"uses\": [\"flash\"] }\n";

static const char optional_child[] =
	"{ \"format\": \"paradl-framework\", \"version\": 1, \"name\": \"child\", \"summary\": \"c\", "
	"\"extends\": \"base\",\n"
	"  \"options\": { \"tensor\": { \"rules\": { \"overlap_tensor\": 0.7 } } },\n"
	"  \"uses\": [\"tensor\"] }\n";

/* A framework by "DIRECTORY/NAME.json" and what follows it. */
static const struct paradl_framework *load_with(
	struct paradl_arena *arena, const char *name, const char *wanted, struct paradl_error *error)
{
	char path[128];
	snprintf(path, sizeof path, "%s/%s.json%s", folder, name, wanted);
	return paradl_framework_load(arena, &(struct paradl_source){.path = path}, error);
}

static void options_are_chosen(void **state)
{
	(void)state;
	static const struct {
		const char *file, *wanted, *name;
		bool flash;
		double overlap, host_s;
	} cases[] = {
		{"base", "", "base", true, 0, 2e-3},
		{"base", "+no-flash", "base+no-flash", false, 0, 2e-3},
		{"base", "+tensor+graphs", "base+tensor+graphs", true, 0.5, 1e-6},
		{"child", "", "child", false, 0.7, 2e-3},
		{"child", "+flash+tensor", "child+flash", true, 0.7, 2e-3},
		{"child", "+no-tensor+graphs", "child+graphs+no-tensor", false, 0, 1e-6},
		{"child", "+graphs+no-graphs", "child", false, 0.7, 2e-3},
		{"base", "+graphs", "base+graphs", true, 0, 1e-6},
	};
	struct paradl_arena *const arena = paradl_arena_create();
	struct paradl_error error = {0};
	write_file("base", optional);
	write_file("child", optional_child);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
		const struct paradl_framework *f = load_with(arena, cases[i].file, cases[i].wanted, &error);
		if (!f) {
			fail_msg("%s", error.message);
			return;
		}
		const struct rules *rules = &f->rules[RULES_TOKENS];
		assert_string_equal(f->name, cases[i].name);
		assert_int_equal(rules->flash, cases[i].flash);
		assert_close(rules->overlap_tensor, cases[i].overlap, 0);
		assert_close(rules->host_layer_s, cases[i].host_s, 1e-12);
		assert_close(f->rules[RULES_IMAGES].host_layer_s, 1e-3, 1e-12);
		assert_string_equal(f->family, "base");
		assert_int_equal(
			f->choice.unchecked, *f->choice.suffix && strcmp(f->choice.suffix, "+graphs") != 0);
		assert_string_not_equal(f->summary, "not of the profile");
		/* What it says of itself loads it again. */
		f = paradl_framework_load(arena, &(struct paradl_source){.path = f->source}, &error);
		assert_non_null(f);
		assert_string_equal(f ? f->name : "", cases[i].name);
	}
	paradl_arena_free(arena);
}

static void options_are_refused(void **state)
{
	(void)state;
	static const struct {
		const char *text, *wanted, *message;
	} cases[] = {
		{optional, "+grahps", "has no option \"grahps\"; did you mean \"graphs\"?"},
		{optional, "+no-tenser", "has no option \"no-tenser\""},
		{"\"uses\": [\"flush\"]", "", "must be the name of an option"},
		{"\"uses\": \"flash\"", "", "must be a list of options"},
		{"\"options\": [null]", "", "must be an object"},
		{"\"options\": \"flash\"", "", "must be an object"},
		{"\"options\": { \"a+b\": {} }", "", "has no"},
		{"\"options\": { \"no-a\": {} }", "", "does not begin with"},
		{"\"options\": { \"a\": { \"extends\": \"nccl\" } }", "", "unknown key"},
	};
	struct paradl_arena *const arena = paradl_arena_create();
	for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
		struct paradl_error error = {0};
		char text[512];
		snprintf(text, sizeof text,
			"{ \"format\": \"paradl-framework\", \"version\": 1, \"name\": \"base\", "
			"\"summary\": "
			"\"s\", %s }",
			cases[i].text);
		write_file("base", *cases[i].text == '{' ? cases[i].text : text);
		assert_null(load_with(arena, "base", cases[i].wanted, &error));
		if (!strstr(error.message, cases[i].message))
			fail_msg("%s", error.message);
	}
	paradl_arena_free(arena);
}

static void follows_no_cycle(void **state)
{
	(void)state;
	struct paradl_arena *const arena = paradl_arena_create();
	struct paradl_error error = {0};
	write_file("loop", "{\"format\": \"paradl-framework\", \"version\": 1, \"extends\": \"loop\", "
			   "\"name\": \"n\", \"summary\": \"s\"}");
	assert_null(load(arena, "loop", &error));
	assert_string_equal(error.message, "extends more than 8 frameworks in a row; is there a cycle?");
	assert_string_equal(error.pointer, "/extends");
	write_file("loop", "{\"format\": \"paradl-framework\", \"version\": 1, \"extends\": \"none\", "
			   "\"name\": \"n\", \"summary\": \"s\"}");
	assert_null(load(arena, "loop", &error));
	assert_int_equal(error.status, PARADL_SCHEMA);
	assert_string_equal(error.message, "there is no framework \"none\" beside this one");
	assert_non_null(strstr(error.path, "/loop.json"));
	assert_string_equal(error.pointer, "/extends");
	assert_int_equal(error.line, 1);
	paradl_arena_free(arena);
}

static void staged_messages_may_inherit_their_segments(void **state)
{
	(void)state;
	static const char text[] =
		"{\"format\": \"paradl-framework\", \"version\": 1, \"extends\": \"base\", \"name\": \"n\", "
		"\"summary\": \"s\", \"rules\": {\"staged\": true}}";
	struct paradl_arena *const arena = paradl_arena_create();
	struct paradl_error error = {0};
	char message[2048];
	write_file("base", good);
	write_file("child", text);
	assert_non_null(load(arena, "child", &error));
	check_text(framework_check, text, message, sizeof message);
	assert_string_equal(message, "");
	paradl_arena_free(arena);
}

static void says_what_is_wrong_and_where(void **state)
{
	(void)state;
	static const struct damage damages[] = {
		{"\"paradl-framework\"", "\"paradl-device\"",
			"2:13: /format: is a \"paradl-device\" file where a \"paradl-framework\" file is "
			"wanted"},
		{"\"version\": 1", "\"version\": 9",
			"3:14: /version: is version 9 of \"paradl-framework\"; this program reads up to "
			"version 1"},
		{"\"name\": \"base\",", "", "1:1: needs a \"name\""},
		{"\"summary\": \"for tests\",", "", "1:1: needs a \"summary\""},
		{"0.05", "1.05", "6:18: /known_error: must be a number from 0 to 1, is 1.05"},
		{"\"known_error\"", "\"known_eror\"",
			"6:17: /known_eror: unknown key \"known_eror\"; did you mean \"known_error\"?"},
		{"\"known_error\": 0.05", "\"extends\": 1",
			"6:14: /extends: must be the name of a framework beside this one"},
		{"\"known_error\": 0.05", "\"extends\": \"../x\"",
			"6:14: /extends: must be the name of a framework beside this one"},
		{"\"split\": {", "\"split\": [\"conv\"], \"_split\": {",
			"7:12: /split: must be an object: axis to a list of layer types"},
		{"\"split\": { \"filter\": [", "\"split\": { \"filters\": [",
			"7:25: /split/filters: unknown axis \"filters\"; axes are data, pipeline, expert, "
			"context, tensor, filter, channel, spatial"},
		{"\"linear\"", "\"linera\"",
			"7:33: /split/filter/1: unknown name \"linera\"; did you mean \"linear\"?"},
		{"\"linear\"", "2", "7:33: /split/filter/1: must be a name in quotes"},
		{"[\"conv\", \"pool\"]", "\"conv\"", "7:55: /split/spatial: must be a list of names"},
		{"[\"conv\", \"pool\"]", "{\"a\": \"conv\"}",
			"7:55: /split/spatial: must be a list of names"},
		{"\"0.5 ms\"", "0.5",
			"8:28: /rules/host_layer: host_layer needs a unit: write \"1.5 us\", \"20 ms\", \"30 "
			"min\", \"3 h\" or \"30 d\""},
		{"\"0.5 ms\"", "\"0.5 m\"",
			"8:28: /rules/host_layer: host_layer has the unit \"m\", which is not known: write "
			"\"1.5 us\", \"20 ms\", \"30 min\", \"3 h\" or \"30 d\""},
		{"\"rules\": {", "\"rules\": null, \"_rules\": {",
			"8:12: /rules: must be an object, is null"},
		{"\"blocking\": [\"filter\", \"channel\"]", "\"blocking\": \"filter\"",
			"8:74: /rules/blocking: must be a list of names"},
		{"\"blocking\": [\"filter\", \"channel\"]", "\"blocking\": [\"chanel\"]",
			"8:75: /rules/blocking/0: unknown name \"chanel\"; did you mean \"channel\"?"},
		{"\"overlap_gradients\": 0.4", "\"overlap_gradients\": -0.1",
			"8:118: /rules/overlap_gradients: must be a number from 0 to 1, is -0.1"},
		{"\"gradient_rings\": 2", "\"gradient_rings\": -1",
			"9:23: /rules/gradient_rings: must be a whole number from 0 to 64, is -1"},
		{"\"gradient_rings\": 2", "\"gradient_rings\": 65",
			"9:23: /rules/gradient_rings: must be a whole number from 0 to 64, is 65"},
		{"\"gradient_rings\": 2", "\"gradient_rings\": {\"images\": 2, \"token\": 2}",
			"9:46: /rules/gradient_rings/token: unknown key \"token\"; did you mean \"tokens\"?"},
		{"\"gradient_rings\": 2", "\"gradient_rings\": {\"images\": 2, \"tokens\": {}}",
			"9:47: /rules/gradient_rings/tokens: must be a whole number from 0 to 64, is an "
			"object"},
		{"\"spatial_leader\": true", "\"spatial_leader\": 1",
			"9:94: /rules/spatial_leader: must be true or false, is 1"},
		{"\"gradient_passes\": 6", "\"gradient_passes\": 101",
			"9:45: /rules/gradient_passes: must be a number from 0 to 100, is 101"},
		{"\"filter_piece\"", "\"filter_peice\"",
			"10:73: /rules/filter_peice: unknown key \"filter_peice\"; did you mean "
			"\"filter_piece\"?"},
		{"\"segments\": [", "\"segments\": [], \"_segments\": [",
			"12:53: /rules/segments: must be a list of 1 to 4 segments"},
		{"\"segments\": [", "\"segments\": 1, \"_segments\": [",
			"12:53: /rules/segments: must be a list of 1 to 4 segments"},
		{"\"segments\": [", "\"_segments\": [", "8:12: /rules: staged messages need \"segments\""},
		{"\"up_to\": \"1 MB\", ", "",
			"13:7: /rules/segments/0: needs \"up_to\", rising from segment to segment; only "
			"the last has no end"},
		{"\"1 MB\"", "\"1 MB/s\"",
			"13:18: /rules/segments/0/up_to: up_to has the unit \"MB/s\", which is a "
			"bandwidth: write \"16 GiB\" or \"25 MB\""},
		{"{ \"latency\": \"7 us\",", "{", "14:7: /rules/segments/1: needs a \"latency\""},
		{"{ \"latency\": \"7 us\", \"bandwidth\": \"2 GB/s\"",
			"{ \"latency\": \"7 us\", \"bandwidth\": \"5 GB/s\"",
			"14:7: /rules/segments/1: messages of more than 1000000 bytes would take less time "
			"(0.000207 s) than those of up to so many (0.000253 s): times must not fall with "
			"bytes; a slow range is a longer \"latency\" from there on"},
		{"{ \"latency\": \"7 us\",", "{ \"up_to\": \"2 MB\", \"latency\": \"7 us\",",
			"14:18: /rules/segments/1/up_to: the last segment has no end: leave \"up_to\" "
			"out"},
		{"{ \"latency\": \"7 us\",",
			"{ \"up_to\": \"1 MB\", \"latency\": \"1 us\", \"bandwidth\": \"1 GB/s\" }, { "
			"\"latency\": \"7 us\",",
			"14:7: /rules/segments/1: needs \"up_to\", rising from segment to segment; only "
			"the last has no end"},
		{"\"jitter\": \"1 ms\"", "\"jitter\": \"11 s\"",
			"15:15: /rules/jitter: must be at most 10.0 s, is \"11 s\""},
		{"\"micro_batches\": 4", "\"micro_batches\": \"4\"",
			"15:40: /rules/micro_batches: must be a number from 0 to 1000000000, is \"4\""},
		{"\"stages\"", "\"some\"", "15:68: /rules/recompute/images: unknown name \"some\""},
		{"\"gradient_buffers\": 1", "\"gradient_buffers\": 17",
			"16:76: /rules/gradient_buffers: must be a number from 0 to 16, is 17"},
		{"\"1 GiB\"", "\"1 Gib\"",
			"16:47: /rules/workspace: workspace has the unit \"Gib\": write \"GiB\""},
		{"\"quirks\": {", "\"quirks\": [], \"_quirks\": {",
			"17:13: /quirks: must be an object, is an empty array"},
		{"\"inputs\": [", "\"inputs\": {}, \"_inputs\": [",
			"17:25: /quirks/inputs: must be a list of at most 8"},
		{"[\"serial\", \"data+spatial\"]", "\"serial\"",
			"17:40: /quirks/inputs/0/families: must be an array, is \"serial\""},
		{"\"data+spatial\"", "\"data+\"",
			"17:51: /quirks/inputs/0/families/1: must be a family of axes such as "
			"\"data+spatial\""},
		{"\"data+spatial\"", "\"data+data\"",
			"17:51: /quirks/inputs/0/families/1: must be a family of axes such as "
			"\"data+spatial\""},
		{"\"data+spatial\"", "\"datum\"",
			"17:51: /quirks/inputs/0/families/1: must be a family of axes such as "
			"\"data+spatial\""},
		{"\"data+spatial\"", "\"\"",
			"17:51: /quirks/inputs/0/families/1: must be a family of axes such as "
			"\"data+spatial\""},
		{"\"data+spatial\"", "5",
			"17:51: /quirks/inputs/0/families/1: must be a family of axes such as "
			"\"data+spatial\""},
		{"[226, 224]", "[]", "17:78: /quirks/inputs/0/extent: must have 1 to 3 numbers"},
		{"[226, 224]", "[1, 2, 3, 4]", "17:78: /quirks/inputs/0/extent: must have 1 to 3 numbers"},
		{"[226, 224]", "[0]",
			"17:79: /quirks/inputs/0/extent/0: must be a whole number from 1 to 1000000, is 0"},
		{"[226, 224]", "226", "17:78: /quirks/inputs/0/extent: must be an array, is 226"},
		{"[\"avg\"]", "\"avg\"", "18:21: /quirks/pool_padding: must be a list of at most 8"},
		{"[\"avg\"]", "[\"mx\"]", "18:22: /quirks/pool_padding/0: unknown name \"mx\""},
		{"\"pool_padding\": [\"avg\"]", "\"pool_halo\": [\"VGG-16\"]",
			"18:18: /quirks/pool_halo: profiles name no models any more"},
		{"\"pool_padding\": [\"avg\"]", "\"gather_after\": [{}]",
			"18:21: /quirks/gather_after: profiles name no models any more"},
		{"[\"one\", \"two\"]", "\"one\"", "19:18: /assumptions: must be a list of texts"},
		{"\"two\"", "2", "19:26: /assumptions/1: must be a text"},
	};
	assert_damages(framework_check, good, damages, sizeof damages / sizeof damages[0]);
}

static void limits_the_number_of_quirks(void **state)
{
	(void)state;
	char quirks[512] = "\"inputs\": [", text[4096], message[2048];
	for (unsigned i = 0; i < QUIRKS_MAX + 1; ++i)
		strcat(quirks, i ? ",{\"families\":[],\"extent\":[1]}" : "{\"families\":[],\"extent\":[1]}");
	strcat(quirks, "], \"_inputs\": [");
	replace(text, sizeof text, good, "\"inputs\": [", quirks);
	check_text(framework_check, text, message, sizeof message);
	assert_string_equal(message, "17:25: /quirks/inputs: must be a list of at most 8");
}

static void reads_families(void **state)
{
	(void)state;
	unsigned axes;
	assert_true(axes_parse("serial", &axes));
	assert_int_equal(axes, 0);
	assert_true(axes_parse("data+filter", &axes));
	assert_int_equal(axes, 1U << PARADL_DATA | 1U << PARADL_FILTER);
	assert_true(axes_parse("spatial+data", &axes));
	assert_int_equal(axes, 1U << PARADL_DATA | 1U << PARADL_SPATIAL);
	static const char *const bad[] = {"", "+", "data+", "+data", "data++filter", "Data", "serial+data",
		"a-name-that-is-much-too-long", "data+data"};
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i)
		assert_false(axes_parse(bad[i], &axes));
}

/* A file that extends nothing states every rule, and each rule that any file states has an origin. */
static void rules_are_stated(struct paradl_arena *arena, const char *path)
{
	struct paradl_error error = {0};
	char place[80];
	const struct json *const root = json_load(arena, path, &error);
	assert_non_null(root);
	const struct json *const rules = json_member(root, "rules"), *const from = json_member(root, "from");
	if (!json_member(root, "extends") && rule_unstated(rules, 0))
		fail_msg("%s does not state %s", path, rule_unstated(rules, 0));
	for (const struct json *rule = rules ? rules->child : NULL; rule; rule = rule->next) {
		snprintf(place, sizeof place, "rules/%s", rule->key);
		const bool whole = origin_of(from, place) != NULL;
		for (const struct json *kind = rule->kind == JSON_OBJECT ? rule->child : NULL; kind;
			kind = kind->next) {
			snprintf(place, sizeof place, "rules/%s/%s", rule->key, kind->key);
			if (!origin_of(from, place))
				fail_msg("%s: %s has no origin", path, place);
		}
		if (!whole && rule->kind != JSON_OBJECT)
			fail_msg("%s: %s has no origin", path, place);
	}
}

static void reads_shipped_frameworks(void **state)
{
	(void)state;
	static const char *const names[] = {"chainermn", "chainermn-2021", "chainermn-nccl-2020", "nccl",
		"megatron", "megatron-2021", "megatron-deepspeed", "megatron-core", "nemo-2023", "nemo-2024",
		"nemo-bridge", "fsdp", "llm-foundry", "torchtitan", "internevo", "deepspeed", "xla",
		"maxtext", "pytorch-ngc", "tensorflow-ngc", "paddle-ngc", "mxnet-ngc", "mlperf-resnet",
		"mpi-step"};
	for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
		struct paradl_arena *const arena = paradl_arena_create();
		struct paradl_error error = {0};
		char path[128];
		snprintf(path, sizeof path, "hw-profiles/frameworks/%s.json", names[i]);
		const struct paradl_framework *const framework =
			paradl_framework_load(arena, &(struct paradl_source){.path = path}, &error);
		assert_non_null(framework);
		assert_string_equal(framework->name, names[i]);
		assert_int_equal(framework->outdated, 0);
		rules_are_stated(arena, path);
		paradl_arena_free(arena);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_every_number),
		cmocka_unit_test(overlays_what_it_extends),
		cmocka_unit_test(options_are_chosen),
		cmocka_unit_test(options_are_refused),
		cmocka_unit_test(follows_no_cycle),
		cmocka_unit_test(staged_messages_may_inherit_their_segments),
		cmocka_unit_test(says_what_is_wrong_and_where),
		cmocka_unit_test(limits_the_number_of_quirks),
		cmocka_unit_test(reads_families),
		cmocka_unit_test(reads_shipped_frameworks),
	};
	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
