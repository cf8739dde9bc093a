/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pipeline schedules: events against a naive simulation, the recurrence against events, both against known values. */
#include "oracle/schedule.h"

#include "base/arena.h"
#include "oracle/oracle.h"
#include "oracle/pipeline_simulation.h"
#include "oracle/random.h"

enum { CASES = 4000 };

struct pipeline {
	struct pipeline_schedule schedule;
	struct stage_times times[STAGES_MOST];
	struct schedule_device devices[DEVICES_MOST];
	unsigned held[STAGES_MOST];
	struct schedule_result result;
	struct schedule_scratch scratch;
	struct paradl_arena *arena;
};

static void pipeline_begin(struct pipeline *pipeline)
{
	*pipeline = (struct pipeline){.arena = paradl_arena_create()};
	assert_non_null(pipeline->arena);
	assert_true(schedule_reserve(&pipeline->scratch, pipeline->arena, DEVICES_MOST, 3, NULL));
}

static void pipeline_set(struct pipeline *pipeline, enum paradl_pipeline_schedule kind, unsigned stages,
	unsigned chunks, unsigned micro_batches)
{
	pipeline->schedule =
		(struct pipeline_schedule){kind, stages, chunks, micro_batches, pipeline->times, false};
	pipeline->result = (struct schedule_result){.devices = pipeline->devices, .held = pipeline->held};
}

/* Micro-batches times virtual stages that a device holds at most. */
static unsigned held_of(const struct pipeline *pipeline, unsigned device)
{
	const struct pipeline_schedule *const schedule = &pipeline->schedule;
	unsigned held = 0;
	for (unsigned chunk = 0; chunk < schedule->chunks; ++chunk)
		held += pipeline->held[schedule_stage(schedule->kind, schedule->stages, device, chunk)];
	return held;
}

static double makespan_of(struct pipeline *pipeline)
{
	schedule_run(&pipeline->schedule, &pipeline->scratch, &pipeline->result);
	return pipeline->result.makespan_s;
}

/* Forward, backward and weights take so long in all stages of a device together. */
static double makespan_of_equal(struct pipeline *pipeline, enum paradl_pipeline_schedule kind,
	unsigned stages, unsigned chunks, unsigned micro_batches, double each_s)
{
	const double s = each_s / chunks;
	for (unsigned k = 0; k < stages * chunks; ++k)
		pipeline->times[k] = (struct stage_times){.work_s = {s, s}, .weight_s = s};
	pipeline_set(pipeline, kind, stages, chunks, micro_batches);
	return makespan_of(pipeline);
}

static void random_times(struct pipeline *pipeline, struct random *random, unsigned stages)
{
	/* Alike but for the ends, unequal, or nearly alike: then a slow stage takes long to catch up. */
	const unsigned style = random_between(random, 0, 3);
	const double spread = style == 0 ? 0 : style == 1 ? 0.01 : 1.5;
	const double send_s = random_true(random) ? 0 : random_real(random, 0, 2);
	for (unsigned k = 0; k < stages; ++k) {
		struct stage_times *times = &pipeline->times[k];
		times->work_s[0] = 0.5 + random_real(random, 0, spread);
		times->work_s[1] = 0.7 + random_real(random, 0, spread);
		times->weight_s = 0.6 + random_real(random, 0, spread);
		if (style == 3 && random_between(random, 0, 5) == 0)
			*times = (struct stage_times){.work_s = {0.01, 0.02}, .weight_s = 0.01};
		for (unsigned pass = 0; pass < 2; ++pass) {
			const bool sends = pass ? k > 0 : k + 1 < stages;
			times->send_s[pass] = sends ? random_real(random, 0, send_s) : 0;
			times->blocked_s[pass] = times->send_s[pass] * random_real(random, 0, 1);
		}
	}
	pipeline->times[stages - 1].work_s[0] += random_real(random, 0, 0.5);
}

