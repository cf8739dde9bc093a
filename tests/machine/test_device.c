/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "damage.h"

#include <unistd.h>

#include "machine/machine.h"

static const char good[] = "{\n"
			   "  \"format\": \"paradl-device\",\n"
			   "  \"version\": 1,\n"
			   "  \"name\": \"T\",\n"
			   "  \"memory\": \"16 GiB\",\n"
			   "  \"memory_rate\": \"800 GB/s\",\n"
			   "  \"peak\": { \"fp32\": \"15 Tflop/s\", \"fp16\": \"120 Tflop/s\" },\n"
			   "  \"contraction\": { \"efficiency\": 0.75, \"tile\": 128, \"depth_tile\": 32, "
			   "\"winograd\": 1.5, \"launch\": \"2.5 us\" },\n"
			   "  \"power\": { \"busy\": \"300 W\", \"idle\": \"40 W\" },\n"
			   "  \"from\": { \"memory\": \"datasheet\" }\n"
			   "}\n";

static void reads_every_number(void **state)
{
	(void)state;
	struct paradl_arena *const arena = paradl_arena_create();
	struct paradl_error error = {0};
	struct device device;
	char path[] = "/tmp/paradl-device-XXXXXX";
	const int descriptor = mkstemp(path);
	assert_true(descriptor >= 0);
	assert_int_equal(write(descriptor, good, strlen(good)), strlen(good));
	close(descriptor);
	assert_true(device_load(arena, path, NULL, &device, &error));
	unlink(path);
	assert_string_equal(device.name, "T");
	assert_string_equal(device.path, path);
	assert_close(device.memory_bytes, 16 * 1073741824.0, 0);
	assert_close(device.memory_bytes_per_s, 8e11, 0);
	assert_close(device.peak_flop_per_s[PARADL_FP32], 15e12, 0);
	assert_close(device.peak_flop_per_s[PARADL_FP16], 120e12, 0);
	assert_close(device.peak_flop_per_s[PARADL_FP16_MIXED], 120e12, 0);
	assert_close(device.peak_flop_per_s[PARADL_BF16], 0, 0);
	assert_close(device.peak_flop_per_s[PARADL_TF32], 0, 0);
	assert_close(device.peak_flop_per_s[PARADL_FP8_MIXED], 0, 0);
	assert_close(device.efficiency, 0.75, 0);
	assert_close(device.contraction_share[PARADL_FP32], 0.75, 0);
	assert_close(device.contraction_share[PARADL_FP16_MIXED], 0.75, 0);
	assert_close(device.tile, 128, 0);
	assert_close(device.depth_tile, 32, 0);
	assert_close(device.winograd, 1.5, 0);
	assert_close(device.launch_s, 2.5e-6, 1e-15);
	assert_close(device.busy_watt, 300, 0);
	assert_close(device.idle_watt, 40, 0);
	paradl_arena_free(arena);
}

static const char blocks[] =
	"{\n"
	"  \"format\": \"paradl-device\", \"version\": 1, \"name\": \"T\", \"memory\": \"16 GiB\",\n"
	"  \"memory_rate\": \"800 GB/s\", \"contraction\": { \"efficiency\": 0.75, \"launch\": \"3 us\" },\n"
	"  \"peak\": { \"fp32\": \"15 Tflop/s\", \"bf16\": \"120 Tflop/s\", \"fp8\": \"240 Tflop/s\",\n"
	"    \"fp4\": \"480 Tflop/s\" },\n"
	"  \"product\": { \"units\": 80, \"sustained\": { \"bf16\": 0.6, \"fp8\": 0.5 }, \"half_tile\": "
	"0.9,\n"
	"    \"wave\": \"2 us\", \"wave_share\": 0.25, \"memory_share\": 0.8, \"launch\": \"1 us\",\n"
	"    \"cast_bytes\": \"3.5 B\", \"unaligned\": 7 },\n"
	"  \"attention\": { \"forward\": 1.01, \"backward\": 0.3, \"portable\": 0.55 },\n"
	"  \"link\": { \"rate\": \"300 GB/s\", \"share\": 0.7, \"start\": \"14 us\", \"start_log\": \"1.5 "
	"us\",\n"
	"    \"ramp\": \"70 us\", \"devices\": 72, \"latency\": \"2 us\", \"host_rate\": \"26 GB/s\" }\n"
	"}\n";

/* Writes a text to a file and loads it. */
static bool load(struct paradl_arena *arena, const char *text, struct device *device)
{
	struct paradl_error error = {0};
	char path[] = "/tmp/paradl-device-XXXXXX";
	const int descriptor = mkstemp(path);
	assert_true(descriptor >= 0);
	assert_int_equal(write(descriptor, text, strlen(text)), strlen(text));
	close(descriptor);
	const bool loaded = device_load(arena, path, NULL, device, &error);
	unlink(path);
	if (!loaded)
		print_message("%s\n", error.message);
	return loaded;
}

