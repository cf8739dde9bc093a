/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pipeline schedules, one forward or backward after the other.
 *
 * With a fixed order an operation starts when its device is free and its message is there, whatever the order in which
 * we look at devices; times are then maxima of sums, and a state that comes again d seconds later to within e d comes
 * again forever, each time with an error of at most e d (such maps do not expand: Baccelli et al., "Synchronization and
 * Linearity", 1992). Zero bubble also decides by time, and is followed in order of time (zero_bubble.c).
 */
#include "oracle/events.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"

enum { TIME_ROWS = 3 }; /* of devices: free, links both ways */

static const double same = 1e-11; /* of a period: above what 10^5 sums round, far below what is asked */

/* What is kept and compared are the first rows of both memories; the rest of times and counts comes after it. */
static size_t kept_times(const struct events *events)
{
	return TIME_ROWS * (size_t)events->stages + 2 * (size_t)events->virtual_stages * events->ring;
}

static size_t kept_counts(const struct events *events)
{
	return 3 * (size_t)events->virtual_stages + 6 * (size_t)events->stages;
}

void events_begin(
	struct events *events, const struct pipeline_schedule *schedule, struct schedule_scratch *scratch)
{
	const unsigned p = schedule->stages, all = p * schedule->chunks, ring = schedule_ring(p);
	*events = (struct events){
		.schedule = schedule,
		.groups = schedule_groups(schedule),
		.scratch = scratch,
		.stages = p,
		.virtual_stages = all,
		.ring = ring,
		.split = schedule_splits_backward(schedule->kind),
		.free_s = scratch->times,
		.link_s = {scratch->times + p, scratch->times + 2 * (size_t)p},
		.forward_at_s = scratch->times + TIME_ROWS * (size_t)p,
		.backward_at_s = scratch->times + TIME_ROWS * (size_t)p + (size_t)all * ring,
		.forwards = scratch->counts,
		.backwards = scratch->counts + all,
		.weights = scratch->counts + 2 * (size_t)all,
		.mark_next = 1,
	};
	events->start_s = scratch->times + kept_times(events);
	events->end_s = events->start_s + p;
	events->next[0] = (struct schedule_cursor *)(scratch->counts + 3 * (size_t)all);
	events->next[1] = events->next[0] + p;
	events->held = scratch->counts + kept_counts(events);
	memset(events->free_s, 0, TIME_ROWS * (size_t)p * sizeof *events->free_s);
	memset(scratch->counts, 0, (kept_counts(events) + p) * sizeof *scratch->counts);
	for (unsigned i = 0; i < p; ++i)
		events->next[0][i] = events->next[1][i] = schedule_cursor(&events->groups);
}

/* Counts of micro-batches are `shift` above those kept; places in the order are the same. */
static bool counts_agree(const struct events *events, unsigned shift)
{
	const unsigned *const before = events->scratch->counts_before, *const now = events->scratch->counts;
	const size_t batches = (events->split ? 3U : 2U) * (size_t)events->virtual_stages;
	for (size_t i = 0; i < batches; ++i)
		if (now[i] - before[i] != shift)
			return false;
	if (events->virtual_stages == events->stages)
		return true;
	const struct schedule_cursor *const place =
		(const struct schedule_cursor *)(before + 3 * (size_t)events->virtual_stages);
	for (unsigned i = 0; i < 2 * events->stages; ++i)
		if (events->next[0][i].chunk != place[i].chunk || events->next[0][i].left != place[i].left)
			return false;
	return true;
}

/* Messages on their way: micro-batches [begin, end) of a row of arrivals. */
static bool row_agrees(const struct events *events, const double *row, unsigned begin, unsigned end,
	unsigned shift, double period_s)
{
	const double *const before = events->scratch->times_before + (row - events->scratch->times);
	const unsigned mask = events->ring - 1;
	for (unsigned j = begin; j < end; ++j) {
		const double advance_s = row[j & mask] - before[(j - shift) & mask];
		if (fabs(advance_s - period_s) > same * period_s)
			return false;
	}
	return true;
}

static bool times_agree(const struct events *events, unsigned shift, double period_s)
{
	const double *const before = events->scratch->times_before;
	for (unsigned i = 0; i < TIME_ROWS * events->stages; ++i)
		if ((i < events->stages || events->free_s[i] > 0) && /* a link that is in use */
			fabs(events->free_s[i] - before[i] - period_s) > same * period_s)
			return false;
	for (unsigned k = 0; k < events->virtual_stages; ++k) {
		const size_t row = (size_t)k * events->ring;
		if (k && !row_agrees(events, events->forward_at_s + row, events->forwards[k],
				 events->forwards[k - 1], shift, period_s))
			return false;
		if (k + 1 < events->virtual_stages &&
			!row_agrees(events, events->backward_at_s + row, events->backwards[k],
				events->backwards[k + 1], shift, period_s))
			return false;
	}
	return true;
}

static void jump(struct events *events, unsigned batches, double later_s)
{
	struct schedule_scratch *const scratch = events->scratch;
	const size_t rows = 2 * (size_t)events->virtual_stages;
	memcpy(scratch->times_before, scratch->times, kept_times(events) * sizeof *scratch->times);
	for (unsigned i = 0; i < TIME_ROWS * events->stages; ++i)
		events->free_s[i] += later_s;
	for (unsigned i = 0; i < events->stages; ++i)
		events->end_s[i] += later_s;
	for (size_t row = 0; row < rows; ++row)
		for (unsigned j = 0; j < events->ring; ++j)
			events->forward_at_s[row * events->ring + ((j + batches) & (events->ring - 1))] =
				scratch->times_before[(size_t)TIME_ROWS * events->stages +
						      row * events->ring + j] +
				later_s;
	for (unsigned i = 0; i < 3 * events->virtual_stages; ++i)
		scratch->counts[i] += batches;
	for (unsigned i = 0; i < 2 * events->stages; ++i)
		events->next[0][i].groups -= batches / events->groups.group;
}

/* Repeats `shift` micro-batches in `period_s`, not to the end of the last whole group: cursors would see the next. */
static bool go_on(struct events *events, unsigned shift, double period_s)
{
	const unsigned end = events->groups.whole - 1, first = events->forwards[0];
	const unsigned times = shift && first < end ? (end - first) / shift : 0;
	events->mark_next = events->schedule->micro_batches + 1;
	events->mark = 0;
	if (times)
		jump(events, times * shift, times * period_s);
	return times > 0;
}

bool events_extrapolate(struct events *events)
{
	struct schedule_scratch *const scratch = events->scratch;
	const unsigned done = events->backwards[0], shift = done - events->mark;
	if (events->mark) {
		const double period_s = events->free_s[0] - scratch->times_before[0];
		if (period_s > 0 && counts_agree(events, shift) && times_agree(events, shift, period_s))
			return go_on(events, shift, period_s);
	}
	if (done >= events->mark_next) {
		memcpy(scratch->times_before, scratch->times, kept_times(events) * sizeof *scratch->times);
		memcpy(scratch->counts_before, scratch->counts,
			kept_counts(events) * sizeof *scratch->counts);
		events->mark = done;
		events->mark_next = 2 * done;
	}
	return false;
}

/* The next forward of a device, if its message has been sent and there is room to remember its own. */
static bool forward_next(struct events *events, unsigned device)
{
	const unsigned stage = events->next[0][device].chunk * events->stages + device;
	const unsigned batch = events->forwards[stage];
	const double arrival_s = forward_arrival_s(events, stage);
	if ((stage + 1 < events->virtual_stages && batch - events->forwards[stage + 1] >= events->ring) ||
		!(arrival_s < HUGE_VAL))
		return false;
	events_forward(events, device, stage, later_s(events->free_s[device], arrival_s));
	schedule_cursor_next(&events->next[0][device], &events->groups, events->schedule->chunks);
	events->held[device]++;
	return true;
}

static bool backward_next(struct events *events, unsigned device)
{
	const unsigned chunk = events->schedule->chunks - 1 - events->next[1][device].chunk;
	const unsigned stage = chunk * events->stages + device, batch = events->backwards[stage];
	const double arrival_s = backward_arrival_s(events, stage);
	if ((stage && batch - events->backwards[stage - 1] >= events->ring) || !(arrival_s < HUGE_VAL))
		return false;
	events_backward(events, device, stage, later_s(events->free_s[device], arrival_s));
	schedule_cursor_next(&events->next[1][device], &events->groups, events->schedule->chunks);
	events->held[device]--;
	return true;
}

/* Devices in turn, each as far as it gets with what the others have sent. */
static void fixed_order_run(struct events *events)
{
	const unsigned count = events->schedule->micro_batches;
	while (events->backwards[0] < count) {
		const unsigned before = events->backwards[0];
		for (unsigned i = 0; i < events->stages; ++i) {
			const unsigned warm_up = schedule_warm_up(events->schedule, i);
			while (events->next[0][i].groups && events->held[i] <= warm_up
					? forward_next(events, i)
					: events->next[1][i].groups && backward_next(events, i))
				;
		}
		if (!events->whole && events->backwards[0] > before)
			events_extrapolate(events);
	}
}

void schedule_events(const struct pipeline_schedule *schedule, struct schedule_scratch *scratch, bool whole,
	struct schedule_result *result)
{
	struct events events;
	events_begin(&events, schedule, scratch);
	events.whole = whole;
	events.log = whole ? result->log : NULL;
	if (events.split) {
		zero_bubble_run(&events, result);
	} else {
		fixed_order_run(&events);
		schedule_fill_held(schedule, result);
	}
	schedule_fill(schedule, events.start_s, events.end_s, result);
}

/*
 * The last schedules that were followed event by event, to be found again: a search asks for the same times under many
 * options that do not change them. Times are compared bit by bit, so that what is found is what would be computed.
 */
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