static void random_pipeline(
	struct pipeline *pipeline, struct random *random, unsigned stages_most, unsigned batches_most)
{
	const enum paradl_pipeline_schedule kind = random_between(random, PARADL_GPIPE, PARADL_ZERO_BUBBLE_V);
	const unsigned stages = random_between(random, 1, stages_most);
	const unsigned chunks = kind == PARADL_INTERLEAVED     ? random_between(random, 1, 3)
				: kind == PARADL_ZERO_BUBBLE_V ? 2
							       : 1;
	random_times(pipeline, random, stages * chunks);
	pipeline_set(pipeline, kind, stages, chunks, random_between(random, 1, batches_most));
	pipeline->schedule.links_queue = random_between(random, 0, 2) == 0;
}

/* What two ways give for the same pipeline. */
static void assert_same(const struct pipeline *got, const struct pipeline *want, double relative)
{
	assert_close(got->result.makespan_s, want->result.makespan_s, relative);
	for (unsigned i = 0; i < got->schedule.stages; ++i) {
		const double margin_s = relative * want->result.makespan_s;
		assert_true(fabs(got->devices[i].end_s - want->devices[i].end_s) <= margin_s);
		assert_true(fabs(got->devices[i].early_s - want->devices[i].early_s) <= margin_s);
	}
	for (unsigned k = 0; k < got->schedule.stages * got->schedule.chunks; ++k)
		assert_int_equal(got->held[k], want->held[k]);
}

static void published_makespans(void **state)
{
	struct pipeline pipeline;
	(void)state;
	pipeline_begin(&pipeline);
	assert_close(makespan_of_equal(&pipeline, PARADL_GPIPE, 8, 1, 24, 1), 93, 1e-12);
	assert_close(makespan_of_equal(&pipeline, PARADL_1F1B, 8, 1, 24, 1), 93, 1e-12);
	assert_close(makespan_of_equal(&pipeline, PARADL_INTERLEAVED, 8, 2, 24, 1), 82.5, 1e-12);
	assert_close(makespan_of_equal(&pipeline, PARADL_ZERO_BUBBLE, 8, 1, 24, 1), 81, 1e-12);
	assert_close(makespan_of_equal(&pipeline, PARADL_ZERO_BUBBLE_2P, 8, 1, 24, 1), 72, 1e-12);
	paradl_arena_free(pipeline.arena);
}

/* The bubble is (p - 1) / m of the work, (p - 1) / (m v) if interleaved; one device never waits. */
static void bubbles(void **state)
{
	struct pipeline pipeline;
	(void)state;
	pipeline_begin(&pipeline);
	for (unsigned p = 1; p <= DEVICES_MOST; ++p)
		for (unsigned m = p; m <= 4 * p; m += p) {
			const double work_s = 3 * 0.7 * m, idle = p - 1.0;
			for (unsigned kind = PARADL_GPIPE; kind <= PARADL_1F1B; ++kind) {
				assert_close(makespan_of_equal(&pipeline, kind, p, 1, m, 0.7),
					work_s * (1 + idle / m), 1e-12);
				assert_close(1 + pipeline.result.makespan_s - pipeline.result.busy_s,
					1 + work_s * idle / m, 1e-12);
				assert_close(pipeline.result.busy_s, work_s, 1e-12);
			}
			for (unsigned v = 1; v <= 3; ++v)
				assert_close(makespan_of_equal(&pipeline, PARADL_INTERLEAVED, p, v, m, 0.7),
					work_s * (1 + idle / (m * v)), 1e-12);
		}
	for (unsigned kind = PARADL_GPIPE; kind <= PARADL_ZERO_BUBBLE_V; ++kind)
		for (unsigned m = 1; m < 6; ++m)
			assert_close(makespan_of_equal(&pipeline, kind, 1,
					     kind == PARADL_ZERO_BUBBLE_V ? 2 : 1, m, 0.7),
				2.1 * m, 1e-12);
	paradl_arena_free(pipeline.arena);
}