static void reads_products_attention_and_links(void **state)
{
	(void)state;
	struct paradl_arena *const arena = paradl_arena_create();
	struct device device;
	assert_true(load(arena, blocks, &device));
	const struct device_product *const product = &device.product;
	assert_close(device.peak_flop_per_s[PARADL_FP4_MIXED], 480e12, 0);
	assert_close(device.peak_flop_per_s[PARADL_MXFP8_MIXED], 240e12, 0); /* as fp8 */
	assert_close(product->units, 80, 0);
	assert_close(product->sustained[PARADL_BF16], 0.6, 0);
	assert_close(product->sustained[PARADL_BF16_MIXED], 0.6, 0);
	assert_close(product->sustained[PARADL_FP16_MIXED], 0.6, 0); /* as bf16 */
	assert_close(product->sustained[PARADL_FP32], 0.75, 0);      /* as contractions */
	assert_close(product->sustained[PARADL_FP8_MIXED], 0.5, 0);
	assert_close(product->sustained[PARADL_MXFP8_MIXED], 0.5, 0);
	assert_close(product->sustained[PARADL_FP4_MIXED], 0.5, 0);
	assert_close(product->half_tile, 0.9, 0);
	assert_close(product->wave_s, 2e-6, 1e-15);
	assert_close(product->wave_share, 0.25, 0);
	assert_close(product->memory_share, 0.8, 0);
	assert_close(product->launch_s, 1e-6, 1e-15);
	assert_close(product->cast_bytes, 3.5, 0);
	assert_close(product->unaligned, 7, 0);
	assert_close(device.attention.forward, 1.01, 0);
	assert_close(device.attention.backward, 0.3, 0);
	assert_close(device.attention.portable, 0.55, 0);
	assert_close(device.link.bytes_per_s, 300e9, 0);
	assert_close(device.link.share, 0.7, 0);
	assert_close(device.link.start_s, 14e-6, 1e-15);
	assert_close(device.link.start_log_s, 1.5e-6, 1e-15);
	assert_close(device.link.ramp_s, 70e-6, 1e-15);
	assert_int_equal(device.link.devices, 72);
	assert_close(device.link.latency_s, 2e-6, 1e-15);
	assert_close(device.link.host_bytes_per_s, 26e9, 0);
	/* A product too large for anything else runs at 0.6 x 120 Tflop/s; one that moves 0.8 x 800 GB takes a second. */
	assert_close(device_gemm_s(&device, PARADL_BF16, 8192, 8192, 1e9, 1, 0),
		2 * 8192 * 8192 * 1e9 / 72e12, 0.05); /* 2048 tiles on 80 units: 26 rounds for 25.6 */
	assert_close(device_gemm_s(&device, PARADL_BF16, 1, 1, 1, 1, 640e9), 1 + 1e-6, 1e-12);
	paradl_arena_free(arena);
}

static void number_formats_have_efficiencies_of_their_own(void **state)
{
	(void)state;
	struct paradl_arena *const arena = paradl_arena_create();
	struct device device;
	const char *const found = strstr(blocks, "\"efficiency\": 0.75");
	assert_non_null(found);
	const char *const own = arena_printf(arena,
		"%.*s\"efficiency\": 0.75, \"sustained\": { \"bf16\": 0.5, \"fp8\": 0.3 }%s",
		(int)(found - blocks), blocks, found + strlen("\"efficiency\": 0.75"));
	assert_true(load(arena, own, &device));
	assert_close(device.contraction_share[PARADL_FP32], 0.75, 0);
	assert_close(device.contraction_share[PARADL_BF16], 0.5, 0);
	assert_close(device.contraction_share[PARADL_FP16_MIXED], 0.5, 0); /* as bf16 */
	assert_close(device.contraction_share[PARADL_FP8_MIXED], 0.3, 0);
	assert_close(device.product.sustained[PARADL_BF16], 0.6, 0); /* products as before */
	const struct contraction product = {.m = 1000, .n = 1280, .k = 640, .groups = 1, .speed_up = 1};
	assert_close(device_contraction_s(&device, PARADL_FP32, &product), 2 * 1000 * 1280 * 640 / 11.25e12,
		1e-12);
	assert_close(
		device_contraction_s(&device, PARADL_BF16, &product), 2 * 1000 * 1280 * 640 / 60e12, 1e-12);
	paradl_arena_free(arena);
}

