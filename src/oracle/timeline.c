/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * When each stage of a pipeline does what, with the times of the estimate: the schedule, event by event (schedule.h), or
 * stages and links as machines in series that all micro-batches pass (schedule.c);
 * with times t_m of the machines, micro-batch j leaves machine m at
 *     sum_(k <= m) t_k + j max_(k <= m) t_k
 */
#include <stdlib.h>

#include "base/error.h"
#include "oracle/result.h"

enum { EVENTS_MOST = 1000000 };

const char *paradl_work_name(enum paradl_work work)
{
	static const char *const names[PARADL_WORK_COUNT] = {
		"input", "forward", "backward", "weight_gradient", "exchange", "update"};
	return names[work];
}

/* What is put together. */
struct drawing {
	struct paradl_event *events;
	size_t count;
	double *end_s; /* of each device: when its backwards are done */
	double schedule_s;
};

static void add(struct drawing *drawing, unsigned device, unsigned stage, unsigned batch,
	enum paradl_work work, double start_s, double end_s)
{
	if (end_s > start_s)
		drawing->events[drawing->count++] =
			(struct paradl_event){start_s, end_s, device, stage, batch, work};
}

static bool drawing_begin(struct drawing *drawing, struct paradl_arena *arena, double work, unsigned devices,
	struct paradl_error *error)
{
	const double count = work + 3.0 * devices;
	if (count > EVENTS_MOST) {
		error_set(error, PARADL_USAGE,
			"a timeline of %.0f operations is too long; at most %d are possible", count,
			EVENTS_MOST);
		return false;
	}
	drawing->events = arena_alloc(arena, (size_t)count, sizeof *drawing->events);
	drawing->end_s = arena_alloc(arena, devices, sizeof *drawing->end_s);
	if (drawing->events && drawing->end_s)
		return true;
	error_set(error, PARADL_NO_MEMORY, "out of memory");
	return false;
}

static bool follow_schedule(const struct result *result, struct paradl_arena *arena, double begin_s,
	struct drawing *drawing, struct paradl_error *error)
{
	static const enum paradl_work works[] = {[SCHEDULE_FORWARD] = PARADL_WORK_FORWARD,
		[SCHEDULE_BACKWARD] = PARADL_WORK_BACKWARD,
		[SCHEDULE_WEIGHTS] = PARADL_WORK_WEIGHTS};
	const struct step *step = &result->step;
	const struct pipeline_schedule schedule = training_pipeline(&result->evaluation, step);
	const bool split = schedule_splits_backward(schedule.kind);
	const double work = (split ? 3.0 : 2.0) * step->count * step->micro_batches;
	if (!drawing_begin(drawing, arena, work, step->devices, error))
		return false;
	struct schedule_log log = {arena_alloc(arena, (size_t)work, sizeof *log.events), 0};
	if (!log.events) {
		error_set(error, PARADL_NO_MEMORY, "out of memory");
		return false;
	}
	struct schedule_result followed = {.log = &log};
	schedule_events(&schedule, result->evaluation.net->schedule, true, &followed);
	drawing->schedule_s = followed.makespan_s;
	for (unsigned device = 0; device < step->devices; ++device)
		drawing->end_s[device] = begin_s + followed.makespan_s;
	for (size_t i = 0; i < log.count; ++i) {
		const struct schedule_event *const event = &log.events[i];
		const double end_s = begin_s + event->end_s;
		add(drawing, event->device, event->stage, event->batch, works[event->work],
			begin_s + event->start_s, end_s);
		/* Each device of zero bubble goes on by itself. */
		if (split && (event->work == SCHEDULE_WEIGHTS || end_s > drawing->end_s[event->device]))
			drawing->end_s[event->device] = end_s;
	}
	return true;
}