/* Zero bubble waits less than 1F1B with its memory, V less again, and least with twice the memory. */
static void zero_bubble_waits_less(void **state)
{
	struct pipeline pipeline;
	(void)state;
	pipeline_begin(&pipeline);
	for (unsigned p = 2; p <= DEVICES_MOST; ++p)
		for (unsigned m = 2 * p; m <= 6 * p; m += p) {
			const double by_turns_s = makespan_of_equal(&pipeline, PARADL_1F1B, p, 1, m, 1);
			const double zero_s = makespan_of_equal(&pipeline, PARADL_ZERO_BUBBLE, p, 1, m, 1);
			const double v_s = makespan_of_equal(&pipeline, PARADL_ZERO_BUBBLE_V, p, 2, m, 1);
			const double most_s = makespan_of_equal(&pipeline, PARADL_ZERO_BUBBLE_2P, p, 1, m, 1);
			assert_true(zero_s < by_turns_s);
			assert_true(v_s <= zero_s + 1e-9);
			assert_true(most_s <= v_s + 1e-9);
			assert_close(most_s, 3.0 * m, 1e-12);
		}
	paradl_arena_free(pipeline.arena);
}

/* 1F1B min(m, p - i), interleaved p v + p - 1 stages' worth, zero bubble p, 2p twice, V p of half the layers twice. */
static void micro_batches_in_flight(void **state)
{
	struct pipeline pipeline;
	(void)state;
	pipeline_begin(&pipeline);
	for (unsigned p = 1; p <= 8; ++p)
		for (unsigned m = 1; m <= 5 * p; ++m) {
			makespan_of_equal(&pipeline, PARADL_1F1B, p, 1, m, 1);
			for (unsigned i = 0; i < p; ++i)
				assert_int_equal(pipeline.held[i], m < p - i ? m : p - i);
			makespan_of_equal(&pipeline, PARADL_GPIPE, p, 1, m, 1);
			assert_int_equal(held_of(&pipeline, 0), m);
			makespan_of_equal(&pipeline, PARADL_ZERO_BUBBLE, p, 1, m, 1);
			assert_int_equal(held_of(&pipeline, 0), m < p ? m : p);
			makespan_of_equal(&pipeline, PARADL_ZERO_BUBBLE_2P, p, 1, m, 1);
			assert_true(held_of(&pipeline, 0) <= 2 * p);
			makespan_of_equal(&pipeline, PARADL_ZERO_BUBBLE_V, p, 2, m, 1);
			assert_true(held_of(&pipeline, 0) <= 2 * p);
			if (m % p || m == p)
				continue;
			makespan_of_equal(&pipeline, PARADL_INTERLEAVED, p, 3, m, 1);
			assert_int_equal(held_of(&pipeline, 0), 3 * p + p - 1);
			assert_int_equal(pipeline.held[0], p + p - 1);
			assert_int_equal(pipeline.held[p], p);
		}
	makespan_of_equal(&pipeline, PARADL_ZERO_BUBBLE_2P, 8, 1, 40, 1);
	assert_int_equal(held_of(&pipeline, 0), 16);
	paradl_arena_free(pipeline.arena);
}

static void events_are_those_of_a_simulation(void **state)
{
	struct pipeline pipeline;
	struct random random = {41};
	struct simulated *const simulated = malloc(sizeof *simulated);
	(void)state;
	assert_non_null(simulated);
	pipeline_begin(&pipeline);
	for (unsigned round = 0; round < CASES / 4; ++round) {
		random_pipeline(&pipeline, &random, 5, round % 50 ? 12 : BATCHES_MOST);
		simulate(simulated, &pipeline.schedule);
		schedule_events(&pipeline.schedule, &pipeline.scratch, round % 2, &pipeline.result);
		double makespan_s = 0;
		for (unsigned i = 0; i < pipeline.schedule.stages; ++i) {
			const double span_s = simulated->last_s[i] - simulated->first_s[i];
			const bool apart = pipeline.schedule.kind >= PARADL_ZERO_BUBBLE;
			assert_close(pipeline.devices[i].end_s, simulated->last_s[i], 1e-9);
			assert_int_equal(held_of(&pipeline, i), simulated->held_most[i]);
			makespan_s = fmax(makespan_s, apart ? span_s : simulated->last_s[i]);
		}
		assert_close(pipeline.result.makespan_s, makespan_s, 1e-9);
	}
	paradl_arena_free(pipeline.arena);
	free(simulated);
}

