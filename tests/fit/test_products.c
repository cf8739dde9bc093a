/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Products with known peaks, half-lengths and slowdown come back from noisy times; shapes that were not fitted follow. */
#include "fit/samples_file.h"

#include "oracle/setup.h"

#define ONE_LEVEL "{\"name\": \"all\", \"devices\": 8, \"latency\": \"1 us\", \"bandwidth\": \"10 GB/s\"}"

static const double m_half = 12, n_half = 8, k_half = 30;
static const double rate = 90e9, memory_rate = 12e9, slowdown = 1.25;

static double truth_s(double m, double n, double k)
{
	const double bytes = 4 * (m * k + n * k + m * n);
	return fmax(2 * (m + m_half) * (n + n_half) * (k + k_half) / rate, bytes / memory_rate);
}

static void product_add(struct samples_file *samples, double m, double n, double k, double busy)
{
	const double s = truth_s(m, n, k) * (busy > 1 ? slowdown : 1);
	samples_point(samples, "gemm", s, 2 * m * n * k, 4 * (m * k + n * k + m * n),
		"\"precision\":\"fp32\",\"m\":%.0f,\"n\":%.0f,\"k\":%.0f,\"count\":1,\"busy\":%.0f", m, n, k,
		busy);
}

static void memory_add(struct samples_file *samples)
{
	for (double bytes = 16384; bytes < 1e9; bytes *= 4)
		samples_point(samples, "memory", bytes / memory_rate, 0, bytes,
			"\"kind\":\"copy\",\"footprint\":%.0f,\"busy\":1", bytes);
}

/* Squares, and each side thin. */
static void products_add(struct samples_file *samples, double busy)
{
	static const double squares[] = {64, 128, 256, 512, 1024, 2048};
	static const double thin[] = {2, 4, 8, 16, 32, 64};
	for (size_t i = 0; i < sizeof squares / sizeof *squares; ++i)
		product_add(samples, squares[i], squares[i], squares[i], busy);
	for (size_t i = 0; i < sizeof thin / sizeof *thin; ++i) {
		product_add(samples, thin[i], 1024, 1024, busy);
		product_add(samples, 1024, thin[i], 1024, busy);
		product_add(samples, 1024, 1024, thin[i], busy);
	}
}

/* Some squares at work, all shapes alone: one factor tells the rest. */
static void what_work_costs_is_one_factor(void **state)
{
	(void)state;
	struct samples_file samples;
	samples_begin(&samples, "cpu", 0.05, 9);
	for (unsigned l = 0; l < 5; ++l) {
		samples_launch(&samples, l);
		products_add(&samples, 1);
		for (double side = 128; side <= 1024; side *= 2)
			product_add(&samples, side, side, side, 2);
	}
	samples_fit(&samples, NULL);
	assert_number(&samples, "product/half/k", k_half, 0.02);
	assert_number(&samples, "peak/fp32", rate, 0.02);
	assert_number(&samples, "product/sustained/fp32", 1 / slowdown, 0.02);
	samples_end(&samples);
}

static void made(struct samples_file *samples, double noise, unsigned launches, bool busy)
{
	samples_begin(samples, "cpu", noise, 20261122);
	for (unsigned l = 0; l < launches; ++l) {
		samples_launch(samples, l);
		memory_add(samples);
		products_add(samples, 1);
		if (busy)
			products_add(samples, 2);
	}
	samples_fit(samples, NULL);
}

static void exact_times_give_exact_numbers(void **state)
{
	(void)state;
	struct samples_file samples;
	made(&samples, 0, 1, false);
	assert_number(&samples, "product/half/m", m_half, 1e-4);
	assert_number(&samples, "product/half/n", n_half, 1e-4);
	assert_number(&samples, "product/half/k", k_half, 1e-4);
	assert_number(&samples, "peak/fp32", rate, 1e-4);
	assert_number(&samples, "product/sustained/fp32", 1, 1e-4);
	assert_number(&samples, "contraction/efficiency", 1, 1e-4);
	assert_number(&samples, "contraction/half/k", k_half, 1e-4);
	assert_number(&samples, "memory_rate", memory_rate, 1e-9);
	assert_null(number_find(&samples, "memory_rates/0/rate"));
	const struct paradl_fitted_number number = number_of(&samples, "product/half/m");
	assert_int_equal(number.launches, 1);
	assert_int_equal(number.points, 24);
	assert_true(number.is_range);
	assert_string_equal(number.from, "calibrate cpu, 1 launch, 2026-11-22");
	samples_end(&samples);
}

