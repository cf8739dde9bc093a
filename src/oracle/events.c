/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file follows pipeline schedules of a fixed order, one forward or backward after the other; zero_bubble.c has
 * the others.
 *
 * With a fixed order an operation starts when its device is free and its message is there, whatever the order in which
 * we look at devices. Times are then maxima of sums, and a state that comes again d seconds later to within e d comes
 * again forever, each time with an error of at most e d (such maps do not expand: Baccelli et al., "Synchronization
 * and Linearity", 1992).
 */
#include <math.h>
#include <string.h>

#include "oracle/schedule.h"

enum { TIME_ROWS = 3 }; /* times of devices: free, links both ways */

static const double same = 1e-11; /* share of a period: above what 10^5 sums round, far below what is asked */

/*
 * Schedule of a fixed order while it is followed. Micro-batches pass each virtual stage in order, so counts say which
 * have; arrays are rows of scratch memory. Arrivals of micro-batch j at stage k are in a ring, at k * ring +
 * (j - skipped) % ring; only those not taken yet mean anything.
 */
struct events {
	const struct pipeline_schedule *schedule;
	struct schedule_groups groups;
	struct schedule_scratch *scratch;
	unsigned stages, virtual_stages, ring;
	unsigned ends[2];     /* virtual stage where a pass begins; the other pass ends there */
	bool whole;           /* do not extrapolate */
	double *free_s;       /* when devices are free */
	double *link_s[2];    /* when links of devices are free: to the next one, and to the one before */
	double *arrival_s[2]; /* arrivals at virtual stages, by pass */
	double *end_s;        /* ends of what devices did last */
	unsigned *done[2];    /* micro-batches done by virtual stages, by pass */
	struct schedule_cursor *next[2]; /* places of devices in their order, by pass */
	unsigned *held;                  /* forwards of devices whose backward is not done */
	struct schedule_log *log;        /* NULL: no log is kept */
	unsigned mark, mark_next; /* backwards of stage 0 when a state was kept, and when one will be */
	unsigned skipped;         /* micro-batches that were left out */
};

/* Returns the virtual stage that a pass comes to next. */
static unsigned stage_after(enum pass pass, unsigned stage)
{
	return pass == PASS_FORWARD ? stage + 1 : stage - 1;
}

/* Returns where the arrival of a micro-batch at a virtual stage is kept. */
static double *events_arrival(const struct events *events, enum pass pass, unsigned stage, unsigned batch)
{
	const unsigned place = (batch - events->skipped) & (events->ring - 1);
	return &events->arrival_s[pass][(size_t)stage * events->ring + place];
}

/* Returns when the next micro-batch of a pass has arrived at a virtual stage; infinite: not sent yet. */
static double events_arrival_s(const struct events *events, enum pass pass, unsigned stage)
{
	const unsigned *const done = events->done[pass], batch = done[stage];
	if (stage != events->ends[pass])
		return batch < done[stage_after(!pass, stage)] ? *events_arrival(events, pass, stage, batch)
							       : HUGE_VAL;
	const unsigned there =
		pass == PASS_FORWARD ? events->schedule->micro_batches : events->done[PASS_FORWARD][stage];
	return batch < there ? 0 : HUGE_VAL;
}

/*
 * Runs a device's next pass in a virtual stage from start_s on, and sends its result: where links queue, after what
 * went over the same link before.
 */
static void events_work(
	struct events *events, enum pass pass, unsigned device, unsigned stage, double start_s)
{
	const struct stage_times *times = &events->schedule->times[stage];
	const unsigned batch = events->done[pass][stage]++;
	const double end_s = start_s + stage_pass_s(times, pass);
	events->held[device] += pass == PASS_FORWARD;
	events->held[device] -= pass == PASS_BACKWARD;
	events->end_s[device] = events->free_s[device] = end_s;
	if (events->log)
		events->log->events[events->log->count++] = (struct paradl_event){
			start_s, end_s, device, stage, batch, PARADL_WORK_FORWARD + pass};
	if (stage == events->ends[!pass])
		return;
	const unsigned to = stage_after(pass, stage);
	double sent_s = end_s + times->send_s[pass];
	if (events->schedule->links_queue && schedule_device(events->schedule, to) != device) {
		const unsigned next = device + 1 < events->stages ? device + 1 : 0;
		double *const link_s = &events->link_s[schedule_device(events->schedule, to) != next][device];
		sent_s = *link_s = later_s(end_s, *link_s) + times->send_s[pass];
	}
	events->free_s[device] += times->blocked_s[pass];
	*events_arrival(events, pass, to, batch) = sent_s;
}

/* Returns how many times are kept and compared, the first rows of their memory; below, how many counts. */
static size_t kept_times(const struct events *events)
{
	return TIME_ROWS * (size_t)events->stages + 2 * (size_t)events->virtual_stages * events->ring;
}

static size_t kept_counts(const struct events *events)
{
	return 2 * (size_t)events->virtual_stages + 6 * (size_t)events->stages;
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
		.free_s = scratch->times,
		.link_s = {scratch->times + p, scratch->times + 2 * (size_t)p},
		.arrival_s = {scratch->times + TIME_ROWS * (size_t)p,
			scratch->times + TIME_ROWS * (size_t)p + (size_t)all * ring},
		.done = {scratch->counts, scratch->counts + all},
		.mark_next = 1,
	};
	events->end_s = scratch->times + kept_times(events);
	events->next[0] = (struct schedule_cursor *)(scratch->counts + 2 * (size_t)all);
	events->next[1] = events->next[0] + p;
	events->held = scratch->counts + kept_counts(events);
	memset(events->free_s, 0, TIME_ROWS * (size_t)p * sizeof *events->free_s);
	memset(scratch->counts, 0, (kept_counts(events) + p) * sizeof *scratch->counts);
	for (unsigned i = 0; i < p; ++i)
		events->next[0][i] = events->next[1][i] = schedule_cursor(&events->groups);
}

