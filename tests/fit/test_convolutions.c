/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Convolutions whose times are known: by explicit lowering on a processor with caches, and implicit ones on a device with
 * a peak. What is fitted comes back, and the oracle then takes for a layer what was measured.
 */
#include "fit/samples_file.h"
#include "model/layer_times_read.h"
#include "oracle/setup.h"

static const double m_half = 20, n_half = 6, k_half = 40, patches = 2.2;
static const double rate = 60e9, memory_rate = 8e9, cache_rate = 30e9, cache = 1.5e6, slowdown = 1.2;

static double pass_s(double bytes)
{
	return bytes / (bytes <= cache ? cache_rate : memory_rate);
}

struct layer_shape {
	double batch, channels, filters, extent, kernel;
};

static const char *const passes[] = {"forward", "backward-data", "backward-filter"};

/* Explicit lowering of stride 1 and "same" padding, by hand. */
static double truth_s(const struct layer_shape *l, unsigned pass, double busy)
{
	const double bo = l->batch * l->extent * l->extent, volume = l->kernel * l->kernel;
	const double depth = l->channels * volume;
	const double bytes = 4 * (bo * (l->channels + l->filters) + depth * l->filters);
	const double m = pass == 2 ? depth : bo;
	const double n = pass == 1 ? depth : l->filters;
	const double k = pass == 0 ? depth : pass == 1 ? l->filters : bo;
	const double product_s =
		2 * (m + m_half) * (n + n_half) * (k + k_half) / rate * (busy > 1 ? slowdown : 1);
	return fmax(product_s, pass_s(bytes)) + (volume > 1 ? patches * pass_s(4 * bo * depth) : 0);
}

static void layer_add(
	struct samples_file *samples, const struct layer_shape *l, const char *name, double busy)
{
	const double positions = l->extent * l->extent, volume = l->kernel * l->kernel;
	const double bo = l->batch * positions, flop = 2 * bo * l->channels * volume * l->filters;
	for (unsigned pass = 0; pass < 3; ++pass)
		samples_point(samples, "convolution", truth_s(l, pass, busy), flop, 0,
			"\"precision\":\"fp32\",\"pass\":\"%s\",\"layer\":\"%s\",\"model\":\"tiny\","
			"\"batch\":%.0f,"
			"\"dimensions\":2,\"channels\":%.0f,\"filters\":%.0f,\"groups\":1,\"volume\":%.0f,"
			"\"positions\":%.0f,\"x_positions\":%.0f,\"stride\":1,\"patch_items\":%.0f,\"busy\":%"
			".0f",
			passes[pass], name, l->batch, l->channels, l->filters, volume, positions, positions,
			volume > 1 ? bo * l->channels * volume : 0, busy);
}

static void lowered(struct samples_file *samples, double noise, unsigned launches)
{
	static const double channels[] = {3, 8, 16, 32, 64, 128}, extents[] = {4, 8, 16, 32};
	samples_begin(samples, "cpu", noise, 11);
	for (unsigned l = 0; l < launches; ++l) {
		samples_launch(samples, l);
		for (double bytes = 16384; bytes < 3e8; bytes *= 2)
			samples_point(samples, "memory", pass_s(bytes), 0, bytes,
				"\"kind\":\"triad\",\"footprint\":%.0f,\"busy\":1", bytes);
		for (size_t c = 0; c < sizeof channels / sizeof *channels; ++c)
			for (size_t e = 0; e < sizeof extents / sizeof *extents; ++e)
				for (double kernel = 1; kernel < 4; kernel += 2)
					for (double busy = 1; busy < 3; ++busy) {
						const struct layer_shape shape = {
							4, channels[c], 2 * channels[c], extents[e], kernel};
						layer_add(samples, &shape, "", busy);
					}
	}
	samples_fit(samples, NULL);
}

static void lowered_convolutions_come_back(void **state)
{
	(void)state;
	struct samples_file samples;
	lowered(&samples, 0.05, 5);
	assert_number(&samples, "memory_rate", memory_rate, 0.02);
	assert_number(&samples, "memory_rates/0/rate", cache_rate, 0.02);
	assert_number(&samples, "contraction/half/m", m_half, 0.02);
	assert_number(&samples, "contraction/half/n", n_half, 0.02);
	assert_number(&samples, "contraction/half/k", k_half, 0.02);
	assert_number(&samples, "contraction/patches", patches, 0.02);
	const double peak = number_of(&samples, "peak/fp32").value;
	assert_true(peak > rate / slowdown && peak < rate); /* the best of all shapes, alone */
	assert_close(peak * number_of(&samples, "contraction/efficiency").value, rate / slowdown, 0.02);
	assert_true(number_of(&samples, "contraction/patches").residual < 0.03);
	samples_end(&samples);
}

