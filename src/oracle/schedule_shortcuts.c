/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file answers about schedules without following them: by bounds, and by records of those that were followed.
 *
 * These are lower bounds of what a pipeline takes, without following its schedule, for m micro-batches and device d:
 *     work        m times all of its work, and what its messages block but for the last micro-batch
 *     ends        The first forward of device d follows those of the devices before it, and after its last backward
 *                 come theirs. This is not so in zero bubble, whose step has no common end.
 * In zero bubble, counted from the first forward of the device:
 *     round trip  No backward comes before a micro-batch has gone to the last stage and come back. Until a backward
 *                 and gradients of weights are done a device can only do forwards, as many as it may hold: it idles
 *                 for the rest.
 *     room        A forward waits until the micro-batch is done that came as many before it as the device may hold
 *                 (not in V).
 *     last        The last backward of d follows all forwards and backwards of d, and the last backward of d + 1,
 *                 whose first forward was a forward and a message later; gradients of weights come after it.
 *
 * Schedules that were followed are kept to be found again: a search asks for the same times under many options and
 * orders of axes that do not change them. Times are compared bit by bit, so that what is found is what would be
 * computed. Each schedule has one place, which it takes from the one before.
 */
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "oracle/schedule.h"

/* Least seconds of devices of zero bubble, from the last one to the first, since the first forward of the device. */
struct least {
	double trip_s; /* from the end of the first forward to the first backward */
	double last_s; /* to the end of the last backward */
	double span_s; /* the most of any device: to its end */
	double work_s; /* the most of any device: one micro-batch */
};

static double trip_of_last_s(const struct pipeline_schedule *schedule)
{
	const struct stage_times *const times = schedule->times;
	double trip_s = 0;
	for (unsigned k = schedule->stages; k < schedule->stages * schedule->chunks; ++k) {
		trip_s += times[k - 1].send_s[PASS_FORWARD] + times[k].work_s[PASS_FORWARD];
		if (k > schedule->stages)
			trip_s += times[k].work_s[PASS_BACKWARD] + times[k].send_s[PASS_BACKWARD];
	}
	return trip_s;
}

/* Goes on from the next device to this one: there and back, but for V the second stage of the next one comes later. */
static void trip_extend(const struct pipeline_schedule *schedule, unsigned device, struct least *least)
{
	const struct stage_times *const here = &schedule->times[device], *const next = here + 1;
	least->trip_s += here->send_s[PASS_FORWARD] + next->work_s[PASS_FORWARD];
	if (schedule->chunks == 1) {
		least->trip_s += next->work_s[PASS_BACKWARD] + next->send_s[PASS_BACKWARD];
	} else {
		const struct stage_times *back = &schedule->times[2 * schedule->stages - 1 - device];
		least->trip_s -= back->work_s[PASS_BACKWARD] + back->send_s[PASS_BACKWARD];
	}
	least->last_s += here->work_s[PASS_FORWARD] + here->send_s[PASS_FORWARD] +
			 next->send_s[PASS_BACKWARD] + here->work_s[PASS_BACKWARD];
}

static void device_add(const struct pipeline_schedule *schedule, unsigned device, struct least *least)
{
	const unsigned p = schedule->stages, m = schedule->micro_batches;
	const unsigned limit = schedule->kind == PARADL_ZERO_BUBBLE ? p : 2 * p;
	const double all = (double)m * schedule->chunks, forwards = all < limit ? all : limit;
	const struct stage_times *const here = &schedule->times[device];
	double work_s, blocked_s, forward_s = 0, weights_s = 0;
	for (unsigned chunk = 0; chunk < schedule->chunks; ++chunk) {
		const struct stage_times *times =
			&schedule->times[schedule_stage(schedule->kind, p, device, chunk)];
		forward_s = later_s(forward_s, times->work_s[PASS_FORWARD] + times->blocked_s[PASS_FORWARD]);
		weights_s += times->weight_s;
	}
	schedule_device_work(schedule, device, &work_s, &blocked_s);
	const double idle_s = least->trip_s - here->blocked_s[PASS_FORWARD] - (forwards - 1) * forward_s;
	const double waits_s = later_s(idle_s, 0) + (m - 1) * blocked_s;
	least->last_s = later_s(least->last_s, m * (work_s - weights_s) + waits_s);
	if (schedule->chunks == 1) {
		const double held_s = stage_work_s(here) + least->trip_s;
		const unsigned turns = (m - 1) / limit + 1;
		least->last_s = later_s(least->last_s, turns * held_s - here->weight_s);
	}
	least->span_s = later_s(least->span_s, later_s(least->last_s + here->weight_s, m * work_s + waits_s));
	least->work_s = later_s(least->work_s, work_s);
}

static double zero_bubble_least_s(const struct pipeline_schedule *schedule, double more)
{
	struct least least = {.trip_s = trip_of_last_s(schedule)};
	for (unsigned d = schedule->stages; d-- > 0 && schedule->micro_batches;) {
		if (d + 1 < schedule->stages)
			trip_extend(schedule, d, &least);
		device_add(schedule, d, &least);
	}
	return least.span_s + more * least.work_s;
}