/* Devices of long pipelines are followed by themselves, yet do what they do in order of time. */
static void zero_bubble_is_that_of_a_simulation(void **state)
{
	struct pipeline pipeline;
	struct random random = {59};
	struct simulated *const simulated = malloc(sizeof *simulated);
	unsigned seen = 0;
	(void)state;
	assert_non_null(simulated);
	pipeline_begin(&pipeline);
	for (unsigned round = 0; seen < CASES / 10; ++round) {
		random_pipeline(&pipeline, &random, DEVICES_MOST, round % 4 ? 24 : BATCHES_MOST);
		if (pipeline.schedule.kind < PARADL_ZERO_BUBBLE)
			continue;
		++seen;
		simulate(simulated, &pipeline.schedule);
		schedule_events(&pipeline.schedule, &pipeline.scratch, seen % 2, &pipeline.result);
		for (unsigned i = 0; i < pipeline.schedule.stages; ++i) {
			assert_close(pipeline.devices[i].end_s, simulated->last_s[i], 1e-9);
			assert_int_equal(held_of(&pipeline, i), simulated->held_most[i]);
		}
	}
	paradl_arena_free(pipeline.arena);
	free(simulated);
}

/* What devices hold at least is never more than they hold; of fixed orders it is that. */
static void devices_hold_the_least(void **state)
{
	struct pipeline pipeline;
	struct random random = {47};
	unsigned more = 0;
	(void)state;
	pipeline_begin(&pipeline);
	for (unsigned round = 0; round < CASES; ++round) {
		random_pipeline(&pipeline, &random, 6, 20);
		const bool fixed = pipeline.schedule.kind < PARADL_ZERO_BUBBLE;
		if (round % 2) /* backwards come as slowly as the first stage feeds the others */
			pipeline.times[0].work_s[PASS_FORWARD] *= random_real(&random, 1, 5);
		unsigned held[DEVICES_MOST];
		schedule_events(&pipeline.schedule, &pipeline.scratch, true, &pipeline.result);
		for (unsigned i = 0; i < pipeline.schedule.stages; ++i)
			held[i] = held_of(&pipeline, i);
		schedule_held_least(&pipeline.schedule, pipeline.held);
		for (unsigned i = 0; i < pipeline.schedule.stages; ++i) {
			const unsigned least = held_of(&pipeline, i);
			assert_true(fixed ? least == held[i] : least <= held[i]);
			more += !fixed && i && least > 1;
		}
	}
	assert_true(more > 100);
	paradl_arena_free(pipeline.arena);
}

/* No schedule is faster than what it takes at least; that of zero bubble is near where a trip leaves devices idle. */
static void no_schedule_takes_less(void **state)
{
	struct pipeline pipeline;
	struct random random = {53};
	double nearest[PARADL_ZERO_BUBBLE_V + 1] = {0};
	(void)state;
	pipeline_begin(&pipeline);
	for (unsigned round = 0; round < 5 * CASES; ++round) {
		random_pipeline(&pipeline, &random, DEVICES_MOST, 20);
		const struct pipeline_schedule *const schedule = &pipeline.schedule;
		schedule_events(schedule, &pipeline.scratch, true, &pipeline.result);
		const double least_s = schedule_least_s(schedule, schedule->micro_batches);
		const double share = least_s / pipeline.result.makespan_s;
		assert_true(share <= 1 + 1e-9);
		if (schedule->stages > 2 && schedule->micro_batches > 2)
			nearest[schedule->kind] = fmax(nearest[schedule->kind], share);
	}
	for (unsigned kind = PARADL_GPIPE; kind <= PARADL_ZERO_BUBBLE_V; ++kind)
		assert_true(nearest[kind] > 0.99);
	paradl_arena_free(pipeline.arena);
}

