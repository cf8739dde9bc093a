/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pipeline schedules of a fixed order by a recurrence over the ends of each device.
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

static const double same = 1e-11; /* of the longest period of an event */

/* A virtual stage, in the order in which it is read. */
struct cell {
	double forward_s, send_forward_s, forward_blocked_s, backward_s, send_backward_s, backward_blocked_s;
};

struct recurrence {
	const struct pipeline_schedule *schedule;
	struct schedule_groups groups;
	unsigned stages, chunks;
	unsigned lead; /* forwards of the first device before its first backward, less one */
	const struct cell *cells;
	struct schedule_cursor *next[2]; /* of devices: forward, backward; not used with one chunk */
	/* The state; with one chunk only free and backward arrivals: forward ones are of the same step. */
	double *state, *free_s, *backward_at_s, *forward_at_s, *forward_round_s, *backward_round_s;
	size_t length;                 /* of the state */
	double *base, *advance, *kept; /* of the same length */
	double *end_s;                 /* of devices */
	double *probe_s;               /* what the first device's end advanced by in the last periods */
	long long total;               /* forwards of a device */
	long long step;
	unsigned round; /* micro-batches times chunks of a whole group: steps of a period */
};

static bool in_range(const struct recurrence *recurrence, long long index)
{
	return index >= 0 && index < recurrence->total;
}

/* A step with one chunk in which all devices have both. Forward 0 and the last backward wait for nothing: arrival 0. */
static void step_inside(const struct recurrence *recurrence)
{
	const unsigned p = recurrence->stages;
	double *const free_s = recurrence->free_s, *const backward_at_s = recurrence->backward_at_s;
	double arrival_s = 0;
	for (unsigned i = 0; i < p; ++i) {
		const struct cell *cell = &recurrence->cells[i];
		const double ready_s = backward_at_s[i + 1];
		const double begin_s = free_s[i] > arrival_s ? free_s[i] : arrival_s;
		const double middle_s = begin_s + cell->forward_s;
		const double turn_s = middle_s + cell->forward_blocked_s;
		const double end_s = (turn_s > ready_s ? turn_s : ready_s) + cell->backward_s;
		arrival_s = middle_s + cell->send_forward_s;
		backward_at_s[i] = end_s + cell->send_backward_s;
		free_s[i] = end_s + cell->backward_blocked_s;
	}
}

/* Any step with one chunk. */
static void step_edge(const struct recurrence *recurrence)
{
	const unsigned p = recurrence->stages;
	double *const free_s = recurrence->free_s, *const backward_at_s = recurrence->backward_at_s;
	double arrival_s = 0;
	for (unsigned i = 0; i < p; ++i) {
		const struct cell *cell = &recurrence->cells[i];
		const long long k = recurrence->step + i;
		if (in_range(recurrence, recurrence->step + recurrence->lead)) {
			const double end_s = later_s(free_s[i], arrival_s) + cell->forward_s;
			arrival_s = end_s + cell->send_forward_s;
			free_s[i] = end_s + cell->forward_blocked_s;
		}
		if (in_range(recurrence, k)) {
			const double end_s = later_s(free_s[i], backward_at_s[i + 1]) + cell->backward_s;
			backward_at_s[i] = end_s + cell->send_backward_s;
			free_s[i] = end_s + cell->backward_blocked_s;
			recurrence->end_s[i] = end_s;
		}
	}
}

/* Where arrivals from the other end are kept: of the last `round` operations. */
static size_t slot(const struct recurrence *recurrence, long long index)
{
	return (size_t)(index % recurrence->round);
}

/* Arrival of what device 0 forward, the last one backward, is to take: from the other end but for the first chunk. */
static double wrapped_s(const struct recurrence *recurrence, const double *round_s,
	const struct schedule_cursor *cursor, long long index)
{
	const unsigned group = cursor->groups > 1 ? recurrence->groups.group : recurrence->groups.last;
	return cursor->chunk ? round_s[slot(recurrence, index - group)] : 0;
}

