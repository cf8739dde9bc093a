/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Constants of a made-up device come back from the times of its kernels; measured kernels are met; tables are read with care. */
#include "test.h"

#include <unistd.h>

#include "base/arena.h"
#include "fit/kernels_profile.h"
#include "fit/random.h"
#include "paradl/fit.h"

#define KERNELS(name) "tests/data/kernels/" name ".csv"

static const char *const directories[] = {".", NULL};

static struct device made_up(struct paradl_arena *arena)
{
	struct paradl_error error = {0};
	struct device device;
	assert_true(device_load(arena, "hw-profiles/devices/h100-sxm5-80gb.json", NULL, &device, &error));
	device.product.launch_s = 3e-6;
	device.product.wave_s = 2e-6;
	device.product.half_tile = 0.8;
	device.product.wave_share = 0.6;
	device.product.split_s = 4e-6;
	device.product.exposed = 0.2;
	device.product.memory_share = 0.8;
	device.product.sustained[PARADL_BF16] = device.product.sustained[PARADL_FP16] = 0.55;
	device.attention.forward = 0.9;
	device.attention.tile = 64;
	device.attention.block_s = 3e-6;
	device.attention.softmax_per_s = 4e12;
	device.attention.start_s = 20e-6;
	device.attention.copies = 3;
	device_derive(&device);
	return device;
}

/* Puts the device's times, a little off, in the place of those that were measured. */
static void replace_times(struct kernel_rows *rows, const struct device *device, double noise)
{
	struct random random = {7};
	for (size_t i = 0; i < rows->count; ++i)
		rows->items[i].seconds = kernel_row_s(device, &rows->items[i]) *
					 (1 + noise * (2 * random_uniform(&random) - 1));
}

static double value_of(const struct kernel_fit *fit, const char *name)
{
	for (size_t i = 0; i < fit->count; ++i)
		if (strcmp(fit->constants[i]->name, name) == 0)
			return fit->values[i];
	fail_msg("%s was not fitted", name);
	return 0;
}

static void known_constants_come_back(void **state)
{
	(void)state;
	struct paradl_arena *arena = paradl_arena_create();
	struct paradl_error error = {0};
	struct kernel_rows rows = {0};
	struct kernel_fit fit = {.count = 0};
	const struct device truth = made_up(arena);
	assert_true(kernel_rows_read(arena, KERNELS("gemm"), "h100-sxm5-80gb", &rows, &error));
	assert_true(kernel_rows_read(arena, KERNELS("attention_context"), "h100-sxm5-80gb", &rows, &error));
	size_t kept = 0;
	for (size_t i = 0; i < rows.count; ++i)
		if (rows.items[i].precision == PARADL_BF16)
			rows.items[kept++] = rows.items[i];
	rows.count = kept;
	replace_times(&rows, &truth, 0.01);
	bool used[1000];
	assert_in_range(rows.count, 100, 1000);
	for (size_t i = 0; i < rows.count; ++i)
		used[i] = true;
	struct device device;
	assert_true(device_load(arena, "hw-profiles/devices/h100-sxm5-80gb.json", NULL, &device, &error));
	assert_true(kernels_fit(arena, &rows, used, &device, &fit, &error));
	assert_close(value_of(&fit, "product.sustained.bf16"), 0.55, 0.03);
	assert_close(value_of(&fit, "product.launch"), 3e-6, 0.03);
	assert_close(value_of(&fit, "product.memory_share"), 0.8, 0.03);
	assert_close(value_of(&fit, "product.split"), 4e-6, 0.1);
	assert_close(value_of(&fit, "product.half_tile"), 0.8, 0.05);
	assert_close(value_of(&fit, "attention.forward"), 0.9, 0.05);
	assert_close(device.attention.block_s, 3e-6, 0.05); /* fitted in cycles */
	assert_close(value_of(&fit, "attention.start"), 20e-6, 0.05);
	assert_close(device.attention.tile, 64, 1e-12);
	for (size_t i = 0; i < rows.count; ++i)
		assert_close(
			kernel_row_s(&device, &rows.items[i]), kernel_row_s(&truth, &rows.items[i]), 0.06);
	paradl_arena_free(arena);
}

