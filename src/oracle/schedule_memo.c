/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The last schedules that were followed event by event, to be found again: a search asks for the same times under many
 * options that do not change them. Times are compared bit by bit, so that what is found is what would be computed.
 */
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "oracle/schedule.h"

enum { RECORDS = 64, RECORD_STAGES_MAX = 512 };

struct schedule_record {
	uint64_t hash;
	struct pipeline_schedule schedule; /* times: a copy */
	struct stage_times *times;
	struct schedule_result result;
};

bool schedule_memo_reserve(struct schedule_scratch *scratch, struct paradl_arena *arena)
{
	/* Zero bubble has one virtual stage on a device, or two. */
	const size_t p = scratch->stages, all = p * (scratch->chunks < 2 ? 1 : 2);
	if (all > RECORD_STAGES_MAX)
		return true;
	struct schedule_record *records = arena_alloc(arena, RECORDS, sizeof *records);
	struct stage_times *times = arena_alloc(arena, RECORDS * all, sizeof *times);
	struct schedule_device *devices = arena_alloc(arena, RECORDS * p, sizeof *devices);
	unsigned *held = arena_alloc(arena, RECORDS * all, sizeof *held);
	if (!records || !times || !devices || !held)
		return false;
	for (size_t i = 0; i < RECORDS; ++i) {
		records[i].times = times + i * all;
		records[i].result.devices = devices + i * p;
		records[i].result.held = held + i * all;
	}
	scratch->records = records;
	return true;
}

static uint64_t schedule_hash(const struct pipeline_schedule *schedule)
{
	const size_t bytes = (size_t)schedule->stages * schedule->chunks * sizeof *schedule->times;
	const unsigned char *const times = (const unsigned char *)schedule->times;
	uint64_t hash = schedule->micro_batches;
	for (size_t i = 0; i < bytes; i += sizeof hash) {
		uint64_t word;
		memcpy(&word, times + i, sizeof word);
		hash = (hash ^ word) * 0x9e3779b97f4a7c15U; /* 2^64 / golden ratio */
		hash ^= hash >> 32;
	}
	return hash;
}

static bool schedules_same(const struct pipeline_schedule *a, const struct pipeline_schedule *b)
{
	const size_t bytes = (size_t)a->stages * a->chunks * sizeof *a->times;
	return a->kind == b->kind && a->links_queue == b->links_queue && a->stages == b->stages &&
	       a->chunks == b->chunks && a->micro_batches == b->micro_batches &&
	       memcmp(a->times, b->times, bytes) == 0;
}

static void result_copy(const struct pipeline_schedule *schedule, const struct schedule_result *from,
	struct schedule_result *to)
{
	to->makespan_s = from->makespan_s;
	to->busy_s = from->busy_s;
	to->idle_s = from->idle_s;
	memcpy(to->devices, from->devices, schedule->stages * sizeof *to->devices);
	memcpy(to->held, from->held, (size_t)schedule->stages * schedule->chunks * sizeof *to->held);
}

void schedule_events_once(const struct pipeline_schedule *schedule, struct schedule_scratch *scratch,
	struct schedule_result *result)
{
	if (!scratch->records || schedule->chunks > 2 || !result->devices || !result->held) {
		schedule_events(schedule, scratch, false, result);
		return;
	}
	const uint64_t hash = schedule_hash(schedule);
	for (unsigned i = 0; i < scratch->record_count; ++i) {
		const struct schedule_record *record = &scratch->records[i];
		if (record->hash != hash || !schedules_same(&record->schedule, schedule))
			continue;
		result_copy(schedule, &record->result, result);
		return;
	}
	schedule_events(schedule, scratch, false, result);
	struct schedule_record *record = &scratch->records[scratch->record_next];
	record->hash = hash;
	record->schedule = *schedule;
	record->schedule.times = record->times;
	memcpy(record->times, schedule->times,
		(size_t)schedule->stages * schedule->chunks * sizeof *record->times);
	result_copy(schedule, result, &record->result);
	scratch->record_next = (scratch->record_next + 1) % RECORDS;
	scratch->record_count += scratch->record_count < RECORDS;
}
