/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cutting a chain into consecutive parts, the largest as small as can be, against every way to cut it. */
#include "test.h"

#include "oracle/evaluation.h"
#include "oracle/random.h"

enum { MOST = 40 };

/* By recursion on the last part: the least largest part of the first `count` costs in `parts` parts. */
static double least_largest(const double *prefix, unsigned count, unsigned parts)
{
	static double best[MOST + 1][MOST + 1];
	for (unsigned n = 1; n <= count; ++n)
		best[1][n] = prefix[n];
	for (unsigned k = 2; k <= parts; ++k)
		for (unsigned n = k; n <= count; ++n) {
			best[k][n] = HUGE_VAL;
			for (unsigned first = k - 1; first < n; ++first)
				best[k][n] =
					fmin(best[k][n], fmax(best[k - 1][first], prefix[n] - prefix[first]));
		}
	return best[parts][count];
}

static void check(const double *costs, unsigned count, unsigned parts, double relative)
{
	double prefix[MOST + 1] = {0}, largest = 0;
	unsigned ends[MOST], first = 0;
	for (unsigned i = 0; i < count; ++i)
		prefix[i + 1] = prefix[i] + costs[i];
	partition(prefix, NULL, count, parts, ends);
	for (unsigned i = 0; i < parts; ++i) {
		assert_true(ends[i] > first && ends[i] <= count);
		largest = fmax(largest, prefix[ends[i]] - prefix[first]);
		first = ends[i];
	}
	assert_int_equal(first, count);
	assert_close(largest, least_largest(prefix, count, parts), relative);
}

/* Costs 0 to 3: ties, zeros, runs of equal costs. Sums are exact, so is the answer. */
static void every_small_chain(void **state)
{
	(void)state;
	for (unsigned count = 1; count <= 7; ++count)
		for (unsigned code = 0; code < 1u << 2 * count; ++code) {
			double costs[7];
			for (unsigned i = 0; i < count; ++i)
				costs[i] = code >> 2 * i & 3;
			for (unsigned parts = 1; parts <= count; ++parts)
				check(costs, count, parts, 0);
		}
}

/* The least largest sum of `memory` of any cut into `parts` whose sums of `work` are at most `bound`. */
static double least_memory(
	const double *work, const double *memory, unsigned count, unsigned parts, double bound)
{
	double least = HUGE_VAL;
	if (parts == 1)
		return work[count] <= bound ? memory[count] : HUGE_VAL;
	for (unsigned first = parts - 1; first < count; ++first)
		if (work[count] - work[first] <= bound)
			least = fmin(least, fmax(memory[count] - memory[first],
						    least_memory(work, memory, first, parts - 1, bound)));
	return least;
}

/* Of cuts that are equal in work, the one that holds least. */
static void equal_cuts_hold_least(void **state)
{
	(void)state;
	struct random random = {7};
	for (unsigned i = 0; i < 3000; ++i) {
		double work[9] = {0}, memory[9] = {0}, most_work = 0, most = 0;
		unsigned ends[8], first = 0;
		const unsigned count = random_between(&random, 1, 8);
		const unsigned parts = random_between(&random, 1, count);
		for (unsigned k = 0; k < count; ++k) {
			work[k + 1] = work[k] + random_between(&random, 0, 2);
			memory[k + 1] = memory[k] + random_between(&random, 0, 8);
		}
		partition(work, memory, count, parts, ends);
		for (unsigned k = 0; k < parts; first = ends[k++]) {
			most_work = fmax(most_work, work[ends[k]] - work[first]);
			most = fmax(most, memory[ends[k]] - memory[first]);
		}
		assert_close(most_work, least_largest(work, count, parts), 0);
		assert_close(most, least_memory(work, memory, count, parts, most_work), 0);
	}
}

static void random_chains(void **state)
{
	(void)state;
	struct random random = {21};
	for (unsigned i = 0; i < 10000; ++i) {
		double costs[MOST];
		const unsigned count = random_between(&random, 1, MOST),
			       parts = random_between(&random, 1, count);
		const double spread = random_real(&random, 0, 30); /* from equal to 13 orders of magnitude */
		for (unsigned k = 0; k < count; ++k)
			costs[k] = random_between(&random, 0, 9) ? exp(random_real(&random, -spread, spread))
								 : 0;
		check(costs, count, parts, 1e-15);
	}
}

static void equal_and_extreme_costs(void **state)
{
	(void)state;
	double costs[MOST];
	for (unsigned parts = 1; parts <= MOST; ++parts) {
		for (unsigned k = 0; k < MOST; ++k)
			costs[k] = 0.1;
		check(costs, MOST, parts, 1e-15);
		for (unsigned k = 0; k < MOST; ++k)
			costs[k] = 0;
		check(costs, MOST, parts, 0);
		costs[parts - 1] = 1e300;
		check(costs, MOST, parts, 0);
		costs[parts - 1] = 5e-324;
		check(costs, MOST, parts, 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_small_chain),
		cmocka_unit_test(random_chains),
		cmocka_unit_test(equal_cuts_hold_least),
		cmocka_unit_test(equal_and_extreme_costs),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
