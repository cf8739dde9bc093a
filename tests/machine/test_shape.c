/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How rates depend on shapes and sizes: half-lengths of products, caches, explicit patches. Expected times by hand; devices
 * without these keys are timed as ever, to the last bit.
 */
#include "damage.h"

#include <dirent.h>

#include "oracle/setup.h"

static const char shaped[] =
	"{ \"format\": \"paradl-device\", \"version\": 1, \"name\": \"cpu\", \"memory\": \"8 GB\",\n"
	"  \"memory_rate\": \"10 GB/s\",\n"
	"  \"memory_rates\": [ { \"up_to\": \"32 KiB\", \"rate\": \"100 GB/s\" },\n"
	"    { \"up_to\": \"2 MiB\", \"rate\": \"40 GB/s\" } ],\n"
	"  \"peak\": { \"fp32\": \"100 Gflop/s\" },\n"
	"  \"contraction\": { \"efficiency\": 0.8, \"half\": { \"m\": 12, \"n\": 8, \"k\": 30 }, "
	"\"patches\": 2.5 },\n"
	"  \"product\": { \"half\": { \"m\": 4, \"k\": 20 } } }\n";

static struct device read_device(struct setup *setup, const char *text)
{
	struct device device;
	if (!device_load(setup->arena, setup_write(setup, "devices/device.json", text), NULL, &device,
		    &setup->error))
		fail_msg("%s: %s", setup->error.pointer, setup->error.message);
	return device;
}

static void short_lengths_are_slow(void **state)
{
	struct device device = read_device(*state, shaped);
	const double rate = 0.8 * 100e9;
	struct contraction product = {.m = 100, .n = 50, .k = 300, .groups = 1, .speed_up = 1};
	assert_close(
		device_contraction_s(&device, PARADL_FP32, &product), 2 * 112.0 * 58 * 330 / rate, 1e-14);
	/* Four groups are four products, each with an n of its own: 4 x 112 x (50 + 8) x 330. */
	product.groups = 4;
	assert_close(
		device_contraction_s(&device, PARADL_FP32, &product), 4 * 2 * 112.0 * 58 * 330 / rate, 1e-14);
	/* At the half-length of one, and far beyond those of the others: half the rate. */
	const double large = 1e7, s = device_gemm_s(&device, PARADL_FP32, 4, large, large, 1, 0);
	assert_close(2 * 4 * large * large / s, rate / 2, 1e-5);
	assert_close(
		device_gemm_s(&device, PARADL_FP32, 10, 20, 30, 7, 0), 7 * 2 * 14.0 * 20 * 50 / rate, 1e-14);
	/* Units have tiles and waves instead. */
	device.product.units = 4;
	device_derive(&device);
	const double with = device_gemm_s(&device, PARADL_FP32, 10, 20, 30, 7, 0);
	device.product.half = (struct half_lengths){0, 0, 0};
	assert_true(!(with < device_gemm_s(&device, PARADL_FP32, 10, 20, 30, 7, 0)) &&
		    !(with > device_gemm_s(&device, PARADL_FP32, 10, 20, 30, 7, 0)));
}

static void caches_are_faster_as_far_as_they_reach(void **state)
{
	const struct device device = read_device(*state, shaped);
	assert_int_equal(device.memory_level_count, 2);
	assert_close(device_s_per_byte(&device, 1), 1e-11, 1e-14);
	assert_close(device_s_per_byte(&device, 32768), 1e-11, 1e-14);
	assert_close(device_s_per_byte(&device, 32769), 2.5e-11, 1e-14);
	assert_close(device_s_per_byte(&device, 2097152), 2.5e-11, 1e-14);
	assert_close(device_s_per_byte(&device, 2097153), 1e-10, 1e-14);
	struct contraction product = {.m = 1, .n = 1, .k = 1, .groups = 1, .speed_up = 1, .bytes = 1e6};
	assert_close(device_contraction_s(&device, PARADL_FP32, &product), 1e6 / 40e9, 1e-14);
	product.patch_bytes = 4e6;
	assert_close(
		device_contraction_s(&device, PARADL_FP32, &product), 1e6 / 40e9 + 2.5 * 4e6 / 10e9, 1e-14);
	double before_s = 0;
	for (double bytes = 1000; bytes < 1e8; bytes *= 1.01) {
		const double s = bytes * device_s_per_byte(&device, bytes);
		assert_true(s > before_s);
		before_s = s;
	}
}

/* What a contraction took before there were shapes, in the same order of operations. */
static double plain_s(const struct device *device, const struct contraction *c)
{
	const double columns = ceil(c->n / device->tile) * device->tile;
	const double k = ceil(c->k / device->depth_tile) * device->depth_tile;
	const double compute_s = 2 * c->m * columns * k * device->s_per_flop[PARADL_FP32] / c->speed_up;
	return fmax(fmax(compute_s, c->bytes * device->s_per_byte), device->launch_s);
}

