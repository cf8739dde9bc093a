/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "damage.h"

#include <unistd.h>

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
	"  \"execution\": { \"host_call\": \"0.5 ms\", \"sync\": \"0.2 ms\", \"blocking\": [\"filter\", "
	"\"channel\"], \"overlap\": 0.4 },\n"
	"  \"gradients\": { \"rings\": 2, \"passes\": 6, \"per_tensor\": \"50 us\", \"spatial_leader\": true "
	"},\n"
	"  \"activations\": { \"rings\": 5, \"per_call\": \"0.1 ms\", \"per_piece\": \"70 us\", "
	"\"filter_passes\": 6,\n"
	"    \"channel_passes\": 2, \"spatial_passes\": 4, \"filter_backward_partial\": true },\n"
	"  \"messages\": { \"staged\": true, \"halo_chain\": true, \"segments\": [\n"
	"    { \"up_to\": \"1 MB\", \"latency\": \"3 us\", \"bandwidth\": \"4 GB/s\" },\n"
	"    { \"latency\": \"7 us\", \"bandwidth\": \"2 GB/s\" } ] },\n"
	"  \"waiting\": { \"jitter\": \"1 ms\" },\n"
	"  \"pipeline\": { \"micro_batches\": 4, \"recompute\": true },\n"
	"  \"memory\": { \"workspace\": \"1 GiB\", \"gradient_buffers\": 1 },\n"
	"  \"quirks\": { \"inputs\": [{ \"families\": [\"serial\", \"data+spatial\"], \"extent\": [226, 224] "
	"}],\n"
	"    \"gather_after\": [{ \"model\": \"M\", \"layer\": \"conv2\" }] },\n"
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
	return paradl_framework_load(arena, path, error);
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
	assert_close(f->host_call_s, 5e-4, 1e-15);
	assert_close(f->sync_s, 2e-4, 1e-15);
	assert_true(
		f->blocking[PARADL_FILTER] && f->blocking[PARADL_CHANNEL] && !f->blocking[PARADL_SPATIAL]);
	assert_close(f->overlap, 0.4, 0);
	assert_int_equal(f->gradient_rings, 2);
	assert_close(f->gradient_passes, 6, 0);
	assert_close(f->gradient_tensor_s, 5e-5, 1e-15);
	assert_true(f->spatial_leader && f->filter_backward_partial && f->staged && f->halo_chain &&
		    f->recompute);
	assert_int_equal(f->activation_rings, 5);
	assert_close(f->collective_s, 1e-4, 1e-15);
	assert_close(f->piece_s, 7e-5, 1e-15);
	assert_close(f->filter_passes * 100 + f->channel_passes * 10 + f->spatial_passes, 624, 0);
	assert_int_equal(f->segment_count, 2);
	assert_close(f->segments[0].upto_bytes, 1e6, 0);
	assert_close(f->segments[0].latency_s, 3e-6, 1e-15);
	assert_close(f->segments[1].latency_s, 7e-6, 1e-15);
	assert_close(f->segments[1].bytes_per_s, 2e9, 0);
	assert_close(f->jitter_s, 1e-3, 1e-15);
	assert_close(f->micro_batches, 4, 0);
	assert_close(f->workspace_bytes, 1073741824, 0);
	assert_close(f->gradient_buffers, 1, 0);
	assert_int_equal(f->input_count, 1);
	for (unsigned family = 0; family < 1U << PARADL_AXIS_COUNT; ++family)
		assert_int_equal(f->inputs[0].families[family],
			family == 0 || family == (1U << PARADL_DATA | 1U << PARADL_SPATIAL));
	assert_int_equal(f->inputs[0].extent[0], 226);
	assert_int_equal(f->inputs[0].extent[1], 224);
	assert_int_equal(f->inputs[0].extent[2], 0);
	assert_int_equal(f->gather_count, 1);
	assert_string_equal(f->gathers[0].model, "M");
	assert_string_equal(f->gathers[0].layer, "conv2");
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
			    " \"summary\": \"more\", \"split\": {\"filter\": [\"linear\"]}, \"execution\": "
			    "{\"blocking\": []},\n"
			    " \"gradients\": {\"rings\": 3}, \"messages\": {\"halo_chain\": false}, "
			    "\"quirks\": {\"inputs\": []},\n"
			    " \"assumptions\": [\"three\"]}");
	const struct paradl_framework *const f = load(arena, "child", &error);
	assert_non_null(f);
	assert_string_equal(f->name, "child");
	assert_string_equal(f->summary, "more");
	assert_true(
		!f->splits[PARADL_FILTER][0] && f->splits[PARADL_FILTER][1]); /* the axis' list is replaced */
	assert_true(f->splits[PARADL_SPATIAL][0] && f->splits[PARADL_SPATIAL][3]); /* other axes are kept */
	assert_false(f->blocking[PARADL_FILTER] || f->blocking[PARADL_CHANNEL]);
	assert_close(f->host_call_s, 5e-4, 1e-15);
	assert_int_equal(f->gradient_rings, 3);
	assert_close(f->gradient_passes, 6, 0);
	assert_true(f->staged && !f->halo_chain);
	assert_int_equal(f->segment_count, 2);
	assert_int_equal(f->input_count, 0);
	assert_int_equal(f->gather_count, 1);
	assert_int_equal(f->assumption_count, 1);
	assert_string_equal(f->assumptions[0], "three");
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
	assert_int_equal(error.status, PARADL_IO);
	assert_non_null(strstr(error.path, "/none.json"));
	paradl_arena_free(arena);
}