static void noise_is_seen_through(void **state)
{
	(void)state;
	struct samples_file samples;
	made(&samples, 0.05, 5, true);
	assert_number(&samples, "product/half/m", m_half, 0.02);
	assert_number(&samples, "product/half/n", n_half, 0.02);
	assert_number(&samples, "product/half/k", k_half, 0.02);
	const double peak = number_of(&samples, "peak/fp32").value;
	assert_close(peak, rate, 0.04); /* the largest product, alone, is not quite as fast */
	assert_close(peak * number_of(&samples, "product/sustained/fp32").value, rate / slowdown, 0.02);
	assert_close(peak * number_of(&samples, "contraction/efficiency").value, rate / slowdown, 0.02);
	const struct paradl_fitted_number number = number_of(&samples, "product/half/k");
	assert_false(number.is_range);
	assert_int_equal(number.launches, 5);
	assert_true(number.high > number.low && number.high < 1.1 * number.low);
	assert_true(number.residual < 0.03);
	samples_end(&samples);
}

/* Times of shapes between and beyond those that were fitted. */
static void other_shapes_follow(void **state)
{
	(void)state;
	static const double shapes[][3] = {{3, 700, 900}, {5000, 20, 333}, {96, 96, 96}, {1, 4096, 512},
		{300, 41, 10}, {4096, 4096, 4096}};
	struct samples_file samples;
	made(&samples, 0.05, 5, false);
	struct device device = {.memory_bytes_per_s = number_of(&samples, "memory_rate").value,
		.peak_flop_per_s[PARADL_FP32] = number_of(&samples, "peak/fp32").value,
		.tile = 1,
		.depth_tile = 1,
		.product = {.sustained[PARADL_FP32] = number_of(&samples, "product/sustained/fp32").value,
			.half = {number_of(&samples, "product/half/m").value,
				number_of(&samples, "product/half/n").value,
				number_of(&samples, "product/half/k").value},
			.memory_share = 1}};
	device_derive(&device);
	for (size_t i = 0; i < sizeof shapes / sizeof *shapes; ++i) {
		const double m = shapes[i][0], n = shapes[i][1], k = shapes[i][2];
		const double s = device_gemm_s(&device, PARADL_FP32, m, n, k, 1, 4 * (m * k + n * k + m * n));
		assert_close(s, truth_s(m, n, k), 0.02);
	}
	samples_end(&samples);
}

/* Adds one product from rest, and after the clock has fallen to `share` of its rate. */
static void states_add(
	struct samples_file *samples, const char *precision, double side, double rested_s, double share)
{
	const char *const kinds[] = {"rested", "settled"};
	for (unsigned i = 0; i < 2; ++i)
		samples_point(samples, "burst", i ? rested_s / share : rested_s, 2 * side * side * side,
			6 * side * side,
			"\"precision\":\"%s\",\"kind\":\"%s\",\"m\":%.0f,\"n\":%.0f,\"k\":%.0f,\"count\":1,"
			"\"busy\":1",
			precision, kinds[i], side, side, side);
}

/*
 * Adds a product by the algorithm that libraries choose, and a faster one by another, which does not count; clocks have fallen to what the
 * power limit leaves.
 */
static void tiled_add(
	struct samples_file *samples, const struct device *truth, bool narrow, const double sizes[3])
{
	const double m = sizes[0], n = sizes[1], k = sizes[2], item = narrow ? 1 : 2;
	const double bytes = item * (m * k + n * k) + 2 * m * n;
	const enum paradl_precision precision = narrow ? PARADL_FP8_MIXED : PARADL_BF16;
	const double fallen_s = 2 * m * n * k * truth->product_rates.s_per_flop[precision] *
				(1 / truth->product.throttled[precision] - 1);
	const double s = device_gemm_s(truth, precision, m, n, k, 1, bytes) + fallen_s;
	for (unsigned searched = 0; searched < 2; ++searched)
		samples_point(samples, "gemm", searched ? 0.8 * s : s, 2 * m * n * k, bytes,
			"\"precision\":\"%s\",\"m\":%.0f,\"n\":%.0f,\"k\":%.0f,\"count\":1,"
			"\"algorithm\":\"%s\",\"busy\":1",
			narrow ? "fp8" : "bf16", m, n, k, searched ? "best" : "default");
}

/*
 * A GPU with 100 units, whose profile has a peak: what tables of kernels say is fitted instead of lengths, with shares
 * for each format. The clock of one format falls; of the other it was not measured.
 */
