/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Failures: the closed form against a simulation, the best interval against all others. */
#include "oracle/random.h"
#include "study/job/job.h"
#include "test.h"

enum { HOUR = 3600 };

/* Until the next failure. */
static double draw(struct random *random, double mtbf_s)
{
	return -mtbf_s * log1p(-random_real(random, 0, 1));
}

/* One run, event by event. `behind_s`: from the end of a checkpoint's wait until it counts. */
static double simulate(struct random *random, const struct failures *failures, double pieces,
	double interval_s, double cost_s, double behind_s)
{
	double now = 0, failure = draw(random, failures->mtbf_s), done = 0, saved = 0, counts_at = HUGE_VAL;
	while (done < pieces) {
		const double end = now + interval_s + cost_s;
		if (counts_at <= fmin(end, failure)) {
			saved = done;
			counts_at = HUGE_VAL;
		}
		if (end <= failure) {
			now = end;
			done++;
			counts_at = end + behind_s;
			continue;
		}
		done = saved;
		counts_at = HUGE_VAL;
		do {
			now = failure;
			failure = now + draw(random, failures->mtbf_s);
		} while (failure < now + failures->restart_s);
		now += failures->restart_s;
	}
	return now;
}

static double simulated_mean(const struct failures *failures, double pieces, double interval_s, double cost_s,
	double behind_s, unsigned runs)
{
	struct random random = {20061};
	double sum = 0;
	for (unsigned i = 0; i < runs; i++)
		sum += simulate(&random, failures, pieces, interval_s, cost_s, behind_s);
	return sum / runs;
}

static void closed_form_is_the_mean_of_a_simulation(void **state)
{
	(void)state;
	static const struct {
		double mtbf_h, restart_h, interval_h, cost_h;
	} cases[] = {{10, 0.2, 1, 0.05}, {3, 0.3, 0.5, 0.1}, {1, 0.5, 0.8, 0.3}, {200, 0.1, 12, 0.5}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct failures failures = {cases[i].mtbf_h * HOUR, cases[i].restart_h * HOUR};
		const double interval_s = cases[i].interval_h * HOUR, cost_s = cases[i].cost_h * HOUR;
		const struct toll toll = failures_toll(&failures, 40 * interval_s, interval_s, cost_s);
		assert_close(simulated_mean(&failures, 40, interval_s, cost_s, 0, 20000), toll.total_s, 0.01);
		assert_close(toll.total_s,
			40 * interval_s + toll.checkpoints_s + toll.lost_s + toll.restarts_s, 1e-12);
		assert_close(toll.failures, toll.total_s / failures.mtbf_s, 1e-12);
	}
}

/* A checkpoint that is still under way does not help: that costs its time once for each failure. */
static void checkpoints_behind_the_steps_cost_their_time_for_each_failure(void **state)
{
	(void)state;
	const double interval_s = HOUR, cost_s = 20, behind_s = 0.25 * HOUR;
	const struct failures failures = {12 * HOUR, 0.2 * HOUR};
	const struct failures with = {failures.mtbf_s, failures.restart_s + behind_s};
	const double mean = simulated_mean(&failures, 100, interval_s, cost_s, behind_s, 20000);
	assert_close(mean, failures_toll(&with, 100 * interval_s, interval_s, cost_s).total_s, 0.01);
	assert_true(mean > failures_toll(&failures, 100 * interval_s, interval_s, cost_s).total_s);
}

static void no_interval_beats_the_best_one(void **state)
{
	(void)state;
	const double costs[] = {1, 30, 600, HOUR, 5 * HOUR}, mtbfs[] = {HOUR, 10 * HOUR, 500 * HOUR};
	for (size_t i = 0; i < sizeof costs / sizeof *costs; i++)
		for (size_t j = 0; j < sizeof mtbfs / sizeof *mtbfs; j++) {
			const struct failures failures = {mtbfs[j], 300};
			const double best = failures_best_interval(mtbfs[j], costs[i]);
			const double least = failures_toll(&failures, 1e6, best, costs[i]).total_s;
			for (double factor = 0.05; factor < 20; factor *= 1.01)
				assert_true(failures_toll(&failures, 1e6, factor * best, costs[i]).total_s >=
					    least * (1 - 1e-12));
		}
}

static void best_interval_is_daly_s_and_in_the_limit_young_s(void **state)
{
	(void)state;
	assert_close(failures_best_interval(1e6, 1e-2), failures_interval_young(1e6, 1e-2), 1e-3);
	for (double cost_s = 1; cost_s < 0.5 * HOUR; cost_s *= 2)
		assert_close(
			failures_best_interval(HOUR, cost_s), failures_interval_daly(HOUR, cost_s), 0.01);
	/* By hand: 40 s at 10 h, sqrt(2 * 40 * 36000) = 1697 s. */
	assert_close(failures_interval_young(10 * HOUR, 40), 1697.056, 1e-6);
	assert_close(failures_best_interval(10 * HOUR, 40), 1670.5, 1e-3);
}

static void limits(void **state)
{
	(void)state;
	const struct failures never = {0, 600}, rare = {1e15, 600};
	const struct toll none = failures_toll(&never, 1e6, 1e3, 10),
			  few = failures_toll(&rare, 1e6, 1e3, 10);
	assert_close(none.total_s, 1e6 + 1e4, 1e-15);
	assert_close(few.total_s, none.total_s, 1e-9);
	assert_true(none.failures < 1e-30 && none.lost_s < 1e-30 && none.restarts_s < 1e-30);
	double last = HUGE_VAL;
	for (double mtbf_s = 1e3; mtbf_s < 1e9; mtbf_s *= 3) { /* fewer failures never cost more */
		const struct failures failures = {mtbf_s, 600};
		const double total_s =
			failures_toll(&failures, 1e6, failures_best_interval(mtbf_s, 60), 60).total_s;
		assert_true(total_s < last && total_s > 1e6);
		last = total_s;
	}
	/* 16,384 devices in nodes of 8, as 54 days of 419 interruptions say: one in 3.09 h. */
	assert_close(failures_usual_node_mtbf_s(8) / 2048 / HOUR, 54 * 24 / 419.0, 1e-12);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(closed_form_is_the_mean_of_a_simulation),
		cmocka_unit_test(checkpoints_behind_the_steps_cost_their_time_for_each_failure),
		cmocka_unit_test(no_interval_beats_the_best_one),
		cmocka_unit_test(best_interval_is_daly_s_and_in_the_limit_young_s),
		cmocka_unit_test(limits),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
