/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file follows pipeline schedules of a fixed order by a recurrence over the ends of each device.
 *
 * In round k device i runs forward w_i + k and backward k of its order (w: schedule.c). If device i is in round s + i
 * at step s, then all that a device needs was sent in this step or the last one, by a neighbour, or in the last rounds
 * of its group, from the other end of the pipeline: one step maps the times of some events of each device to later
 * ones, by maxima of sums. Interleaved orders of fewer micro-batches than stages have no such numbering.
 *
 * GPipe is two flow shops of identical jobs:  sum (t_i + send_i) + (m - 1) max (t_i + blocked_i)  there, and back.
 *
 * Beyond the first rounds time is not linear in k at once: stages wait for one that is slower by a little only when
 * messages have piled up before it. Between two such moments each event advances by a time d_e of its own in every
 * period. The map of a period, A(x), is convex, so that if A(x + n d) = x + (n + 1) d holds for n = -2 and n = -1 and
 * some n >= 0, it does for all between (a convex function that touches its chord inside is its chord): the greatest n
 * is found by bisection.
 */
#include <math.h>
#include <string.h>

#include "oracle/schedule.h"

static const double same = 1e-11; /* share of the longest period of an event */

struct recurrence {
	const struct pipeline_schedule *schedule;
	struct schedule_groups groups;
	unsigned lead; /* forwards of the first device before its first backward, less one */
	/* With several chunks, by pass: places of the first and last device; times of what each device does next. */
	struct schedule_cursor first[2], last[2];
	double *work_s[2], *send_s[2], *blocked_s[2], *window_s[2];
	/* The state. With one chunk, forward arrivals are of the same step. After the last backward arrival there
	 * is one more, of what the last device takes, which is no part of the state. */
	double *free_s, *arrival_s[2], *round_s[2]; /* round_s: from the other end of the pipeline */
	double *state;
	size_t length;
	double *base, *advance; /* as long as the state */
	double *end_s;          /* ends of devices */
	double *probe_s;        /* advances of the first device's end in the last periods */
	long long total;        /* forwards of a device */
	long long step;
	unsigned round; /* micro-batches times chunks of a whole group: steps of a period */
};

static bool in_range(const struct recurrence *recurrence, long long index)
{
	return (unsigned long long)index < (unsigned long long)recurrence->total;
}

/* Runs one pass on a device, once that is free and its message is there; returns when the pass ends. */
static inline double pass_run(
	const struct stage_times *times, enum pass pass, double *free_s, double arrival_s, double *sent_s)
{
	const double end_s = later_s(*free_s, arrival_s) + stage_pass_s(times, pass);
	*sent_s = end_s + times->send_s[pass];
	*free_s = end_s + times->blocked_s[pass];
	return end_s;
}

/*
 * Runs a step with one chunk; inside: all devices have both passes. Forward 0 and the last backward wait for nothing,
 * so their arrival is 0.
 */
static inline void step_single(const struct recurrence *recurrence, bool inside)
{
	const struct stage_times *const times = recurrence->schedule->times;
	const bool forward = inside || in_range(recurrence, recurrence->step + recurrence->lead);
	double *const free_s = recurrence->free_s, *const ready_s = recurrence->arrival_s[1];
	double arrival_s = 0;
	for (unsigned i = 0, p = recurrence->schedule->stages; i < p; ++i) {
		if (forward)
			pass_run(&times[i], PASS_FORWARD, &free_s[i], arrival_s, &arrival_s);
		if (inside || in_range(recurrence, recurrence->step + i))
			recurrence->end_s[i] =
				pass_run(&times[i], PASS_BACKWARD, &free_s[i], ready_s[i + 1], &ready_s[i]);
	}
}

static inline unsigned group_at(const struct recurrence *recurrence, const struct schedule_cursor *cursor)
{
	return cursor->groups > 1 ? recurrence->groups.group : recurrence->groups.last;
}

/* Returns where the arrival from the other end that a device takes next is kept, among the last `round` operations. */
static inline size_t slot(const struct recurrence *recurrence, const struct schedule_cursor *cursor)
{
	return (size_t)(cursor->chunk + 1) * group_at(recurrence, cursor) - cursor->left;
}

/* Returns when the other end sent that, one chunk before; 0: it is of the first chunk. */
static inline double wrapped_s(
	const struct recurrence *recurrence, unsigned pass, const struct schedule_cursor *cursor)
{
	const unsigned group = group_at(recurrence, cursor);
	return cursor->chunk ? recurrence->round_s[pass][slot(recurrence, cursor) - group] : 0;
}