static const char *device_text(struct setup *setup, const struct samples_file *samples)
{
#define VALUE(path) number_of(samples, path).value
	return arena_printf(setup->arena,
		"\"memory\": \"8 GB\", \"memory_rate\": \"%.17g B/s\", \"memory_rates\": [{\"up_to\": "
		"\"%.17g B\", "
		"\"rate\": \"%.17g B/s\"}], \"peak\": {\"fp32\": \"%.17g flop/s\"}, \"contraction\": "
		"{\"efficiency\": %.17g, \"half\": {\"m\": %.17g, \"n\": %.17g, \"k\": %.17g}, \"patches\": "
		"%.17g}",
		VALUE("memory_rate"), VALUE("memory_rates/0/up_to"), VALUE("memory_rates/0/rate"),
		VALUE("peak/fp32"), VALUE("contraction/efficiency"), VALUE("contraction/half/m"),
		VALUE("contraction/half/n"), VALUE("contraction/half/k"), VALUE("contraction/patches"));
#undef VALUE
}

/* The oracle on a network of a layer that was not measured, all devices at work. */
static void layers_take_what_they_take(void **state)
{
	struct setup *setup = *state;
	struct samples_file samples;
	lowered(&samples, 0.05, 5);
	const struct paradl_model *model =
		setup_model(setup, "\"input\": { \"channels\": 3, \"shape\": [24, 24] }",
			"{\"type\": \"conv\", \"out\": 24, \"kernel\": 3, \"pad\": 1, \"bias\": false}, "
			"{\"type\": \"conv\", \"out\": 40, \"kernel\": 3, \"pad\": 1, \"bias\": false}, "
			"{\"type\": \"conv\", \"out\": 100, \"kernel\": 1, \"bias\": false}");
	const struct layer_shape shapes[] = {{6, 3, 24, 24, 3}, {6, 24, 40, 24, 3}, {6, 40, 100, 24, 1}};
	const struct paradl_machine *machine = setup_machine(setup, device_text(setup, &samples),
		"{\"name\": \"all\", \"devices\": 8, \"latency\": \"1 us\", \"bandwidth\": \"10 GB/s\"}");
	struct paradl_oracle *oracle =
		setup_oracle(setup, model, machine, setup_framework(setup, ", " SETUP_SPLIT_ALL), false);
	struct paradl_plan plan;
	struct paradl_layer_table table;
	assert_true(paradl_plan_parse("serial", &plan, &setup->error));
	plan.batch = 6;
	if (!paradl_estimate_layers(oracle, &plan, setup->arena, &table, &setup->error))
		fail_msg("%s", setup->error.message);
	for (unsigned i = 0; i < 3; ++i) {
		const double backward_s = (i ? truth_s(&shapes[i], 1, 2) : 0) + truth_s(&shapes[i], 2, 2);
		assert_close(table.rows[i].forward_s, truth_s(&shapes[i], 0, 2), 0.02);
		assert_close(table.rows[i].backward_s, backward_s, 0.02);
	}
	samples_end(&samples);
}

