/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file has the orders of pipeline schedules, and what follows from them without times.
 *
 * In a fixed order device i of p runs w + 1 forwards before its first backward, then one of each by turns:
 *     GPipe w = all, 1F1B w = p - i - 1, interleaved w = 2 (p - i - 1) + (v - 1) N   (Megatron-LM, schedules.py)
 * Interleaved devices take N micro-batches through one of their v virtual stages, then the same ones through the next.
 * Megatron-Core wants N >= p and a last group of 0 or p..N micro-batches: here N is the least of these, p if p divides
 * the micro-batches. Fewer micro-batches than stages are one group.
 */
#include "oracle/schedule.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/error.h"

static unsigned group_size(const struct pipeline_schedule *schedule)
{
	const unsigned count = schedule->micro_batches;
	unsigned group = schedule->stages;
	if (schedule->kind != PARADL_INTERLEAVED || schedule->chunks == 1)
		return 1;
	if (count < 2 * group)
		return count;
	while (count % group && count % group < schedule->stages)
		++group;
	return group;
}

struct schedule_groups schedule_groups(const struct pipeline_schedule *schedule)
{
	const unsigned group = group_size(schedule), rest = schedule->micro_batches % group;
	return (struct schedule_groups){
		.group = group,
		.groups = schedule->micro_batches / group + (rest ? 1 : 0),
		.last = rest ? rest : group,
		.whole = schedule->micro_batches - rest,
	};
}

unsigned schedule_device(const struct pipeline_schedule *schedule, unsigned stage)
{
	if (schedule->kind == PARADL_ZERO_BUBBLE_V)
		return stage < schedule->stages ? stage : 2 * schedule->stages - 1 - stage;
	return stage % schedule->stages;
}

unsigned schedule_warm_up(const struct pipeline_schedule *schedule, unsigned device)
{
	const unsigned after = schedule->stages - 1 - device;
	if (schedule->kind == PARADL_GPIPE)
		return schedule->micro_batches;
	if (schedule->kind == PARADL_INTERLEAVED && schedule->chunks > 1)
		return 2 * after + (schedule->chunks - 1) * group_size(schedule);
	return after;
}

bool schedule_splits_backward(enum paradl_pipeline_schedule kind)
{
	return kind == PARADL_ZERO_BUBBLE || kind == PARADL_ZERO_BUBBLE_2P || kind == PARADL_ZERO_BUBBLE_V;
}

void schedule_device_work(
	const struct pipeline_schedule *schedule, unsigned device, double *busy_s, double *blocked_s)
{
	*busy_s = *blocked_s = 0;
	for (unsigned chunk = 0; chunk < schedule->chunks; ++chunk) {
		const unsigned k = schedule_stage(schedule->kind, schedule->stages, device, chunk);
		const struct stage_times *times = &schedule->times[k];
		*busy_s += stage_work_s(times);
		*blocked_s += times->blocked_s[PASS_FORWARD] + times->blocked_s[PASS_BACKWARD];
	}
}

void schedule_fill(
	const struct pipeline_schedule *schedule, const double *end_s, struct schedule_result *result)
{
	const bool apart = schedule_splits_backward(schedule->kind);
	double start_s = 0; /* start of the first forward, which nothing delays */
	result->makespan_s = result->busy_s = 0;
	for (unsigned i = 0; i < schedule->stages; ++i) {
		const struct stage_times *const times = &schedule->times[i];
		struct schedule_device *device = &result->devices[i];
		const double span_s = end_s[i] - (apart ? start_s : 0);
		schedule_device_work(schedule, i, &device->busy_s, &device->blocked_s);
		device->busy_s *= schedule->micro_batches;
		device->blocked_s *= schedule->micro_batches;
		device->end_s = end_s[i];
		device->early_s = -span_s; /* the makespan is added below */
		result->busy_s = later_s(result->busy_s, device->busy_s);
		result->makespan_s = later_s(result->makespan_s, span_s);
		start_s = start_s + times->work_s[PASS_FORWARD] + times->send_s[PASS_FORWARD];
	}
	for (unsigned i = 0; i < schedule->stages; ++i)
		result->devices[i].early_s += result->makespan_s;
}

