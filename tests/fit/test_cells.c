/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What several launches say of a point: estimates, intervals, flags, launches that are named. */
#include "test.h"

#include "fit/calibration.h"
#include "fit/fitter/fitter.h"
#include "fit/random.h"

enum { LAUNCHES_MAX = 12, SAMPLES = 40, SEEDS = 300 };

/* Points that are put together by hand. */
struct made {
	struct paradl_arena *arena;
	struct sample_set set;
	struct cells cells;
	struct paradl_error error;
};

static void made_begin(struct made *made, unsigned launches)
{
	*made = (struct made){.arena = paradl_arena_create()};
	for (unsigned i = 0; i < launches; ++i)
		*sample_launch_add(made->arena, &made->set) = (struct sample_launch){.file = "a.jsonl",
			.id = arena_printf(made->arena, "mpi.%u", i),
			.program = "mpi",
			.host = "n1",
			.date = "2026"};
}

/* A message of `bytes` in one launch; `seconds` is copied. */
static struct sample_point *made_add(
	struct made *made, unsigned launch, double bytes, const double *seconds, unsigned count)
{
	struct sample_point *point = sample_point_add(made->arena, &made->set);
	struct sample_parameter *parameters = arena_alloc(made->arena, 3, sizeof *parameters);
	double *copy = arena_alloc(made->arena, count, sizeof *copy);
	if (count)
		memcpy(copy, seconds, count * sizeof *copy);
	parameters[0] = (struct sample_parameter){"nodes", NULL, 2};
	parameters[1] = (struct sample_parameter){"bytes", NULL, bytes};
	parameters[2] = (struct sample_parameter){"groups", NULL, 1};
	point->launch = made->set.launches[launch];
	point->line = (int)made->set.count + 1;
	point->bench = "allreduce";
	point->name = arena_printf(made->arena, "allreduce/2/%.0f", bytes);
	point->parameters = parameters;
	point->parameter_count = 3;
	point->seconds = copy;
	point->count = count;
	return point;
}

static void made_cells(struct made *made)
{
	assert_true(cells_make(made->arena, &made->set, &made->cells, &made->error));
}

/* Samples about `center`, 5 % noise, 5 % of them 3 to 10 times as long; those from `slow_from` on `slow` times. */
static void samples_fill(
	double *seconds, double center, unsigned slow_from, double slow, struct random *random)
{
	for (unsigned i = 0; i < SAMPLES; ++i) {
		seconds[i] = center * exp(0.05 * random_normal(random));
		if (random_uniform(random) < 0.05)
			seconds[i] *= 3 + 7 * random_uniform(random);
		if (i >= slow_from)
			seconds[i] *= slow;
	}
}

static void median_of_medians(void **unused)
{
	(void)unused;
	struct made made;
	made_begin(&made, 3);
	made_add(&made, 2, 64, (const double[]){5, 4, 100}, 3);
	made_add(&made, 0, 64, (const double[]){1, 3}, 2);
	made_add(&made, 1, 64, (const double[]){4}, 1);
	made_cells(&made);
	assert_int_equal(made.cells.count, 1);
	const struct cell *cell = &made.cells.items[0];
	assert_int_equal(cell->launches, 3);
	assert_string_equal(cell->points[0]->launch->id, "mpi.0");
	assert_close(cell->launch_s[0], 2, 0);
	assert_close(cell->launch_s[2], 5, 0);
	assert_close(cell->seconds, 4, 0);
	assert_close(cell->best_s, 2, 0);
	assert_close(cell->low_s, 2, 0); /* too few for an interval: the range */
	assert_close(cell->high_s, 5, 0);
	assert_true(cell->flags & CELL_FEW_LAUNCHES);
	paradl_arena_free(made.arena);
}

static void sorted_by_size(void **unused)
{
	(void)unused;
	struct made made;
	const double second = 1;
	made_begin(&made, 1);
	static const double sizes[] = {1048576, 8, 4096};
	for (unsigned i = 0; i < 3; ++i)
		made_add(&made, 0, sizes[i], &second, 1);
	((struct sample_parameter *)(uintptr_t)made_add(&made, 0, 16, &second, 1)->parameters)[2].number = 4;
	made_cells(&made);
	static const double sorted[] = {8, 4096, 1048576, 16};
	for (unsigned i = 0; i < 4; ++i)
		assert_close(sample_number(made.cells.items[i].point, "bytes", 0), sorted[i], 0);
	assert_true(cells_same_but_size(&made.cells.items[0], &made.cells.items[2]));
	assert_false(cells_same_but_size(&made.cells.items[2], &made.cells.items[3]));
	paradl_arena_free(made.arena);
}

