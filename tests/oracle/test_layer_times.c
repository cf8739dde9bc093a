/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measured layer times: interpolation, shares and averages, each worked out by hand in the comments. */
#include "oracle/setup.h"

#include "oracle/kernels.h"

/* b and c are alike, so they are one distinct layer; a reads the input and d is the last, so they are not. */
#define KEYS   "\"input\": {\"channels\": 1000, \"shape\": [1]}"
#define LINEAR "\"type\": \"linear\", \"out\": 1000, \"bias\": false}"
static const char layers[] = "{\"name\": \"a\", " LINEAR ", {\"name\": \"b\", " LINEAR
			     ", {\"name\": \"c\", " LINEAR ", {\"name\": \"d\", " LINEAR;
static const char level[] =
	"{\"name\": \"l\", \"devices\": 64, \"latency\": \"0 s\", \"bandwidth\": \"10 GB/s\"}";

#define LAYER(name, fw, bw)  "\"" name "\": {\"fw\": \"" fw "\", \"bw\": \"" bw "\"}"
#define SAMPLE(batch, times) "{\"batch\": " #batch ", \"layers\": {" times "}}"
#define PROFILE(keys, samples)                                                                               \
	"{\"format\": \"paradl-profile\", \"version\": 1, \"model\": \"test\", " keys                        \
	"\"samples\": [\n" samples "]}"
#define AND ",\n"

struct toy {
	const struct paradl_model *model;
	const struct paradl_machine *machine;
	const struct paradl_framework *framework;
	const char *times_path;
};

static struct toy network_begin(struct setup *setup, const char *times)
{
	return (struct toy){
		.model = setup_model(setup, KEYS, layers),
		.machine = setup_machine(setup, SETUP_DEVICE, level),
		.framework = setup_framework(setup, ", " SETUP_SPLIT_ALL),
		.times_path = setup_write(setup, "measured.csv", times), /* the name does not matter */
	};
}

static struct paradl_oracle *create(struct setup *setup, const struct toy *network, bool ideal, bool measured)
{
	const struct paradl_options options = {
		.ideal = ideal, .layer_times = measured ? network->times_path : NULL};
	return paradl_oracle_create(
		setup->arena, network->model, network->machine, network->framework, &options, &setup->error);
}

static struct paradl_estimate estimate(struct paradl_oracle *oracle, const char *plan_text, double batch)
{
	const struct paradl_plan plan = setup_plan(plan_text, batch);
	assert_non_null(oracle);
	return setup_estimate(oracle, &plan);
}

static void interpolates_between_batches(void **state)
{
	static const char times[] = PROFILE("", /* in any order */
		SAMPLE(64, LAYER("a", "1.5 ms", "5 ms") AND LAYER("b", "0 s", "0 s") AND LAYER("d", "0 s",
				   "0 s")) AND SAMPLE(32, LAYER("a", "1 ms", "3 ms") AND LAYER("b", "0 s",
								  "0 s") AND LAYER("d", "0 s", "0 s")));
	static const struct {
		double batch, forward_s, backward_s;
	} cases[] = {
		{16, 0.5e-3, 1.5e-3},                                        /* half of batch 32 */
		{32, 1e-3, 3e-3}, {40, 1.125e-3, 3.5e-3},                    /* a quarter of the way */
		{48, 1.25e-3, 4e-3}, {64, 1.5e-3, 5e-3}, {128, 3e-3, 10e-3}, /* twice batch 64 */
	};
	struct setup *const setup = *state;
	const struct toy network = network_begin(setup, times);
	struct paradl_oracle *const oracle = create(setup, &network, false, true);
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
		const struct paradl_estimate result = estimate(oracle, "serial", cases[i].batch);
		assert_close(result.phase_s[PARADL_FORWARD], cases[i].forward_s, 1e-12);
		assert_close(result.phase_s[PARADL_BACKWARD], cases[i].backward_s, 1e-12);
	}
}

static void averages_layers_that_are_alike(void **state)
{
	/* a 10 ms, b and c each (1 + 3) / 2 = 2 ms, d 100 ms */
	static const char times[] =
		PROFILE("", SAMPLE(8, LAYER("a", "10 ms", "20 ms") AND LAYER("b", "1 ms", "5 ms") AND LAYER(
					      "c", "3 ms", "6 ms") AND LAYER("d", "100 ms", "0 s")));
	struct setup *const setup = *state;
	const struct toy network = network_begin(setup, times);
	const struct paradl_estimate result = estimate(create(setup, &network, false, true), "serial", 8);
	assert_close(result.phase_s[PARADL_FORWARD], 114e-3, 1e-12);
	assert_close(result.phase_s[PARADL_BACKWARD], 31e-3, 1e-12);
}