static void devices_without_shapes_are_as_ever(void **state)
{
	struct setup *setup = *state;
	static const struct contraction products[] = {
		{.m = 100352,
			.n = 64,
			.k = 147,
			.groups = 1,
			.bytes = 8.2e7,
			.speed_up = 1.5,
			.patch_bytes = 1e9},
		{.m = 49, .n = 1000, .k = 2048, .groups = 1, .bytes = 9.1e6, .speed_up = 1},
		{.m = 7, .n = 33, .k = 31, .groups = 1, .bytes = 3.3e10, .speed_up = 1, .patch_bytes = 7},
		{.m = 1, .n = 1, .k = 1, .groups = 1, .bytes = 12, .speed_up = 1},
	};
	DIR *folder = opendir("hw-profiles/devices");
	assert_non_null(folder);
	unsigned devices = 0;
	for (const struct dirent *entry; (entry = readdir(folder));) {
		if (!strstr(entry->d_name, ".json"))
			continue;
		struct device device;
		if (!device_load(setup->arena,
			    arena_printf(setup->arena, "hw-profiles/devices/%s", entry->d_name), NULL,
			    &device, &setup->error))
			fail_msg("%s: %s", entry->d_name, setup->error.message);
		assert_int_equal(device.memory_level_count, 0);
		for (size_t i = 0; i < sizeof products / sizeof *products; ++i)
			assert_close(device_contraction_s(&device, PARADL_FP32, &products[i]),
				plain_s(&device, &products[i]), 0);
		if (!(device.product.units > 0))
			assert_close(device_gemm_s(&device, PARADL_FP32, 100, 200, 300, 2, 12),
				device.product.launch_s +
					fmax(2 * 100.0 * 200 * 300 * 2 *
							device.product_rates.s_per_flop[PARADL_FP32],
						12 * device.product_rates.s_per_byte),
				0);
		++devices;
	}
	closedir(folder);
	assert_true(devices > 20);
}

/* On matrix units a convolution in NCHW takes its changes of layout longer; fp32 none, nor a device that says nothing of them. */
static void layouts_are_changed_for_matrix_units(void **state)
{
	struct setup *setup = *state;
	struct device device;
	struct contraction product = {.m = 1e6,
		.n = 64,
		.k = 576,
		.groups = 1,
		.bytes = 3e8,
		.speed_up = 1,
		.item_bytes = 2,
		.passes = 1,
		.convolution = true,
		.window = true};
	assert_true(device_load(
		setup->arena, "hw-profiles/devices/a100-sxm4-80gb.json", NULL, &device, &setup->error));
	const double plain = device_contraction_s(&device, PARADL_FP16, &product);
	const double fp32 = device_contraction_s(&device, PARADL_FP32, &product);
	product.changed_bytes = 2e8;
	assert_close(device_contraction_s(&device, PARADL_FP16, &product),
		plain + device.convolution.nchw_passes * 2e8 * device.s_per_byte, 1e-12);
	assert_close(device_contraction_s(&device, PARADL_FP32, &product), fp32, 0);
	product.window = false;
	assert_close(device_contraction_s(&device, PARADL_FP16, &product),
		plain + device.convolution.nchw_point_passes * 2e8 * device.s_per_byte, 1e-12);
}

/* 64 groups of 4 channels each fill a tile of 32; a depthwise kernel takes its places one by one. */
static void groups_fill_tiles_of_their_own(void **state)
{
	struct setup *setup = *state;
	struct device device;
	struct contraction product = {.m = 1e6,
		.n = 4,
		.k = 36,
		.groups = 64,
		.bytes = 1,
		.speed_up = 1,
		.item_bytes = 2,
		.passes = 1,
		.convolution = true,
		.window = true};
	assert_true(device_load(
		setup->arena, "hw-profiles/devices/a100-sxm4-80gb.json", NULL, &device, &setup->error));
	const double grouped = device_contraction_s(&device, PARADL_FP16, &product);
	product.n = 32;
	assert_close(device_contraction_s(&device, PARADL_FP16, &product), grouped, 0);
	product.n = 33;
	assert_true(device_contraction_s(&device, PARADL_FP16, &product) > 1.9 * grouped);
	product.bytes = 1e9;
	product.taps = 9e9;
	assert_close(device_contraction_s(&device, PARADL_FP16, &product),
		device.launch_s + device.convolution.tap_passes * 1e9 * device.s_per_byte +
			9e9 * device.convolution.tap_s / device.product.units,
		1e-12);
	const double last = device_contraction_s(&device, PARADL_FP16, &product);
	product.nchw = true;
	assert_true(device_contraction_s(&device, PARADL_FP16, &product) > last);
}