static void twice_is_refused_unless_it_failed(void **unused)
{
	(void)unused;
	struct made made;
	const double second = 1;
	made_begin(&made, 2);
	made_add(&made, 0, 64, NULL, 0)->failed = "out of memory";
	made_add(&made, 0, 64, &second, 1);
	made_add(&made, 1, 64, NULL, 0)->failed = "out of memory";
	made_add(&made, 0, 128, NULL, 0)->failed = "out of memory";
	made_cells(&made);
	assert_int_equal(made.cells.count, 1);
	assert_int_equal(made.cells.items[0].launches, 1);
	made_add(&made, 0, 64, &second, 1);
	assert_false(cells_make(made.arena, &made.set, &made.cells, &made.error));
	assert_int_equal(made.error.line, 6);
	assert_string_equal(made.error.path, "a.jsonl");
	assert_non_null(strstr(made.error.message, "line 3"));
	paradl_arena_free(made.arena);
}

static void monotone_is_checked(void **unused)
{
	(void)unused;
	struct made made;
	made_begin(&made, 1);
	static const double seconds[] = {1, 0.95, 0.8, 0.7, 2};
	for (unsigned i = 0; i < 5; ++i)
		made_add(&made, 0, pow(2, i), &seconds[i], 1);
	made_cells(&made);
	for (unsigned i = 0; i < 5; ++i)
		assert_int_equal(!!(made.cells.items[i].flags & CELL_NOT_MONOTONE), i == 2 || i == 3);
	paradl_arena_free(made.arena);
}

/* One launch of five alternates between two speeds: the estimate is of the speed that the others have. */
static void one_bimodal_launch_moves_nothing(void **unused)
{
	(void)unused;
	static const double slower[] = {2, 3, 0.4};
	for (unsigned seed = 0; seed < 100; ++seed) {
		struct random random = {seed};
		struct made made;
		double seconds[SAMPLES];
		made_begin(&made, 5);
		for (unsigned launch = 0; launch < 5; ++launch) {
			samples_fill(seconds, 1e-5, launch == seed % 5 ? SAMPLES / 2 : SAMPLES,
				slower[seed % 3], &random);
			made_add(&made, launch, 64, seconds, SAMPLES);
		}
		made_cells(&made);
		const struct cell *cell = &made.cells.items[0];
		assert_true(cell->flags & CELL_BIMODAL);
		assert_close(cell->seconds, 1e-5, 0.02);
		assert_close(cell->launch_s[seed % 5], 1e-5, 0.06);
		assert_true(cell->high_s < 1.06e-5 && cell->low_s > 0.94e-5);
		paradl_arena_free(made.arena);
	}
}

/* The median over launches of a known law, within the interval in 95 of 100 cases: launches differ by 5 %. */
static void intervals_cover(void **unused)
{
	(void)unused;
	static const unsigned launches[] = {4, 5, 8, 12};
	for (unsigned k = 0; k < 4; ++k) {
		unsigned covered = 0;
		for (unsigned seed = 0; seed < SEEDS; ++seed) {
			struct random random = {1000 * k + seed};
			struct made made;
			double seconds[SAMPLES];
			made_begin(&made, launches[k]);
			for (unsigned launch = 0; launch < launches[k]; ++launch) {
				samples_fill(seconds, 1e-5 * exp(0.05 * random_normal(&random)), SAMPLES, 1,
					&random);
				made_add(&made, launch, 64, seconds, SAMPLES);
			}
			made_cells(&made);
			const struct cell *cell = &made.cells.items[0];
			assert_true(cell->low_s <= cell->seconds && cell->seconds <= cell->high_s);
			assert_false(cell->flags & CELL_FEW_LAUNCHES);
			covered += cell->low_s <= 1e-5 && 1e-5 <= cell->high_s;
			paradl_arena_free(made.arena);
		}
		print_message("# %u launches: %.1f %% covered\n", launches[k], 100.0 * covered / SEEDS);
		assert_true(covered >= 0.90 * SEEDS && covered <= SEEDS);
	}
}

/* Samples that differ where launches do not: the interval is of the samples' median. */
static void intervals_cover_noise_within_launches(void **unused)
{
	(void)unused;
	unsigned covered = 0;
	for (unsigned seed = 0; seed < SEEDS; ++seed) {
		struct random random = {5000 + seed};
		struct made made;
		double seconds[SAMPLES];
		made_begin(&made, 5);
		for (unsigned launch = 0; launch < 5; ++launch) {
			for (unsigned i = 0; i < SAMPLES; ++i)
				seconds[i] = exp(0.3 * random_normal(&random));
			made_add(&made, launch, 64, seconds, SAMPLES);
		}
		made_cells(&made);
		covered += made.cells.items[0].low_s <= 1 && 1 <= made.cells.items[0].high_s;
		assert_true(made.cells.items[0].flags & CELL_NOISY);
		paradl_arena_free(made.arena);
	}
	print_message("# %.1f %% covered\n", 100.0 * covered / SEEDS);
	assert_true(covered >= 0.90 * SEEDS && covered <= SEEDS);
}

