/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A timeline says when each stage of a pipeline does what, with the times of the estimate: the schedule, event by
 * event (schedule.h), or stages and links as machines in series that all micro-batches pass (schedule.c). With times
 * t_m of the machines, micro-batch j leaves machine m at
 *     sum_(k <= m) t_k + j max_(k <= m) t_k
 */
#include <stdlib.h>

#include "base/error.h"
#include "base/names.h"
#include "oracle/training.h"

enum { EVENTS_MOST = 1000000 };

NAME_FUNCTION(paradl_work_name, enum paradl_work, "input", "forward", "backward", "weight_gradient",
	"exchange", "update")

/* Timeline as it is put together. */
struct drawing {
	struct schedule_log log;
	struct schedule_result schedule; /* ends of devices: with the input before */
};

static void add(struct drawing *drawing, unsigned device, unsigned stage, unsigned batch,
	enum paradl_work work, double start_s, double end_s)
{
	if (end_s > start_s)
		drawing->log.events[drawing->log.count++] =
			(struct paradl_event){start_s, end_s, device, stage, batch, work};
}

/* Reserves room for all that is drawn; false with an error where that is too long. */
static bool drawing_begin(struct drawing *drawing, const struct evaluation *evaluation,
	const struct step *step, struct paradl_arena *arena, struct paradl_error *error)
{
	const double works = schedule_splits_backward(evaluation->schedule) ? 3 : 2;
	const double count = works * step->count * step->micro_batches + 3.0 * step->devices;
	if (count > EVENTS_MOST) {
		error_set(error, PARADL_USAGE,
			"a timeline of %.0f operations is too long; at most %d are possible", count,
			EVENTS_MOST);
		return false;
	}
	drawing->log.events = arena_alloc(arena, (size_t)count, sizeof *drawing->log.events);
	drawing->schedule.devices = arena_alloc(arena, step->devices, sizeof *drawing->schedule.devices);
	drawing->schedule.held = arena_alloc(arena, step->count, sizeof *drawing->schedule.held);
	drawing->schedule.log = &drawing->log;
	if (drawing->log.events && drawing->schedule.devices && drawing->schedule.held)
		return true;
	return out_of_memory(error);
}

static void follow_schedule(
	const struct evaluation *evaluation, const struct step *step, double begin_s, struct drawing *drawing)
{
	const struct pipeline_schedule schedule = training_pipeline(evaluation, step);
	const bool split = schedule_splits_backward(schedule.kind);
	struct schedule_result *const followed = &drawing->schedule;
	struct schedule_log *const log = &drawing->log;
	schedule_events(&schedule, evaluation->net->schedule, true, followed);
	for (unsigned i = 0; i < step->devices; ++i) /* each device of zero bubble goes on by itself */
		followed->devices[i].end_s =
			begin_s + (split ? followed->devices[i].end_s : followed->makespan_s);
	const size_t count = log->count;
	log->count = 0;
	for (size_t i = 0; i < count; ++i) {
		const struct paradl_event event = log->events[i];
		add(drawing, event.device, event.stage, event.micro_batch, event.work,
			begin_s + event.start_s, begin_s + event.end_s);
	}
}

/* Draws all micro-batches through the stages one way; returns when the last has left. */
static double pass_stages(const struct stage_times *times, unsigned stages, unsigned batches, enum pass pass,
	double begin_s, struct drawing *drawing)
{
	double sum_s = 0, slowest_s = 0, last_s = begin_s;
	for (unsigned i = 0; i < stages; ++i) {
		const unsigned stage = pass == PASS_FORWARD ? i : stages - 1 - i;
		const double work_s = stage_pass_s(&times[stage], pass);
		const double send_s = times[stage].send_s[pass], blocked_s = times[stage].blocked_s[pass];
		slowest_s = later_s(slowest_s, work_s + blocked_s);
		for (unsigned batch = 0; batch < batches; ++batch) {
			const double start_s = begin_s + sum_s + batch * slowest_s;
			last_s = start_s + work_s;
			add(drawing, stage, stage, batch, PARADL_WORK_FORWARD + pass, start_s, last_s);
		}
		sum_s += work_s + send_s;
		slowest_s = later_s(slowest_s, send_s - blocked_s);
	}
	return last_s;
}

