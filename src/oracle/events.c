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

static void events_begin(
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
		.ends = {0, all - 1},
		.split = schedule_splits_backward(schedule->kind),
		.free_s = scratch->times,
		.link_s = {scratch->times + p, scratch->times + 2 * (size_t)p},
		.arrival_s = {scratch->times + TIME_ROWS * (size_t)p,
			scratch->times + TIME_ROWS * (size_t)p + (size_t)all * ring},
		.done = {scratch->counts, scratch->counts + all, scratch->counts + 2 * (size_t)all},
		.mark_next = 1,
	};
	events->end_s = scratch->times + kept_times(events);
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
	const struct schedule_cursor *const place =
		(const struct schedule_cursor *)(before + 3 * (size_t)events->virtual_stages);
	for (unsigned i = 0; i < 2 * events->stages; ++i)
		if (events->next[0][i].chunk != place[i].chunk || events->next[0][i].left != place[i].left)
			return false;
	return true;
}

/* Messages on their way to a virtual stage. */
static bool messages_agree(
	const struct events *events, enum pass pass, unsigned stage, unsigned shift, double period_s)
{
	const double *const times = events->scratch->times, *const before = events->scratch->times_before;
	const unsigned sent = events->done[pass][stage_after(!pass, stage)];
	for (unsigned j = events->done[pass][stage]; j < sent; ++j) {
		const double advance_s = *events_arrival(events, pass, stage, j) -
					 before[events_arrival(events, pass, stage, j - shift) - times];
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
	for (unsigned pass = 0; pass < 2; ++pass)
		for (unsigned k = 0; k < events->virtual_stages; ++k)
			if (k != events->ends[pass] && !messages_agree(events, pass, k, shift, period_s))
				return false;
	return true;
}

/* Repeats `shift` micro-batches in `period_s`, not to the end of the last whole group: cursors would see the next. */
static bool go_on(struct events *events, unsigned shift, double period_s)
{
	const unsigned end = events->groups.whole - 1, first = events->done[PASS_FORWARD][0];
	const unsigned times = shift && first < end ? (end - first) / shift : 0;
	events->mark_next = events->schedule->micro_batches + 1;
	events->mark = 0;
	events->skipped = times * shift;
	for (size_t i = 0; i < kept_times(events) + events->stages; ++i) /* and last ends */
		events->scratch->times[i] += times * period_s;
	for (unsigned i = 0; i < 3 * events->virtual_stages; ++i)
		events->scratch->counts[i] += events->skipped;
	for (unsigned i = 0; i < 2 * events->stages; ++i)
		events->next[0][i].groups -= events->skipped / events->groups.group;
	return times > 0;
}

bool events_extrapolate(struct events *events)
{
	struct schedule_scratch *const scratch = events->scratch;
	const unsigned done = events->done[PASS_BACKWARD][0], shift = done - events->mark;
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

/* Runs a device's next forward or backward, if its message has been sent and there is room to remember its own. */
static bool pass_next(struct events *events, enum pass pass, unsigned device)
{
	struct schedule_cursor *const next = &events->next[pass][device];
	const unsigned chunks = events->schedule->chunks;
	const unsigned chunk = pass == PASS_FORWARD ? next->chunk : chunks - 1 - next->chunk;
	const unsigned stage = chunk * events->stages + device, *done = events->done[pass];
	const double arrival_s = events_arrival_s(events, pass, stage);
	if (!(arrival_s < HUGE_VAL) || (stage != events->ends[!pass] &&
					       done[stage] - done[stage_after(pass, stage)] >= events->ring))
		return false;
	events_work(events, pass, device, stage, later_s(events->free_s[device], arrival_s));
	schedule_cursor_next(next, &events->groups, chunks);
	return true;
}

/* Devices in turn, each as far as it gets with what the others have sent. */
static void fixed_order_run(struct events *events)
{
	const unsigned count = events->schedule->micro_batches;
	const unsigned *const done = events->done[PASS_BACKWARD];
	while (done[0] < count) {
		const unsigned before = done[0];
		for (unsigned i = 0; i < events->stages; ++i) {
			const unsigned warm_up = schedule_warm_up(events->schedule, i);
			while (events->next[0][i].groups && events->held[i] <= warm_up
					? pass_next(events, PASS_FORWARD, i)
					: events->next[1][i].groups && pass_next(events, PASS_BACKWARD, i))
				;
		}
		if (!events->whole && done[0] > before)
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
		schedule_fill_held(schedule, result->held);
	}
	schedule_fill(schedule, events.end_s, result);
}

/*
 * The last schedules that were followed event by event, to be found again: a search asks for the same times under many
 * options that do not change them. Times are compared bit by bit, so that what is found is what would be computed.
 */
enum { RECORDS = 64, RECORD_STAGES_MAX = 512 };

struct schedule_record {
	struct pipeline_schedule schedule; /* of no stages: nothing yet */
	struct stage_times *times;         /* a copy of the schedule's */
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

static bool record_is_of(const struct schedule_record *record, const struct pipeline_schedule *schedule)
{
	const struct pipeline_schedule *const own = &record->schedule;
	const size_t stages = (size_t)schedule->stages * schedule->chunks;
	return own->kind == schedule->kind && own->links_queue == schedule->links_queue &&
	       own->stages == schedule->stages && own->chunks == schedule->chunks &&
	       own->micro_batches == schedule->micro_batches &&
	       memcmp(record->times, schedule->times, stages * sizeof *record->times) == 0;
}

static void result_copy(const struct pipeline_schedule *schedule, const struct schedule_result *from,
	struct schedule_result *to)
{
	to->makespan_s = from->makespan_s;
	to->busy_s = from->busy_s;
	memcpy(to->devices, from->devices, schedule->stages * sizeof *to->devices);
	memcpy(to->held, from->held, (size_t)schedule->stages * schedule->chunks * sizeof *to->held);
}

void schedule_events_once(const struct pipeline_schedule *schedule, struct schedule_scratch *scratch,
	struct schedule_result *result)
{
	if (!scratch->records || schedule->chunks > 2) {
		schedule_events(schedule, scratch, false, result);
		return;
	}
	for (unsigned i = 0; i < RECORDS; ++i)
		if (record_is_of(&scratch->records[i], schedule)) {
			result_copy(schedule, &scratch->records[i].result, result);
			return;
		}
	schedule_events(schedule, scratch, false, result);
	struct schedule_record *record = &scratch->records[scratch->record_next++ % RECORDS];
	record->schedule = *schedule;
	memcpy(record->times, schedule->times,
		(size_t)schedule->stages * schedule->chunks * sizeof *record->times);
	result_copy(schedule, result, &record->result);
}
