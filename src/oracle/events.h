/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A pipeline while it is followed one forward or backward after the other: events.c, zero_bubble.c. */
#ifndef ORACLE_EVENTS_H
#define ORACLE_EVENTS_H

#include <math.h>

#include "oracle/schedule.h"

/* Kinds of work: enum pass, gradients of weights that are apart, or none. */
enum { WORK_WEIGHTS = PASS_BACKWARD + 1, WORK_NOTHING };

/*
 * Micro-batches pass each virtual stage in order, so counts say which have; arrays are rows of scratch memory. Arrivals
 * of micro-batch j at stage k are in a ring, at k * ring + (j - skipped) % ring; only those not taken yet mean anything.
 */
struct events {
	const struct pipeline_schedule *schedule;
	struct schedule_groups groups;
	struct schedule_scratch *scratch;
	unsigned stages, virtual_stages, ring;
	unsigned ends[2];     /* the virtual stage where a pass begins; the other one's is where it ends */
	bool split, whole;    /* backwards in two; do not extrapolate */
	double *free_s;       /* of devices */
	double *link_s[2];    /* of devices: links to the next one, and to the one before */
	double *arrival_s[2]; /* at virtual stages, by pass */
	double *end_s;        /* of devices: of what they did last */
	unsigned *done[3];    /* of virtual stages, by kind of work */
	struct schedule_cursor *next[2]; /* of devices, by pass */
	unsigned *held;                  /* of devices: forwards whose end has not come */
	double *next_s
		[2]; /* zero bubble: when the next micro-batch of a pass is at each virtual stage; events_arrival_s */
	struct schedule_log *log; /* NULL: none is kept */
	unsigned mark, mark_next; /* backwards of stage 0 when it was kept, will be kept */
	unsigned skipped;         /* micro-batches */
};

/* Returns the virtual stage that a pass comes to next. */
static inline unsigned stage_after(enum pass pass, unsigned stage)
{
	return pass == PASS_FORWARD ? stage + 1 : stage - 1;
}

/* Returns where the arrival of a micro-batch at a virtual stage is kept. */
static inline double *events_arrival(
	const struct events *events, enum pass pass, unsigned stage, unsigned batch)
{
	const unsigned place = (batch - events->skipped) & (events->ring - 1);
	return &events->arrival_s[pass][(size_t)stage * events->ring + place];
}

/* Returns when the next micro-batch of a pass has arrived at a virtual stage; infinite: not sent yet. */
static inline double events_arrival_s(const struct events *events, enum pass pass, unsigned stage)
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
 * Does a device's next work of a kind in a virtual stage, not before the device is free, and sends what comes of it: where
 * links queue, after what went over the same link before. A micro-batch is held until its gradients of weights are done.
 */
static inline void events_work(
	struct events *events, unsigned work, unsigned device, unsigned stage, double start_s)
{
	const struct stage_times *times = &events->schedule->times[stage];
	const unsigned batch = events->done[work][stage]++;
	const bool last = work == (events->split ? WORK_WEIGHTS : PASS_BACKWARD);
	const double pass_s = work == WORK_WEIGHTS ? 0 : times->work_s[work];
	const double end_s = start_s + pass_s + (last ? times->weight_s : 0);
	events->held[device] += work == PASS_FORWARD;
	events->held[device] -= last;
	events->end_s[device] = events->free_s[device] = end_s;
	if (events->log)
		events->log->events[events->log->count++] = (struct paradl_event){
			start_s, end_s, device, stage, batch, PARADL_WORK_FORWARD + work};
	if (work == WORK_WEIGHTS || stage == events->ends[!work])
		return;
	const unsigned to = stage_after(work, stage);
	double sent_s = end_s + times->send_s[work];
	if (events->schedule->links_queue && schedule_device(events->schedule, to) != device) {
		const unsigned next = device + 1 < events->stages ? device + 1 : 0;
		double *const link_s = &events->link_s[schedule_device(events->schedule, to) != next][device];
		sent_s = *link_s = later_s(end_s, *link_s) + times->send_s[work];
	}
	events->free_s[device] += times->blocked_s[work];
	*events_arrival(events, work, to, batch) = sent_s;
}

/*
 * After a backward of stage 0: if all is as it was some micro-batches ago, only later, then so it goes on, up to the
 * last whole group. True if it has gone on: every time and count is another one.
 */
bool events_extrapolate(struct events *events);
/* Follows a schedule of zero bubble, and fills what its devices hold. */
void zero_bubble_run(struct events *events, struct schedule_result *result);

#endif