static void wild_launches_are_named(void **unused)
{
	(void)unused;
	struct made made;
	static const double seconds[] = {1.00, 1.01, 3.1, 0.99, 1.02};
	made_begin(&made, 5);
	for (unsigned launch = 0; launch < 5; ++launch) {
		made_add(&made, launch, 64, &seconds[launch], 1);
		made_add(&made, launch, 128, &seconds[0], 1);
	}
	made_cells(&made);
	struct paradl_calibration result = {0};
	struct calibration calibration = {.arena = made.arena, .cells = &made.cells, .result = &result};
	assert_true(cells_outliers(&calibration, &made.error));
	assert_int_equal(result.outlier_count, 1);
	assert_string_equal(result.outliers[0].file, "a.jsonl");
	assert_int_equal(result.outliers[0].line, 6);
	assert_string_equal(result.outliers[0].point, "allreduce/2/64");
	assert_string_equal(result.outliers[0].text, "3.07 times the median of the 5 launches");
	assert_close(made.cells.items[0].seconds, 1.01, 0);
	assert_true(made.cells.items[0].flags & CELL_OUTLIERS);
	assert_false(made.cells.items[1].flags & CELL_OUTLIERS);
	paradl_arena_free(made.arena);
}

/* The same bits, in whatever order points come. */
static void order_does_not_matter(void **unused)
{
	(void)unused;
	struct cell first[3] = {{0}};
	for (unsigned order = 0; order < 3; ++order) {
		struct made made;
		made_begin(&made, 5);
		for (unsigned i = 0; i < 15; ++i) {
			const unsigned at = order == 0 ? i : order == 1 ? 14 - i : i * 7 % 15;
			struct random random = {at};
			double seconds[SAMPLES];
			samples_fill(seconds, 1 + at / 5, SAMPLES, 1, &random);
			made_add(&made, at % 5, 64 << at / 5, seconds, SAMPLES);
		}
		made_cells(&made);
		assert_int_equal(made.cells.count, 3);
		for (unsigned i = 0; i < 3; ++i) {
			const struct cell *cell = &made.cells.items[i];
			if (order == 0)
				first[i] = *cell;
			assert_close(cell->seconds, first[i].seconds, 0);
			assert_close(cell->low_s, first[i].low_s, 0);
			assert_close(cell->high_s, first[i].high_s, 0);
			assert_close(cell->spread, first[i].spread, 0);
		}
		paradl_arena_free(made.arena);
	}
}

static bool same_s(
	void *context, const double *seconds, bool first, double *values, struct paradl_error *error)
{
	(void)context;
	(void)first;
	(void)error;
	values[0] = seconds[0];
	return true;
}

/* How often the interval of a fitted number holds the truth, of few launches: they differ more than draws of them. */
static void intervals_of_fitted_numbers_cover(void **state)
{
	(void)state;
	const unsigned counts[] = {4, 5, 8};
	for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
		unsigned inside = 0;
		for (unsigned seed = 0; seed < SEEDS; seed++) {
			struct paradl_arena *const arena = paradl_arena_create();
			struct random random = {.state = 1000 * i + seed};
			struct fitted_value value;
			double median_s[LAUNCHES_MAX];
			for (unsigned launch = 0; launch < counts[i]; launch++)
				median_s[launch] = exp(0.05 * random_normal(&random));
			const struct launch_times times = {
				.rows = 1, .launches = counts[i], .median_s = median_s};
			assert_true(launch_times_fit(arena, &times, same_s, NULL, 1, &value, NULL));
			inside += value.low <= 1 && value.high >= 1;
			paradl_arena_free(arena);
		}
		printf("# %u launches: %u of %u within\n", counts[i], inside, SEEDS);
		assert_true(inside >= 0.93 * SEEDS);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(median_of_medians),
		cmocka_unit_test(sorted_by_size),
		cmocka_unit_test(twice_is_refused_unless_it_failed),
		cmocka_unit_test(monotone_is_checked),
		cmocka_unit_test(one_bimodal_launch_moves_nothing),
		cmocka_unit_test(intervals_cover),
		cmocka_unit_test(intervals_cover_noise_within_launches),
		cmocka_unit_test(intervals_of_fitted_numbers_cover),
		cmocka_unit_test(wild_launches_are_named),
		cmocka_unit_test(order_does_not_matter),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
