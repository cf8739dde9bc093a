/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loops whose turns several threads take: each turn once, alone at first, whatever the number of threads. */
#include "test.h"

#include <stdatomic.h>
#include <time.h>

#include "base/pool.h"

enum { TURNS = 5000 };

struct count {
	atomic_uint turns[TURNS];
	atomic_uint members[POOL_MOST];
	atomic_uint prepared, working;
	double turn_s;
};

static void wait_s(double s)
{
	struct timespec begin, now;
	clock_gettime(CLOCK_MONOTONIC, &begin);
	do
		clock_gettime(CLOCK_MONOTONIC, &now);
	while ((double)(now.tv_sec - begin.tv_sec) + 1e-9 * (double)(now.tv_nsec - begin.tv_nsec) < s);
}

static void count_turn(void *context, unsigned member, size_t index)
{
	struct count *count = context;
	atomic_fetch_add(&count->working, 1);
	atomic_fetch_add(&count->turns[index], 1);
	atomic_fetch_add(&count->members[member], 1);
	if (count->turn_s > 0)
		wait_s(count->turn_s);
	atomic_fetch_sub(&count->working, 1);
}

static bool prepare(void *context)
{
	struct count *count = context;
	atomic_fetch_add(&count->prepared, 1);
	return atomic_load(&count->working) == 0;
}

static bool refuse(void *context)
{
	(void)prepare(context);
	return false;
}

static void each_turn_is_taken_once(void **state)
{
	static const size_t pieces[] = {1, 7, 16, 2 * TURNS};
	(void)state;
	for (unsigned members = 1; members <= 5; ++members)
		for (unsigned p = 0; p < 4; ++p) {
			static struct count count;
			count = (struct count){.turn_s = members > 1 && p == 0 ? 2e-5 : 0};
			struct pool *pool = pool_create(members, NULL, NULL);
			assert_non_null(pool);
			assert_int_equal(pool_members(pool), members);
			pool_run(pool, TURNS, pieces[p], count_turn, &count);
			pool_run(pool, TURNS / 2, pieces[p], count_turn, &count);
			for (size_t i = 0; i < TURNS; ++i)
				assert_int_equal(atomic_load(&count.turns[i]), i < TURNS / 2 ? 2 : 1);
			pool_free(pool);
		}
}

static void small_loops_stay_with_the_caller(void **state)
{
	static struct count count;
	bool stayed = false;
	(void)state;
	/* A busy machine may take so long for ten turns that helpers are called. */
	for (unsigned loop = 0; loop < 20 && !stayed; ++loop) {
		count = (struct count){.turn_s = 0};
		struct pool *pool = pool_create(4, prepare, &count);
		pool_run(pool, 10, 1, count_turn, &count);
		stayed = atomic_load(&count.members[0]) == 10 && atomic_load(&count.prepared) == 0;
		pool_free(pool);
	}
	assert_true(stayed);
}

static void long_loops_are_shared(void **state)
{
	static struct count count;
	count.turn_s = 2e-3;
	struct pool *pool = pool_create(3, prepare, &count);
	(void)state;
	for (unsigned loop = 0;
		loop < 20 && !(atomic_load(&count.members[1]) && atomic_load(&count.members[2])); ++loop)
		pool_run(pool, 60, 1, count_turn, &count);
	assert_int_equal(atomic_load(&count.prepared), 1);
	assert_true(atomic_load(&count.members[1]) > 0 && atomic_load(&count.members[2]) > 0);
	pool_free(pool);
}

static void who_cannot_prepare_stays_alone(void **state)
{
	static struct count count;
	count.turn_s = 2e-3;
	struct pool *pool = pool_create(3, refuse, &count);
	(void)state;
	pool_run(pool, 40, 1, count_turn, &count);
	pool_run(pool, 40, 1, count_turn, &count);
	assert_int_equal(atomic_load(&count.prepared), 1);
	assert_int_equal(atomic_load(&count.members[0]), 80);
	pool_free(pool);
}

static void nothing_is_no_loop(void **state)
{
	(void)state;
	struct pool *pool = pool_create(0, NULL, NULL);
	assert_int_equal(pool_members(pool), pool_processors());
	pool_run(pool, 0, 1, count_turn, NULL);
	pool_free(pool);
	pool_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_turn_is_taken_once),
		cmocka_unit_test(small_loops_stay_with_the_caller),
		cmocka_unit_test(long_loops_are_shared),
		cmocka_unit_test(who_cannot_prepare_stays_alone),
		cmocka_unit_test(nothing_is_no_loop),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
