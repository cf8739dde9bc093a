/* SPDX-License-Identifier: GPL-3.0-or-later */
/* State of a pipeline between two events; within the schedule's files only. */
#ifndef ORACLE_EVENTS_H
#define ORACLE_EVENTS_H

#include <math.h>

#include "oracle/schedule.h"

/*
 * Micro-batches pass each virtual stage in order, so counts say which have; arrays are rows of scratch memory. Arrivals
 * of micro-batch j at stage k are in a ring, at k * ring + j % ring; only those not taken yet mean anything.
 */
struct events {
	const struct pipeline_schedule *schedule;
	struct schedule_groups groups;
	struct schedule_scratch *scratch;
	unsigned stages, virtual_stages, ring;
	bool split, whole;                    /* backwards in two; do not extrapolate */
	double *free_s;                       /* of devices */
	double *link_s[2];                    /* of devices: links to the next one, and to the one before */
	double *forward_at_s, *backward_at_s; /* arrivals at virtual stages */
	double *start_s, *end_s;              /* of devices */
	unsigned *forwards, *backwards, *weights; /* done, of virtual stages */
	struct schedule_cursor *next[2];          /* of devices: forward, backward */
	unsigned *held;                           /* of devices: forwards whose end has not come */
	struct schedule_log *log;                 /* NULL: none is kept */
	unsigned mark, mark_next;                 /* backwards of stage 0 when it was kept, will be kept */
};

void events_begin(
	struct events *events, const struct pipeline_schedule *schedule, struct schedule_scratch *scratch);
static inline void events_note(struct events *events, unsigned device, unsigned stage, unsigned batch,
	enum schedule_work work, double start_s, double end_s)
{
	if (events->log)
		events->log->events[events->log->count++] =
			(struct schedule_event){start_s, end_s, device, stage, batch, work};
}

/* Returns when what a device has sent to a stage arrives: where links queue, after what went over the same link before. */
static inline double events_arrival_s(
	const struct events *events, unsigned device, unsigned to, double end_s, double send_s)
{
	const unsigned other = schedule_device(events->schedule, to);
	if (!events->schedule->links_queue || other == device)
		return end_s + send_s;
	double *const link_s = &events->link_s[other != (device + 1) % events->stages][device];
	*link_s = later_s(end_s, *link_s) + send_s;
	return *link_s;
}

/* When the next forward or backward of a stage has arrived; infinite: not sent yet. */
static inline double forward_arrival_s(const struct events *events, unsigned stage)
{
	const unsigned batch = events->forwards[stage];
	if (!stage)
		return batch < events->schedule->micro_batches ? 0 : HUGE_VAL;
	if (batch >= events->forwards[stage - 1])
		return HUGE_VAL;
	return events->forward_at_s[(size_t)stage * events->ring + (batch & (events->ring - 1))];
}

static inline double backward_arrival_s(const struct events *events, unsigned stage)
{
	const unsigned batch = events->backwards[stage];
	if (stage + 1 == events->virtual_stages)
		return batch < events->forwards[stage] ? 0 : HUGE_VAL;
	if (batch >= events->backwards[stage + 1])
		return HUGE_VAL;
	return events->backward_at_s[(size_t)stage * events->ring + (batch & (events->ring - 1))];
}

/* One micro-batch in a virtual stage of a device, not before its device is free. */
static inline void events_forward(struct events *events, unsigned device, unsigned stage, double start_s)
{
	const struct stage_times *times = &events->schedule->times[stage];
	const unsigned batch = events->forwards[stage]++;
	const double end_s = start_s + times->forward_s;
	events_note(events, device, stage, batch, SCHEDULE_FORWARD, start_s, end_s);
	if (!batch && stage < events->stages)
		events->start_s[device] = start_s;
	events->end_s[device] = events->free_s[device] = end_s;
	if (stage + 1 == events->virtual_stages)
		return;
	events->free_s[device] += times->forward_blocked_s;
	events->forward_at_s[(size_t)(stage + 1) * events->ring + (batch & (events->ring - 1))] =
		events_arrival_s(events, device, stage + 1, end_s, times->send_forward_s);
}

static inline void events_backward(struct events *events, unsigned device, unsigned stage, double start_s)
{
	const struct stage_times *times = &events->schedule->times[stage];
	const unsigned batch = events->backwards[stage]++;
	const double end_s = start_s + times->backward_s + (events->split ? 0 : times->weight_s);
	events_note(events, device, stage, batch, SCHEDULE_BACKWARD, start_s, end_s);
	events->end_s[device] = events->free_s[device] = end_s;
	if (!stage)
		return;
	events->free_s[device] += times->backward_blocked_s;
	events->backward_at_s[(size_t)(stage - 1) * events->ring + (batch & (events->ring - 1))] =
		events_arrival_s(events, device, stage - 1, end_s, times->send_backward_s);
}

/*
 * After a backward of stage 0: if all is as it was some micro-batches ago, only later, then so it goes on, up to the
 * last whole group. True if it has gone on: every time and count is another one.
 */
bool events_extrapolate(struct events *events);

/* The whole step of a kind that takes what has arrived. */
void zero_bubble_run(struct events *events, struct schedule_result *result);

#endif
