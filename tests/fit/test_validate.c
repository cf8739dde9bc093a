/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A network of one linear layer, 10000 x 10000 without bias, in the ideal mode, so that every time can be worked out:
 *     forward        2e8 flop a sample at 100 Tflop/s        2 us
 *     backward       the same, for the weights only          2 us
 *     weight update  12 bytes of 1e8 weights at 1 TB/s    1200 us
 *     ring           2 (p - 1) / p * 4e8 bytes at 1 TB/s
 */
#include "oracle/setup.h"
#include "paradl/fit.h"

#define COLUMNS                                                                                              \
	"model,hw,strategy,batch,unit,compute_s,communication_s,total_s,set,framework,precision,seq,memory_" \
	"bytes\n"

static const char keys[] = "\"input\": {\"channels\": 10000, \"shape\": [1]}, \"dataset\": {\"name\": "
			   "\"toy\", \"samples\": 640}";
static const char layers[] = "{\"name\": \"only\", \"type\": \"linear\", \"out\": 10000, \"bias\": false}";
static const char level[] =
	"{\"name\": \"l\", \"devices\": 64, \"latency\": \"0 s\", \"bandwidth\": \"1 TB/s\"}";

static void write_inputs(struct setup *setup)
{
	setup_model(setup, keys, layers);
	setup_machine(setup, SETUP_DEVICE, level);
	setup_framework(setup, ", " SETUP_SPLIT_ALL);
}

static bool validate(struct setup *setup, const char *rows, const struct paradl_lookup *lookup,
	struct paradl_validation *validation)
{
	const char *const csv =
		setup_write(setup, "measured.csv", arena_printf(setup->arena, COLUMNS "%s", rows));
	const struct paradl_lookup ideal = {.options = {.ideal = true}};
	return paradl_validate(setup->arena, csv, lookup ? lookup : &ideal, validation, &setup->error);
}

static void scores_projections(void **state)
{
	struct setup *const setup = *state;
	struct paradl_validation v;
	write_inputs(setup);
	/*
	 * serial  64 samples: compute 128 + 128 + 1200 = 1456 us = 0.8 * 1820
	 * data=4  16 samples: compute 32 + 32 + 1200 = 1264 us = 0.8 * 1580; 2 * 3 / 4 * 400 us = 600 us, twice the measured
	 *         300; in all 1864 us = 0.8 * 2330; an epoch is 640 / 64 = 10 iterations
	 */
	assert_true(validate(setup,
		"model.json,machine.json,serial,64,iter,0.001456,0,0.00182,,,,,\n"
		"model.json,machine.json,data=4,64,iter,0.00158,0.0003,0.00233,,,,,\n"
		"model.json,machine.json,data=4,64,epoch,,,0.01864,old,,,,\n"
		"model.json,machine.json,data=128,64,iter,,,1,old,,,,\n",
		NULL, &v));
	assert_int_equal(v.count, 4);
	assert_close(v.rows[0].projected.compute_s, 1456e-6, 1e-12);
	assert_close(v.rows[0].projected.communication_s, 0, 0);
	assert_close(v.rows[1].projected.compute_s, 1264e-6, 1e-12);
	assert_close(v.rows[1].projected.communication_s, 600e-6, 1e-12);
	assert_close(v.rows[1].projected.total_s, 1864e-6, 1e-12);
	assert_close(v.rows[2].projected.total_s, 18640e-6, 1e-12);
	assert_close(v.rows[0].accuracy.compute, 1, 1e-12);
	assert_close(v.rows[0].accuracy.communication, 1, 0);
	assert_close(v.rows[0].accuracy.total, 0.8, 1e-12);
	assert_close(v.rows[1].accuracy.compute, 0.8, 1e-12);
	assert_close(v.rows[1].accuracy.communication + 1, 1, 1e-12);
	assert_close(v.rows[2].accuracy.total, 1, 1e-12);
	assert_close(v.rows[2].accuracy.compute, -1, 0);
	assert_string_equal(v.rows[0].family, "serial");
	assert_string_equal(v.rows[1].framework, "framework");
	assert_string_equal(v.rows[3].family, "data");
	assert_non_null(strstr(v.rows[3].skipped, "64"));
	assert_close(v.rows[3].accuracy.total, 0, 0);
	assert_close(v.rows[3].projected.total_s, -1, 0);
	assert_int_equal(v.summary.rows, 4);
	assert_int_equal(v.summary.skipped, 1);
	assert_close(v.summary.mean.total, (0.8 + 0.8 + 1 + 0) / 4, 1e-9);
	assert_close(v.summary.mean.compute, (1 + 0.8) / 2, 1e-9);
	assert_close(v.summary.mean.communication, 0.5, 1e-9);
	assert_close(v.summary.mape, (20 + 20 + 0 + 100) / 4.0, 1e-9);
	assert_close(v.summary.bias, -40 / 3.0, 1e-9);
	assert_int_equal(v.strategy_count, 2);
	assert_string_equal(v.by_strategy[0].name, "serial");
	assert_string_equal(v.by_strategy[1].name, "data");
	assert_int_equal(v.by_strategy[1].rows, 3);
	assert_close(v.by_strategy[1].mean.total, 1.8 / 3, 1e-9);
	assert_int_equal(v.set_count, 2);
	assert_string_equal(v.by_set[0].name, "all");
	assert_string_equal(v.by_set[1].name, "old");
	assert_close(v.by_set[1].mape, 50, 1e-9);
	assert_int_equal(v.by_set[1].skipped, 1);
}

