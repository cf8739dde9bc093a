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
	assert_true(device_load(arena, path, &device, &error));
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
	assert_close(device.tile, 128, 0);
	assert_close(device.depth_tile, 32, 0);
	assert_close(device.winograd, 1.5, 0);
	assert_close(device.launch_s, 2.5e-6, 1e-15);
	assert_close(device.busy_watt, 300, 0);
	assert_close(device.idle_watt, 40, 0);
	paradl_arena_free(arena);
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
			"9:21: /power/pue: unknown key \"pue\"; known are \"busy\" and \"idle\""},
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
	assert_true(device_load(arena, "hw-profiles/devices/v100-sxm2-16gb.json", &device, &error));
	assert_close(device.peak_flop_per_s[PARADL_FP32], 15.7e12, 1e-12);
	assert_false(device_load(arena, "hw-profiles/devices/nothing.json", &device, &error));
	assert_int_equal(error.status, PARADL_IO);
	assert_string_equal(error.path, "hw-profiles/devices/nothing.json");
	paradl_arena_free(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_every_number),
		cmocka_unit_test(says_what_is_wrong_and_where),
		cmocka_unit_test(reads_shipped_devices),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