static void leaves_other_layers_as_they_were(void **state)
{
	static const char times[] = PROFILE("", SAMPLE(8, LAYER("c", "3 ms", "6 ms")));
	struct setup *const setup = *state;
	const struct toy network = network_begin(setup, times);
	const struct paradl_estimate measured = estimate(create(setup, &network, true, true), "serial", 8);
	/* a and d: 2e6 flop a sample forward at 100 Tflop/s, 8 samples; b is like c: 3 ms each */
	assert_close(measured.phase_s[PARADL_FORWARD], 8 * 4e6 / 100e12 + 2 * 3e-3, 1e-12);
	/* backward: a only for its weights, d for weights and data */
	assert_close(measured.phase_s[PARADL_BACKWARD], 8 * 6e6 / 100e12 + 2 * 6e-3, 1e-12);
}

static void gives_a_part_its_share(void **state)
{
	static const char times[] = PROFILE("",
		SAMPLE(8, LAYER("a", "10 ms", "20 ms") AND LAYER("b", "1 ms", "2 ms")
				  AND LAYER("d", "8 ms", "8 ms")) AND SAMPLE(2, LAYER("a", "4 ms", "6 ms")));
	struct setup *const setup = *state;
	const struct toy network = network_begin(setup, times);
	struct paradl_oracle *const ideal = create(setup, &network, true, true);
	struct paradl_estimate result =
		estimate(ideal, "filter=4", 8); /* a quarter of each layer, (10 + 1 + 1 + 8) / 4 */
	assert_close(result.phase_s[PARADL_FORWARD], 5e-3, 1e-12);
	assert_close(result.phase_s[PARADL_BACKWARD], 8e-3, 1e-12);
	result = estimate(
		ideal, "data=4", 8); /* whole layers of 2 samples: 4 ms + (2 * 1 ms + 8 ms) * 2 / 8 */
	assert_close(result.phase_s[PARADL_FORWARD], 6.5e-3, 1e-12);
	assert_close(result.phase_s[PARADL_BACKWARD], 9e-3, 1e-12);
	/* Calibrated: by the ratio of the computed times, whatever that is. */
	struct paradl_oracle *const computed = create(setup, &network, false, false);
	const double whole = estimate(computed, "serial", 8).phase_s[PARADL_FORWARD];
	const double part = estimate(computed, "filter=4", 8).phase_s[PARADL_FORWARD];
	result = estimate(
		create(setup, &network, false, true), "filter=4", 8); /* all layers have the same shape */
	assert_true(part < whole);
	assert_close(result.phase_s[PARADL_FORWARD], 20e-3 * part / whole, 1e-9);
}

static void updates_by_weights(void **state)
{
	static const char times[] =
		PROFILE("", SAMPLE(2, LAYER("a", "1 s", "1 s\", \"wu\": \"3 us")) AND SAMPLE(8,
				    LAYER("a", "1 s", "1 s\", \"wu\": \"5 us") AND LAYER("b", "1 s", "1 s")));
	struct setup *const setup = *state;
	const struct toy network = network_begin(setup, times);
	struct paradl_oracle *const oracle = create(setup, &network, false, true);
	const struct paradl_plan plan = setup_plan("filter=4", 8);
	struct evaluation evaluation;
	struct shard shard = {.weight_items = 250000}; /* of 1000 x 1000 */
	assert_non_null(oracle);
	assert_true(evaluation_begin(&evaluation, oracle, &plan, 0, &setup->error));
	assert_close(layer_times_update_s(&evaluation, 0, &shard, 7), 1e-6, 1e-12); /* a quarter of 4 us */
	assert_close(layer_times_update_s(&evaluation, 1, &shard, 7), 7, 0);        /* not measured */
	/* In all: a 4 us, three others 12 bytes of a million weights at 1 TB/s each */
	assert_close(estimate(oracle, "serial", 8).phase_s[PARADL_WEIGHT_UPDATE], 4e-6 + 3 * 12e-6, 1e-12);
}

static void names_a_layer_that_is_not_there(void **state)
{
	struct setup *const setup = *state;
	const struct toy network =
		network_begin(setup, PROFILE("", SAMPLE(8, LAYER("a", "1 s", "1 s"))
							 AND SAMPLE(9, LAYER("convolution", "1 s", "1 s"))));
	struct paradl_oracle *const oracle = create(setup, &network, false, true);
	const struct paradl_plan plan = setup_plan("serial", 8);
	struct paradl_estimate result;
	assert_non_null(oracle);
	assert_false(paradl_estimate(oracle, &plan, &result, &setup->error));
	assert_int_equal(setup->error.status, PARADL_SCHEMA);
	assert_string_equal(setup->error.path, network.times_path);
	assert_string_equal(setup->error.pointer, "/samples/1/layers/convolution");
	assert_int_equal(setup->error.line, 3);
	assert_string_equal(setup->error.message, "test has no layer \"convolution\"");
	assert_true(*setup->error.hint != '\0');
}