static void a_steady_state_goes_on(void **state)
{
	struct pipeline all, some;
	struct random random = {42};
	(void)state;
	pipeline_begin(&all);
	for (unsigned round = 0; round < CASES / 4; ++round) {
		random_pipeline(&all, &random, 8, round % 10 ? 100 : 600);
		some = all;
		pipeline_set(&some, all.schedule.kind, all.schedule.stages, all.schedule.chunks,
			all.schedule.micro_batches);
		some.schedule.links_queue = all.schedule.links_queue;
		some.result = (struct schedule_result){.devices = some.devices, .held = some.held};
		schedule_events(&all.schedule, &all.scratch, true, &all.result);
		schedule_events(&all.schedule, &all.scratch, false, &some.result);
		assert_same(&some, &all, 1e-9);
	}
	paradl_arena_free(all.arena);
}

static void the_recurrence_is_the_events(void **state)
{
	struct pipeline events, recurrence;
	struct random random = {43};
	unsigned fixed = 0, without = 0;
	(void)state;
	pipeline_begin(&events);
	recurrence = events;
	for (unsigned round = 0; round < CASES; ++round) {
		random_pipeline(&events, &random, DEVICES_MOST, round % 20 ? 60 : 1500);
		recurrence.schedule = events.schedule;
		recurrence.result =
			(struct schedule_result){.devices = recurrence.devices, .held = recurrence.held};
		if (events.schedule.kind >= PARADL_ZERO_BUBBLE)
			continue;
		recurrence.schedule.links_queue = events.schedule.links_queue = false;
		++fixed;
		if (!schedule_recurrence(&events.schedule, &events.scratch, &recurrence.result)) {
			assert_int_equal(events.schedule.kind, PARADL_INTERLEAVED);
			assert_true(events.schedule.micro_batches < events.schedule.stages);
			++without;
			continue;
		}
		schedule_events(&events.schedule, &events.scratch, true, &events.result);
		assert_same(&recurrence, &events, 1e-9);
	}
	assert_true(without < fixed / 10);
	paradl_arena_free(events.arena);
}

/* Whatever the last group of interleaved micro-batches is, and wherever the steady state ends. */
static void last_groups_are_smaller(void **state)
{
	struct pipeline whole;
	struct random random = {46};
	(void)state;
	pipeline_begin(&whole);
	for (unsigned round = 0; round < CASES / 2; ++round) {
		struct pipeline some = whole;
		const unsigned p = random_between(&random, 2, 5), v = random_between(&random, 2, 3);
		random_times(&whole, &random, p * v);
		pipeline_set(&whole, PARADL_INTERLEAVED, p, v, random_between(&random, 1, 20 * p));
		some.schedule = whole.schedule;
		some.result = (struct schedule_result){.devices = some.devices, .held = some.held};
		schedule_events(&whole.schedule, &whole.scratch, true, &whole.result);
		schedule_events(&whole.schedule, &whole.scratch, false, &some.result);
		assert_same(&some, &whole, 1e-9);
		schedule_run(&whole.schedule, &whole.scratch, &some.result);
		assert_same(&some, &whole, 1e-9);
	}
	paradl_arena_free(whole.arena);
}

/* A last stage that is slower by little takes thousands of micro-batches until all of them wait for it. */
static void a_slow_stage_catches_up_late(void **state)
{
	struct pipeline pipeline;
	(void)state;
	pipeline_begin(&pipeline);
	for (unsigned interleaved = 0; interleaved < 2; ++interleaved) {
		const unsigned chunks = interleaved + 1, m = 40000;
		makespan_of_equal(&pipeline, interleaved ? PARADL_INTERLEAVED : PARADL_1F1B, 4, chunks, m, 1);
		for (unsigned k = 0; k < 4 * chunks; ++k)
			pipeline.times[k].work_s[0] *= 1 + 1e-4 * k;
		const double fast_s = makespan_of(&pipeline);
		schedule_events(&pipeline.schedule, &pipeline.scratch, true, &pipeline.result);
		assert_close(fast_s, pipeline.result.makespan_s, 1e-9);
	}
	paradl_arena_free(pipeline.arena);
}