static void ranks_plans(void **state)
{
	struct setup *const setup = *state;
	struct paradl_validation v;
	write_inputs(setup);
	/*
	 * 4 devices, 64 samples: data 1864 us; filter quarters compute and update: 32 + 32 + 300 us, and gathers and reduces
	 * activations. Projected fastest: filter. Measured: data is faster, by a fifth of filter's time.
	 */
	assert_true(validate(setup,
		"model.json,machine.json,data=4,64,iter,,,0.004,,,,,\n"
		"model.json,machine.json,filter=4,64,iter,,,0.005,,,,,\n",
		NULL, &v));
	assert_true(v.rows[1].projected.total_s < v.rows[0].projected.total_s);
	assert_close(v.summary.kendall_tau, -1, 0);
	assert_close(v.summary.regret_mean, 25, 1e-9);
	assert_close(v.by_strategy[0].kendall_tau, -2, 0);
	assert_close(v.by_set[0].regret_max, 25, 1e-9);
	assert_int_equal(v.rank_pairs, 1);
	assert_close(v.rank_pairs_right, 0, 0);
}

static void skips_with_the_reason(void **state)
{
	static const char *const cases[][2] = {
		{"nothing,machine.json,serial,8,iter,,,1,,,,,", "there is no model \"nothing\""},
		{"none.json,machine.json,serial,8,iter,,,1,,,,,", "none.json: cannot open"},
		{"machine.json,machine.json,serial,8,iter,,,1,,,,,", "machine.json:1:12: /format: "},
		{"model.json,nowhere,serial,8,iter,,,1,,,,,", "there is no hardware profile \"nowhere\""},
		{"model.json,model.json,serial,8,iter,,,1,,,,,", "model.json:1:12: /format: "},
		{"model.json,machine.json,serial,8,iter,,,1,,unheard,,,",
			"there is no framework profile \"unheard\""},
		{"model.json,machine.json,serial,8,iter,,,1,,model.json,,,", "model.json:1:12: /format: "},
		{"model.json,machine.json,vector=4,8,iter,,,1,,,,,", "a plan has no \"vector\""},
		{"model.json,machine.json,tensor=4,8,iter,,,1,,,,,",
			"cuts no layer of this network along tensor"},
		{"model.json,machine.json,\"data=4,data=2\",8,iter,,,1,,,,,", "data is given twice"},
		{"model.json,machine.json,data=16,8,iter,,,1,,,,,", "needs a sample per replica"},
		{"model.json,machine.json,data=128,256,iter,,,1,,,,,",
			"test has 64 devices; the plan uses 128"},
		{"model.json,machine.json,serial,8,iter,,,1,,,fp32x,,",
			"unknown precision \"fp32x\"; did you mean \"fp32\"?"},
		{"model.json,machine.json,serial,8,iter,,,1,,,bf16,,", "does not compute in bf16"},
		{"model.json,machine.json,serial,8,iter,,,1,,,,2048,", "the input is no sequence of tokens"},
	};
	struct setup *const setup = *state;
	write_inputs(setup);
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
		struct paradl_validation v;
		assert_true(validate(setup, cases[i][0], NULL, &v));
		assert_int_equal(v.summary.skipped, 1);
		if (!strstr(v.rows[0].skipped, cases[i][1]))
			fail_msg("%s: skipped because %s", cases[i][0], v.rows[0].skipped);
		assert_close(v.summary.mean.total, 0, 0);
		assert_close(v.rows[0].projected.total_s, -1, 0);
	}
}

