/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is said to make a plan fit does, and is the first change that does alone, or else a pair. */
#include "oracle/setup.h"

#include "model/transformer.h"

static struct paradl_oracle *oracle_of(struct setup *setup, const char *memory)
{
	const struct transformer_shape shape = {.name = "small",
		.layers = 16,
		.hidden = 1024,
		.heads = 16,
		.vocabulary = 8000,
		.sequence = 1024,
		.unfused = true,
		.precision = "fp32",
		.optimizer = "adam"};
	const struct paradl_model *const model = transformer_build(setup->arena, &shape, &setup->error);
	if (!model)
		fail_msg("%s %s", setup->error.pointer, setup->error.message);
	const char *const device = arena_printf(setup->arena,
		"\"memory\": \"%s\", \"memory_rate\": \"1 TB/s\", \"peak\": {\"fp32\": \"10 Tflop/s\"}, "
		"\"contraction\": {\"efficiency\": 0.5}",
		memory);
	const struct paradl_machine *const machine = setup_machine(setup, device,
		"{\"name\": \"node\", \"devices\": 8, \"latency\": \"1 us\", \"bandwidth\": \"50 GB/s\"}, "
		"{\"name\": \"all\", \"devices\": 64, \"latency\": \"5 us\", \"bandwidth\": \"10 GB/s\"}");
	return setup_oracle(setup, model, machine, setup_framework(setup, ""), false);
}

static bool fits(
	struct paradl_oracle *oracle, const struct paradl_plan *plan, struct paradl_estimate *estimate)
{
	struct paradl_error error;
	return paradl_estimate(oracle, plan, estimate, &error) && estimate->fits;
}

static void remedies_fit(void **state)
{
	static const char *const plans[] = {"data=8", "data=4,tensor=2", "data=2,pipeline=4", "tensor=8",
		"serial", "data=8,micro=4,zero=1", "data=8,micro=3,zero=1"};
	static const char *const memories[] = {"2 GB", "3 GB", "5 GB", "8 GB", "16 GB", "64 GB"};
	struct setup *const setup = *state;
	unsigned singles = 0, pairs = 0, none = 0;
	for (size_t m = 0; m < sizeof memories / sizeof *memories; ++m) {
		struct paradl_oracle *const oracle = oracle_of(setup, memories[m]);
		for (size_t i = 0; i < sizeof plans / sizeof *plans; ++i) {
			const struct paradl_plan plan = setup_plan(plans[i], 64);
			struct paradl_estimate asked, got;
			struct paradl_remedy remedy;
			struct paradl_error error = {0};
			assert_true(paradl_estimate(oracle, &plan, &asked, &error));
			if (!paradl_remedy(oracle, &asked, &remedy)) {
				none += !asked.fits;
				assert_string_equal(remedy.change, "");
				continue;
			}
			assert_false(asked.fits);
			assert_true(fits(oracle, &remedy.plan, &got));
			assert_close(got.memory_bytes, remedy.memory_bytes, 0);
			assert_close(got.iteration_s, remedy.iteration_s, 0);
			assert_close(got.iteration_s / asked.iteration_s - 1, remedy.slower, 1e-12);
			assert_close(paradl_plan_devices(&remedy.plan), paradl_plan_devices(&plan), 0);
			assert_close(remedy.plan.batch, 64, 0);
			assert_close(remedy.plan.micro, floor(remedy.plan.micro), 0);
			if (strncmp(remedy.change, "data=", 5) == 0) /* can be typed: each key once */
				setup_plan(remedy.change, 64);
			const bool pair = strchr(remedy.change, ',') && !strchr(remedy.change, 'd');
			pairs += pair;
			singles += !pair;
		}
	}
	print_message("# %u plans with one change, %u with two, %u without\n", singles, pairs, none);
	assert_true(singles > 5 && none > 2);
}

/* By trial, in the order that is promised. */
static void the_first_that_fits_is_named(void **state)
{
	static const char *const changes[] = {
		"recompute=selective", "recompute=full", "zero=1", "zero=2", "zero=3"};
	static const char *const memories[] = {
		"2 GB", "2500 MB", "3 GB", "3500 MB", "4 GB", "4500 MB", "5 GB"};
	struct setup *const setup = *state;
	unsigned named = 0;
	for (size_t m = 0; m < sizeof memories / sizeof *memories; ++m) {
		struct paradl_oracle *const oracle = oracle_of(setup, memories[m]);
		const struct paradl_plan plan = setup_plan("data=8", 64);
		struct paradl_estimate asked, other;
		struct paradl_remedy remedy;
		struct paradl_error error = {0};
		const char *first = NULL;
		assert_true(paradl_estimate(oracle, &plan, &asked, &error));
		assert_false(asked.fits);
		for (size_t i = 0; !first && i < sizeof changes / sizeof *changes; ++i) {
			const struct paradl_plan changed =
				setup_plan(arena_printf(setup->arena, "data=8,%s", changes[i]), 64);
			first = fits(oracle, &changed, &other) ? changes[i] : NULL;
		}
		if (!first)
			continue;
		assert_true(paradl_remedy(oracle, &asked, &remedy));
		assert_string_equal(remedy.change, first);
		print_message("# %s: %s\n", memories[m], first);
		++named;
	}
	assert_true(named >= 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		setup_test(remedies_fit),
		setup_test(the_first_that_fits_is_named),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
