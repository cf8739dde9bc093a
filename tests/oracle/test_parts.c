/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Explanations and tables of layers are parts of the estimate they belong to. */
#include "oracle/shipped.h"

static void assert_parts(double sum, double whole, const char *text, const char *what)
{
	if (fabs(sum - whole) > 1e-9 * fabs(whole) + 1e-15)
		fail_msg("%s: %s is %.12g, its parts %.12g", text, what, whole, sum);
}

static void terms_add_up_to_their_phase(void **state)
{
	struct setup *const setup = *state;
	struct random random = {81};
	for (unsigned i = 0; i < SHIPPED_MODELS * SHIPPED_FRAMEWORKS * 2; ++i) {
		struct paradl_oracle *const oracle = setup_oracle(setup,
			shipped_model(setup, shipped_models[i % SHIPPED_MODELS]),
			shipped_machine(setup, 1, 1),
			shipped_framework(setup, shipped_frameworks[i / SHIPPED_MODELS % SHIPPED_FRAMEWORKS]),
			i % 2);
		for (unsigned k = 0; k < 100; ++k) {
			const struct paradl_plan plan = shipped_plan(&random, 1024);
			struct paradl_estimate estimate;
			struct paradl_explanation explanation;
			double sums[PARADL_PHASE_COUNT] = {0};
			char text[128];
			if (!paradl_estimate(oracle, &plan, &estimate, NULL))
				continue;
			assert_true(paradl_explain(oracle, &plan, setup->arena, &explanation, NULL));
			paradl_plan_format(&plan, text, sizeof text);
			for (size_t t = 0; t < explanation.count; ++t) {
				const struct paradl_term *const term = &explanation.terms[t];
				assert_true(*term->formula && *term->numbers && term->seconds > 0);
				sums[term->phase] += term->seconds;
			}
			for (unsigned phase = 0; phase < PARADL_PHASE_COUNT; ++phase)
				assert_parts(sums[phase], estimate.phase_s[phase], text,
					paradl_phase_name((enum paradl_phase)phase));
		}
	}
}

/* Numbers have four digits. */
static void assert_printed(double from_numbers, const struct paradl_term *term, const char *text)
{
	if (fabs(from_numbers - term->seconds) > 2e-3 * term->seconds)
		fail_msg("%s: %s with %s is %g, not %g s", text, term->formula, term->numbers, from_numbers,
			term->seconds);
}

/* Formulas that their numbers are enough for, put in: returns whether this is one of them. */
static bool term_check(const struct paradl_term *term, const char *text)
{
	unsigned p = 0;
	double bytes = 0, start_us = 0, rate = 0, times = 0, each_ms = 0;
	if (sscanf(term->numbers, "p = %u, W delta = %lf MB, alpha = %lf us, 1/beta = %lf GB/s", &p, &bytes,
		    &start_us, &rate) == 4) {
		assert_printed(
			2 * (p - 1.0) * (start_us * 1e-6 + bytes * 1e6 / p / (rate * 1e9)), term, text);
		return true;
	}
	if (sscanf(term->numbers, "S = %lf micro-batches, %lf ms each", &times, &each_ms) == 2) {
		assert_printed(times * each_ms * 1e-3, term, text);
		return true;
	}
	return false;
}

static void terms_are_their_formula_with_their_numbers(void **state)
{
	struct setup *const setup = *state;
	struct random random = {83};
	unsigned checked[2] = {0};
	for (unsigned i = 0; i < SHIPPED_MODELS * SHIPPED_FRAMEWORKS * 2; ++i) {
		struct paradl_oracle *const oracle = setup_oracle(setup,
			shipped_model(setup, shipped_models[i % SHIPPED_MODELS]),
			shipped_machine(setup, 1, 1),
			shipped_framework(setup, shipped_frameworks[i / SHIPPED_MODELS % SHIPPED_FRAMEWORKS]),
			i % 2);
		for (unsigned k = 0; k < 100; ++k) {
			struct paradl_plan plan = shipped_plan(&random, 1024);
			struct paradl_explanation explanation;
			char text[128];
			plan.recompute = k % 2 ? PARADL_RECOMPUTE_FULL : PARADL_RECOMPUTE_DEFAULT;
			if (!paradl_explain(oracle, &plan, setup->arena, &explanation, NULL))
				continue;
			paradl_plan_format(&plan, text, sizeof text);
			for (size_t t = 0; t < explanation.count; ++t)
				checked[explanation.terms[t].phase == PARADL_RECOMPUTE] +=
					term_check(&explanation.terms[t], text);
		}
	}
	assert_true(checked[0] > 100 && checked[1] > 100);
}

/* Without host time, gathers and waiting every second and byte belongs to a layer. */
static void layers_add_up_to_the_network(void **state)
{
	struct setup *const setup = *state;
	struct random random = {82};
	for (unsigned i = 0; i < 2 * SHIPPED_MODELS; ++i) {
		const struct paradl_model *const model =
			shipped_model(setup, shipped_models[i % SHIPPED_MODELS]);
		struct paradl_oracle *const oracle = setup_oracle(setup, model, shipped_machine(setup, 1, 1),
			setup_framework(setup, ", " SETUP_SPLIT_ALL), i >= SHIPPED_MODELS);
		for (unsigned k = 0; k < 100; ++k) {
			struct paradl_plan plan = shipped_plan(&random, 1024);
			struct paradl_estimate estimate;
			struct paradl_layer_table table;
			double forward = 0, backward = 0, update = 0, communication = 0, weights = 0,
			       layers = 0;
			char text[128];
			plan.degree[PARADL_PIPELINE] = plan.degree[PARADL_SPATIAL] = 1;
			plan.spatial[0] = plan.spatial[1] = 1;
			if (!paradl_estimate(oracle, &plan, &estimate, NULL))
				continue;
			assert_true(paradl_estimate_layers(oracle, &plan, setup->arena, &table, NULL));
			paradl_plan_format(&plan, text, sizeof text);
			for (size_t t = 0; t < table.count; ++t) {
				forward += table.rows[t].forward_s;
				backward += table.rows[t].backward_s;
				update += table.rows[t].weight_update_s;
				communication += table.rows[t].communication_s;
				weights += table.rows[t].weights_bytes;
				layers += table.rows[t].count;
			}
			assert_parts(forward, estimate.phase_s[PARADL_FORWARD], text, "forward");
			assert_parts(backward, estimate.phase_s[PARADL_BACKWARD], text, "backward");
			assert_parts(update, estimate.phase_s[PARADL_WEIGHT_UPDATE], text, "update");
			assert_parts(communication, estimate.phase_s[PARADL_ACTIVATION_EXCHANGE], text,
				"communication");
			assert_parts(weights, estimate.memory.weights_bytes, text, "weights");
			assert_parts(layers, (double)paradl_model_info(model).layer_count, text, "layers");
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		setup_test(terms_add_up_to_their_phase),
		setup_test(terms_are_their_formula_with_their_numbers),
		setup_test(layers_add_up_to_the_network),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
