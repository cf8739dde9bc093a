/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cuts of a chain into stages against all cuts. */
#include <math.h>

#include "oracle/random.h"
#include "oracle/setup.h"
#include "search/stage_partition.h"

enum { UNITS = 9, STAGES = 5 };

/* The least of all ways to cut units [first, units) into the stages from `stage` on. */
static double all_cuts_s(
	const struct stage_problem *problem, unsigned stage, unsigned first, double sum_s, double largest_s)
{
	double least_s = (double)INFINITY;
	if (stage == problem->stages)
		return first == problem->units ? sum_s + (problem->micro_batches - 1) * largest_s : least_s;
	for (unsigned end = first + 1; end <= problem->units; ++end) {
		const double s = problem->cost_s[stage_index(problem->units, stage, first, end)];
		if (isfinite(s))
			least_s = fmin(
				least_s, all_cuts_s(problem, stage + 1, end, sum_s + s, fmax(largest_s, s)));
	}
	return least_s;
}

static double of_ends_s(const struct stage_problem *problem, const unsigned *ends)
{
	double sum_s = 0, largest_s = 0;
	for (unsigned stage = 0; stage < problem->stages; ++stage) {
		const unsigned first = stage ? ends[stage - 1] : 0;
		const double s = problem->cost_s[stage_index(problem->units, stage, first, ends[stage])];
		sum_s += s;
		largest_s = fmax(largest_s, s);
	}
	return sum_s + (problem->micro_batches - 1) * largest_s;
}

static void costs_draw(struct random *random, const struct stage_problem *problem, double *cost_s)
{
	for (unsigned stage = 0; stage < problem->stages; ++stage)
		for (unsigned first = 0; first < problem->units; ++first)
			for (unsigned end = first + 1; end <= problem->units; ++end) {
				const unsigned each = random_between(random, 1, 20);
				const bool fits = random_between(random, 0, 9) > 2;
				cost_s[stage_index(problem->units, stage, first, end)] =
					fits ? 0.1 * each * (end - first) : (double)INFINITY;
			}
}

static void it_is_the_best_of_all_cuts(void **state)
{
	struct setup *setup = *state;
	struct random random = {11};
	double cost_s[STAGES * UNITS * (UNITS + 1)];
	unsigned found = 0, none = 0;
	for (unsigned i = 0; i < 600; ++i) {
		const unsigned stages = random_between(&random, 1, STAGES);
		const unsigned units = random_between(&random, stages, UNITS);
		const unsigned micro_batches = random_between(&random, 1, 40);
		const struct stage_problem problem = {.units = units,
			.stages = stages,
			.micro_batches = micro_batches,
			.cost_s = cost_s,
			.step = i % 2 ? 0.05 : 0};
		unsigned ends[STAGES] = {0};
		costs_draw(&random, &problem, cost_s);
		const double least_s = all_cuts_s(&problem, 0, 0, 0, 0);
		const double s = stage_cut(&problem, setup->arena, ends);
		if (!isfinite(least_s)) {
			assert_true(s >= (double)INFINITY);
			++none;
			continue;
		}
		assert_close(of_ends_s(&problem, ends), s, 1e-9 * s);
		assert_true(s >= least_s * (1 - 1e-9));
		assert_true(s <= least_s * (1 + problem.step + 1e-9));
		++found;
	}
	assert_true(found > 300);
	assert_true(none > 30);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		setup_test(it_is_the_best_of_all_cuts),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
