/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
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
 */
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