/* All micro-batches through the stages one way; returns when the last has left. */
static double pass_stages(const struct stage_times *times, unsigned stages, unsigned batches, bool forward,
	double begin_s, struct drawing *drawing)
{
	double sum_s = 0, slowest_s = 0, last_s = begin_s;
	for (unsigned i = 0; i < stages; ++i) {
		const unsigned stage = forward ? i : stages - 1 - i;
		const struct stage_times *const own = &times[stage];
		const bool sends = i + 1 < stages;
		const double work_s = forward ? own->forward_s : own->backward_s + own->weight_s;
		const double blocked_s = !sends    ? 0
					 : forward ? own->forward_blocked_s
						   : own->backward_blocked_s;
		const double send_s = !sends ? 0 : forward ? own->send_forward_s : own->send_backward_s;
		slowest_s = later_s(slowest_s, work_s + blocked_s);
		for (unsigned batch = 0; batch < batches; ++batch) {
			const double start_s = begin_s + sum_s + batch * slowest_s;
			last_s = start_s + work_s;
			add(drawing, stage, stage, batch,
				forward ? PARADL_WORK_FORWARD : PARADL_WORK_BACKWARD, start_s, last_s);
		}
		sum_s += work_s + send_s;
		slowest_s = later_s(slowest_s, send_s - blocked_s);
	}
	return last_s;
}

static bool follow_stages(const struct evaluation *evaluation, struct paradl_arena *arena, double begin_s,
	struct drawing *drawing, struct paradl_error *error)
{
	const unsigned stages = evaluation->plan.degree[PARADL_PIPELINE];
	const struct stage_times *const times = evaluation->net->stage_times;
	if (!drawing_begin(drawing, arena, 2.0 * stages * evaluation->micro_batches, stages, error))
		return false;
	const unsigned batches = (unsigned)evaluation->micro_batches;
	const double turn_s = pass_stages(times, stages, batches, true, begin_s, drawing);
	const double end_s = pass_stages(times, stages, batches, false, turn_s, drawing);
	for (unsigned device = 0; device < stages; ++device)
		drawing->end_s[device] = end_s;
	drawing->schedule_s = end_s - begin_s;
	return true;
}

static int by_device_and_time(const void *a, const void *b)
{
	const struct paradl_event *const left = a, *const right = b;
	if (left->device != right->device)
		return left->device < right->device ? -1 : 1;
	return (left->start_s > right->start_s) - (left->start_s < right->start_s);
}

/* What comes before and after the schedule, and its sum. */
static void finish(const struct evaluation *evaluation, const struct paradl_estimate *estimate,
	struct drawing *drawing, struct paradl_timeline *timeline)
{
	const unsigned devices = evaluation->plan.degree[PARADL_PIPELINE];
	const double input_s = estimate->phase_s[PARADL_INPUT],
		     update_s = estimate->phase_s[PARADL_WEIGHT_UPDATE];
	const double exchanging_s =
		later_s(estimate->iteration_s - input_s - drawing->schedule_s - update_s, 0);
	*timeline = (struct paradl_timeline){.devices = devices,
		.chunks = evaluation->chunks,
		.micro_batches = evaluation->micro_batches,
		.events = drawing->events,
		.schedule_s = drawing->schedule_s,
		.step_s = estimate->iteration_s};
	for (unsigned device = 0; device < devices; ++device) {
		const double exchanged_s = drawing->end_s[device] + exchanging_s;
		add(drawing, device, device, 0, PARADL_WORK_INPUT, 0, input_s);
		if (exchanging_s > 1e-9 * estimate->iteration_s) /* else it is rounding */
			add(drawing, device, device, 0, PARADL_WORK_EXCHANGE, drawing->end_s[device],
				exchanged_s);
		add(drawing, device, device, 0, PARADL_WORK_UPDATE, exchanged_s, exchanged_s + update_s);
		timeline->end_s = later_s(timeline->end_s, exchanged_s + update_s);
	}
	timeline->count = drawing->count;
	qsort(drawing->events, drawing->count, sizeof *drawing->events, by_device_and_time);
}

bool paradl_timeline(struct paradl_oracle *oracle, const struct paradl_plan *plan, struct paradl_arena *arena,
	struct paradl_timeline *timeline, struct paradl_error *error)
{
	struct drawing drawing = {.count = 0};
	const struct result *result = result_of(oracle, plan, error);
	if (!result)
		return false;
	const struct evaluation *evaluation = &result->evaluation;
	if (evaluation->serving || plan->degree[PARADL_PIPELINE] < 2)
		return error_set(error, PARADL_USAGE, "a timeline is of training with pipeline=2 or more");
	const double input_s = result->estimate.phase_s[PARADL_INPUT];
	if (!(training_is_flow_shop(evaluation) ? follow_stages(evaluation, arena, input_s, &drawing, error)
						: follow_schedule(result, arena, input_s, &drawing, error)))
		return false;
	finish(evaluation, &result->estimate, &drawing, timeline);
	return true;
}