static const struct paradl_kernel_errors *errors_of(
	const struct paradl_kernels *kernels, const char *device, const char *precision, const char *size)
{
	for (size_t i = 0; i < kernels->error_count; ++i)
		if (strcmp(kernels->errors[i].device, device) == 0 &&
			strcmp(kernels->errors[i].precision, precision) == 0 &&
			strcmp(kernels->errors[i].size, size) == 0)
			return &kernels->errors[i];
	fail_msg("no errors of %s %s %s", device, precision, size);
	return NULL;
}

/* Of rows that the fit has not seen: a sample of NVIDIA's AIConfigurator data. */
static void measured_products_are_met(void **state)
{
	(void)state;
	static const struct {
		const char *device, *precision;
		double most;
	} wanted[] = {{"h100-sxm5-80gb", "bf16", 0.08}, {"a100-sxm4-80gb", "bf16", 0.08},
		{"b200-sxm-180gb", "bf16", 0.1}, {"l40s-48gb", "bf16", 0.22}, {"h100-sxm5-80gb", "fp8", 0.08},
		{"h100-sxm5-80gb", "mxfp8", 0.16}, {"b200-sxm-180gb", "fp8", 0.08},
		{"b200-sxm-180gb", "mxfp8", 0.1}, {"b200-sxm-180gb", "fp4", 0.13},
		{"a100-sxm4-80gb", "int4", 0.17}}; /* of the weights alone */
	struct paradl_arena *arena = paradl_arena_create();
	struct paradl_error error = {0};
	struct paradl_kernels kernels;
	const char *const paths[] = {KERNELS("gemm")};
	const struct paradl_kernels_request request = {.directories = directories, .fit = true};
	assert_true(paradl_kernels_fit(arena, paths, 1, &request, &kernels, &error));
	for (size_t i = 0; i < sizeof wanted / sizeof *wanted; ++i) {
		const struct paradl_kernel_errors *errors =
			errors_of(&kernels, wanted[i].device, wanted[i].precision, "m, n, k >= 64");
		assert_true(errors->left_out_mean >= errors->fitted_mean - 0.02);
		if (errors->left_out_mean > wanted[i].most)
			fail_msg("%s %s: %.3f", wanted[i].device, wanted[i].precision, errors->left_out_mean);
	}
	assert_int_equal(kernels.passed_count, 0);
	paradl_arena_free(arena);
}

/*
 * The shipped H100 was fitted to kernels of TensorRT-LLM. Products of PyTorch on another H100, measured alone and inside of training
 * steps, take what it says.
 */
static void products_of_another_program_are_met(void **state)
{
	(void)state;
	static const struct {
		const char *path;
		double mean, bias;
	} wanted[] = {{KERNELS("h100_alone"), 0.04, 0.03}, {KERNELS("h100_steps"), 0.06, 0.04}};
	for (size_t i = 0; i < sizeof wanted / sizeof *wanted; ++i) {
		struct paradl_arena *arena = paradl_arena_create();
		struct paradl_error error = {0};
		struct paradl_kernels kernels;
		const struct paradl_kernels_request request = {.directories = directories};
		assert_true(paradl_kernels_fit(arena, &wanted[i].path, 1, &request, &kernels, &error));
		assert_int_equal(kernels.error_count, 1);
		assert_int_equal(kernels.errors[0].rows, 44);
		assert_true(kernels.errors[0].mean < wanted[i].mean);
		assert_true(fabs(kernels.errors[0].bias) < wanted[i].bias);
		paradl_arena_free(arena);
	}
}