/*
 * Fills what a fixed order holds. A device holds most after its first w + 1 forwards: from then on one leaves before
 * one comes. Interleaved on device 0: p v + p - 1 = p v (1 + (p - 1) / (p v)) (Korthikanti 2022).
 */
void schedule_fill_held(const struct pipeline_schedule *schedule, unsigned *held)
{
	const struct schedule_groups groups = schedule_groups(schedule);
	const unsigned p = schedule->stages, v = schedule->chunks;
	const unsigned long long all = (unsigned long long)schedule->micro_batches * v;
	memset(held, 0, (size_t)p * v * sizeof *held);
	for (unsigned i = 0; i < p; ++i) {
		const unsigned most = schedule_warm_up(schedule, i) + 1U;
		struct schedule_cursor at = schedule_cursor(&groups);
		for (unsigned left = most < all ? most : (unsigned)all; left;) {
			const unsigned many = v > 1 && at.left < left ? at.left : left;
			held[at.chunk * p + i] += many;
			left -= many;
			at.left = 1;
			schedule_cursor_next(&at, &groups, v);
		}
	}
}

/* Returns the least number of forwards, 1 or more and up to `most`, that take all of the way. */
static unsigned held_least(double layer_plan_s, double each_s, unsigned most)
{
	const double about = each_s > 0 ? layer_plan_s / each_s : most;
	unsigned held = about < most ? (unsigned)later_s(about, 1) : most;
	while (held > 1 && !((held - 1) * each_s < layer_plan_s))
		--held;
	while (held < most && held * each_s < layer_plan_s)
		++held;
	return held;
}

/*
 * Fills what zero bubble holds at least. Before its first backward a device has nothing but forwards, and takes one
 * whenever it is there, the device is free and has room. So do those before it, whose backwards come later: forwards
 * come no slower than the slowest of these can send. The backward comes when a micro-batch has gone to the end and
 * back; for V, only the way to the second stage of the device is counted, whose forwards would come between.
 */
static void zero_bubble_held_least(const struct pipeline_schedule *schedule, unsigned *held)
{
	const unsigned p = schedule->stages;
	const bool turns = schedule->kind == PARADL_ZERO_BUBBLE_V;
	const unsigned limit = schedule->kind == PARADL_ZERO_BUBBLE ? p : 2 * p;
	const struct stage_times *times = schedule->times;
	const double surely = 1 - 1e-6;
	double layer_plan_s = 0,
	       each_s =
		       0; /* from a first forward's start to the first other work; from one forward to the next */
	for (unsigned k = 0; k + 1 < p * schedule->chunks; ++k) {
		layer_plan_s += times[k].work_s[PASS_FORWARD] + times[k].send_s[PASS_FORWARD];
		if (!turns)
			layer_plan_s +=
				times[k + 1].work_s[PASS_BACKWARD] + times[k + 1].send_s[PASS_BACKWARD];
	}
	layer_plan_s += turns ? 0 : times[p - 1].work_s[PASS_FORWARD];
	for (unsigned d = 0; d < p; ++d) {
		const struct stage_times *const here = &times[d];
		const unsigned room = turns ? limit - 1 - d : limit;
		const unsigned most = room < schedule->micro_batches ? room : schedule->micro_batches;
		each_s = later_s(each_s, here->work_s[PASS_FORWARD] + here->blocked_s[PASS_FORWARD]);
		held[d] = held_least(layer_plan_s * surely, each_s, most);
		if (schedule->links_queue)
			each_s = later_s(each_s, here->send_s[PASS_FORWARD]);
		layer_plan_s -= here->work_s[PASS_FORWARD] + here->send_s[PASS_FORWARD];
		if (turns) {
			const struct stage_times *before = &times[limit - 2 - d];
			held[limit - 1 - d] = 0;
			layer_plan_s -= before->work_s[PASS_FORWARD] + before->send_s[PASS_FORWARD];
		} else if (d + 1 < p) {
			layer_plan_s -= here[1].work_s[PASS_BACKWARD] + here[1].send_s[PASS_BACKWARD];
		}
	}
}