/*
 * A convolution of 3 x 3, 20 to 100 channels of 30 x 30, then one of 1 x 1 to 50; four samples. Each pass of the first
 * moves 2.5 x 4 x 900 x 180 patches; gradients of the input of a third, 3 x 3 to 40, are the product that is lowered.
 */
static void lowered_convolutions_move_patches(void **state)
{
	struct setup *setup = *state;
	const struct paradl_model *model =
		setup_model(setup, "\"input\": { \"channels\": 20, \"shape\": [30, 30] }",
			"{\"type\": \"conv\", \"out\": 100, \"kernel\": 3, \"pad\": 1, \"bias\": false}, "
			"{\"type\": \"conv\", \"out\": 50, \"kernel\": 1, \"bias\": false}, "
			"{\"type\": \"conv\", \"out\": 40, \"kernel\": 3, \"pad\": 1, \"bias\": false}");
	const struct paradl_machine *machine = setup_machine(setup,
		"\"memory\": \"8 GB\", \"memory_rate\": \"10 GB/s\", \"peak\": {\"fp32\": \"100 Gflop/s\"}, "
		"\"contraction\": {\"efficiency\": 0.8, \"half\": {\"m\": 12, \"n\": 8, \"k\": 30}, "
		"\"patches\": 2.5}",
		"{\"name\": \"all\", \"devices\": 8, \"latency\": \"1 us\", \"bandwidth\": \"10 GB/s\"}");
	struct paradl_oracle *oracle =
		setup_oracle(setup, model, machine, setup_framework(setup, ", " SETUP_SPLIT_ALL), false);
	struct paradl_plan plan;
	struct paradl_layer_table table;
	assert_true(paradl_plan_parse("serial", &plan, &setup->error));
	plan.batch = 4;
	if (!paradl_estimate_layers(oracle, &plan, setup->arena, &table, &setup->error))
		fail_msg("%s", setup->error.message);
	const double rate = 80e9, bo = 4 * 900;
	const double patches_s = 2.5 * bo * 180 * 4 / 10e9, wide_patches_s = 2.5 * bo * 450 * 4 / 10e9;
	assert_close(table.rows[0].forward_s, 2 * (bo + 12) * 108 * 210 / rate + patches_s, 1e-12);
	assert_close(table.rows[0].backward_s, 2 * (180 + 12) * 108 * (bo + 30) / rate + patches_s, 1e-12);
	assert_close(table.rows[1].forward_s, 2 * (bo + 12) * 58 * 130 / rate, 1e-12);
	assert_close(table.rows[1].backward_s,
		2 * (bo + 12) * 108 * 80 / rate + 2 * 112 * 58 * (bo + 30) / rate, 1e-12);
	assert_close(table.rows[2].backward_s,
		2 * (bo + 12) * 458 * 70 / rate + 2 * 462 * 48 * (bo + 30) / rate + 2 * wide_patches_s,
		1e-12);
}

static void says_what_is_wrong_with_rates(void **state)
{
	(void)state;
	static const struct damage damages[] = {
		{"\"2 MiB\"", "\"16 KiB\"", "4:16: /memory_rates/1/up_to: must be more than the one before"},
		{"\"40 GB/s\"", "\"400 GB/s\"",
			"4:33: /memory_rates/1/rate: is more than the rate of less memory before it"},
		{"\"40 GB/s\"", "\"4 GB/s\"",
			"4:33: /memory_rates/1/rate: is less than \"memory_rate\", which holds beyond all "
			"caches"},
		{"\"rate\": \"100 GB/s\"", "\"rat\": \"100 GB/s\"",
			"3:49: /memory_rates/0/rat: unknown key \"rat\"; did you mean \"rate\"?"},
		{"\"half\": { \"m\": 12, \"n\": 8, \"k\": 30 }", "\"half\": 12",
			"6:47: /contraction/half: must be an object"},
		{"\"m\": 4", "\"m\": -4", "7:31: /product/half/m: must be a number from 0 to 1000000, is -4"},
		{"\"patches\": 2.5", "\"patches\": \"2\"",
			"6:88: /contraction/patches: must be a number from 0 to 1000, is \"2\""},
	};
	assert_damages(device_check, shaped, damages, sizeof damages / sizeof damages[0]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		setup_test(short_lengths_are_slow),
		setup_test(caches_are_faster_as_far_as_they_reach),
		setup_test(devices_without_shapes_are_as_ever),
		setup_test(layouts_are_changed_for_matrix_units),
		setup_test(groups_fill_tiles_of_their_own),
		setup_test(lowered_convolutions_move_patches),
		cmocka_unit_test(says_what_is_wrong_with_rates),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