static void units_have_waves(void **state)
{
	const double fallen = 0.8, side = 4096;
	const struct paradl_machine *machine = setup_machine(*state,
		"\"memory\": \"80 GB\", \"memory_rate\": \"2 TB/s\", \"peak\": {\"fp32\": \"50 Tflop/s\", "
		"\"bf16\": \"400 Tflop/s\", \"fp8\": \"800 Tflop/s\"}, \"contraction\": {\"efficiency\": "
		"0.5}, "
		"\"product\": {\"units\": 100, \"half_tile\": 0.99, \"wave_share\": 0.3}",
		ONE_LEVEL);
	struct device truth = machine->device;
	truth.product.launch_s = 2e-6;
	truth.product.half_tile = 0.85;
	truth.product.wave_s = 3e-6;
	truth.product.wave_share = 0.6;
	truth.product.split_s = 1.5e-6;
	truth.product.exposed = 0.25;
	truth.product.memory_share = 0.9;
	truth.product.sustained[PARADL_BF16] = 0.7;
	truth.product.sustained[PARADL_FP8_MIXED] = 0.55;
	truth.product.throttled[PARADL_BF16] = fallen;
	device_derive(&truth);
	struct samples_file samples;
	samples_begin(&samples, "cuda", 0.02, 3);
	for (unsigned l = 0; l < 5; ++l) {
		samples_launch(&samples, l);
		for (double m = 16; m <= 8192; m *= 2)
			for (double n = 192; n <= 8192; n *= 3)
				for (double k = 512; k <= 8192; k *= 4)
					for (unsigned f = 0; f < 2; ++f)
						tiled_add(&samples, &truth, f > 0, (const double[]){m, n, k});
		states_add(&samples, "bf16", side,
			device_gemm_s(&truth, PARADL_BF16, side, side, side, 1, 6 * side * side), fallen);
	}
	samples_fit(&samples, machine);
	assert_number(&samples, "product/sustained/bf16", 0.7, 0.01);
	assert_number(&samples, "product/sustained/fp8", 0.55, 0.01);
	assert_number(&samples, "product/launch", 2e-6, 0.02);
	assert_number(&samples, "product/wave", 3e-6, 0.02);
	assert_number(&samples, "product/wave_share", 0.6, 0.05);
	assert_number(&samples, "product/split", 1.5e-6, 0.1);
	assert_number(&samples, "product/exposed", 0.25, 0.05);
	assert_number(&samples, "product/memory_share", 0.9, 0.02);
	assert_number(&samples, "product/half_tile", 0.85, 0.02);
	assert_number(&samples, "product/throttled/bf16", fallen, 0.005);
	/* Samples follow one another without a pause, so no further fall of the clock is to be expected. */
	assert_number(&samples, "product/throttled/fp8", 1, 1e-9);
	assert_null(number_find(&samples, "peak/bf16"));
	assert_null(number_find(&samples, "product/half/m"));
	assert_null(number_find(&samples, "contraction/efficiency"));
	samples_end(&samples);
}

static void a_peak_that_was_beaten_is_raised(void **state)
{
	const struct paradl_machine *machine = setup_machine(*state,
		"\"memory\": \"8 GB\", \"memory_rate\": \"12 GB/s\", \"peak\": {\"fp32\": \"45 Gflop/s\"}, "
		"\"contraction\": {\"efficiency\": 0.5}",
		ONE_LEVEL);
	struct samples_file samples;
	samples_begin(&samples, "cpu", 0, 1);
	samples_launch(&samples, 0);
	products_add(&samples, 1);
	samples_fit(&samples, machine);
	assert_number(&samples, "peak/fp32", rate, 0.001);
	assert_number(&samples, "product/sustained/fp32", 1, 0.001);
	samples_end(&samples);
}

/* Rates were measured with settled clocks: from rest they are higher, steps run as fast as measured. */
static void clocks_fall_from_rest(void **state)
{
	const struct paradl_machine *machine = setup_machine(*state,
		"\"memory\": \"8 GB\", \"memory_rate\": \"12 GB/s\", \"peak\": {\"fp32\": \"200 Gflop/s\"}, "
		"\"contraction\": {\"efficiency\": 0.5}",
		ONE_LEVEL);
	struct samples_file samples;
	samples_begin(&samples, "cuda", 0, 1);
	samples_launch(&samples, 0);
	products_add(&samples, 1);
	states_add(&samples, "fp32", 2048, 0.9 * truth_s(2048, 2048, 2048), 0.9);
	samples_fit(&samples, machine);
	assert_number(&samples, "product/throttled/fp32", 0.9, 0.001);
	assert_number(&samples, "product/sustained/fp32", rate / 0.9 / 200e9, 0.001);
	assert_number(&samples, "contraction/efficiency", rate / 200e9, 0.001);
	samples_end(&samples);
}

/* Two products say how fast, not how lengths matter. */
static void few_products_give_a_rate_only(void **state)
{
	(void)state;
	struct samples_file samples;
	samples_begin(&samples, "cpu", 0, 1);
	samples_launch(&samples, 0);
	product_add(&samples, 2048, 2048, 2048, 1);
	product_add(&samples, 1024, 1024, 1024, 1);
	samples_fit(&samples, NULL);
	assert_null(number_find(&samples, "product/half/m"));
	assert_number(&samples, "peak/fp32", rate, 0.08);
	samples_end(&samples);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(exact_times_give_exact_numbers),
		cmocka_unit_test(noise_is_seen_through),
		cmocka_unit_test(what_work_costs_is_one_factor),
		cmocka_unit_test(other_shapes_follow),
		setup_test(units_have_waves),
		setup_test(a_peak_that_was_beaten_is_raised),
		setup_test(clocks_fall_from_rest),
		cmocka_unit_test(few_products_give_a_rate_only),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