/* DeepEP's kernels, both ways, take what the shipped devices say, and what is fitted to some is met by the others. */
static void dispatches_are_met(void **state)
{
	(void)state;
	struct paradl_arena *arena = paradl_arena_create();
	struct paradl_error error = {0};
	struct paradl_kernels kernels;
	const char *const path = KERNELS("dispatch");
	struct paradl_kernels_request request = {.directories = directories, .fit = true};
	assert_true(paradl_kernels_fit(arena, &path, 1, &request, &kernels, &error));
	assert_true(kernels.error_count > 4);
	size_t rows = 0;
	for (size_t i = 0; i < kernels.error_count; ++i) {
		assert_string_equal(kernels.errors[i].kind, "dispatch");
		rows += strcmp(kernels.errors[i].device, "all") != 0 ? kernels.errors[i].rows : 0;
		assert_true(kernels.errors[i].mean < 0.25 && kernels.errors[i].left_out_mean < 0.27);
	}
	assert_int_equal(rows, 200);
	paradl_arena_free(arena);
}

/* A device that was not measured has the constants that others share. */
static void a_device_is_predicted_by_others(void **state)
{
	(void)state;
	struct paradl_arena *arena = paradl_arena_create();
	struct paradl_error error = {0};
	struct paradl_kernels kernels;
	const char *const paths[] = {KERNELS("gemm")};
	const struct paradl_kernels_request request = {
		.directories = directories, .fit = true, .left_out = PARADL_LEAVE_DEVICES};
	assert_true(paradl_kernels_fit(arena, paths, 1, &request, &kernels, &error));
	static const char *const devices[] = {"h100-sxm5-80gb", "a100-sxm4-80gb", "b200-sxm-180gb"};
	for (size_t i = 0; i < sizeof devices / sizeof *devices; ++i)
		assert_true(errors_of(&kernels, devices[i], "bf16", "m, n, k >= 64")->left_out_mean < 0.25);
	assert_int_equal(kernels.number_count, 0);
	paradl_arena_free(arena);
}

/* Gives a device kernels of single tokens whose blocks work for so many cycles, and what comes before them so long. */
static void tokens_make(struct device *device, double block_cycles, double start_s)
{
	const double cycle_s = device->link.cycle_s;
	device->attention.token = (struct device_token_attention){.start_s = start_s,
		.block_s = block_cycles * cycle_s,
		.group_s = 100 * cycle_s,
		.single_s = 2500 * cycle_s,
		.bytes_per_s = 70 / cycle_s,
		.wide_bytes_per_s = 25 / cycle_s,
		.exposed = 0.4,
		.split_s = 4000 * cycle_s,
		.split_keys = 200};
	device->attention.token.narrow.block_s = device->attention.token.block_s;
	device->attention.token.narrow.single_s = device->attention.token.single_s;
	device->attention.token.narrow.wide_bytes_per_s = device->attention.token.wide_bytes_per_s;
}

enum { MADE_UP = 4 };

/* Returns the mean error of what is predicted of the tokens of a device. */
static double tokens_error(
	const struct kernel_rows *rows, const double *predicted, const char *device, bool is_narrow)
{
	double sum = 0, count = 0;
	for (size_t i = 0; i < rows->count; ++i) {
		const struct kernel_row *row = &rows->items[i];
		if (strcmp(rows->devices[row->device], device) != 0 ||
			(row->token.format != ATTENTION_WIDE) != is_narrow)
			continue;
		sum += fabs(predicted[i] / row->seconds - 1);
		++count;
	}
	assert_true(count > 20);
	return sum / count;
}

/*
 * Four devices whose clocks differ, made up: 16-bit kernels of tokens are alike in cycles up to H100, those of B200 and of 8-bit caches
 * on both have other blocks, and B200 starts later. Each is met by the others where others have the like.
 */
