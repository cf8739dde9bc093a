/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Buffers and the slowest of many readers, against simulations and a worked example. */
#include "oracle/input/input.h"

#include "input_random.h"
#include "test.h"

/*
 * Golden, V01 and V02: the pipeline of figure 5 of tf.data (Murray et al., VLDB'21). Its interleave takes 4.55 ms for an
 * item; map has a buffer of 5 and a consumer of 1000/s; ten of its items and 1 ms make a batch; prefetch has a buffer of 2 and a
 * consumer of 100/s.
 */
static void worked_example(void **state)
{
	(void)state;
	const double map_s = buffer_stall_s(4.55e-3, 1e-3, 5);
	assert_close(map_s, 3.55e-3, 1e-3);
	const double batch_s = 10 * map_s + 1e-3;
	assert_close(batch_s, 36.5e-3, 1e-3);
	assert_close(buffer_stall_s(batch_s, 10e-3, 2), 27e-3, 1e-2);
	assert_close(buffer_stall_s(36.5e-3, 10e-3, 2), 27.06e-3, 1e-3);
}

/* Event by event: items arrive at random and are lost while the buffer is full, and a consumer takes them at random. */
static double empty_simulated(double x, double y, unsigned places)
{
	uint64_t state = 4711;
	double now = 0, empty = 0, arrival = random_exponential(&state, 1 / x),
	       departure = random_exponential(&state, 1 / y);
	unsigned held = 0;
	for (unsigned event = 0; event < 2000000; event++) {
		const double next = fmin(arrival, departure);
		if (held == 0)
			empty += next - now;
		now = next;
		if (arrival <= departure) {
			held += held < places;
			arrival = now + random_exponential(&state, 1 / x);
		} else {
			held -= held > 0;
			departure = now + random_exponential(&state, 1 / y);
		}
	}
	return empty / now;
}

static void buffer(void **state)
{
	(void)state;
	const double rates[] = {0.2, 0.8, 1, 1.25, 3};
	for (unsigned i = 0; i < 5; i++)
		for (unsigned places = 1; places <= 8; places *= 2)
			assert_true(fabs(buffer_empty(rates[i], 1, places) -
					    empty_simulated(rates[i], 1, places)) < 0.005);
}

static void buffer_limits(void **state)
{
	(void)state;
	assert_close(buffer_empty(5, 5, 3), 0.25, 1e-12);
	assert_close(buffer_empty(5 * (1 + 1e-8), 5, 3), 0.25, 1e-6); /* no step where the formula changes */
	assert_close(buffer_empty(5 * (1 - 1e-8), 5, 3), 0.25, 1e-6);
	assert_true(buffer_empty(1e6, 1, 200) >= 0 && buffer_empty(1e6, 1, 200) < 1e-300);
	assert_close(buffer_empty(1, 1e6, 200), 1, 1e-5);
	assert_close(buffer_stall_s(2, 0, 4), 2, 1e-12);
	assert_true(buffer_stall_s(0, 1, 4) <= 0);
	for (double n = 1; n < 64; n++)
		assert_true(buffer_stall_s(0.9, 1, n + 1) < buffer_stall_s(0.9, 1, n));
}

/* The mean of sampled maxima is never above the factor, and the nearer the more readers there are. */
static void slowest(void **state)
{
	(void)state;
	uint64_t random = 42;
	for (unsigned n = 4; n <= 4096; n *= 8) {
		double sum = 0;
		const unsigned runs = 400;
		for (unsigned run = 0; run < runs; run++) {
			double most = -HUGE_VAL;
			for (unsigned i = 0; i < n; i++)
				most = fmax(most, 1 + 0.7 * random_normal(&random));
			sum += most;
		}
		const double sampled = sum / runs, said = straggler_factor(0.7, n);
		assert_true(said > sampled);
		assert_close(said, sampled, n < 64 ? 0.35 : 0.15);
	}
	assert_close(straggler_factor(0.7, 1), 1, 1e-12);
	assert_close(straggler_factor(0, 4096), 1, 1e-12);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(worked_example),
		cmocka_unit_test(buffer),
		cmocka_unit_test(buffer_limits),
		cmocka_unit_test(slowest),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
