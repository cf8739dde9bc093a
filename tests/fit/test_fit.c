/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fits to a few published rows (tests/data/fit/published.csv: Korthikanti et al. 2022, Megatron-LM 2019, vTrain), and to
 * times that known constants give.
 */
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "constants.h"

static void constants_are_read(void **context)
{
	const struct state *state = *context;
	const struct fit_constant *scores = &state->constants.items[SCORES];
	assert_int_equal(state->constants.count, CONSTANTS);
	assert_close(state->constants.items[HOST].low, 1.15e-4, 1e-12);
	assert_int_equal(scores->place_count, 2);
	assert_string_equal(scores->places[1].file, "frameworks/megatron-deepspeed");
	assert_close(scores->places[1].factor, 1.25, 1e-12);
	assert_int_equal(state->constants.items[UNUSED].row_count, 0);
	assert_int_equal(state->data.skipped, 0);
	assert_int_equal(state->data.set_count, 3);
}

/* Runs all rows at constants, whether or not these have moved. */
static void rows_run(struct fit_problem *problem, const double *unit)
{
	problem_set(problem, unit);
	for (size_t i = 0; i < problem->data->count; ++i)
		problem->stale[i] = true;
	assert_true(problem_run(problem, true));
}

/* Every row depends on the constants of its own device and framework, and on no other. */
static void rows_depend_on_their_constants(void **context)
{
	struct state *state = *context;
	double unit[CONSTANTS];
	for (size_t i = 0; i < CONSTANTS; ++i) {
		const struct fit_constant *constant = &state->constants.items[i];
		double before[100];
		size_t next = 0;
		assert_true(state->data.count <= 100);
		for (size_t k = 0; k < CONSTANTS; ++k)
			unit[k] = 0.4;
		rows_run(&state->problem, unit);
		memcpy(before, state->problem.log_time, state->data.count * sizeof *before);
		unit[i] = 0.6;
		rows_run(&state->problem, unit);
		for (size_t row = 0; row < state->data.count; ++row) {
			const bool named = next < constant->row_count && constant->rows[next] == row;
			next += named;
			if (!named)
				assert_true(!(state->problem.log_time[row] > before[row]) &&
					    !(state->problem.log_time[row] < before[row]));
		}
		assert_int_equal(next, constant->row_count);
	}
}

/* A constant that moves has its own rows run again, which then take the times that they do when all are run. */
static void rows_that_stay_are_not_run(void **context)
{
	struct state *state = *context;
	struct fit_problem *problem = &state->problem;
	double unit[CONSTANTS] = {0.4, 0.4, 0.4, 0.4, 0.4}, times[100], jacobian[200 * CONSTANTS];
	size_t expected = state->data.count, columns = 0;
	assert_true(state->data.count <= 100);
	for (size_t i = 0; i < CONSTANTS; ++i) {
		problem_set(problem, unit);
		assert_true(problem_run(problem, true));
		assert_int_equal(problem->projections, expected);
		unit[i] = 0.6;
		expected += state->constants.items[i].row_count;
		columns += state->constants.items[i].row_count;
	}
	assert_true(problem_jacobian(problem, unit, jacobian));
	assert_int_equal(problem->projections, expected + columns);
	memcpy(times, problem->log_time, state->data.count * sizeof *times);
	rows_run(problem, unit);
	assert_memory_equal(times, problem->log_time, state->data.count * sizeof *times);
}

/* A tied number is its factor times the constant. */
static void ties_hold(void **context)
{
	struct state *state = *context;
	const double values[CONSTANTS] = {0.8, 1e-3, 1, 12, 2};
	problem_set_values(&state->problem, values);
	unsigned seen = 0;
	for (size_t i = 0; i < state->data.framework_count; ++i) {
		const struct paradl_framework *framework = state->data.frameworks[i];
		if (strstr(framework->path, "megatron-deepspeed.json")) {
			assert_close(framework->rules[RULES_TOKENS].score_bytes, 15, 1e-12);
			assert_close(framework->rules[RULES_TOKENS].host_layer_s, 1e-3, 1e-12);
			++seen;
		}
		if (strstr(framework->path, "megatron-2021.json")) {
			assert_close(framework->rules[RULES_TOKENS].score_bytes, 12, 1e-12);
			++seen;
		}
	}
	assert_int_equal(seen, 2);
}

/* sign(x) sqrt(ln(1 + x^2)) of x = ln(projected / measured) / 0.06. */
static double soft_of(double deviation)
{
	const double x = deviation / 0.06;
	return copysign(sqrt(log(1 + x * x)), x);
}