static void tokens_are_predicted_by_those_that_are_alike(void **state)
{
	(void)state;
	static const char *const names[MADE_UP] = {
		"a100-sxm4-80gb", "b200-sxm-180gb", "h100-sxm5-80gb", "l40s-48gb"};
	enum { B200 = 1, H100 = 2, L40S = 3 };
	const double old = 6500, own = 2000, soon_s = 7e-6, late_s = 10e-6;
	struct paradl_arena *arena = paradl_arena_create();
	struct paradl_error error = {0};
	struct kernel_rows rows = {0};
	struct device files[MADE_UP], narrow[MADE_UP];
	assert_true(kernel_rows_read(arena, KERNELS("attention_generation"), NULL, &rows, &error));
	assert_int_equal(rows.device_count, MADE_UP);
	for (size_t d = 0; d < MADE_UP; ++d) {
		assert_string_equal(rows.devices[d], names[d]);
		const char *path = arena_printf(arena, "hw-profiles/devices/%s.json", names[d]);
		assert_true(device_load(arena, path, NULL, &files[d], &error));
		tokens_make(&files[d], d == B200 ? own : old, d == B200 ? late_s : soon_s);
		narrow[d] = files[d];
		tokens_make(&narrow[d], d == H100 || d == B200 ? own : old, d == B200 ? late_s : soon_s);
	}
	for (size_t i = 0; i < rows.count; ++i) {
		struct kernel_row *row = &rows.items[i];
		row->seconds = kernel_row_s(
			&(row->token.format != ATTENTION_WIDE ? narrow : files)[row->device], row);
	}
	double *predicted = arena_alloc(arena, rows.count, sizeof *predicted);
	assert_true(kernels_leave_devices_out(arena, &rows, files, predicted, &error));
	for (size_t d = 0; d < MADE_UP; ++d)
		if (d != B200)
			assert_true(tokens_error(&rows, predicted, names[d], false) < 0.01);
	assert_true(tokens_error(&rows, predicted, names[H100], true) < 0.05);
	assert_true(tokens_error(&rows, predicted, names[L40S], true) < 0.01); /* 16 bits' times */
	paradl_arena_free(arena);
}

/* Shipped device files against NCCL inside a node, and a fit against sizes that it has not seen. */
static void measured_collectives_are_met(void **state)
{
	(void)state;
	static const char *const devices[] = {"h100-sxm5-80gb", "a100-sxm4-80gb", "b200-sxm-180gb"},
				 *const sizes[] = {"<= 64 KiB", "<= 8 MiB", "> 8 MiB"};
	const double most = 0.16; /* of a third of the sizes; of all of them 0.12 */
	struct paradl_arena *arena = paradl_arena_create();
	struct paradl_error error = {0};
	struct paradl_kernels kernels;
	const char *const paths[] = {KERNELS("nccl")};
	const struct paradl_kernels_request request = {.directories = directories, .fit = true};
	assert_true(paradl_kernels_fit(arena, paths, 1, &request, &kernels, &error));
	for (size_t i = 0; i < sizeof devices / sizeof *devices; ++i)
		for (size_t k = 0; k < sizeof sizes / sizeof *sizes; ++k) {
			const struct paradl_kernel_errors *errors =
				errors_of(&kernels, devices[i], "fp16", sizes[k]);
			if (errors->median > most || errors->fitted_median > most)
				fail_msg("%s %s: %.3f, fitted %.3f", devices[i], sizes[k], errors->median,
					errors->fitted_median);
			assert_true(errors->left_out_median < 0.2);
		}
	assert_int_equal(kernels.passed_count, 1); /* int8 */
	paradl_arena_free(arena);
}

static void refused(const char *text, const char *reason)
{
	struct paradl_arena *arena = paradl_arena_create();
	struct paradl_error error = {0};
	struct kernel_rows rows = {0};
	char path[] = "/tmp/paradl-kernels-XXXXXX";
	const int descriptor = mkstemp(path);
	assert_true(descriptor >= 0);
	assert_int_equal(write(descriptor, text, strlen(text)), (ssize_t)strlen(text));
	close(descriptor);
	assert_false(kernel_rows_read(arena, path, NULL, &rows, &error));
	if (!strstr(error.message, reason))
		fail_msg("\"%s\" does not say \"%s\"", error.message, reason);
	unlink(path);
	paradl_arena_free(arena);
}