static void staged_messages_may_inherit_their_segments(void **state)
{
	(void)state;
	static const char text[] =
		"{\"format\": \"paradl-framework\", \"version\": 1, \"extends\": \"base\", \"name\": \"n\", "
		"\"summary\": \"s\", \"messages\": {\"staged\": true}}";
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
			"8:31: /execution/host_call: host_call needs a unit: write \"1.5 us\", \"20 ms\" or "
			"\"3 h\""},
		{"\"0.5 ms\"", "\"0.5 m\"",
			"8:31: /execution/host_call: host_call has the unit \"m\", which is not known: write "
			"\"1.5 us\", \"20 ms\" or \"3 h\""},
		{"\"execution\": {", "\"execution\": null, \"_execution\": {",
			"8:16: /execution: must be an object, is null"},
		{"\"blocking\": [\"filter\", \"channel\"]", "\"blocking\": \"filter\"",
			"8:71: /execution/blocking: must be a list of names"},
		{"\"blocking\": [\"filter\", \"channel\"]", "\"blocking\": [\"chanel\"]",
			"8:72: /execution/blocking/0: unknown name \"chanel\"; did you mean \"channel\"?"},
		{"\"overlap\": 0.4", "\"overlap\": -0.1",
			"8:105: /execution/overlap: must be a number from 0 to 1, is -0.1"},
		{"\"rings\": 2", "\"rings\": -1",
			"9:27: /gradients/rings: must be a whole number from 0 to 64, is -1"},
		{"\"rings\": 2", "\"rings\": 65",
			"9:27: /gradients/rings: must be a whole number from 0 to 64, is 65"},
		{"\"spatial_leader\": true", "\"spatial_leader\": 1",
			"9:84: /gradients/spatial_leader: must be true or false, is 1"},
		{"\"passes\": 6", "\"passes\": 101",
			"9:40: /gradients/passes: must be a number from 0 to 100, is 101"},
		{"\"per_piece\"", "\"per_peice\"",
			"10:67: /activations/per_peice: unknown key \"per_peice\"; did you mean "
			"\"per_piece\"?"},
		{"\"segments\": [", "\"segments\": [], \"_segments\": [",
			"12:65: /messages/segments: must be a list of 1 to 4 segments"},
		{"\"segments\": [", "\"segments\": 1, \"_segments\": [",
			"12:65: /messages/segments: must be a list of 1 to 4 segments"},
		{"\"segments\": [", "\"_segments\": [",
			"12:15: /messages: staged messages need \"segments\""},
		{"\"up_to\": \"1 MB\", ", "",
			"13:5: /messages/segments/0: needs \"up_to\", rising from segment to segment; only "
			"the last has no end"},
		{"\"1 MB\"", "\"1 MB/s\"",
			"13:16: /messages/segments/0/up_to: up_to has the unit \"MB/s\", which is a "
			"bandwidth: write \"16 GiB\" or \"25 MB\""},
		{"{ \"latency\": \"7 us\",", "{", "14:5: /messages/segments/1: needs a \"latency\""},
		{"{ \"latency\": \"7 us\",", "{ \"up_to\": \"2 MB\", \"latency\": \"7 us\",",
			"14:16: /messages/segments/1/up_to: the last segment has no end: leave \"up_to\" "
			"out"},
		{"{ \"latency\": \"7 us\",",
			"{ \"up_to\": \"1 MB\", \"latency\": \"1 us\", \"bandwidth\": \"1 GB/s\" }, { "
			"\"latency\": \"7 us\",",
			"14:5: /messages/segments/1: needs \"up_to\", rising from segment to segment; only "
			"the last has no end"},
		{"\"waiting\": {", "\"waiting\": 3, \"_waiting\": {",
			"15:14: /waiting: must be an object, is 3"},
		{"\"jitter\": \"1 ms\"", "\"jitter\": \"11 s\"",
			"15:26: /waiting/jitter: must be at most 10.0 s, is \"11 s\""},
		{"\"micro_batches\": 4", "\"micro_batches\": \"4\"",
			"16:34: /pipeline/micro_batches: must be a number from 0 to 1000000000, is \"4\""},
		{"\"gradient_buffers\": 1", "\"gradient_buffers\": 17",
			"17:57: /memory/gradient_buffers: must be a number from 0 to 16, is 17"},
		{"\"1 GiB\"", "\"1 Gib\"",
			"17:28: /memory/workspace: workspace has the unit \"Gib\": write \"GiB\""},
		{"\"quirks\": {", "\"quirks\": [], \"_quirks\": {",
			"18:13: /quirks: must be an object, is an empty array"},
		{"\"inputs\": [", "\"inputs\": {}, \"_inputs\": [",
			"18:25: /quirks/inputs: must be a list of at most 8"},
		{"[\"serial\", \"data+spatial\"]", "\"serial\"",
			"18:40: /quirks/inputs/0/families: must be an array, is \"serial\""},
		{"\"data+spatial\"", "\"data+\"",
			"18:51: /quirks/inputs/0/families/1: must be a family of axes such as "
			"\"data+spatial\""},
		{"\"data+spatial\"", "\"data+data\"",
			"18:51: /quirks/inputs/0/families/1: must be a family of axes such as "
			"\"data+spatial\""},
		{"\"data+spatial\"", "\"datum\"",
			"18:51: /quirks/inputs/0/families/1: must be a family of axes such as "
			"\"data+spatial\""},
		{"\"data+spatial\"", "\"\"",
			"18:51: /quirks/inputs/0/families/1: must be a family of axes such as "
			"\"data+spatial\""},
		{"\"data+spatial\"", "5",
			"18:51: /quirks/inputs/0/families/1: must be a family of axes such as "
			"\"data+spatial\""},
		{"[226, 224]", "[]", "18:78: /quirks/inputs/0/extent: must have 1 to 3 numbers"},
		{"[226, 224]", "[1, 2, 3, 4]", "18:78: /quirks/inputs/0/extent: must have 1 to 3 numbers"},
		{"[226, 224]", "[0]",
			"18:79: /quirks/inputs/0/extent/0: must be a whole number from 1 to 1000000, is 0"},
		{"[226, 224]", "226", "18:78: /quirks/inputs/0/extent: must be an array, is 226"},
		{"\"layer\": \"conv2\"", "\"layers\": \"conv2\"",
			"19:48: /quirks/gather_after/0/layers: unknown key \"layers\"; did you mean "
			"\"layer\"?"},
		{", \"layer\": \"conv2\"", "", "19:22: /quirks/gather_after/0: needs a \"layer\""},
		{"[\"one\", \"two\"]", "\"one\"", "20:18: /assumptions: must be a list of texts"},
		{"\"two\"", "2", "20:26: /assumptions/1: must be a text"},
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
	assert_string_equal(message, "18:25: /quirks/inputs: must be a list of at most 8");
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