/* Of rows over the square root of how many their set has; 0.4 (u - prior) of constants. */
static void residuals_are_soft(void **context)
{
	struct state *state = *context;
	const struct fit_data *data = &state->data;
	double unit[CONSTANTS], residuals[200];
	for (size_t i = 0; i < CONSTANTS; ++i)
		unit[i] = 0.3;
	assert_true(problem_residual_count(&state->problem) <= 200);
	assert_true(problem_residuals(&state->problem, unit, residuals));
	for (size_t i = 0; i < data->count; ++i)
		assert_close(residuals[i],
			soft_of(state->problem.log_time[i] - data->rows[i].log_measured) /
				sqrt((double)data->set_rows[data->rows[i].set]),
			1e-6);
	for (size_t i = 0; i < CONSTANTS; ++i)
		assert_close(residuals[data->count + i],
			0.4 * (0.3 - problem_prior(&state->constants.items[i])), 1e-9);
}

/* Derivatives are those of a row's residual by the logarithm of its time, times its slope over the next 0.01 of a constant's range. */
static void jacobian_is_the_slope(void **context)
{
	struct state *state = *context;
	const struct fit_data *data = &state->data;
	const size_t count = problem_residual_count(&state->problem);
	const double step = 0.01, small = 1e-6;
	double unit[CONSTANTS], here[200], residuals[200];
	double *jacobian = arena_alloc(state->arena, count * CONSTANTS, sizeof *jacobian);
	assert_non_null(jacobian);
	assert_true(count <= 200);
	for (size_t i = 0; i < CONSTANTS; ++i)
		unit[i] = 0.35;
	assert_true(problem_jacobian(&state->problem, unit, jacobian));
	assert_true(problem_residuals(&state->problem, unit, residuals));
	memcpy(here, state->problem.log_time, data->count * sizeof *here);
	for (size_t i = 0; i < CONSTANTS; ++i) {
		unit[i] = 0.35 + step;
		assert_true(problem_residuals(&state->problem, unit, residuals));
		unit[i] = 0.35;
		for (size_t row = 0; row < data->count; ++row) {
			const double off = here[row] - data->rows[row].log_measured;
			const double pull = (soft_of(off + small) - soft_of(off - small)) / (2 * small) /
					    sqrt((double)data->set_rows[data->rows[row].set]);
			const double slope = pull * (state->problem.log_time[row] - here[row]) / step;
			if (fabs(jacobian[row * CONSTANTS + i] - slope) > 1e-4 * fabs(slope) + 1e-6)
				fail_msg("row %zu, constant %zu: %g, expected %g", row, i,
					jacobian[row * CONSTANTS + i], slope);
		}
		for (size_t k = 0; k < CONSTANTS; ++k)
			assert_close(jacobian[(data->count + k) * CONSTANTS + i], k == i ? 0.4 : 0, 1e-12);
	}
}

static bool run_fit(struct paradl_arena *arena, const char *constants, const char *leave_out,
	struct paradl_fit *fit, struct paradl_error *error)
{
	const struct paradl_fit_request request = {.constants = constants, .leave_out = leave_out};
	return paradl_fit(arena, rows_path, &lookup, &request, fit, error);
}

static void real_rows_are_nearer_after(void **context)
{
	struct state *state = *context;
	struct paradl_error error = {0};
	struct paradl_fit fit, again;
	assert_true(run_fit(state->arena, constants_path, NULL, &fit, &error));
	assert_true(run_fit(state->arena, constants_path, NULL, &again, &error));
	assert_true(fit.objective < fit.objective_before / 2);
	assert_int_equal(fit.rows, state->data.count);
	for (size_t i = 0; i < fit.constant_count; ++i) {
		const struct paradl_fit_constant *constant = &fit.constants[i];
		assert_true(constant->value >= constant->low && constant->value <= constant->high);
		assert_memory_equal(&constant->value, &again.constants[i].value, sizeof constant->value);
		assert_true(constant->standard_error >= 0);
	}
	assert_true(fit.constants[HOST].identified);
	assert_false(fit.constants[UNUSED].identified);
}

/* A set that is left out pulls nothing: its own constant stays at its prior. */
static void left_out_sets_have_no_say(void **context)
{
	struct state *state = *context;
	struct paradl_error error = {0};
	struct paradl_fit fit;
	assert_true(run_fit(state->arena, constants_path, "vtrain-single", &fit, &error));
	assert_close(fit.constants[HOST].value, 0.575e-3, 1e-3);
	for (size_t i = 0; i < fit.set_count; ++i)
		assert_true((strcmp(fit.sets[i].name, "vtrain-single") == 0) == (fit.sets[i].left_out >= 0));
	assert_false(run_fit(state->arena, constants_path, "vtrain", &fit, &error));
	assert_non_null(strstr(error.message, "no set \"vtrain\""));
	assert_true(*error.hint);
}

static void write_text(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");
	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
}