/* Returns the seconds of the only row of a table on a device whose units share 50 Tflop/s in bf16, 100 in fp8, and 1 TB/s. */
static double table_with_cache_s(double units, double cache, const char *text)
{
	struct paradl_arena *arena = paradl_arena_create();
	struct paradl_error error = {0};
	struct kernel_rows rows = {0};
	struct device device = {.peak_flop_per_s[PARADL_BF16] = 50e12,
		.peak_flop_per_s[PARADL_FP8_MIXED] = 100e12,
		.memory_bytes_per_s = 1e12,
		.tile = 1,
		.depth_tile = 1,
		.product = {.units = units,
			.sustained[PARADL_BF16] = 1,
			.sustained[PARADL_FP8_MIXED] = 1,
			.half_tile = 1,
			.memory_share = 1,
			.exposed = 1,
			.throttled[PARADL_BF16] = 1,
			.throttled[PARADL_FP8_MIXED] = 1,
			.grouped =
				{.rate = 1, .start_s = 30e-6, .copies = 2, .sort_s = 1e-9, .choose_s = 4e-6},
			.quantize[PARADL_FP8_MIXED] = {.start_s = 9e-6, .bytes = 5}},
		.cache = {.bytes = cache, .bytes_per_s = 4e12},
		.attention = {.forward = 0.5,
			.narrow = 2,
			.narrow_cache = 1.25,
			.narrow_other = 0.5,
			.narrow_block_s = 3e-6},
		.link = {.bytes_per_s = 100e9, .share = 0.5, .start_s = 8e-6, .latency_s = 1e-6}};
	assert_true(paradl_file_give(arena, "table.csv", text, strlen(text)));
	assert_true(kernel_rows_read(arena, "table.csv", NULL, &rows, &error));
	assert_int_equal(rows.count, 1);
	device_derive(&device);
	const double s = kernel_row_s(&device, &rows.items[0]);
	paradl_arena_free(arena);
	return s;
}

static double table_s(double units, const char *text)
{
	return table_with_cache_s(units, 0, text);
}