static void needs_a_data_set_for_epochs(void **state)
{
	struct setup *const setup = *state;
	struct paradl_validation v;
	write_inputs(setup);
	setup_model(setup, "\"input\": {\"channels\": 10000, \"shape\": [1]}", layers);
	assert_true(validate(setup,
		"model.json,machine.json,serial,8,epoch,,,1,,,,,\n"
		"model.json,machine.json,serial,8,iter,,,1,,,,,\n",
		NULL, &v));
	assert_non_null(strstr(v.rows[0].skipped, "data set"));
	assert_null(v.rows[1].skipped);
}

static void projects_what_does_not_fit(void **state)
{
	struct setup *const setup = *state;
	struct paradl_validation v;
	write_inputs(setup);
	setup_machine(setup,
		"\"memory\": \"1 MB\", \"memory_rate\": \"1 TB/s\", \"peak\": {\"fp32\": \"100 Tflop/s\"}, "
		"\"contraction\": {\"efficiency\": 1}",
		level);
	assert_true(validate(setup, "model.json,machine.json,serial,64,iter,0.001456,,,,,,,1e9\n", NULL, &v));
	assert_null(v.rows[0].skipped);
	assert_close(v.rows[0].accuracy.compute, 1, 1e-12);
	assert_true(v.rows[0].projected.memory_bytes > 8e8); /* weights and gradients at least */
	assert_close(v.summary.memory_mape, 100 * fabs(v.rows[0].projected.memory_bytes - 1e9) / 1e9, 1e-12);
}

static void counts_the_bubble_as_compute(void **state)
{
	struct setup *const setup = *state;
	struct paradl_validation v;
	write_inputs(setup);
	setup_model(setup, keys,
		"{\"name\": \"a\", \"type\": \"linear\", \"out\": 10000}, {\"name\": \"b\", \"type\": "
		"\"linear\", \"out\": 10000}");
	assert_true(validate(setup, "model.json,machine.json,pipeline=2,64,iter,,,1,,,,,\n", NULL, &v));
	const struct paradl_measured_row *const row = &v.rows[0];
	assert_null(row->skipped);
	/* Everything that is not communication: without overlap the two make the whole. */
	assert_true(row->projected.communication_s > 0);
	assert_close(
		row->projected.compute_s + row->projected.communication_s, row->projected.total_s, 1e-12);
}

static void looks_things_up(void **state)
{
	static const char rows[] = "resnet50,abci,data=4,256,iter,,,0.2,,,,,\n"
				   "resnet50,abci,data=4,256,iter,,,0.2,,chainermn-nccl-2020,,,\n"
				   "resnet50,abci,data=4,256,iter,,,0.2,,,fp16-mixed,,\n";
	static const char *const directories[] = {"/nowhere", ".", NULL};
	struct setup *const setup = *state;
	struct paradl_validation v;
	struct paradl_lookup lookup = {.directories = directories};
	write_inputs(setup);
	assert_true(validate(setup, rows, &lookup, &v));
	assert_int_equal(v.summary.skipped, 0);
	assert_string_equal(v.rows[0].framework, "nccl");
	assert_string_equal(v.rows[1].framework, "chainermn-nccl-2020");
	assert_true(v.rows[0].projected.total_s > v.rows[1].projected.total_s ||
		    v.rows[0].projected.total_s < v.rows[1].projected.total_s);
	assert_true(v.rows[2].projected.memory_bytes < v.rows[0].projected.memory_bytes);
	/* The caller's machine and framework stand in for the rows'; paths are the caller's, not the CSV's. */
	lookup.hw = arena_printf(setup->arena, "%s/machine.json", setup->folder);
	lookup.framework = "framework";
	assert_true(validate(setup, rows, &lookup, &v));
	assert_string_equal(v.rows[0].hw, lookup.hw);
	assert_null(v.rows[0].skipped);
	assert_string_equal(v.rows[1].framework, "framework");
	assert_close(v.rows[0].projected.total_s, v.rows[1].projected.total_s, 0);
	assert_non_null(v.rows[2].skipped); /* this device has no fp16 */
	/* A precision of the caller's goes before the rows'. */
	lookup.options.override_precision = true;
	assert_true(validate(setup, rows, &lookup, &v));
	assert_int_equal(v.summary.skipped, 0);
	/* A framework that is not beside the machine is looked for among the shipped ones. */
	lookup.framework = "nccl";
	assert_true(validate(setup, rows, &lookup, &v));
	assert_int_equal(v.summary.skipped, 0);
	assert_string_equal(v.rows[0].framework, "nccl");
}