static void chunk_forward(struct recurrence *recurrence, unsigned device, long long index, double arrival_s)
{
	struct schedule_cursor *const cursor = &recurrence->next[0][device];
	const struct cell *cell = &recurrence->cells[cursor->chunk * recurrence->stages + device];
	const double end_s = later_s(recurrence->free_s[device], arrival_s) + cell->forward_s;
	recurrence->forward_at_s[device] = end_s + cell->send_forward_s;
	recurrence->free_s[device] = end_s + cell->forward_blocked_s;
	if (device + 1 == recurrence->stages)
		recurrence->forward_round_s[slot(recurrence, index)] = end_s + cell->send_forward_s;
	schedule_cursor_next(cursor, &recurrence->groups, recurrence->chunks);
}

static void chunk_backward(struct recurrence *recurrence, unsigned device, long long index, double arrival_s)
{
	struct schedule_cursor *const cursor = &recurrence->next[1][device];
	const unsigned chunk = recurrence->chunks - 1 - cursor->chunk;
	const struct cell *cell = &recurrence->cells[chunk * recurrence->stages + device];
	const double end_s = later_s(recurrence->free_s[device], arrival_s) + cell->backward_s;
	recurrence->backward_at_s[device] = end_s + cell->send_backward_s;
	recurrence->free_s[device] = end_s + cell->backward_blocked_s;
	recurrence->end_s[device] = end_s;
	if (!device)
		recurrence->backward_round_s[slot(recurrence, index)] = end_s + cell->send_backward_s;
	schedule_cursor_next(cursor, &recurrence->groups, recurrence->chunks);
}

/* Any step with several chunks: what neighbours sent is of the last step. */
static void step_chunks(struct recurrence *recurrence)
{
	const unsigned p = recurrence->stages;
	const long long first = recurrence->step + recurrence->lead;
	const long long last = recurrence->step + p - 1;
	double arrival_s = 0, ready_s = 0;
	if (in_range(recurrence, first))
		arrival_s =
			wrapped_s(recurrence, recurrence->forward_round_s, &recurrence->next[0][0], first);
	if (in_range(recurrence, last))
		ready_s = wrapped_s(
			recurrence, recurrence->backward_round_s, &recurrence->next[1][p - 1], last);
	for (unsigned i = 0; i < p; ++i) {
		const double sent_s = recurrence->forward_at_s[i];
		const long long k = recurrence->step + i, f = first - i;
		if (in_range(recurrence, f))
			chunk_forward(recurrence, i, f, arrival_s);
		if (in_range(recurrence, k))
			chunk_backward(
				recurrence, i, k, i + 1 < p ? recurrence->backward_at_s[i + 1] : ready_s);
		arrival_s = sent_s;
	}
}

static void steps(struct recurrence *recurrence, long long count, bool inside)
{
	for (long long i = 0; i < count; ++i, ++recurrence->step)
		if (recurrence->chunks > 1)
			step_chunks(recurrence);
		else if (inside)
			step_inside(recurrence);
		else
			step_edge(recurrence);
}

/* Moves cursors by whole groups. */
static void skip_groups(struct recurrence *recurrence, long long groups)
{
	for (unsigned i = 0; recurrence->chunks > 1 && i < 2 * recurrence->stages; ++i)
		recurrence->next[0][i].groups -= (unsigned)groups;
}

static void copy(const struct recurrence *recurrence, double *to, const double *from)
{
	memcpy(to, from, recurrence->length * sizeof *to);
}

/* The state has advanced from `from` as it did before. */
static bool advanced(const struct recurrence *recurrence, const double *from)
{
	double longest_s = 0;
	for (size_t e = 0; e < recurrence->length; ++e)
		longest_s = later_s(longest_s, recurrence->advance[e]);
	for (size_t e = 0; e < recurrence->length; ++e)
		if (fabs(recurrence->state[e] - from[e] - recurrence->advance[e]) > same * longest_s)
			return false;
	return true;
}