static void rows_are_the_work_they_say(void **state)
{
	(void)state;
	/* 10 x 10 tiles in one round, operands of one byte, 16 bits out; 2,560 x 500 items are cast */
	assert_close(table_s(100, "device,gemm_dtype,m,n,k,latency_ms\nx,fp8,2560,1280,500,1\n"),
		32.768e-6 + (2560 * 500 + 500 * 1280 + 2 * 2560 * 1280) / 1e12 + 9e-6 + 5 * 2560 * 500 / 1e12,
		1e-12);
	/* 8 experts, each with tokens, of which 2 are here: 256 x 2 / 8 = 64 tokens for each, gate and value of 1,024, and down */
	const double flop = 2 * 2 * 64 * (512 * 2048 + 1024 * 512.0);
	const double bytes =
		2 * 2 * (64 * 512 + 512 * 2048 + 64 * 2048 + 64 * 1024 + 1024 * 512 + 64 * 512.0);
#define EXPERTS_HEAD                                                                                         \
	"device,moe_dtype,num_tokens,hidden_size,inter_size,topk,num_experts,moe_tp_size,moe_ep_size,"       \
	"distribution,latency_ms\n"
#define EXPERTS EXPERTS_HEAD "x,bfloat16,256,512,1024,2,8,1,"
	assert_close(table_s(0, EXPERTS "4,balanced,1\n"),
		30e-6 + 2 * 2 * 64 * 512 * 2 / 1e12 + 256 * 2 * 1e-9 + flop / 50e12 + bytes / 1e12, 1e-12);
	/* of twelve, eleven each, three more than one kernel chooses: 256 x 11 / 12 tokens for each, 6 experts here */
	const double each = 256 * 11 / 12.0, up_bytes = each * 512 + 512 * 2048 + each * 2048,
		     down_bytes = each * 1024 + 1024 * 512 + each * 512;
	assert_close(table_s(0, EXPERTS_HEAD "x,bfloat16,256,512,1024,11,12,1,2,balanced,1\n"),
		30e-6 + 3 * 4e-6 + 2 * 6 * each * 512 * 2 / 1e12 + 256 * 11 * 1e-9 +
			2 * 6 * each * (512 * 2048 + 1024 * 512.0) / 50e12 +
			2 * 6 * (up_bytes + down_bytes) / 1e12,
		1e-12);
	/* a power law of exponent 1: the fullest of two has 0.8 x 256 to the 3/4 of what both have, the other the rest */
	assert_true(table_s(0, EXPERTS "4,power_law_1.01,1\n") > table_s(0, EXPERTS "4,balanced,1\n"));
	assert_close(table_s(0, EXPERTS "1,power_law_1.01,1\n"), table_s(0, EXPERTS "1,balanced,1\n"), 1e-12);
#undef EXPERTS
#undef EXPERTS_HEAD
#define ATTENTION                                                                                            \
	"device,attn_dtype,kv_cache_dtype,batch_size,isl,num_heads,num_key_value_heads,head_dim,window_"     \
	"size,latency_ms"
	/* one new token of 4 sequences after 99: caches of 100 keys in 8 bits, queries and outputs in 16 */
	assert_close(table_s(100, ATTENTION ",step\nx,bfloat16,fp8,4,1,8,2,64,0,1,99\n"),
		(4 * 100 * 2 * 2 * 64 + 4 * 8 * 2 * 64 * 2) / 1e12, 1e-12);
	/* of a window of 10 keys, in 16 bits */
	assert_close(table_s(100, ATTENTION ",step\nx,bfloat16,bfloat16,4,1,8,2,64,10,1,99\n"),
		(4 * 10 * 2 * 2 * 64 * 2 + 4 * 8 * 2 * 64 * 2) / 1e12, 1e-12);
	const double prompts_s = 2 * 2 * 4096.0 * (2048 + 64) * 8 * 128 / 25e12;
	/* two prompts of 4,096 tokens: 4,096 / 2 + 64 keys for each query, at half the rate of products */
	assert_close(table_s(100, ATTENTION "\nx,bfloat16,bfloat16,2,4096,8,2,64,0,1\n"), prompts_s, 1e-12);
	/* in 8 bits, with heads of 128 and of a size without kernels of its own, with such a cache alone */
	assert_close(table_s(100, ATTENTION "\nx,fp8,fp8,2,4096,8,2,128,0,1\n"), 2 * prompts_s / 2, 1e-12);
	assert_close(table_s(100, ATTENTION "\nx,fp8,fp8,2,4096,8,2,64,0,1\n"), prompts_s / 0.5, 1e-12);
	assert_close(table_s(100, ATTENTION "\nx,bfloat16,fp8,2,4096,8,2,64,0,1\n"), prompts_s / 1.25, 1e-12);
	assert_close(table_s(100, ATTENTION "\nx,fp8,fp8,2,4096,8,2,256,0,1\n"), 4 * prompts_s / 0.5, 1e-12);
#undef ATTENTION
#define COLLECTIVE "device,nccl_dtype,op_name,num_gpus,message_size,latency_ms\nx,half,"
	/* a million items of two bytes: parts of a quarter, three of which leave each device, twice, in six steps */
	assert_close(table_s(0, COLLECTIVE "all_reduce,4,1000000,1\n"), 8e-6 + 6e-6 + 6 * 5e5 / 50e9, 1e-12);
	assert_close(table_s(0, COLLECTIVE "all_gather,4,1000000,1\n"), 8e-6 + 3e-6 + 3 * 5e5 / 50e9, 1e-12);
	assert_close(table_s(0, COLLECTIVE "alltoall,4,1000000,1\n"), 8e-6 + 1e-6 + 3 * 5e5 / 50e9, 1e-12);
#undef COLLECTIVE
}

