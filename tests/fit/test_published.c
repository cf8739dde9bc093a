/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables of published results: rows made up, every expectation worked out by hand. */
#include "test.h"

#include "base/csv.h"
#include "fit/validate/measurements.h"
#include "fit/validate/published.h"
#include "machine/machine.h"

static const char *const directories[] = {".", NULL};

static const char header[] =
	"id,set,kind,model,layers,hidden,heads,kv_heads,head_dim,ffn,gated,experts,topk,moe_ffn,"
	"shared_ffn,seq,vocab,gpus,gpu,gpus_per_node,net_gbps_per_gpu,tp,sp,pp,vpp,cp,ep,dp,zero,"
	"mbs,gbs,precision,recompute,attn,overlap,framework,iter_time_s,tflops_gpu,tflops_kind,"
	"mfu_pct,tok_s,tok_s_gpu,samples_s,mem_gib,mem_kind,primary,complete,source,notes\n";

struct table {
	struct paradl_arena *arena;
	struct aliases aliases;
	struct measurements rows;
	size_t left_out;
};

static struct table read_table(const char *rows, bool all_rows)
{
	struct table table = {.arena = paradl_arena_create()};
	struct paradl_error error = {0};
	struct csv csv;
	char text[8192];
	const struct paradl_lookup lookup = {.directories = directories, .all_rows = all_rows};
	const int length = snprintf(text, sizeof text, "%s%s", header, rows);
	assert_true(length > 0 && (size_t)length < sizeof text);
	if (!csv_parse(table.arena, text, (size_t)length, "rows.csv", &csv, &error) ||
		!aliases_load(table.arena, directories, &table.aliases, &error) ||
		!published_read(
			table.arena, &csv, &lookup, &table.aliases, &table.rows, &table.left_out, &error))
		fail_msg("%s", error.message);
	if (!table.rows.rows)
		abort();
	return table;
}

