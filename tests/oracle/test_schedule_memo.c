/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Schedules that are found again are those that are followed anew, bit for bit, whatever was asked in between. */
#include "oracle/schedule.h"

#include "base/arena.h"
#include "oracle/oracle.h"
#include "oracle/pipeline_simulation.h"
#include "oracle/random.h"

enum { SETS = 12, ROUNDS = 3000, FEW = 10000 };

static void times_set(struct random *random, struct stage_times *times)
{
	for (unsigned k = 0; k < STAGES_MOST; ++k) {
		times[k].work_s[0] = random_real(random, 0.5, 2);
		times[k].work_s[1] = random_real(random, 0.5, 2);
		times[k].weight_s = random_real(random, 0.5, 2);
		times[k].send_s[0] = times[k].send_s[1] = random_real(random, 0, 0.5);
	}
}

static void assert_bits_same(double a, double b)
{
	assert_memory_equal(&a, &b, sizeof a);
}

static void assert_results_same(const struct pipeline_schedule *schedule, const struct schedule_result *a,
	const struct schedule_result *b)
{
	assert_bits_same(a->makespan_s, b->makespan_s);
	assert_bits_same(a->busy_s, b->busy_s);
	for (unsigned i = 0; i < schedule->stages; ++i) {
		assert_bits_same(a->devices[i].end_s, b->devices[i].end_s);
		assert_bits_same(a->devices[i].busy_s, b->devices[i].busy_s);
		assert_bits_same(a->devices[i].blocked_s, b->devices[i].blocked_s);
		assert_bits_same(a->devices[i].early_s, b->devices[i].early_s);
	}
	assert_memory_equal(a->held, b->held, schedule->stages * schedule->chunks * sizeof *a->held);
}

/* Few sets of times, so that most come again, and many kinds, so that records are pushed out. */
static void found_is_followed(void **state)
{
	static const enum paradl_pipeline_schedule kinds[] = {PARADL_ZERO_BUBBLE, PARADL_ZERO_BUBBLE_2P,
		PARADL_ZERO_BUBBLE_V, PARADL_1F1B, PARADL_INTERLEAVED};
	static struct stage_times times[SETS][STAGES_MOST];
	struct schedule_scratch kept = {0}, fresh = {0};
	struct schedule_device devices[DEVICES_MOST], expected_devices[DEVICES_MOST];
	unsigned held[STAGES_MOST], expected_held[STAGES_MOST];
	struct schedule_result found = {.devices = devices, .held = held};
	struct schedule_result expected = {.devices = expected_devices, .held = expected_held};
	struct paradl_arena *const arena = paradl_arena_create();
	struct random random = {61};
	(void)state;
	assert_non_null(arena);
	assert_true(schedule_reserve(&kept, arena, DEVICES_MOST, 2, NULL));
	assert_true(schedule_reserve(&fresh, arena, DEVICES_MOST, 2, NULL));
	for (unsigned i = 0; i < SETS; ++i)
		times_set(&random, times[i]);
	for (unsigned round = 0; round < ROUNDS; ++round) {
		const unsigned kind = random_between(&random, 0, 4),
			       set = random_between(&random, 0, SETS - 1);
		const unsigned stages = random_between(&random, 3, 4);
		const unsigned micro_batches = random_between(&random, 5, 6);
		const struct pipeline_schedule schedule = {.kind = kinds[kind],
			.stages = stages,
			.chunks = kind == 2 || kind == 4 ? 2 : 1,
			.micro_batches = micro_batches,
			.times = times[set]};
		if (random_between(&random, 0, 9) == 0)
			times[set][0].send_s[0] = random_real(&random, 0, 0.5);
		schedule_run(&schedule, &kept, &found);
		if (!schedule_recurrence(&schedule, &fresh, &expected))
			schedule_events(&schedule, &fresh, false, &expected);
		assert_results_same(&schedule, &found, &expected);
	}
	paradl_arena_free(arena);
}

/* As many micro-batches as stages or fewer never fill a device: with either limit the step is the same. */
static void few_micro_batches_meet_no_limit(void **state)
{
	struct schedule_scratch kept = {0}, fresh = {0};
	struct stage_times times[STAGES_MOST] = {0};
	struct schedule_device devices[DEVICES_MOST], expected_devices[DEVICES_MOST];
	unsigned held[STAGES_MOST], expected_held[STAGES_MOST];
	struct schedule_result found = {.devices = devices, .held = held};
	struct schedule_result expected = {.devices = expected_devices, .held = expected_held};
	struct paradl_arena *const arena = paradl_arena_create();
	struct random random = {62};
	(void)state;
	assert_non_null(arena);
	assert_true(schedule_reserve(&kept, arena, DEVICES_MOST, 1, NULL));
	assert_true(schedule_reserve(&fresh, arena, DEVICES_MOST, 1, NULL));
	for (unsigned round = 0; round < FEW; ++round) {
		const unsigned stages = random_between(&random, 2, DEVICES_MOST);
		struct pipeline_schedule schedule = {.kind = PARADL_ZERO_BUBBLE,
			.stages = stages,
			.chunks = 1,
			.micro_batches = random_between(&random, 1, stages),
			.times = times,
			.links_queue = random_between(&random, 0, 1)};
		times_set(&random, times);
		if (random_between(&random, 0, 1))
			schedule_run(&schedule, &kept, &found);
		schedule.kind = PARADL_ZERO_BUBBLE_2P;
		schedule_run(&schedule, &kept, &found);
		schedule_events(&schedule, &fresh, false, &expected);
		assert_results_same(&schedule, &found, &expected);
	}
	paradl_arena_free(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(found_is_followed),
		cmocka_unit_test(few_micro_batches_meet_no_limit),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