void schedule_held_least(const struct pipeline_schedule *schedule, unsigned *held)
{
	if (schedule_splits_backward(schedule->kind))
		zero_bubble_held_least(schedule, held);
	else
		schedule_fill_held(schedule, held);
}

unsigned schedule_ring(unsigned stages)
{
	unsigned ring = 8;
	while (ring < 4 * stages)
		ring *= 2;
	return ring;
}

/* Returns room for that many; it grows by doubling, as what was allocated before is not freed. */
static unsigned room_for(unsigned count, unsigned room)
{
	if (count <= room)
		return room;
	return count < 2 * room ? 2 * room : count;
}

bool schedule_reserve(struct schedule_scratch *scratch, struct paradl_arena *arena, unsigned stages,
	unsigned chunks, struct paradl_error *error)
{
	if (stages <= scratch->stages && stages * chunks <= scratch->all)
		return true;
	struct schedule_scratch wider = {
		.stages = room_for(stages, scratch->stages),
		.all = room_for(stages * chunks, scratch->all),
		.records = scratch->records,
	};
	const size_t p = wider.stages, all = wider.all;
	/* Events: four rows of devices, two of rings, two of stages. Recurrence: groups are shorter than 2 p. */
	const size_t events = 4 * p + 2 * all * (schedule_ring(wider.stages) + 1);
	const size_t recurrence = 3 * (3 * p + 1 + 4 * all) + 3 * p + 2 * (4 * p + SCHEDULE_WINDOW);
	const size_t times = events > recurrence ? events : recurrence, counts = 3 * all + 8 * p;
	wider.times = arena_alloc(arena, times, sizeof *wider.times);
	wider.times_before = arena_alloc(arena, times, sizeof *wider.times_before);
	wider.counts = arena_alloc(arena, counts, sizeof *wider.counts);
	wider.counts_before = arena_alloc(arena, counts, sizeof *wider.counts_before);
	if (!wider.times || !wider.times_before || !wider.counts || !wider.counts_before ||
		!zero_bubble_reserve(&wider, arena) || !schedule_records_reserve(&wider, arena))
		return out_of_memory(error);
	*scratch = wider;
	return true;
}

/* Returns whether a message may find the one before on its link; not where all work of the sender takes longer. */
static bool links_fill(const struct pipeline_schedule *schedule)
{
	const bool split = schedule_splits_backward(schedule->kind);
	for (unsigned d = 0; d < schedule->stages && schedule->links_queue; ++d) {
		double longest_s = 0, least_s = HUGE_VAL;
		for (unsigned chunk = 0; chunk < schedule->chunks; ++chunk) {
			const struct stage_times *times =
				&schedule->times[schedule_stage(schedule->kind, schedule->stages, d, chunk)];
			for (unsigned pass = 0; pass < 2; ++pass) {
				longest_s = later_s(longest_s, times->send_s[pass]);
				least_s = fmin(least_s,
					split ? times->work_s[pass] : stage_pass_s(times, (enum pass)pass));
			}
		}
		if (longest_s > least_s)
			return true;
	}
	return false;
}

static void schedule_follow(const struct pipeline_schedule *schedule, struct schedule_scratch *scratch,
	struct schedule_result *result)
{
	if (links_fill(schedule) || !schedule_recurrence(schedule, scratch, result))
		schedule_events(schedule, scratch, false, result);
}

/* Returns the schedule, or a more usual one that is the same: no device can hold more than all micro-batches. */
static struct pipeline_schedule schedule_usual(const struct pipeline_schedule *schedule)
{
	struct pipeline_schedule usual = *schedule;
	if (schedule->kind == PARADL_ZERO_BUBBLE_2P && schedule->micro_batches <= schedule->stages)
		usual.kind = PARADL_ZERO_BUBBLE;
	return usual;
}