static void older_files_run_products_like_contractions(void **state)
{
	(void)state;
	struct paradl_arena *const arena = paradl_arena_create();
	struct device device;
	assert_true(load(arena, good, &device));
	assert_close(device.product.units, 0, 0);
	assert_close(device.product.sustained[PARADL_FP16_MIXED], 0.75, 0);
	assert_close(device.product.launch_s, 2.5e-6, 1e-15);
	assert_close(device_gemm_s(&device, PARADL_FP16, 100, 200, 3000, 2, 0),
		2.5e-6 + 2 * 2 * 100 * 200 * 3000.0 / (0.75 * 120e12), 1e-12);
	assert_close(device.link.bytes_per_s, 0, 0);
	assert_close(device.link.share, 0.8, 0);
	assert_true(device.attention.forward > 0 && device.attention.backward > 0);
	paradl_arena_free(arena);
}

static void says_what_is_wrong_with_products(void **state)
{
	(void)state;
	static const struct damage damages[] = {
		{"\"units\": 80", "\"units\": 0",
			"6:25: /product/units: must be a number from 1 to 1000000, is 0"},
		{"{ \"bf16\": 0.6, \"fp8\": 0.5 }", "0.6", "6:42: /product/sustained: must be an object"},
		{"\"bf16\": 0.6", "\"bf17\": 0.6",
			"6:52: /product/sustained/bf17: unknown key \"bf17\"; did you mean \"bf16\"?"},
		{"\"bf16\": 0.6", "\"bf16\": 1.2",
			"6:52: /product/sustained/bf16: must be a number from 0.001 to 1, is 1.2"},
		{"\"3.5 B\"", "3.5",
			"8:19: /product/cast_bytes: cast_bytes needs a unit: write \"16 GiB\" or \"25 MB\""},
		{"{ \"forward\": 1.01, \"backward\": 0.3, \"portable\": 0.55 }", "true",
			"9:16: /attention: must be an object"},
		{"\"backward\": 0.3, ", "", "9:16: /attention: needs a \"backward\""},
		{"\"rate\": \"300 GB/s\", ", "", "10:11: /link: needs a \"rate\""},
		{"\"share\": 0.7", "\"share\": 7",
			"10:42: /link/share: must be a number from 0.01 to 1, is 7"},
		{"\"devices\": 72", "\"devices\": 7.2",
			"11:33: /link/devices: must be a whole number from 1 to 1000000000, is 7.2"},
		{"\"latency\"", "\"latenc\"",
			"11:47: /link/latenc: unknown key \"latenc\"; did you mean \"latency\"?"},
	};
	assert_damages(device_check, blocks, damages, sizeof damages / sizeof damages[0]);
}