/* Runs a pass on neighbouring devices; messages are read and written in place. */
static inline void passes_run(unsigned count, double *restrict message_s, double *restrict free_s,
	const double *restrict work_s, const double *restrict send_s, const double *restrict blocked_s,
	double *restrict end_s)
{
	for (unsigned i = 0; i < count; ++i) {
		const double at_s = later_s(free_s[i], message_s[i]) + work_s[i];
		message_s[i] = at_s + send_s[i];
		free_s[i] = at_s + blocked_s[i];
		if (end_s)
			end_s[i] = at_s;
	}
}

/* Lets a device go on with another chunk. */
static inline void chunk_take(struct recurrence *recurrence, enum pass pass, unsigned device, unsigned chunk)
{
	const struct pipeline_schedule *const schedule = recurrence->schedule;
	const unsigned k = pass == PASS_FORWARD ? chunk : schedule->chunks - 1 - chunk;
	const struct stage_times *const times = &schedule->times[(size_t)k * schedule->stages + device];
	recurrence->work_s[pass][device] = stage_pass_s(times, pass);
	recurrence->send_s[pass][device] = times->send_s[pass];
	recurrence->blocked_s[pass][device] = times->blocked_s[pass];
}

/* Devices next to each other that have an operation, counted from the first one of the pass. */
struct span {
	unsigned begin, count;
};

static inline struct span span_of(const struct recurrence *recurrence, long long front, bool inside)
{
	const unsigned p = recurrence->schedule->stages;
	if (inside)
		return (struct span){0, p};
	const long long over = front - recurrence->total + 1;
	const unsigned end = front < 0 ? 0 : front < p ? (unsigned)front + 1 : p;
	const unsigned past = over < 0 ? 0 : over < end ? (unsigned)over : end;
	return (struct span){past, end - past};
}

/* Lets the first device of the pass begin an operation, and one device at most another chunk. */
static inline void pass_begin(struct recurrence *recurrence, enum pass pass, double *first_message_s)
{
	struct schedule_cursor *const first = &recurrence->first[pass];
	const unsigned p = recurrence->schedule->stages, since = group_at(recurrence, first) - first->left;
	if (since < p)
		chunk_take(recurrence, pass, pass == PASS_FORWARD ? since : p - 1 - since, first->chunk);
	*first_message_s = wrapped_s(recurrence, pass, first);
	schedule_cursor_next(first, &recurrence->groups, recurrence->schedule->chunks);
}

/*
 * Runs one pass of a step with several chunks, in which what neighbours sent is of the last step: `message_s` is where
 * each device reads that, and leaves what it sends. `front` is the operation of the first device of the pass, and each
 * one after it does what the one before it did a step ago, so that in a step one device at most begins with a chunk.
 */
static inline void step_pass(
	struct recurrence *recurrence, enum pass pass, long long front, double *message_s, bool inside)
{
	const unsigned p = recurrence->schedule->stages;
	const bool forward = pass == PASS_FORWARD;
	const bool begun = inside || in_range(recurrence, front - p + 1);
	const struct span span = span_of(recurrence, front, inside);
	if (inside || in_range(recurrence, front))
		pass_begin(recurrence, pass, message_s + (forward ? 0 : p - 1));
	const unsigned at = forward ? span.begin : p - span.begin - span.count;
	passes_run(span.count, message_s + at, recurrence->free_s + at, recurrence->work_s[pass] + at,
		recurrence->send_s[pass] + at, recurrence->blocked_s[pass] + at,
		forward || inside ? NULL : recurrence->end_s + at);
	if (begun) {
		struct schedule_cursor *const last = &recurrence->last[pass];
		recurrence->round_s[pass][slot(recurrence, last)] = message_s[forward ? p - 1 : 0];
		schedule_cursor_next(last, &recurrence->groups, recurrence->schedule->chunks);
	}
}

/*
 * Runs up to SCHEDULE_WINDOW steps with several chunks. What a device sends takes the place of what it received, so
 * messages move by one place in each step, and none is copied.
 */
static inline void steps_chunks(struct recurrence *recurrence, unsigned count, bool inside)
{
	const unsigned p = recurrence->schedule->stages;
	double *forward_s = recurrence->window_s[0] + SCHEDULE_WINDOW, *backward_s = recurrence->window_s[1];
	memcpy(forward_s, recurrence->arrival_s[0], p * sizeof *forward_s);
	memcpy(backward_s, recurrence->arrival_s[1], p * sizeof *backward_s);
	for (unsigned i = 0; i < count; ++i, ++recurrence->step) {
		step_pass(recurrence, PASS_FORWARD, recurrence->step + recurrence->lead, --forward_s, inside);
		step_pass(recurrence, PASS_BACKWARD, recurrence->step + p - 1, ++backward_s, inside);
	}
	memcpy(recurrence->arrival_s[0], forward_s, p * sizeof *forward_s);
	memcpy(recurrence->arrival_s[1], backward_s, p * sizeof *backward_s);
}