/* Returns whether counts of micro-batches are `shift` above those kept, and places in the order are the same. */
static bool counts_agree(const struct events *events, unsigned shift)
{
	const unsigned *const before = events->scratch->counts_before, *const now = events->scratch->counts;
	const size_t batches = 2 * (size_t)events->virtual_stages;
	for (size_t i = 0; i < batches; ++i)
		if (now[i] - before[i] != shift)
			return false;
	const struct schedule_cursor *const place =
		(const struct schedule_cursor *)(before + 2 * (size_t)events->virtual_stages);
	for (unsigned i = 0; i < 2 * events->stages; ++i)
		if (events->next[0][i].chunk != place[i].chunk || events->next[0][i].left != place[i].left)
			return false;
	return true;
}

/* Returns whether messages on their way to a virtual stage arrive one period later than those that were kept. */
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
		if ((i < events->stages || events->free_s[i] > 0) && /* links count if they are in use */
			fabs(events->free_s[i] - before[i] - period_s) > same * period_s)
			return false;
	for (unsigned pass = 0; pass < 2; ++pass)
		for (unsigned k = 0; k < events->virtual_stages; ++k)
			if (k != events->ends[pass] && !messages_agree(events, pass, k, shift, period_s))
				return false;
	return true;
}

/* Repeats `shift` micro-batches in `period_s`, not to the end of the last whole group: cursors would see the next. */
static void go_on(struct events *events, unsigned shift, double period_s)
{
	const unsigned end = events->groups.whole - 1, first = events->done[PASS_FORWARD][0];
	const unsigned times = shift && first < end ? (end - first) / shift : 0;
	events->mark_next = events->schedule->micro_batches + 1;
	events->mark = 0;
	events->skipped = times * shift;
	for (size_t i = 0; i < kept_times(events) + events->stages; ++i) /* and last ends */
		events->scratch->times[i] += times * period_s;
	for (unsigned i = 0; i < 2 * events->virtual_stages; ++i)
		events->scratch->counts[i] += events->skipped;
	for (unsigned i = 0; i < 2 * events->stages; ++i)
		events->next[0][i].groups -= events->skipped / events->groups.group;
}

/*
 * Goes on from a state that repeats, after a backward of stage 0: if all is as it was some micro-batches ago, only
 * later, then it goes on like that up to the last whole group, and every time and count is another one.
 */
static void events_extrapolate(struct events *events)
{
	struct schedule_scratch *const scratch = events->scratch;
	const unsigned done = events->done[PASS_BACKWARD][0], shift = done - events->mark;
	if (events->mark) {
		const double period_s = events->free_s[0] - scratch->times_before[0];
		if (period_s > 0 && counts_agree(events, shift) && times_agree(events, shift, period_s)) {
			go_on(events, shift, period_s);
			return;
		}
	}
	if (done >= events->mark_next) {
		memcpy(scratch->times_before, scratch->times, kept_times(events) * sizeof *scratch->times);
		memcpy(scratch->counts_before, scratch->counts,
			kept_counts(events) * sizeof *scratch->counts);
		events->mark = done;
		events->mark_next = 2 * done;
	}
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

/* Follows devices in turn, each as far as it gets with what the others have sent. */
static void fixed_order_run(struct events *events)
{
	const unsigned count = events->schedule->micro_batches;
	while (events->done[PASS_BACKWARD][0] < count) {
		const unsigned before = events->done[PASS_BACKWARD][0];
		for (unsigned i = 0; i < events->stages; ++i) {
			const unsigned warm_up = schedule_warm_up(events->schedule, i);
			while (events->next[0][i].groups && events->held[i] <= warm_up
					? pass_next(events, PASS_FORWARD, i)
					: events->next[1][i].groups && pass_next(events, PASS_BACKWARD, i))
				;
		}
		if (!events->whole && events->done[PASS_BACKWARD][0] > before)
			events_extrapolate(events);
	}
}

void schedule_events(const struct pipeline_schedule *schedule, struct schedule_scratch *scratch, bool whole,
	struct schedule_result *result)
{
	struct events events;
	if (schedule_splits_backward(schedule->kind)) {
		zero_bubble_run(schedule, scratch, whole, result);
		return;
	}
	events_begin(&events, schedule, scratch);
	events.whole = whole;
	events.log = whole ? result->log : NULL;
	fixed_order_run(&events);
	schedule_fill_held(schedule, result->held);
	schedule_fill(schedule, events.end_s, result);
}