static void mistakes_are_said(void **context)
{
	static const char header[] = "file,name,prior,low,high,tied_to,factor,meaning\n";
	static const struct {
		const char *row, *message;
	} mistakes[] = {
		{"devices/a100-sxm4-80gb,product.waves,2 us,1 us,3 us,,,\n", "is no number of such a file"},
		{"machines/abci,product.wave,2 us,1 us,3 us,,,\n", "is no number of such a file"},
		{"devices/a100-sxm4-80gb,product.units,100,90,110,,,\ndevices/"
		 "a100-sxm4-80gb,product.units,1,1,2,,,\n",
			"there twice"},
		{"devices/a100-sxm4-80gb,product.wave,2 us,3 us,1 us,,,\n", "is not between its bounds"},
		{"devices/a100-sxm4-80gb,product.wave,2,1 us,3 us,,,\n", "needs a unit"},
		{"devices/a100-sxm4-80gb,product.memory_share,1.1,0.5,1.4,,,\n",
			"outside of what a profile may say"},
		{"devices/a100-sxm4-80gb,product.memory_share,x,0.5,1,,,\n", "is not a number"},
		{"devices/a100-sxm4-80gb,product.wave,,,,devices/b200:product.wave,1,\n",
			"is no constant above this line"},
		{"devices/a100-sxm4-80gb,,2 us,1 us,3 us,,,\n", "names nothing"},
		{"", "frees no constant"},
	};
	struct state *state = *context;
	char path[] = "/tmp/paradl-fit-XXXXXX";
	const int file = mkstemp(path);
	assert_true(file >= 0);
	close(file);
	for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; ++i) {
		char text[512];
		struct paradl_error error = {0};
		struct fit_constants constants;
		snprintf(text, sizeof text, "%s%s", header, mistakes[i].row);
		write_text(path, text);
		assert_false(constants_load(state->arena, path, &constants, &error));
		if (!strstr(error.message, mistakes[i].message))
			fail_msg("\"%s\" does not say \"%s\"", error.message, mistakes[i].message);
	}
	unlink(path);
}

static const char profile[] =
	"{\n"
	"  \"product\": { \"wave\": \"2.5 us\", \"half_tile\": 0.9, \"wave_share\": 1 },\n"
	"  \"from\": {\n"
	"    \"product\": \"assumed\"\n"
	"  }\n"
	"}\n";

/* Only the numbers change, in their units, and where they are from. */
static void constants_go_into_profiles(void **context)
{
	static const struct paradl_fit_place places[] = {{"devices/toy", "product.wave", 2.5e-6, 3.25e-6, 0},
		{"devices/toy", "product.half_tile", 0.9, 0.8125, 1},
		{"devices/toy", "product.wave_share", -1, 0.8125, 1}}; /* that no row uses */
	static const struct paradl_fit_constant constants[] = {
		{.places = &places[0], .place_count = 1, .rows = 1},
		{.places = &places[1], .place_count = 2, .rows = 1}};
	static const struct paradl_fit fit = {.constants = constants, .constant_count = 2};
	static const char expected[] =
		"{\n"
		"  \"product\": { \"wave\": \"3.25 us\", \"half_tile\": 0.8125, \"wave_share\": 0.8125 },\n"
		"  \"from\": {\n"
		"    \"product\": \"assumed\",\n"
		"    \"product/wave\": \"measured: fit to published training times\",\n"
		"    \"product/half_tile\": \"measured: fit to published training times; at its upper "
		"bound\",\n"
		"    \"product/wave_share\": \"assumed: as toy, fit to published training times; at its "
		"upper bound\"\n"
		"  }\n"
		"}\n";
	struct state *state = *context;
	struct paradl_error error = {0};
	char directory[] = "/tmp/paradl-fit-XXXXXX", path[64];
	size_t length;
	assert_non_null(mkdtemp(directory));
	snprintf(path, sizeof path, "%s/devices", directory);
	assert_int_equal(mkdir(path, 0700), 0);
	snprintf(path, sizeof path, "%s/devices/toy.json", directory);
	write_text(path, profile);
	for (int twice = 0; twice < 2; ++twice) { /* the second time nothing changes */
		if (!paradl_fit_write(state->arena, &fit, directory, &error))
			fail_msg("%s", error.message);
		assert_string_equal(file_read(state->arena, path, 10000, &length, &error), expected);
	}
	write_text(path, "{ \"from\": {} }");
	assert_false(paradl_fit_write(state->arena, &fit, directory, &error));
	assert_non_null(strstr(error.message, "has no /product/wave"));
	unlink(path);
	snprintf(path, sizeof path, "%s/devices", directory);
	rmdir(path);
	rmdir(directory);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(constants_are_read, setup, teardown),
		cmocka_unit_test_setup_teardown(rows_depend_on_their_constants, setup, teardown),
		cmocka_unit_test_setup_teardown(rows_that_stay_are_not_run, setup, teardown),
		cmocka_unit_test_setup_teardown(ties_hold, setup, teardown),
		cmocka_unit_test_setup_teardown(residuals_are_soft, setup, teardown),
		cmocka_unit_test_setup_teardown(jacobian_is_the_slope, setup, teardown),
		cmocka_unit_test_setup_teardown(real_rows_are_nearer_after, setup, teardown),
		cmocka_unit_test_setup_teardown(left_out_sets_have_no_say, setup, teardown),
		cmocka_unit_test_setup_teardown(mistakes_are_said, setup, teardown),
		cmocka_unit_test_setup_teardown(constants_go_into_profiles, setup, teardown),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