/* No patches, formats with rates of their own, tiles of the profile: efficiencies of the peak that is known. */
static void implicit_convolutions_come_back(void **state)
{
	const struct paradl_machine *machine = setup_machine(*state,
		"\"memory\": \"80 GB\", \"memory_rate\": \"3 TB/s\", \"peak\": {\"fp32\": \"50 Tflop/s\", "
		"\"bf16\": \"800 Tflop/s\"}, \"contraction\": {\"efficiency\": 0.5, \"tile\": 64, "
		"\"depth_tile\": 32}, \"product\": {\"units\": 100}",
		"{\"name\": \"all\", \"devices\": 8, \"latency\": \"1 us\", \"bandwidth\": \"10 GB/s\"}");
	struct device truth = machine->device;
	truth.contraction_share[PARADL_FP32] = 0.7;
	truth.contraction_share[PARADL_BF16] = 0.35;
	truth.half = (struct half_lengths){3000, 20, 100};
	device_derive(&truth);
	struct samples_file samples;
	samples_begin(&samples, "cuda", 0.05, 5);
	for (unsigned l = 0; l < 5; ++l) {
		samples_launch(&samples, l);
		for (double c = 64; c <= 512; c *= 2)
			for (double e = 7; e <= 56; e *= 2)
				for (unsigned f = 0; f < 2; ++f) {
					const double bo = 32 * e * e, item = f ? 2 : 4;
					const struct contraction product = {.m = bo,
						.n = 2 * c,
						.k = 9 * c,
						.groups = 1,
						.bytes = item * (bo * 3 * c + 18 * c * c),
						.speed_up = 1};
					const double s = device_contraction_s(
						&truth, f ? PARADL_BF16 : PARADL_FP32, &product);
					samples_point(&samples, "convolution", s, 2 * bo * 18 * c * c, 0,
						"\"precision\":\"%s\",\"pass\":\"forward\",\"layer\":\"\","
						"\"batch\":32,"
						"\"dimensions\":2,\"channels\":%.0f,\"filters\":%.0f,"
						"\"groups\":1,"
						"\"volume\":9,\"positions\":%.0f,\"x_positions\":%.0f,"
						"\"stride\":1,"
						"\"patch_items\":0,\"algorithm\":\"heuristic\",\"busy\":1",
						f ? "bf16" : "fp32", c, 2 * c, e * e, e * e);
				}
	}
	samples_fit(&samples, machine);
	assert_number(&samples, "contraction/efficiency", 0.7, 0.02);
	assert_number(&samples, "contraction/sustained/bf16", 0.35, 0.02);
	assert_number(&samples, "contraction/half/m", 3000, 0.03);
	assert_number(&samples, "contraction/half/k", 100, 0.1);
	assert_null(number_find(&samples, "contraction/patches"));
	assert_null(number_find(&samples, "peak/bf16"));
	samples_end(&samples);
}

/* Two layers of a network at two batches, and a third of the first layer; what is written is what was measured. */
static void layers_are_written_as_a_file(void **state)
{
	struct setup *setup = *state;
	const struct layer_shape first = {8, 16, 32, 16, 3}, part = {8, 16, 11, 16, 3},
				 twice = {16, 16, 32, 16, 3};
	const struct layer_shape second = {8, 32, 64, 8, 1};
	struct samples_file samples;
	samples_begin(&samples, "cpu", 0, 1);
	samples_launch(&samples, 0);
	layer_add(&samples, &part, "conv1", 2);
	layer_add(&samples, &first, "conv1", 1);
	layer_add(&samples, &first, "conv1", 2);
	layer_add(&samples, &twice, "conv1", 2);
	layer_add(&samples, &second, "res/0", 2);
	layer_add(&samples, &second, "", 2);
	assert_int_equal(fclose(samples.file), 0);
	const char *const paths[] = {samples.path};
	const char *path = setup_write(setup, "measured.csv", "");
	if (!paradl_calibration_layer_times(setup->arena, paths, 1, "tiny", path, &setup->error))
		fail_msg("%s", setup->error.message);
	struct measured_layers measured;
	const struct json *root = json_load(setup->arena, path, &setup->error);
	assert_non_null(root);
	if (!measured_layers_read(setup->arena, root, &measured, &setup->error))
		fail_msg("%s: %s", setup->error.pointer, setup->error.message);
	assert_string_equal(measured.model, "tiny");
	assert_int_equal(measured.count, 2);
	assert_close(measured.batches[0].batch, 8, 0);
	assert_int_equal(measured.batches[0].count, 2);
	assert_int_equal(measured.batches[1].count, 1);
	const struct measured_layer *layer = measured_layer_find(&measured.batches[0], "conv1");
	assert_non_null(layer);
	assert_close(layer->forward_s, truth_s(&first, 0, 2), 1e-5);
	assert_close(layer->backward_s, truth_s(&first, 1, 2) + truth_s(&first, 2, 2), 1e-5);
	layer = measured_layer_find(&measured.batches[1], "conv1");
	assert_non_null(layer);
	assert_close(layer->forward_s, truth_s(&twice, 0, 2), 1e-5);
	assert_false(paradl_calibration_layer_times(setup->arena, paths, 1, "vgg16", path, &setup->error));
	assert_non_null(strstr(setup->error.message, "no layers of vgg16 were measured"));
	unlink(samples.path);
	paradl_arena_free(samples.arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lowered_convolutions_come_back),
		setup_test(layers_take_what_they_take),
		setup_test(layers_are_written_as_a_file),
		setup_test(implicit_convolutions_come_back),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