/* Kernels that are timed again and again find in a cache what fits: 1 MB of weights in turns from five places, 12 MB from one. */
static void what_fits_a_cache_spares_the_memory(void **state)
{
	(void)state;
	static const char
		small[] = "device,gemm_dtype,m,n,k,latency_ms\nx,bfloat16,1,1000,500,1\n",
		large[] = "device,gemm_dtype,m,n,k,latency_ms\nx,bfloat16,1,3000,2000,1\n",
		token[] = "device,attn_dtype,kv_cache_dtype,batch_size,isl,num_heads,num_key_value_heads,"
			  "head_dim,window_size,latency_ms,step\nx,bfloat16,bfloat16,1,1,8,8,64,0,1,999\n";
	const double small_bytes = 2 * (500 + 500000 + 1000), large_bytes = 2 * (2000 + 6e6 + 3000);
	const double small_s = table_s(0, small), large_s = table_s(0, large), token_s = table_s(0, token);
	assert_close(table_with_cache_s(0, 5.1e6, small), small_s - 0.75 * small_bytes / 1e12, 1e-12);
	/* of four places, and all but 3 kB of input and output */
	assert_close(table_with_cache_s(0, 4e6, small),
		small_s - 0.75 * (1 - 3e3 / (0.06 * 4e6)) * small_bytes / 1e12, 1e-12);
	assert_close(table_with_cache_s(0, 4.5e6, small), small_s, 1e-12);
	assert_close(table_with_cache_s(0, 1.25e7, large), large_s, 1e-12); /* of two places, 24 MB */
	assert_close(table_with_cache_s(0, 1.2e7, large),
		large_s - 0.75 * (1 - 1e4 / (0.06 * 1.2e7)) * large_bytes / 1e12, 1e-12);
	assert_close(table_with_cache_s(0, 1.1e7, large), large_s, 1e-12);
	assert_close(table_with_cache_s(0, 3e6, token), token_s - 0.75 * 2 * 1001 * 8 * 2 * 64 / 1e12, 1e-12);
}

static void odd_tables_are_refused(void **state)
{
	(void)state;
	refused("device,latency_ms\nx,1\n", "no table of kernels");
	refused("device,gemm_dtype,m,n,k,latency_ms\nx,bfloat16,0,2,3,1\n", "\"m\"");
	refused("device,gemm_dtype,m,n,k,latency_ms\nx,bfloat16,1,2,3x,1\n", "\"k\"");
	refused("device,gemm_dtype,m,n,k,latency_ms\nx,bfloat16,1,2,3,0\n", "\"latency_ms\"");
	refused("device,gemm_dtype,m,n,latency_ms\nx,bfloat16,1,2,3\n", "\"k\"");
	refused("device,gemm_dtype,m,n,k,latency_ms\nx,bfloat16,1,2\n", "fields");
	refused("device,nccl_dtype,op_name,num_gpus,message_size,latency_ms\nx,half,barrier,8,1,1\n",
		"no operation");
	refused("device,nccl_dtype,op_name,num_gpus,message_size,latency_ms\nx,half,alltoall,1,1,1\n",
		"\"num_gpus\"");
	refused("device,moe_dtype,num_tokens,hidden_size,inter_size,topk,num_experts,moe_tp_size,moe_ep_size,"
		"distribution,latency_ms\nh100-sxm5-80gb,bfloat16,64,1024,2688,22,512e9,1,4,power_law_1.01,0."
		"3\n",
		"more than 100,000");
	refused("device,dispatch_dtype,phase,num_tokens,hidden_size,topk,num_experts,num_gpus,latency_ms\n"
		"h100-sxm5-80gb,bfloat16,dispatch,64,1024,5e9,6e9,8,0.3\n",
		"more than 100,000");
	refused("device,moe_dtype,num_tokens,hidden_size,inter_size,topk,num_experts,moe_tp_size,moe_ep_size,"
		"distribution,latency_ms\nx,bfloat16,1,64,64,9,8,1,1,balanced,1\n",
		"more than there are experts");
	refused("device,moe_dtype,num_tokens,hidden_size,inter_size,topk,num_experts,moe_tp_size,moe_ep_size,"
		"distribution,latency_ms\nx,bfloat16,1,64,64,2,8,1,1,power_law_,1\n",
		"exponent");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(known_constants_come_back),
		cmocka_unit_test(measured_products_are_met),
		cmocka_unit_test(products_of_another_program_are_met),
		cmocka_unit_test(dispatches_are_met),
		cmocka_unit_test(measured_collectives_are_met),
		cmocka_unit_test(a_device_is_predicted_by_others),
		cmocka_unit_test(tokens_are_predicted_by_those_that_are_alike),
		cmocka_unit_test(rows_are_the_work_they_say),
		cmocka_unit_test(what_fits_a_cache_spares_the_memory),
		cmocka_unit_test(odd_tables_are_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