void schedule_run(const struct pipeline_schedule *asked, struct schedule_scratch *scratch,
	struct schedule_result *result)
{
	const struct pipeline_schedule usual = schedule_usual(asked), *const schedule = &usual;
	uint64_t hash = 0;
	struct schedule_record *record =
		schedule->kind == PARADL_GPIPE ? NULL : schedule_record_of(schedule, scratch, &hash);
	if (record && schedule_record_read(record, schedule, hash, result))
		return;
	schedule_follow(schedule, scratch, result);
	if (record)
		schedule_record_write(record, scratch, schedule, hash, result);
}

/*
 * Returns the makespan of one way through a pipeline of unequal stages with the GPipe schedule: all micro-batches
 * forward, then all backward.
 *
 * Identical jobs go through machines in series (a permutation flow shop): the last of S micro-batches leaves when the
 * first has passed every stage and link, and S - 1 more have passed the slowest:
 *     makespan = sum_i t_i + (S - 1) max_i t_i,   t: stages and the links between them
 * once forward and once backward; the last stage turns round as its forward ends. A sender that a message blocks is
 * one machine with that part of the link. tests/oracle compares this with an event-by-event simulation.
 *
 * On the critical path, the slowest stage's work is forward and backward. The first micro-batch waits for every link
 * on its way; so does the schedule when a link is slowest.
 */
double gpipe_s(double sum_s, double slowest_s, double micro_batches)
{
	return sum_s + (micro_batches - 1) * slowest_s;
}

/* Sums and maxima of one way through the machines. */
struct passage {
	double sum_s, link_sum_s, slowest_s, slowest_stage_s;
};

static struct passage passage_of(const struct stage_times *times, unsigned stages, enum pass pass)
{
	struct passage passage = {0};
	for (unsigned i = 0; i < stages; ++i) {
		const double work_s = stage_pass_s(&times[i], pass);
		const double send_s = times[i].send_s[pass], blocked_s = times[i].blocked_s[pass];
		passage.sum_s += work_s;
		passage.link_sum_s += send_s;
		passage.slowest_stage_s = later_s(passage.slowest_stage_s, work_s);
		passage.slowest_s =
			later_s(passage.slowest_s, later_s(work_s + blocked_s, send_s - blocked_s));
	}
	return passage;
}

void schedule_flow_shop_held(unsigned stages, double micro_batches, unsigned *held)
{
	const unsigned all = micro_batches < UINT_MAX ? (unsigned)micro_batches : UINT_MAX;
	for (unsigned i = 0; i < stages; ++i)
		held[i] = stages > 1 ? all : 1;
}

void schedule_flow_shop(const struct stage_times *times, unsigned stages, double micro_batches,
	struct schedule_result *result)
{
	const struct passage forward = passage_of(times, stages, PASS_FORWARD);
	const struct passage backward = passage_of(times, stages, PASS_BACKWARD);
	result->makespan_s = gpipe_s(forward.sum_s + forward.link_sum_s, forward.slowest_s, micro_batches) +
			     gpipe_s(backward.sum_s + backward.link_sum_s, backward.slowest_s, micro_batches);
	const double transfer_s =
		forward.link_sum_s + backward.link_sum_s +
		(micro_batches - 1) * (forward.slowest_s - forward.slowest_stage_s + backward.slowest_s -
					      backward.slowest_stage_s);
	result->busy_s = 0;
	for (unsigned i = 0; i < stages; ++i) {
		result->devices[i] = (struct schedule_device){.end_s = result->makespan_s,
			.busy_s = micro_batches * stage_work_s(&times[i]),
			.blocked_s = transfer_s};
		result->busy_s = later_s(result->busy_s, result->devices[i].busy_s);
	}
	schedule_flow_shop_held(stages, micro_batches, result->held);
}