/* Starts `periods` times n after the base; whether that one advances in the same way. The state is lost. */
static bool holds_after(struct recurrence *recurrence, long long n, unsigned periods)
{
	const long long many = (long long)periods * recurrence->round;
	for (size_t e = 0; e < recurrence->length; ++e)
		recurrence->state[e] = recurrence->kept[e] =
			recurrence->base[e] + (double)n * recurrence->advance[e];
	skip_groups(recurrence, n * periods);
	recurrence->step += n * many;
	steps(recurrence, many, true);
	skip_groups(recurrence, -(n + 1) * periods);
	recurrence->step -= (n + 1) * many;
	return advanced(recurrence, recurrence->kept);
}

/* Goes on by as many times `periods` as are alike, at most `most`. False: none. */
static bool leap(struct recurrence *recurrence, unsigned periods, long long most)
{
	long long low = 0, high = most;
	copy(recurrence, recurrence->base, recurrence->state);
	if (holds_after(recurrence, high, periods))
		low = high;
	while (high - low > 1) {
		const long long middle = low + (high - low) / 2;
		if (holds_after(recurrence, middle, periods))
			low = middle;
		else
			high = middle;
	}
	for (size_t e = 0; e < recurrence->length; ++e)
		recurrence->state[e] = recurrence->base[e] + (double)low * recurrence->advance[e];
	skip_groups(recurrence, low * periods);
	recurrence->step += low * periods * recurrence->round;
	return low > 0;
}

/* After how many periods the first device's advance repeats; 0: not seen. */
static unsigned repetition(const struct recurrence *recurrence, unsigned seen)
{
	const unsigned size = 2 * recurrence->stages;
	for (unsigned c = 1; c <= recurrence->stages && 2 * c <= seen; ++c) {
		unsigned alike = 0;
		for (; alike < c; ++alike) {
			const double now_s = recurrence->probe_s[(seen - 1 - alike) % size];
			const double before_s = recurrence->probe_s[(seen - 1 - alike - c) % size];
			if (fabs(now_s - before_s) > same * fabs(now_s))
				break;
		}
		if (alike == c)
			return c;
	}
	return 0;
}

/* Steps up to `end` in which every device has a forward and a backward of a whole group. */
static void inside(struct recurrence *recurrence, long long end)
{
	const long long round = recurrence->round;
	unsigned seen = 0, next_try = 2;
	while (end - recurrence->step >= round) {
		const double before_s = recurrence->free_s[0];
		steps(recurrence, round, true);
		recurrence->probe_s[seen++ % (2 * recurrence->stages)] = recurrence->free_s[0] - before_s;
		const unsigned periods = seen >= next_try ? repetition(recurrence, seen) : 0;
		const long long many = round * periods;
		if (many <= 0 || end - recurrence->step < 8 * many)
			continue;
		copy(recurrence, recurrence->base, recurrence->state);
		steps(recurrence, many, true);
		for (size_t e = 0; e < recurrence->length; ++e)
			recurrence->advance[e] = recurrence->state[e] - recurrence->base[e];
		copy(recurrence, recurrence->base, recurrence->state);
		steps(recurrence, many, true);
		next_try = seen + seen / 8 + 1;
		if (advanced(recurrence, recurrence->base) &&
			leap(recurrence, periods, (end - recurrence->step) / many - 1)) {
			seen = 0;
			next_try = 2;
		}
	}
	if (recurrence->chunks == 1)
		steps(recurrence, end - recurrence->step, true);
}

static void gpipe(const struct pipeline_schedule *schedule, double *end_s)
{
	const unsigned p = schedule->stages;
	double now_s = 0, most_s = 0;
	for (unsigned i = 0; i < p; ++i) {
		const struct stage_times *times = &schedule->times[i];
		const bool sends = i + 1 < p;
		now_s += times->forward_s + (sends ? times->send_forward_s : 0);
		most_s = later_s(most_s, times->forward_s + (sends ? times->forward_blocked_s : 0));
	}
	now_s += (schedule->micro_batches - 1) * most_s;
	most_s = 0;
	for (unsigned i = p; i-- > 0;) {
		const struct stage_times *times = &schedule->times[i];
		const double work_s = times->backward_s + times->weight_s;
		now_s += work_s;
		most_s = later_s(most_s, work_s + (i ? times->backward_blocked_s : 0));
		end_s[i] = now_s + (schedule->micro_batches - 1) * most_s;
		now_s += times->send_backward_s;
	}
}

