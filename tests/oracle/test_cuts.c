/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What one oracle keeps of plans, and what it leaves out: as if each plan had an oracle of its own, and were estimated in full. */
#include "oracle/oracle.h"
#include "oracle/shipped.h"

enum { PLANS = 60, DEVICES = 256 };

static struct paradl_oracle *oracle_of(
	struct setup *setup, const struct paradl_model *model, const struct paradl_framework *framework)
{
	return setup_oracle(setup, model, shipped_machine(setup, 1, 1), framework, false);
}

/* Whatever was asked before, and of another program before, an estimate is that of a fresh oracle. */
static void kept_cuts_change_nothing(void **state)
{
	struct setup *const setup = *state;
	struct random random = {11};
	unsigned run = 0;
	const struct paradl_model *const model = shipped_model(setup, "alexnet");
	struct paradl_framework *const framework = arena_alloc(setup->arena, 1, sizeof *framework);
	assert_non_null(framework);
	*framework = *shipped_framework(setup, "chainermn");
	struct paradl_machine *const machine = arena_alloc(setup->arena, 1, sizeof *machine);
	assert_non_null(machine);
	*machine = *shipped_machine(setup, 1, 1);
	struct paradl_oracle *const used = setup_oracle(setup, model, machine, framework, false);
	for (unsigned i = 0; i < PLANS; ++i) {
		struct paradl_plan plan = shipped_plan(&random, DEVICES);
		struct paradl_estimate got, want;
		if (2 * i >= PLANS && i % 5 == 4) {
			framework->rules[RULES_IMAGES].passes *= 1.5;
			machine->device.memory_bytes_per_s *= 0.5;
			device_derive(&machine->device);
			oracle_framework_changed(used);
		}
		struct paradl_oracle *const fresh = setup_oracle(setup, model, machine, framework, false);
		const bool runs = paradl_estimate(fresh, &plan, &want, NULL);
		for (unsigned again = 0; again < 2; ++again) {
			assert_int_equal(paradl_estimate(used, &plan, &got, NULL), runs);
			assert_memory_equal(got.phase_s, want.phase_s, sizeof want.phase_s);
			assert_close(got.memory_bytes, want.memory_bytes, 0);
		}
		run += runs;
	}
	assert_true(run > PLANS / 3);
}

/* Memory that is known without any exchange is that of the estimate. */
static void needs_are_those_of_estimates(void **state)
{
	struct setup *const setup = *state;
	struct random random = {12};
	unsigned run = 0, staged = 0;
	for (unsigned m = 0; m < SHIPPED_MODELS; ++m)
		for (unsigned f = 0; f < SHIPPED_FRAMEWORKS; ++f) {
			struct paradl_oracle *const oracle =
				oracle_of(setup, shipped_model(setup, shipped_models[m]),
					shipped_framework(setup, shipped_frameworks[f]));
			for (unsigned i = 0; i < PLANS; ++i) {
				struct paradl_plan plan = shipped_plan(&random, DEVICES);
				struct paradl_estimate got, want;
				plan.schedule = plan.degree[PARADL_PIPELINE] > 1
							? (enum paradl_pipeline_schedule)random_between(
								  &random, 0, PARADL_SCHEDULE_COUNT - 1)
							: PARADL_SCHEDULE_DEFAULT;
				if (!paradl_estimate(oracle, &plan, &want, NULL))
					continue;
				assert_true(estimate_needs(oracle, &plan, &got, NULL));
				assert_memory_equal(&got.memory, &want.memory, sizeof want.memory);
				assert_close(got.memory_bytes, want.memory_bytes, 0);
				assert_int_equal(got.fits, want.fits);
				++run;
				staged += plan.degree[PARADL_PIPELINE] > 1;
			}
		}
	assert_true(run > 200 && staged > 20);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		setup_test(kept_cuts_change_nothing), setup_test(needs_are_those_of_estimates)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