static void uses_layer_times_of_the_model_they_are_of(void **state)
{
	static const char *const directories[] = {".", NULL};
	struct setup *const setup = *state;
	struct paradl_validation v;
	struct paradl_lookup lookup = {.directories = directories, .options = {.ideal = true}};
	write_inputs(setup);
	char times[64];
	snprintf(times, sizeof times, "%s/times.json", setup->folder);
	setup_write(setup, "times.json",
		"{\"format\": \"paradl-profile\", \"version\": 1, \"model\": \"test\", \"samples\": "
		"[{\"batch\": 64, \"layers\": "
		"{\"only\": {\"fw\": \"1 s\", \"bw\": \"2 s\"}}}]}");
	lookup.options.layer_times = times;
	assert_true(validate(setup,
		"model.json,machine.json,serial,64,iter,,,1,,,,,\n"
		"resnet50,machine.json,serial,64,iter,,,1,,,,,\n",
		&lookup, &v));
	remove(times);
	assert_int_equal(v.summary.skipped, 0);
	assert_close(v.rows[0].projected.total_s, 3 + 1200e-6, 1e-12);
	assert_true(v.rows[1].projected.total_s < 1);
	assert_false(validate(setup, "model.json,machine.json,serial,64,iter,,,1,,,,,\n", &lookup, &v));
	assert_int_equal(setup->error.status, PARADL_IO); /* it is gone */
}

static void is_quick_with_many_rows(void **state)
{
	struct setup *const setup = *state;
	struct paradl_validation v;
	write_inputs(setup);
	enum { ROWS = 1500 };
	char *const rows = arena_alloc(setup->arena, ROWS, 96);
	size_t length = 0;
	for (unsigned i = 0; i < ROWS; ++i)
		length += (size_t)snprintf(rows + length, ROWS * 96 - length,
			"%s,machine.json,data=%u,%u,iter,,,%u,,,,,\n", i % 3 ? "model.json" : "nothing",
			1U << i % 6, 64 + i / 6, 1 + i);
	assert_true(validate(setup, rows, NULL, &v));
	assert_int_equal(v.count, ROWS);
	assert_int_equal(v.summary.skipped, ROWS / 3);
	assert_int_equal(v.rows[ROWS - 1].line, ROWS + 1);
}

static void fails_on_a_bad_file(void **state)
{
	struct setup *const setup = *state;
	const struct paradl_lookup lookup = {.directories = NULL};
	struct paradl_validation v;
	assert_false(validate(setup, "model.json,machine.json,serial,8,iter,,,fast,,,,,\n", NULL, &v));
	assert_int_equal(setup->error.status, PARADL_SCHEMA);
	assert_int_equal(setup->error.line, 2);
	assert_string_equal(setup->error.message, "column \"total_s\": \"fast\" is not a number");
	assert_false(validate(setup, "model.json,machine.json\n", NULL, &v));
	assert_int_equal(setup->error.status, PARADL_SYNTAX);
	assert_false(paradl_validate(setup->arena, "/nowhere/m.csv", &lookup, &v, &setup->error));
	assert_int_equal(setup->error.status, PARADL_IO);
	assert_int_equal(v.count, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		setup_test(scores_projections),
		setup_test(ranks_plans),
		setup_test(skips_with_the_reason),
		setup_test(needs_a_data_set_for_epochs),
		setup_test(projects_what_does_not_fit),
		setup_test(counts_the_bubble_as_compute),
		setup_test(looks_things_up),
		setup_test(uses_layer_times_of_the_model_they_are_of),
		setup_test(is_quick_with_many_rows),
		setup_test(fails_on_a_bad_file),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