static void patterns_fit_whole_texts(void **state)
{
	(void)state;
	static const struct {
		const char *pattern, *text;
		bool fits;
	} cases[] = {
		{"*", "", true},
		{"*", "anything", true},
		{"", "", true},
		{"", "x", false},
		{"A100*", "a100-80G", true},
		{"A100*", "DGX A100", false},
		{"*A100*", "DGX A100", true},
		{"*100", "A100-100", true}, /* not the first 100 */
		{"*100", "A100-80G", false},
		{"a*b*c", "aXbYbZc", true},
		{"a*b*c", "acb", false},
		{"**a**", "bab", true},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
		assert_int_equal(alias_fits(cases[i].pattern, cases[i].text), cases[i].fits);
}

static void the_first_line_that_fits_counts(void **state)
{
	(void)state;
	static const struct alias items[] = {
		{"device", "*A100*40*", "small", 0}, {"device", "*A100*", "large", 3}, {"other", "*", "", 7}};
	static const struct aliases aliases = {items, 3};
	assert_string_equal(alias_find(&aliases, "device", "A100-40G")->name, "small");
	assert_string_equal(alias_find(&aliases, "device", "A100-80G")->name, "large");
	assert_null(alias_find(&aliases, "device", "B200"));
	assert_close(alias_value(&aliases, "device", "A100-80G", 1), 3, 0);
	assert_close(alias_value(&aliases, "device", "B200", 1), 1, 0);
	assert_close(alias_value(&aliases, "other", "B200", 1), 7, 0);
}

static const char gpt[] = "gpt,g,24,2048,16,16,,8192,0,,,,,1024,50257";

/* One row of a GPT with these degrees and options; the rest of the columns as in `rest`. */
static struct table one_row(const char *degrees, const char *rest)
{
	char row[1024];
	snprintf(row, sizeof row, "r1,s,%s,%s,%s\n", gpt, degrees, rest);
	return read_table(row, false);
}

static void degrees_become_plans(void **state)
{
	(void)state;
	struct table table = one_row("64,A100-80G,8,200,4,y,8,3,1,1,2,1,4,512,fp16,selective,,",
		"Megatron-LM,"
		"1.5,,,,,,,,,iter_time_s,yes,me,");
	const struct measurement *row = &table.rows.rows[0];
	const struct paradl_plan *plan = &row->plan;
	assert_null(row->row.skipped);
	assert_int_equal(plan->degree[PARADL_TENSOR], 4);
	assert_int_equal(plan->degree[PARADL_PIPELINE], 8);
	assert_int_equal(plan->degree[PARADL_DATA], 2);
	assert_close(paradl_plan_devices(plan), 64, 0);
	assert_int_equal(plan->order[0], PARADL_PIPELINE); /* outermost, as ranks are numbered */
	assert_int_equal(plan->order[4], PARADL_TENSOR);
	assert_int_equal(plan->schedule, PARADL_INTERLEAVED);
	assert_int_equal(plan->chunks, 3);
	assert_int_equal(plan->zero, 1);
	assert_true(plan->sequence);
	assert_int_equal(plan->recompute, PARADL_RECOMPUTE_SELECTIVE);
	assert_close(plan->batch, 512, 0);
	assert_close(plan->micro, 4, 0);
	assert_string_equal(row->precision, "fp16-mixed");
	assert_string_equal(row->row.framework, "megatron-2021");
	assert_close(row->row.measured.total_s, 1.5, 0);
	paradl_arena_free(table.arena);

	/* Blanks: data from the rest, no options. A stage less at both ends; a schedule in the framework's name. */
	table = one_row("8,A100-80G,8,,1,n,2,,1,1,,,6,144,fp16,none,,",
		"\"Megatron-LM, schedule ZB-2p\",,,,,,,"
		"116,,,samples_s,yes,me,");
	plan = &table.rows.rows[0].plan;
	assert_null(table.rows.rows[0].row.skipped);
	assert_int_equal(plan->degree[PARADL_DATA], 4);
	assert_int_equal(plan->schedule, PARADL_ZERO_BUBBLE_2P);
	assert_int_equal(plan->chunks, 0);
	assert_int_equal(plan->split_count, 0);
	assert_int_equal(plan->recompute, PARADL_RECOMPUTE_NONE);
	assert_close(table.rows.rows[0].row.measured.total_s, 144 / 116.0, 1e-12);
	paradl_arena_free(table.arena);
	table = read_table("r1,s,gpt,g,22,2048,16,16,,8192,0,,,,,1024,50257,8,A100-80G,8,,1,n,8,3,1,1,1,0,6,"
			   "144,fp16,none"
			   ",,,Megatron-LM,,,,,,,116,,,samples_s,yes,me,"
			   "first and last stage have one layer less\n",
		false);
	plan = &table.rows.rows[0].plan;
	assert_int_equal(plan->split_count, 24);
	assert_int_equal(plan->split[0], 0); /* the embedding alone */
	assert_int_equal(plan->split[1], 1);
	assert_int_equal(plan->split[23], 0);
	paradl_arena_free(table.arena);
}

static const char moe[] = "moe,m,48,2048,32,4,128,6144,1,128,8,768,,4096,151936";

struct expert_case {
	unsigned gpus, tensor, expert, data;
	unsigned plan_data, plan_expert; /* 0: skipped */
	bool expert_tensor;
};

static void check_experts(const struct expert_case *wanted)
{
	char row[1024];
	snprintf(row, sizeof row,
		"r1,s,%s,%u,H100-80G,8,400,%u,n,1,1,1,%u,%u,1,1,1024,fp8,,,,Megatron-Bridge/NeMo "
		"25.11,,,,,,"
		"100,,,,tok_s_gpu,mostly,me,\n",
		moe, wanted->gpus, wanted->tensor, wanted->expert, wanted->data);
	struct table table = read_table(row, false);
	const struct measurement *const got = &table.rows.rows[0];
	assert_int_equal(got->row.skipped == NULL, wanted->plan_data > 0);
	if (wanted->plan_data) {
		assert_int_equal(got->plan.degree[PARADL_DATA], wanted->plan_data);
		assert_int_equal(got->plan.degree[PARADL_EXPERT], wanted->plan_expert);
		assert_int_equal(got->plan.expert_tensor, wanted->expert_tensor);
		assert_close(got->row.measured.total_s, 1024 * 4096.0 / (100 * wanted->gpus), 1e-9);
	}
	paradl_arena_free(table.arena);
}

static void experts_leave_the_data_axis(void **state)
{
	(void)state;
	static const struct expert_case cases[] = {
		{16, 1, 8, 16, 2, 8, false},
		{8, 1, 8, 8, 1, 8, false},
		{128, 2, 64, 64, 2, 32, false}, /* 64 of the 2 x 64 devices: the tensor axis joins 32 */
		{128, 2, 128, 64, 1, 64, false},
		{16, 2, 3, 8, 0, 0, false},
		{16, 4, 2, 4, 2, 2, true}, /* fewer than the tensor axis: it cuts experts */
		{16, 4, 1, 4, 4, 1, true},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
		check_experts(&cases[i]);
}

static void options_that_were_assumed_are_not_printed(void **state)
{
	(void)state;
	static const char degrees[] = "8,A100-80G,8,200,1,n,1,1,1,1,8,3,1,8,bf16,full,,";
	struct table said = one_row(degrees, "MaxText (JAX),1,,,,,,,,,iter_time_s,yes,me,");
	struct table assumed = one_row(degrees,
		"MaxText (JAX),1,,,,,,,,,iter_time_s,yes,me,\"recompute not printed, full assumed\"");
	assert_int_equal(said.rows.rows[0].plan.recompute, PARADL_RECOMPUTE_FULL);
	assert_int_equal(assumed.rows.rows[0].plan.recompute, PARADL_RECOMPUTE_DEFAULT);
	paradl_arena_free(said.arena);
	paradl_arena_free(assumed.arena);
}

/* Megatron-Bridge recomputes cheap modules at most, where a row does not say: never whole blocks. */
static void usual_recomputation_is_cheap(void **state)
{
	(void)state;
	static const char degrees[] = "8,A100-80G,8,200,1,n,1,1,1,1,8,3,1,8,bf16,%s,,";
	const struct {
		const char *cell, *program;
		enum paradl_recompute recompute;
		bool blocks;
	} cases[] = {{"", "Megatron-Bridge/NeMo 26.02", PARADL_RECOMPUTE_DEFAULT, false},
		{"modules", "Megatron-Bridge/NeMo 26.02", PARADL_RECOMPUTE_MODULES, true},
		{"full", "Megatron-Bridge/NeMo 26.02", PARADL_RECOMPUTE_FULL, true},
		{"", "MaxText (JAX)", PARADL_RECOMPUTE_DEFAULT, true}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
		char before[80], after[80];
		snprintf(before, sizeof before, degrees, cases[i].cell);
		snprintf(after, sizeof after, "%s,1,,,,,,,,,iter_time_s,yes,me,", cases[i].program);
		struct table table = one_row(before, after);
		const struct measurement *const row = &table.rows.rows[0];
		assert_int_equal(row->plan.recompute, cases[i].recompute);
		assert_int_equal(row->published->recomputes_blocks, cases[i].blocks);
		paradl_arena_free(table.arena);
	}
}

static void rates_become_seconds(void **state)
{
	(void)state;
	const struct paradl_model model = {.forward_flop = 2e12};
	const struct device device = {.peak_flop_per_s = {[PARADL_BF16] = 300e12}};
	struct published row = {.primary = "tflops_gpu",
		.flop_kind = "model",
		.recompute = "full",
		.batch = 64,
		.gpus = 8,
		.tokens = 2048,
		.tflops = 100,
		.mfu_percent = 50,
		.tokens_per_s = 4096,
		.tokens_per_s_gpu = 1024,
		.samples_per_s = 16,
		.iteration_s = 3,
		.memory_gib = 2};
	/* 3 x 2 Tflop x 64 samples / 8 devices = 48 Tflop each */
	assert_close(published_seconds(&row, &model, &device), 0.48, 1e-12);
	assert_close(published_seconds(&row, NULL, NULL), -1, 0);
	row.flop_kind = "hw-incl-recompute"; /* a fourth forward */
	assert_close(published_seconds(&row, &model, &device), 0.64, 1e-12);
	row.recompute = "none";
	assert_close(published_seconds(&row, &model, &device), 0.48, 1e-12);
	row.primary = "mfu_pct"; /* 48 Tflop at half of 300 */
	assert_close(published_seconds(&row, &model, &device), 0.32, 1e-12);
	row.primary = "tok_s";
	assert_close(published_seconds(&row, &model, &device), 32, 1e-12);
	row.primary = "tok_s_gpu";
	assert_close(published_seconds(&row, &model, &device), 16, 1e-12);
	row.primary = "samples_s";
	assert_close(published_seconds(&row, &model, &device), 4, 1e-12);
	row.primary = "iter_time_s";
	assert_close(published_seconds(&row, &model, &device), 3, 0);
	row.primary = "mem_gib"; /* whatever else there is is not what was measured */
	assert_close(published_seconds(&row, &model, &device), -1, 0);
	assert_close(published_memory(&row), 2 * 1024.0 * 1024 * 1024, 0);
}

static void odd_rows_are_skipped_with_a_reason(void **state)
{
	(void)state;
	static const struct {
		const char *degrees, *why;
	} cases[] = {
		{"x8,A100-80G,8,200,1,n,1,1,1,1,8,0,1,8,fp16,,,",
			"column \"gpus\": \"x8\" is not a number of 0 or more"},
		{",A100-80G,8,200,1,n,1,1,1,1,8,0,1,8,fp16,,,", "column \"gpus\": is empty"},
		{"8,A100-80G,8,200,2,n,1,1,1,1,8,0,1,8,fp16,,,",
			"tp 2 x pp 1 x cp 1 x dp 8 are 16 devices, but \"gpus\" says 8"},
		{"8,A100-80G,8,200,0,n,1,1,1,1,8,0,1,8,fp16,,,",
			"numbers of GPUs and degrees must be whole and at least 1"},
		{"8,A100-80G,8,200,1,n,1,1,1,1,8,0,,,fp16,,,", "column \"gbs\": is empty"},
		{"8,A100-80G,8,200,1,n,1,1,1,1,8,4,1,8,fp16,,,", "column \"zero\": \"4\" is too large"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
		struct table table = one_row(cases[i].degrees, "Megatron-LM,1,,,,,,,,,iter_time_s,yes,me,");
		assert_int_equal(table.rows.count, 1);
		assert_non_null(table.rows.rows[0].row.skipped);
		assert_string_equal(table.rows.rows[0].row.skipped, cases[i].why);
		paradl_arena_free(table.arena);
	}
}

static void unknown_kinds_are_skipped_with_a_reason(void **state)
{
	(void)state;
	struct table table = read_table(
		"r,s,hybrid,n,,,,,,,,,,,,,,64,GB200,4,400,1,n,1,1,1,1,64,1,1,64,bf16,,,,f,1,,,,,,,,,"
		"iter_time_s,yes,me,\n",
		false);
	assert_string_equal(table.rows.rows[0].row.skipped,
		"column \"kind\": \"hybrid\" is a network that is not modelled");
	paradl_arena_free(table.arena);
}

static void incomplete_rows_are_left_out(void **state)
{
	(void)state;
	char rows[2048];
	const char *const rest =
		"8,A100-80G,8,200,1,n,1,1,1,1,8,0,1,8,fp16,,,,Megatron-LM,1,,,,,,,,,iter_time_s";
	snprintf(rows, sizeof rows,
		"a,s,%s,%s,yes,me,\nb,s,%s,%s,mostly,me,\nc,s,%s,%s,partial,me,\nd,s,%s,%s,no,me,\n", gpt,
		rest, gpt, rest, gpt, rest, gpt, rest);
	struct table table = read_table(rows, false);
	assert_int_equal(table.rows.count, 2);
	assert_int_equal(table.left_out, 2);
	assert_string_equal(table.rows.rows[1].row.id, "b");
	paradl_arena_free(table.arena);
	table = read_table(rows, true);
	assert_int_equal(table.rows.count, 4);
	assert_int_equal(table.left_out, 0);
	paradl_arena_free(table.arena);
}

/* What is ranked against each other: the same network, machine, software and format, and no schedule in its name. */
static void conditions_leave_the_schedule_out(void **state)
{
	(void)state;
	static const char *const frameworks[] = {"\"Megatron-LM, schedule 1F1B\"",
		"\"Megatron-LM, schedule ZB-1p\"", "\"Megatron-LM, schedule 1F1B-I\"", "Megatron-LM v1"};
	char rows[4096];
	size_t length = 0;
	for (size_t i = 0; i < 4; ++i)
		length += (size_t)snprintf(rows + length, sizeof rows - length,
			"r,s,%s,8,A100-80G,8,200,1,n,8,1,1,1,1,0,1,8,fp16,,,,%s,1,,,,,,,,,iter_time_s,yes,me,"
			"%zu\n",
			gpt, frameworks[i], i);
	struct table table = read_table(rows, false);
	assert_string_equal(table.rows.rows[0].conditions, table.rows.rows[1].conditions);
	assert_string_equal(table.rows.rows[0].conditions, table.rows.rows[2].conditions);
	assert_string_not_equal(table.rows.rows[0].conditions, table.rows.rows[3].conditions);
	assert_string_equal(
		table.rows.rows[0].model_key, table.rows.rows[3].model_key); /* notes do not matter */
	paradl_arena_free(table.arena);
}

static void networks_and_machines_have_the_columns_sizes(void **state)
{
	(void)state;
	struct table table =
		one_row("16,A100-80G,8,100,1,n,1,1,1,1,16,0,1,16,fp16,,,", "Megatron-LM,1,,,,,,,,,"
									   "iter_time_s,yes,me,");
	const struct paradl_lookup lookup = {.directories = directories};
	struct library library = {
		.arena = table.arena, .csv_path = "rows.csv", .lookup = &lookup, .aliases = &table.aliases};
	struct paradl_error error = {0};
	const struct published *const row = table.rows.rows[0].published;
	const struct paradl_machine *const machine = library_published_machine(&library, row, &error);
	if (!machine)
		fail_msg("%s", error.message);
	assert_int_equal(machine->devices, 16);
	assert_int_equal(machine->devices_per_node, 8);
	assert_close(machine->levels[1].bandwidth_bytes_per_s, 12.5e9, 0);
	assert_string_equal(machine->device.name, "A100-SXM4-80GB");
	const struct paradl_model *const model = library_published_model(&library, row, &error);
	if (!model)
		fail_msg("%s", error.message);
	/* Weights of blocks 12 h^2 + 13 h each, tables (V + s) h, the last norm 2 h; the head is tied. */
	const double h = 2048;
	assert_close(model->weight_items, 24 * (12 * h * h + 13 * h) + (50257 + 1024) * h + 2 * h, 1e-12);
	assert_close(model->sequence, 1024, 0);
	paradl_arena_free(table.arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(patterns_fit_whole_texts),
		cmocka_unit_test(the_first_line_that_fits_counts),
		cmocka_unit_test(degrees_become_plans),
		cmocka_unit_test(experts_leave_the_data_axis),
		cmocka_unit_test(options_that_were_assumed_are_not_printed),
		cmocka_unit_test(usual_recomputation_is_cheap),
		cmocka_unit_test(rates_become_seconds),
		cmocka_unit_test(odd_rows_are_skipped_with_a_reason),
		cmocka_unit_test(unknown_kinds_are_skipped_with_a_reason),
		cmocka_unit_test(incomplete_rows_are_left_out),
		cmocka_unit_test(conditions_leave_the_schedule_out),
		cmocka_unit_test(networks_and_machines_have_the_columns_sizes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