/* With a fixed order no stage and no message gets longer and the step shorter. */
static void longer_is_never_faster(void **state)
{
	struct pipeline pipeline;
	struct random random = {44};
	(void)state;
	pipeline_begin(&pipeline);
	for (unsigned round = 0; round < CASES / 4; ++round) {
		random_pipeline(&pipeline, &random, 8, 40);
		if (pipeline.schedule.kind >= PARADL_ZERO_BUBBLE)
			continue;
		const unsigned stages = pipeline.schedule.stages * pipeline.schedule.chunks;
		struct stage_times *times = &pipeline.times[random_between(&random, 0, stages - 1)];
		double *const part[] = {&times->work_s[0], &times->work_s[1], &times->weight_s,
			&times->send_s[0], &times->send_s[1]};
		const double before_s = makespan_of(&pipeline);
		*part[random_between(&random, 0, 4)] += random_real(&random, 0, 1);
		assert_true(makespan_of(&pipeline) >= before_s * (1 - 1e-12));
		assert_true(pipeline.result.makespan_s >= pipeline.result.busy_s * (1 - 1e-12));
	}
	paradl_arena_free(pipeline.arena);
}

static void gpipe_is_the_flow_shop(void **state)
{
	struct pipeline pipeline;
	struct random random = {45};
	(void)state;
	pipeline_begin(&pipeline);
	for (unsigned round = 0; round < 500; ++round) {
		const unsigned stages = random_between(&random, 1, DEVICES_MOST);
		const unsigned micro_batches = random_between(&random, 1, 100);
		double sum_s[2] = {0}, most_s[2] = {0};
		for (unsigned k = 0; k < stages; ++k) {
			const double t = random_real(&random, 0, 2), u = random_real(&random, 0, 3);
			pipeline.times[k] = (struct stage_times){.work_s = {t, u / 2}, .weight_s = u / 2};
			sum_s[0] += t;
			sum_s[1] += u;
			most_s[0] = fmax(most_s[0], t);
			most_s[1] = fmax(most_s[1], u);
		}
		pipeline_set(&pipeline, PARADL_GPIPE, stages, 1, micro_batches);
		assert_close(makespan_of(&pipeline),
			gpipe_s(sum_s[0], most_s[0], micro_batches) +
				gpipe_s(sum_s[1], most_s[1], micro_batches),
			1e-12);
	}
	paradl_arena_free(pipeline.arena);
}

/* GPipe whose links queue is a flow shop of stages and links, with any times. */
static void queued_links_are_machines(void **state)
{
	struct pipeline events, shop;
	struct random random = {47};
	(void)state;
	pipeline_begin(&events);
	pipeline_begin(&shop);
	for (unsigned round = 0; round < CASES / 4; ++round) {
		const unsigned stages = random_between(&random, 2, DEVICES_MOST);
		random_times(&events, &random, stages);
		for (unsigned k = 0; k < stages; ++k) {
			struct stage_times *times = &events.times[k];
			const double much = random_real(&random, 0, 3);
			for (unsigned pass = 0; pass < 2; ++pass) {
				times->send_s[pass] *= much;
				times->blocked_s[pass] = 0;
			}
		}
		pipeline_set(&events, PARADL_GPIPE, stages, 1, random_between(&random, 1, 40));
		events.schedule.links_queue = true;
		schedule_events(&events.schedule, &events.scratch, round % 2, &events.result);
		schedule_flow_shop(events.times, stages, events.schedule.micro_batches,
			&(struct schedule_result){.devices = shop.devices, .held = shop.held});
		assert_close(events.result.makespan_s, shop.devices[0].end_s, 1e-9);
	}
	paradl_arena_free(events.arena);
	paradl_arena_free(shop.arena);
}