static void says_what_is_wrong_and_where(void **state)
{
	(void)state;
	static const struct damage damages[] = {
		{"\"paradl-device\"", "\"paradl-hw\"",
			"2:13: /format: is a \"paradl-hw\" file where a \"paradl-device\" file is wanted"},
		{"\"format\": \"paradl-device\",", "", "1:1: needs \"format\": \"paradl-device\""},
		{"\"paradl-device\"", "7", "2:13: /format: needs \"format\": \"paradl-device\""},
		{"\"version\": 1", "\"version\": 2",
			"3:14: /version: is version 2 of \"paradl-device\"; this program reads up to version "
			"1"},
		{"\"version\": 1", "\"version\": 0",
			"3:14: /version: must be a whole number from 1 to 1000000, is 0"},
		{"\"version\": 1", "\"version\": \"1\"",
			"3:14: /version: must be a whole number from 1 to 1000000, is \"1\""},
		{"\"version\": 1,", "", "1:1: needs \"version\": 1"},
		{"\"name\": \"T\",", "", "1:1: needs a \"name\""},
		{"\"T\"", "3", "4:11: /name: must be a string, is 3"},
		{"\"memory\": \"16 GiB\",", "", "1:1: needs a \"memory\""},
		{"\"16 GiB\"", "16", "5:13: /memory: memory needs a unit: write \"16 GiB\" or \"25 MB\""},
		{"\"16 GiB\"", "\"16\"", "5:13: /memory: memory needs a unit: write \"16 GiB\" or \"25 MB\""},
		{"\"16 GiB\"", "\"16 GB/s\"",
			"5:13: /memory: memory has the unit \"GB/s\", which is a bandwidth: write \"16 GiB\" "
			"or \"25 MB\""},
		{"\"16 GiB\"", "\"0 B\"", "5:13: /memory: must be at least 1.00 B, is \"0 B\""},
		{"\"800 GB/s\"", "\"800 GBps\"",
			"6:18: /memory_rate: memory_rate has the unit \"GBps\": write \"GB/s\" (bytes) or "
			"\"Gb/s\" (bits)"},
		{"\"800 GB/s\"", "\"-800 GB/s\"",
			"6:18: /memory_rate: memory_rate must not be negative, is \"-800 GB/s\""},
		{"\"memory_rate\"", "\"memory_rat\"",
			"6:17: /memory_rat: unknown key \"memory_rat\"; did you mean \"memory_rate\"?"},
		{"{ \"fp32\": \"15 Tflop/s\", \"fp16\": \"120 Tflop/s\" }", "\"15 Tflop/s\"",
			"7:11: /peak: needs a \"peak\" object, such as {\"fp32\": \"15.7 Tflop/s\"}"},
		{"\"fp32\": \"15 Tflop/s\", ", "",
			"7:11: /peak: needs an \"fp32\" rate, such as \"15.7 Tflop/s\""},
		{"\"fp16\"", "\"fp64\"", "7:43: /peak/fp64: unknown key \"fp64\"; did you mean \"fp4\"?"},
		{"\"15 Tflop/s\"", "\"15 TFLOPS\"",
			"7:21: /peak/fp32: fp32 has the unit \"TFLOPS\": write \"Tflop/s\""},
		{"\"peak\"", "\"_peak\"",
			"1:1: needs a \"peak\" object, such as {\"fp32\": \"15.7 Tflop/s\"}"},
		{"\"efficiency\": 0.75, ", "", "8:18: /contraction: needs a \"efficiency\""},
		{"0.75", "1.5", "8:34: /contraction/efficiency: must be a number from 1e-06 to 1, is 1.5"},
		{"0.75", "0", "8:34: /contraction/efficiency: must be a number from 1e-06 to 1, is 0"},
		{"\"tile\": 128", "\"tile\": 0.5",
			"8:48: /contraction/tile: must be a number from 1 to 65536, is 0.5"},
		{"\"winograd\": 1.5", "\"winograd\": 5",
			"8:83: /contraction/winograd: must be a number from 1 to 4, is 5"},
		{"\"2.5 us\"", "\"2 min\"",
			"8:98: /contraction/launch: must be at most 1.00 s, is \"2 min\""},
		{"\"contraction\"", "\"_contraction\"",
			"1:1: needs a \"contraction\" object, such as {\"efficiency\": 0.7}"},
		{"\"busy\": \"300 W\", ", "", "9:12: /power: needs a \"busy\""},
		{"\"40 W\"", "40", "9:39: /power/idle: idle needs a unit: write \"300 W\""},
		{"\"power\": {", "\"power\": { \"pue\": 1,",
			"9:21: /power/pue: unknown key \"pue\"; known are \"busy\", \"idle\", "
			"\"memory\" and \"waiting\""},
		{"\"40 W\"", "\"301 W\"", "9:39: /power/idle: must be at most \"busy\""},
		{"\"40 W\"", "\"40 W\", \"waiting\": \"39 W\"",
			"9:58: /power/waiting: must be from \"idle\" to \"memory\" (248 W)"},
		{"\"40 W\"", "\"40 W\", \"memory\": \"301 W\"",
			"9:57: /power/memory: must be from \"waiting\" (120 W) to \"busy\""},
		{"{ \"memory\": \"datasheet\" }", "\"datasheet\"",
			"10:11: /from: must be an object: path of a number to its origin"},
		{"\"datasheet\"", "1",
			"10:23: /from/memory: must be a text such as \"measured: tool, date\""},
	};
	assert_damages(device_check, good, damages, sizeof damages / sizeof damages[0]);
}

static void reads_shipped_devices(void **state)
{
	(void)state;
	struct paradl_arena *const arena = paradl_arena_create();
	struct paradl_error error = {0};
	struct device device;
	assert_true(device_load(arena, "hw-profiles/devices/v100-sxm2-16gb.json", NULL, &device, &error));
	assert_close(device.peak_flop_per_s[PARADL_FP32], 15.7e12, 1e-12);
	assert_false(device_load(arena, "hw-profiles/devices/nothing.json", NULL, &device, &error));
	assert_int_equal(error.status, PARADL_IO);
	assert_string_equal(error.path, "hw-profiles/devices/nothing.json");
	paradl_arena_free(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_every_number),
		cmocka_unit_test(reads_products_attention_and_links),
		cmocka_unit_test(number_formats_have_efficiencies_of_their_own),
		cmocka_unit_test(older_files_run_products_like_contractions),
		cmocka_unit_test(says_what_is_wrong_with_products),
		cmocka_unit_test(says_what_is_wrong_and_where),
		cmocka_unit_test(reads_shipped_devices),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