static void follow_stages(
	const struct evaluation *evaluation, const struct step *step, double begin_s, struct drawing *drawing)
{
	const struct stage_times *const times = evaluation->net->stage_times;
	const unsigned stages = step->devices, batches = (unsigned)step->micro_batches;
	const double turn_s = pass_stages(times, stages, batches, PASS_FORWARD, begin_s, drawing);
	const double end_s = pass_stages(times, stages, batches, PASS_BACKWARD, turn_s, drawing);
	for (unsigned device = 0; device < stages; ++device)
		drawing->schedule.devices[device].end_s = end_s;
	drawing->schedule.makespan_s = end_s - begin_s;
}

static int by_device_and_time(const void *a, const void *b)
{
	const struct paradl_event *const left = a, *const right = b;
	if (left->device != right->device)
		return left->device < right->device ? -1 : 1;
	return (left->start_s > right->start_s) - (left->start_s < right->start_s);
}

/* Adds what comes before and after the schedule, and sums the timeline up. */
static void finish(const struct evaluation *evaluation, const struct paradl_estimate *estimate,
	struct drawing *drawing, struct paradl_timeline *timeline)
{
	const unsigned devices = evaluation->plan.degree[PARADL_PIPELINE];
	const double input_s = estimate->phase_s[PARADL_INPUT],
		     update_s = estimate->phase_s[PARADL_WEIGHT_UPDATE];
	const double exchanging_s =
		later_s(estimate->iteration_s - input_s - drawing->schedule.makespan_s - update_s, 0);
	*timeline = (struct paradl_timeline){.devices = devices,
		.chunks = evaluation->chunks,
		.micro_batches = evaluation->micro_batches,
		.events = drawing->log.events,
		.schedule_s = drawing->schedule.makespan_s,
		.step_s = estimate->iteration_s};
	for (unsigned device = 0; device < devices; ++device) {
		const double end_s = drawing->schedule.devices[device].end_s,
			     exchanged_s = end_s + exchanging_s;
		add(drawing, device, device, 0, PARADL_WORK_INPUT, 0, input_s);
		if (exchanging_s > 1e-9 * estimate->iteration_s) /* else it is rounding */
			add(drawing, device, device, 0, PARADL_WORK_EXCHANGE, end_s, exchanged_s);
		add(drawing, device, device, 0, PARADL_WORK_UPDATE, exchanged_s, exchanged_s + update_s);
		timeline->end_s = later_s(timeline->end_s, exchanged_s + update_s);
	}
	timeline->count = drawing->log.count;
	qsort(drawing->log.events, drawing->log.count, sizeof *drawing->log.events, by_device_and_time);
}

bool paradl_timeline(struct paradl_oracle *oracle, const struct paradl_plan *plan, struct paradl_arena *arena,
	struct paradl_timeline *timeline, struct paradl_error *error)
{
	struct drawing drawing = {0};
	const struct result *result = result_of(oracle, plan, error);
	if (!result)
		return false;
	const struct evaluation *evaluation = &result->evaluation;
	if (evaluation->serving || plan->degree[PARADL_PIPELINE] < 2)
		return error_set(error, PARADL_USAGE, "a timeline is of training with pipeline=2 or more");
	const double input_s = result->estimate.phase_s[PARADL_INPUT];
	if (!drawing_begin(&drawing, evaluation, &result->step, arena, error))
		return false;
	if (training_is_flow_shop(evaluation))
		follow_stages(evaluation, &result->step, input_s, &drawing);
	else
		follow_schedule(evaluation, &result->step, input_s, &drawing);
	finish(evaluation, &result->estimate, &drawing, timeline);
	return true;
}