double schedule_least_s(const struct pipeline_schedule *schedule, double micro_batches)
{
	const double followed = schedule->micro_batches;
	double ends_s = 0, most_s = 0;
	if (schedule_splits_backward(schedule->kind))
		return zero_bubble_least_s(schedule, micro_batches - followed);
	for (unsigned d = 0; d < schedule->stages; ++d) {
		const struct stage_times *const times = &schedule->times[d];
		double work_s, blocked_s;
		schedule_device_work(schedule, d, &work_s, &blocked_s);
		most_s = later_s(most_s, micro_batches * work_s + (followed - 1) * blocked_s + ends_s);
		ends_s += stage_work_s(times) + times->send_s[PASS_FORWARD] + times->send_s[PASS_BACKWARD];
	}
	return most_s;
}

enum { RECORDS = 1 << 9, RECORD_STAGES = 1 << 8 };

struct schedule_record {
	uint64_t hash;
	struct pipeline_schedule schedule; /* no stages: nothing is kept yet */
	struct stage_times *times;         /* a copy of the schedule's */
	size_t room;                       /* number of stages that the arrays have room for */
	struct schedule_result result;
};

bool schedule_records_reserve(struct schedule_scratch *scratch, struct paradl_arena *arena)
{
	scratch->arena = arena;
	if (!scratch->records && scratch->stages > 1)
		scratch->records = arena_alloc(arena, RECORDS, sizeof *scratch->records);
	return scratch->records || scratch->stages < 2;
}

/* Makes room for `stages` stages where the record has less, once something is kept there; false when out of memory. */
static bool record_reserve(struct schedule_record *record, struct paradl_arena *arena, size_t stages)
{
	if (stages <= record->room)
		return true;
	record->times = arena_alloc(arena, stages, sizeof *record->times);
	record->result.devices = arena_alloc(arena, stages, sizeof *record->result.devices);
	record->result.held = arena_alloc(arena, stages, sizeof *record->result.held);
	record->room = record->times && record->result.devices && record->result.held ? stages : 0;
	return record->room > 0;
}

/* Returns a number that schedules of other times most likely do not have. */
static uint64_t schedule_hash(const struct pipeline_schedule *schedule)
{
	const size_t stages = (size_t)schedule->stages * schedule->chunks;
	uint64_t hash = schedule->kind;
	for (size_t k = 0; k < stages; ++k) {
		uint64_t bits[sizeof *schedule->times / sizeof(uint64_t)];
		memcpy(bits, &schedule->times[k], sizeof bits);
		for (size_t i = 0; i < sizeof bits / sizeof *bits; ++i)
			hash = (hash ^ bits[i]) * 0x9e3779b97f4a7c15u;
		hash ^= hash >> 29;
	}
	return hash;
}

struct schedule_record *schedule_record_of(
	const struct pipeline_schedule *schedule, const struct schedule_scratch *scratch, uint64_t *hash)
{
	if (!scratch->records || (size_t)schedule->stages * schedule->chunks > RECORD_STAGES)
		return NULL;
	*hash = schedule_hash(schedule);
	return &scratch->records[*hash >> 32 & (RECORDS - 1)];
}

static void result_copy(const struct pipeline_schedule *schedule, const struct schedule_result *from,
	struct schedule_result *to)
{
	to->makespan_s = from->makespan_s;
	to->busy_s = from->busy_s;
	memcpy(to->devices, from->devices, schedule->stages * sizeof *to->devices);
	memcpy(to->held, from->held, (size_t)schedule->stages * schedule->chunks * sizeof *to->held);
}

bool schedule_record_read(const struct schedule_record *record, const struct pipeline_schedule *schedule,
	uint64_t hash, struct schedule_result *result)
{
	const struct pipeline_schedule *const own = &record->schedule;
	const size_t stages = (size_t)schedule->stages * schedule->chunks;
	if (record->hash != hash || own->kind != schedule->kind ||
		own->links_queue != schedule->links_queue || own->stages != schedule->stages ||
		own->chunks != schedule->chunks || own->micro_batches != schedule->micro_batches ||
		memcmp(record->times, schedule->times, stages * sizeof *record->times) != 0)
		return false;
	result_copy(schedule, &record->result, result);
	return true;
}

void schedule_record_write(struct schedule_record *record, const struct schedule_scratch *scratch,
	const struct pipeline_schedule *schedule, uint64_t hash, const struct schedule_result *result)
{
	const size_t stages = (size_t)schedule->stages * schedule->chunks;
	record->schedule.stages = 0;
	if (!record_reserve(record, scratch->arena, stages))
		return;
	record->hash = hash;
	record->schedule = *schedule;
	memcpy(record->times, schedule->times, stages * sizeof *record->times);
	result_copy(schedule, result, &record->result);
}