static double *carve(double **memory, size_t count)
{
	double *const first = *memory;
	*memory += count;
	return first;
}

static void cells_fill(const struct pipeline_schedule *schedule, struct cell *cells)
{
	const unsigned all = schedule->stages * schedule->chunks;
	for (unsigned k = 0; k < all; ++k) {
		const struct stage_times *times = &schedule->times[k];
		const bool forward = k + 1 < all, backward = k > 0;
		cells[k] = (struct cell){
			.forward_s = times->forward_s,
			.send_forward_s = forward ? times->send_forward_s : 0,
			.forward_blocked_s = forward ? times->forward_blocked_s : 0,
			.backward_s = times->backward_s + times->weight_s,
			.send_backward_s = backward ? times->send_backward_s : 0,
			.backward_blocked_s = backward ? times->backward_blocked_s : 0,
		};
	}
}

static void begin(struct recurrence *recurrence, const struct pipeline_schedule *schedule,
	const struct schedule_scratch *scratch)
{
	const unsigned p = schedule->stages, v = schedule->chunks;
	double *memory = scratch->times;
	*recurrence = (struct recurrence){
		.schedule = schedule,
		.groups = schedule_groups(schedule),
		.stages = p,
		.chunks = v,
		.lead = v > 1 ? schedule_warm_up(schedule, 0) : p - 1,
		.total = (long long)schedule->micro_batches * v,
	};
	struct cell *const cells = (struct cell *)carve(&memory, 6 * (size_t)p * v);
	cells_fill(schedule, cells);
	recurrence->cells = cells;
	recurrence->round = recurrence->groups.group * v;
	recurrence->state = recurrence->free_s = memory;
	recurrence->backward_at_s = recurrence->free_s + p;
	recurrence->forward_at_s = recurrence->backward_at_s + p + 1;
	recurrence->forward_round_s = recurrence->forward_at_s + p;
	recurrence->backward_round_s = recurrence->forward_round_s + recurrence->round;
	recurrence->length = 2 * (size_t)p + 1 + (v > 1 ? p + 2 * (size_t)recurrence->round : 0);
	memory += recurrence->length;
	memset(recurrence->state, 0, recurrence->length * sizeof *recurrence->state);
	recurrence->base = carve(&memory, recurrence->length);
	recurrence->advance = carve(&memory, recurrence->length);
	recurrence->kept = carve(&memory, recurrence->length);
	recurrence->end_s = carve(&memory, p);
	recurrence->probe_s = carve(&memory, 2 * (size_t)p);
	recurrence->next[0] = (struct schedule_cursor *)scratch->counts;
	recurrence->next[1] = recurrence->next[0] + p;
	for (unsigned i = 0; v > 1 && i < p; ++i)
		recurrence->next[0][i] = recurrence->next[1][i] = schedule_cursor(&recurrence->groups);
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
		const unsigned lead = recurrence.lead;
		const long long whole = (long long)recurrence.groups.whole * v;
		/* One less: cursors must not come to the last group, nor (1F1B) a device to its last backward. */
		const long long inner = whole - lead - 1;
		recurrence.step = -(long long)lead;
		steps(&recurrence, inner > 0 ? lead : recurrence.total + lead, false);
		if (inner > 0) {
			inside(&recurrence, inner);
			steps(&recurrence, recurrence.total - recurrence.step, false);
		}
	}
	double *const start_s = recurrence.probe_s;
	start_s[0] = 0;
	for (unsigned i = 1; i < p; ++i)
		start_s[i] = start_s[i - 1] + schedule->times[i - 1].forward_s +
			     schedule->times[i - 1].send_forward_s;
	schedule_fill(schedule, start_s, recurrence.end_s, result);
	schedule_fill_held(schedule, result);
	return true;
}