static void steps(struct recurrence *recurrence, long long count, bool inside)
{
	if (recurrence->schedule->chunks <= 1) {
		for (long long i = 0; i < count; ++i, ++recurrence->step)
			step_single(recurrence, inside);
		return;
	}
	for (; count > 0; count -= SCHEDULE_WINDOW)
		steps_chunks(recurrence, count < SCHEDULE_WINDOW ? (unsigned)count : SCHEDULE_WINDOW, inside);
}

/* Leaves out `periods` periods, but for their times. */
static void skip(struct recurrence *recurrence, long long periods)
{
	recurrence->step += periods * recurrence->round;
	for (unsigned pass = 0; pass < 2; ++pass) {
		recurrence->first[pass].groups -= (unsigned)periods;
		recurrence->last[pass].groups -= (unsigned)periods;
	}
}

static void base_set(const struct recurrence *recurrence)
{
	memcpy(recurrence->base, recurrence->state, recurrence->length * sizeof *recurrence->state);
}

/* Returns when an event is n times the advance after the base. */
static inline double after_base_s(const struct recurrence *recurrence, size_t event, long long n)
{
	return recurrence->base[event] + (double)n * recurrence->advance[event];
}

/* Sets the state n times `periods` after the base. */
static void start_after(struct recurrence *recurrence, long long n, unsigned periods)
{
	for (size_t e = 0; e < recurrence->length; ++e)
		recurrence->state[e] = after_base_s(recurrence, e, n);
	skip(recurrence, n * periods);
}

/* Returns whether the state has advanced once more from where it was n times after the base. */
static bool advanced(const struct recurrence *recurrence, long long n)
{
	double longest_s = 0;
	for (size_t e = 0; e < recurrence->length; ++e)
		longest_s = later_s(longest_s, recurrence->advance[e]);
	for (size_t e = 0; e < recurrence->length; ++e)
		if (fabs(recurrence->state[e] - after_base_s(recurrence, e, n) - recurrence->advance[e]) >
			same * longest_s)
			return false;
	return true;
}

/* Returns whether what starts n times `periods` after the base advances in the same way; the state is lost. */
static bool holds_after(struct recurrence *recurrence, long long n, unsigned periods)
{
	start_after(recurrence, n, periods);
	steps(recurrence, (long long)periods * recurrence->round, true);
	skip(recurrence, -(n + 1) * periods);
	return advanced(recurrence, n);
}

/* Goes on by as many times `periods` as are alike, at most `most`; false: none. */
static bool leap(struct recurrence *recurrence, unsigned periods, long long most)
{
	long long low = 0, high = most;
	base_set(recurrence);
	if (holds_after(recurrence, high, periods))
		low = high;
	while (high - low > 1) {
		const long long middle = low + (high - low) / 2;
		if (holds_after(recurrence, middle, periods))
			low = middle;
		else
			high = middle;
	}
	start_after(recurrence, low, periods);
	return low > 0;
}

/* Returns after how many periods the first device's advance repeats; 0: not seen. */
static unsigned repetition(const struct recurrence *recurrence, unsigned seen)
{
	const unsigned size = 2 * recurrence->schedule->stages;
	unsigned c = 1, alike = 0;
	while (alike < c && c <= recurrence->schedule->stages && 2 * c <= seen) {
		const double now_s = recurrence->probe_s[(seen - 1 - alike) % size];
		const double before_s = recurrence->probe_s[(seen - 1 - alike - c) % size];
		const bool repeats = fabs(now_s - before_s) <= same * fabs(now_s);
		alike = repeats ? alike + 1 : 0;
		c += !repeats;
	}
	return alike == c ? c : 0;
}

/* Runs the steps up to `end` in which every device has a forward and a backward of a whole group. */
static void inside(struct recurrence *recurrence, long long end)
{
	const long long round = recurrence->round;
	unsigned seen = 0, next_try = 2;
	while (end - recurrence->step >= round) {
		const double before_s = recurrence->free_s[0];
		steps(recurrence, round, true);
		recurrence->probe_s[seen++ % (2 * recurrence->schedule->stages)] =
			recurrence->free_s[0] - before_s;
		const unsigned periods = seen >= next_try ? repetition(recurrence, seen) : 0;
		const long long many = round * periods;
		if (many <= 0 || end - recurrence->step < 8 * many)
			continue;
		base_set(recurrence);
		steps(recurrence, many, true);
		for (size_t e = 0; e < recurrence->length; ++e)
			recurrence->advance[e] = recurrence->state[e] - recurrence->base[e];
		base_set(recurrence);
		steps(recurrence, many, true);
		next_try = seen + seen / 8 + 1;
		if (advanced(recurrence, 0) &&
			leap(recurrence, periods, (end - recurrence->step) / many - 1)) {
			seen = 0;
			next_try = 2;
		}
	}
}