static void suggests_the_layer_that_was_meant(void **state)
{
	struct setup *const setup = *state;
	const struct paradl_model *const model = paradl_model_load(
		setup->arena, &(struct paradl_source){.path = "models/vgg16.json"}, &setup->error);
	assert_non_null(model);
	const char *const times = arena_printf(
		setup->arena, PROFILE("", SAMPLE(1, LAYER("%sx", "1 s", "1 s"))), model->names[0]);
	struct toy network = network_begin(setup, times);
	network.model = model;
	struct paradl_oracle *const oracle = create(setup, &network, false, true);
	const struct paradl_plan plan = setup_plan("serial", 8);
	struct paradl_estimate result;
	char want[256];
	assert_false(paradl_estimate(oracle, &plan, &result, &setup->error));
	snprintf(want, sizeof want, "%s has no layer \"%sx\"; did you mean \"%s\"?", model->name,
		model->names[0], model->names[0]);
	assert_string_equal(setup->error.message, want);
}

static void holds_for_one_precision(void **state)
{
	struct setup *const setup = *state;
	const struct toy network = network_begin(
		setup, PROFILE("\"precision\": \"tf32\", ", SAMPLE(1, LAYER("a", "1 s", "1 s"))));
	const struct paradl_plan plan = setup_plan("serial", 8);
	struct paradl_estimate result;
	assert_false(paradl_estimate(create(setup, &network, false, true), &plan, &result, &setup->error));
	assert_string_equal(setup->error.pointer, "/precision");
	assert_string_equal(
		setup->error.message, "the layers were measured in tf32; this projection is for fp32");
}

static void needs_a_file_of_its_format(void **state)
{
	struct setup *const setup = *state;
	struct toy network = network_begin(setup, "{\"format\": \"paradl-model\", \"version\": 1}");
	assert_null(create(setup, &network, false, true));
	assert_int_equal(setup->error.status, PARADL_SCHEMA);
	assert_string_equal(setup->error.pointer, "/format");
	network.times_path = "/nowhere/times.json";
	assert_null(create(setup, &network, false, true));
	assert_int_equal(setup->error.status, PARADL_IO);
	assert_string_equal(setup->error.path, "/nowhere/times.json");
}

static void tells_the_model(void **state)
{
	struct setup *const setup = *state;
	const struct toy network = network_begin(setup, PROFILE("", SAMPLE(1, LAYER("a", "1 s", "1 s"))));
	const struct layer_times *const times =
		layer_times_load(setup->arena, network.times_path, &setup->error);
	assert_non_null(times);
	assert_string_equal(layer_times_model(times), "test");
}

/* A custom layer's own time: 3 samples of 1 + 5 ms, the ideal and the calibrated way, on any device. */
static void takes_the_time_that_the_model_says(void **state)
{
	static const char timed[] =
		"{\"name\": \"a\", \"type\": \"custom\", \"flops\": 7e12, \"out_shape\": [1], "
		"\"time\": \"1 ms\", \"time_bw\": \"5 ms\"}, {\"name\": \"b\", \"type\": "
		"\"custom\", \"flops\": 0, \"out_shape\": [1], \"time\": \"10 ms\"}";
	struct setup *const setup = *state;
	const struct toy network = {.model = setup_model(setup, KEYS, timed),
		.machine = setup_machine(setup, SETUP_DEVICE, level),
		.framework = setup_framework(setup, ", " SETUP_SPLIT_ALL)};
	for (int ideal = 0; ideal < 2; ++ideal) {
		const struct paradl_estimate one =
			estimate(create(setup, &network, ideal, false), "serial", 3);
		assert_close(one.phase_s[PARADL_FORWARD], 33e-3, 1e-12);
		assert_close(one.phase_s[PARADL_BACKWARD], 75e-3, 1e-12); /* b: twice forward */
		const struct paradl_estimate four =
			estimate(create(setup, &network, ideal, false), "data=4", 12);
		assert_close(four.phase_s[PARADL_FORWARD], 33e-3, 1e-12);
		assert_close(four.phase_s[PARADL_GRADIENT_EXCHANGE], 0, 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		setup_test(interpolates_between_batches),
		setup_test(averages_layers_that_are_alike),
		setup_test(leaves_other_layers_as_they_were),
		setup_test(gives_a_part_its_share),
		setup_test(updates_by_weights),
		setup_test(names_a_layer_that_is_not_there),
		setup_test(suggests_the_layer_that_was_meant),
		setup_test(holds_for_one_precision),
		setup_test(needs_a_file_of_its_format),
		setup_test(tells_the_model),
		setup_test(takes_the_time_that_the_model_says),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
