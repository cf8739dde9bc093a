/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Schedules that were followed are kept to be found again: a search asks for the same times under many options and
 * orders of axes that do not change them. Times are compared bit by bit, so that what is found is what would be
 * computed. Each schedule has one place, which it takes from the one before.
 */
#include "oracle/schedule.h"

#include <stdint.h>
#include <string.h>

#include "base/arena.h"

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