static void gpipe(const struct pipeline_schedule *schedule, double *end_s)
{
	const unsigned p = schedule->stages;
	double now_s = 0, most_s = 0;
	for (unsigned i = 0; i < p; ++i) {
		const struct stage_times *times = &schedule->times[i];
		now_s += times->work_s[PASS_FORWARD] + times->send_s[PASS_FORWARD];
		most_s = later_s(most_s, times->work_s[PASS_FORWARD] + times->blocked_s[PASS_FORWARD]);
	}
	now_s += (schedule->micro_batches - 1) * most_s;
	most_s = 0;
	for (unsigned i = p; i-- > 0;) {
		const struct stage_times *times = &schedule->times[i];
		const double work_s = stage_pass_s(times, PASS_BACKWARD);
		now_s += work_s;
		most_s = later_s(most_s, work_s + times->blocked_s[PASS_BACKWARD]);
		end_s[i] = now_s + (schedule->micro_batches - 1) * most_s;
		now_s += times->send_s[PASS_BACKWARD];
	}
}

/* Lays out what only several chunks need, from `room` on; schedule_reserve knows how much that is. */
static void chunks_begin(struct recurrence *recurrence, double *room)
{
	const unsigned p = recurrence->schedule->stages;
	for (unsigned pass = 0; pass < 2; ++pass, room += 4 * (size_t)p + SCHEDULE_WINDOW) {
		recurrence->work_s[pass] = room;
		recurrence->send_s[pass] = room + p;
		recurrence->blocked_s[pass] = room + 2 * (size_t)p;
		recurrence->window_s[pass] = room + 3 * (size_t)p;
		recurrence->first[pass] = recurrence->last[pass] = schedule_cursor(&recurrence->groups);
	}
}

static void begin(struct recurrence *recurrence, const struct pipeline_schedule *schedule,
	const struct schedule_scratch *scratch)
{
	const unsigned p = schedule->stages, v = schedule->chunks;
	*recurrence = (struct recurrence){
		.schedule = schedule,
		.groups = schedule_groups(schedule),
		.lead = schedule_warm_up(schedule, 0),
		.total = (long long)schedule->micro_batches * v,
	};
	recurrence->round = recurrence->groups.group * v;
	recurrence->length = 3 * (size_t)p + 2 * (size_t)recurrence->round;
	recurrence->state = recurrence->free_s = scratch->times;
	memset(recurrence->state, 0, (recurrence->length + 1) * sizeof *recurrence->state);
	recurrence->round_s[0] = recurrence->free_s + p;
	recurrence->round_s[1] = recurrence->round_s[0] + recurrence->round;
	recurrence->arrival_s[0] = recurrence->round_s[1] + recurrence->round;
	recurrence->arrival_s[1] = recurrence->arrival_s[0] + p;
	recurrence->base = recurrence->state + recurrence->length + 1;
	recurrence->advance = recurrence->base + recurrence->length;
	recurrence->end_s = recurrence->advance + recurrence->length;
	recurrence->probe_s = recurrence->end_s + p;
	if (v > 1)
		chunks_begin(recurrence, recurrence->probe_s + 2 * (size_t)p);
}

bool schedule_recurrence(const struct pipeline_schedule *schedule, struct schedule_scratch *scratch,
	struct schedule_result *result)
{
	const unsigned p = schedule->stages, v = schedule->chunks;
	struct recurrence recurrence;
	if (schedule_splits_backward(schedule->kind) || (v > 1 && schedule->micro_batches < p))
		return false;
	begin(&recurrence, schedule, scratch);
	if (schedule->kind == PARADL_GPIPE) {
		gpipe(schedule, recurrence.end_s);
	} else {
		const long long lead = recurrence.lead, whole = (long long)recurrence.groups.whole * v;
		recurrence.step = -lead;
		steps(&recurrence, lead, false);
		/* One less: cursors must not come to the last group, nor (1F1B) a device to its last backward. */
		inside(&recurrence, whole - lead - 1);
		steps(&recurrence, recurrence.total - recurrence.step, false);
	}
	schedule_fill(schedule, recurrence.end_s, result);
	schedule_fill_held(schedule, result->held);
	return true;
}
