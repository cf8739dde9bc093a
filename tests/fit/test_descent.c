/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The search for constants: that it ends at a minimum, within the bounds, and with few projections. */
#include "constants.h"

static double cost_at(struct fit_problem *problem, const double *unit)
{
	double residuals[200], cost = 0;
	assert_true(problem_residuals(problem, unit, residuals));
	for (size_t i = 0; i < problem_residual_count(problem); ++i)
		cost += residuals[i] * residuals[i] / 2;
	return cost;
}

/* Times of known constants: the fit finds those, but for the weak pull of the priors. */
static void known_constants_are_found(void **context)
{
	struct state *state = *context;
	const double known[CONSTANTS] = {0.6, 0.7, 0.25, 0.55, 0.5};
	double unit[CONSTANTS], cost;
	struct paradl_error error = {0};
	problem_set(&state->problem, known);
	assert_true(problem_run(&state->problem, true));
	for (size_t i = 0; i < state->data.count; ++i)
		state->data.rows[i].log_measured = state->problem.log_time[i];
	for (size_t i = 0; i < CONSTANTS; ++i)
		unit[i] = problem_prior(&state->constants.items[i]);
	const double cost_before = cost_at(&state->problem, unit);
	assert_true(solve(state->arena, &state->problem, unit, &cost, &error));
	assert_true(cost < cost_before / 20);
	assert_true(fabs(unit[SUSTAINED] - known[SUSTAINED]) < 0.02);
	assert_true(fabs(unit[HOST] - known[HOST]) < 0.02);
	assert_true(fabs(unit[PASSES] - known[PASSES]) < 0.05);
	assert_true(fabs(unit[SCORES] - known[SCORES]) < 0.1);
	assert_true(fabs(unit[UNUSED] - 0.5) < 1e-3);
}

/* Moves one constant after another, by less and less, for as long as that gains: the reference has no derivatives. */
static double compass(struct fit_problem *problem, double *unit)
{
	double cost = cost_at(problem, unit);
	for (double step = 0.1; step > 1e-4; step /= 2)
		for (int i = 0; i < 2 * CONSTANTS; ++i) {
			const double before = unit[i / 2];
			unit[i / 2] = fmin(fmax(before + (i % 2 ? step : -step), 0), 1);
			const double other = cost_at(problem, unit);
			if (other < cost) {
				cost = other;
				i = -1;
			} else
				unit[i / 2] = before;
		}
	return cost;
}

/* Also where rows are so fast, or so slow, that constants end at their bounds; a dozen Jacobians are enough. */
static void nothing_near_is_better(void **context)
{
	static const double slower[] = {0, 0.7, -0.7};
	struct state *state = *context;
	struct paradl_error error = {0};
	size_t at_bounds = 0, jacobian = 0;
	for (size_t i = 0; i < CONSTANTS; ++i)
		jacobian += state->constants.items[i].row_count;
	for (size_t n = 0; n < sizeof slower / sizeof *slower; ++n) {
		double unit[CONSTANTS], cost;
		for (size_t i = 0; i < state->data.count; ++i)
			state->data.rows[i].log_measured += slower[n] - (n ? slower[n - 1] : 0);
		for (size_t i = 0; i < CONSTANTS; ++i)
			unit[i] = problem_prior(&state->constants.items[i]);
		const size_t before = state->problem.projections;
		assert_true(solve(state->arena, &state->problem, unit, &cost, &error));
		assert_true(state->problem.projections - before < 12 * jacobian);
		assert_close(cost, cost_at(&state->problem, unit), 1e-12);
		for (size_t i = 0; i < CONSTANTS; ++i)
			at_bounds += unit[i] <= 0 || unit[i] >= 1;
		assert_true(compass(&state->problem, unit) > 0.999 * cost);
	}
	assert_true(at_bounds > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(known_constants_are_found, setup, teardown),
		cmocka_unit_test_setup_teardown(nothing_near_is_better, setup, teardown),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