static void reads_shipped_frameworks(void **state)
{
	(void)state;
	static const char *const names[] = {"chainermn", "chainermn-2021", "chainermn-nccl-2020", "nccl",
		"megatron-2021", "megatron-deepspeed", "megatron-deepspeed-blocking", "megatron-core",
		"nemo-2023", "nemo-2024", "nemo-bridge", "nemo-bridge-tokendrop", "nemo-bridge-graphs",
		"llm-foundry", "torchtitan", "torchtitan-compile", "internevo", "deepspeed", "maxtext",
		"pytorch-ngc", "tensorflow-ngc", "paddle-ngc", "mxnet-ngc", "mlperf-resnet"};
	for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
		struct paradl_arena *const arena = paradl_arena_create();
		struct paradl_error error = {0};
		char path[128];
		snprintf(path, sizeof path, "hw-profiles/frameworks/%s.json", names[i]);
		const struct paradl_framework *const framework = paradl_framework_load(arena, path, &error);
		assert_non_null(framework);
		assert_string_equal(framework->name, names[i]);
		paradl_arena_free(arena);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_every_number),
		cmocka_unit_test(overlays_what_it_extends),
		cmocka_unit_test(follows_no_cycle),
		cmocka_unit_test(staged_messages_may_inherit_their_segments),
		cmocka_unit_test(says_what_is_wrong_and_where),
		cmocka_unit_test(limits_the_number_of_quirks),
		cmocka_unit_test(reads_families),
		cmocka_unit_test(reads_shipped_frameworks),
	};
	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