/* Messages that cannot meet on a link do not wait, and a step with queues is not shorter. */
static void queues_only_add(void **state)
{
	struct pipeline pipeline;
	struct random random = {48};
	unsigned longer = 0;
	(void)state;
	pipeline_begin(&pipeline);
	for (unsigned round = 0; round < CASES / 4; ++round) {
		random_pipeline(&pipeline, &random, 8, 40);
		if (pipeline.schedule.kind >= PARADL_ZERO_BUBBLE)
			continue;
		for (unsigned k = 0; k < pipeline.schedule.stages * pipeline.schedule.chunks; ++k)
			pipeline.times[k].send_s[0] *= 3;
		pipeline.schedule.links_queue = false;
		const double before_s = makespan_of(&pipeline);
		pipeline.schedule.links_queue = true;
		const double after_s = makespan_of(&pipeline);
		assert_true(after_s >= before_s * (1 - 1e-9));
		longer += after_s > before_s * (1 + 1e-9);
		schedule_events(&pipeline.schedule, &pipeline.scratch, true, &pipeline.result);
		assert_close(pipeline.result.makespan_s, after_s, 1e-9);
	}
	assert_true(longer > CASES / 50);
	paradl_arena_free(pipeline.arena);
}

static void nothing_takes_no_time(void **state)
{
	struct pipeline pipeline;
	(void)state;
	pipeline_begin(&pipeline);
	for (unsigned kind = PARADL_GPIPE; kind <= PARADL_ZERO_BUBBLE_V; ++kind) {
		const unsigned chunks = kind == PARADL_INTERLEAVED || kind == PARADL_ZERO_BUBBLE_V ? 2 : 1;
		assert_true(fabs(makespan_of_equal(&pipeline, kind, 4, chunks, 50, 0)) < 1e-300);
		schedule_events(&pipeline.schedule, &pipeline.scratch, false, &pipeline.result);
		assert_true(fabs(pipeline.result.makespan_s) < 1e-300);
	}
	paradl_arena_free(pipeline.arena);
}

static void a_million_micro_batches(void **state)
{
	struct pipeline pipeline;
	(void)state;
	pipeline_begin(&pipeline);
	const double m = 1e6, p = 8;
	assert_close(makespan_of_equal(&pipeline, PARADL_1F1B, 8, 1, 1000000, 1), 3 * (m + p - 1), 1e-10);
	assert_close(makespan_of_equal(&pipeline, PARADL_INTERLEAVED, 8, 2, 1000000, 1),
		3 * m + 3 * (p - 1) / 2, 1e-10);
	assert_close(makespan_of_equal(&pipeline, PARADL_ZERO_BUBBLE_2P, 8, 1, 1000000, 1), 3 * m, 1e-10);
	paradl_arena_free(pipeline.arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(published_makespans),
		cmocka_unit_test(bubbles),
		cmocka_unit_test(zero_bubble_waits_less),
		cmocka_unit_test(micro_batches_in_flight),
		cmocka_unit_test(events_are_those_of_a_simulation),
		cmocka_unit_test(zero_bubble_is_that_of_a_simulation),
		cmocka_unit_test(devices_hold_the_least),
		cmocka_unit_test(no_schedule_takes_less),
		cmocka_unit_test(a_steady_state_goes_on),
		cmocka_unit_test(the_recurrence_is_the_events),
		cmocka_unit_test(last_groups_are_smaller),
		cmocka_unit_test(a_slow_stage_catches_up_late),
		cmocka_unit_test(longer_is_never_faster),
		cmocka_unit_test(gpipe_is_the_flow_shop),
		cmocka_unit_test(queued_links_are_machines),
		cmocka_unit_test(queues_only_add),
		cmocka_unit_test(nothing_takes_no_time),
		cmocka_unit_test(a_million_micro_batches),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
