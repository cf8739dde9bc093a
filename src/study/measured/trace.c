/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file reads a trace of one rank. Each step begins with the first kernel that was started in its annotation
 * (ProfilerStep#) and ends with the beginning of the next; trace.h says how much of its time each phase has.
 */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "study/measured/trace.h"

static bool knows(const char *begin, size_t length)
{
	(void)length;
	begin += strspn(begin, " \t\r\n");
	return *begin == '[' ||
	       (*begin == '{' && (strstr(begin, "\"traceEvents\"") || strstr(begin, "\"schemaVersion\"") ||
					 strstr(begin, "\"deviceProperties\"")));
}

static unsigned others(const struct paradl_plan *plan)
{
	unsigned degrees = 1;
	for (unsigned axis = PARADL_EXPERT; axis < PARADL_AXIS_COUNT; ++axis)
		degrees *= plan->degree[axis];
	return degrees;
}

/*
 * Returns 1 if a group of `size` devices is one of an axis that cuts layers, -1 if it is one of replicas; 0: it could
 * be both or neither.
 */
static int group_is(const struct paradl_plan *plan, double size)
{
	const bool replicas = fabs(size - plan->degree[PARADL_DATA]) < 0.5;
	bool cuts = false;
	for (unsigned axis = PARADL_EXPERT; axis < PARADL_AXIS_COUNT; ++axis)
		cuts |= plan->degree[axis] > 1 && fabs(size - plan->degree[axis]) < 0.5;
	return (int)cuts - (int)replicas;
}

static unsigned phase_of_collective(struct measured_reading *reading, const struct trace_kernel *kernel)
{
	const struct paradl_plan *plan = reading->plan;
	const bool cut = others(plan) > 1;
	const int group = kernel->group > 0 ? group_is(plan, kernel->group) : 0;
	if (kernel->sends == COLLECTIVE_SEND)
		return plan->degree[PARADL_PIPELINE] > 1  ? PARADL_STAGE_TRANSFER
		       : plan->degree[PARADL_SPATIAL] > 1 ? PARADL_HALO_EXCHANGE
		       : cut                              ? PARADL_ACTIVATION_EXCHANGE
							  : PARADL_GRADIENT_EXCHANGE;
	if (!cut || group < 0)
		return PARADL_GRADIENT_EXCHANGE;
	if (group > 0 || plan->degree[PARADL_DATA] < 2 || kernel->sends == COLLECTIVE_ALL_TO_ALL)
		return PARADL_ACTIVATION_EXCHANGE;
	if (kernel->within != RANGE_BACKWARD && kernel->within != RANGE_UPDATE)
		return PARADL_ACTIVATION_EXCHANGE;
	reading->measurement->note =
		"the trace does not say between how many devices collectives are: those of "
		"backward count as gradient exchange";
	return PARADL_GRADIENT_EXCHANGE;
}

static unsigned phase_of(struct measured_reading *reading, const struct trace_kernel *kernel)
{
	if (kernel->sends != COLLECTIVE_NONE)
		return phase_of_collective(reading, kernel);
	if (kernel->within == RANGE_LOADER)
		return PARADL_INPUT;
	if (kernel->within == RANGE_BACKWARD)
		return PARADL_BACKWARD;
	if (kernel->within == RANGE_UPDATE)
		return PARADL_WEIGHT_UPDATE;
	return kernel->to_device && kernel->layer < 0 ? PARADL_INPUT : PARADL_FORWARD;
}

/* ---- steps ---- */

struct steps {
	double *begin_s, *end_s; /* begin and end of the annotations, ascending */
	size_t count;
	struct timeline_window *windows;
};

/*
 * Finds the annotations of steps: those of the host where it has them, else those of the device. False: error is set.
 */
static bool steps_find(struct trace *trace, struct steps *steps)
{
	struct paradl_arena *arena = trace->reading->arena;
	steps->begin_s = arena_alloc(arena, trace->range_count + 1, sizeof(double));
	steps->end_s = arena_alloc(arena, trace->range_count + 1, sizeof(double));
	if (!steps->begin_s || !steps->end_s)
		return out_of_memory(trace->reading->error);
	steps->count = 0;
	for (unsigned pass = 0; pass < 2 && !steps->count; ++pass)
		for (size_t i = 0; i < trace->range_count; ++i) {
			const struct trace_range *range = &trace->ranges[i];
			if (range->kind != RANGE_STEP || (range->thread == DEVICE_THREAD) != (pass > 0))
				continue;
			if (steps->count && range->begin_s < steps->end_s[steps->count - 1])
				return error_at(trace->reading->error, PARADL_SCHEMA, trace->reading->path, 0,
					0,
					"has steps (ProfilerStep#) that overlap: one trace for each rank is "
					"needed");
			steps->begin_s[steps->count] = range->begin_s;
			steps->end_s[steps->count++] = range->end_s;
		}
	return true;
}

/* Returns the index of the step that a moment is in; count: none. */
static size_t step_of(const struct steps *steps, double at_s)
{
	size_t low = 0, high = steps->count;
	while (low < high) {
		const size_t middle = (low + high) / 2;
		if (steps->end_s[middle] <= at_s)
			low = middle + 1;
		else
			high = middle;
	}
	return low < steps->count && steps->begin_s[low] <= at_s ? low : steps->count;
}

/* Makes the windows of the steps. Without steps all is one window; windows without a kernel have no length. */
static bool windows_make(struct trace *trace, struct steps *steps)
{
	const size_t count = steps->count ? steps->count : 1;
	double end_s = -HUGE_VAL;
	struct timeline_window *windows = arena_alloc(trace->reading->arena, count, sizeof *windows);
	if (!windows)
		return out_of_memory(trace->reading->error);
	for (size_t i = 0; i < count; ++i)
		windows[i].begin_s = HUGE_VAL;
	for (size_t i = 0; i < trace->kernel_count; ++i) {
		const struct trace_kernel *kernel = &trace->kernels[i];
		const size_t step = steps->count ? step_of(steps, kernel->launched_s) : 0;
		if (step == count)
			continue;
		windows[step].begin_s = fmin(windows[step].begin_s, kernel->begin_s);
		end_s = fmax(end_s, kernel->end_s);
	}
	for (size_t i = count; i-- > 0;) {
		windows[i].end_s = end_s;
		windows[i].begin_s = fmin(windows[i].begin_s, end_s);
		end_s = windows[i].begin_s;
	}
	steps->windows = windows;
	steps->count = count;
	return true;
}

/* ---- observations ---- */

static bool observe_window(struct trace *trace, const struct timeline_window *window, double step)
{
	struct observation observation = {
		.layer = -1, .rank = trace->rank, .step = step, .busy_s = -1, .calls = -1};
	double total_s = 0;
	if (!(window->end_s > window->begin_s))
		return true;
	for (unsigned phase = 0; phase < PARADL_PHASE_COUNT; ++phase) {
		total_s += window->exposed_s[phase];
		observation.part = phase;
		observation.seconds = window->exposed_s[phase];
		observation.busy_s = window->busy_s[phase];
		observation.calls = window->items[phase];
		if (phase != PARADL_RECOMPUTE && !observe(trace->reading, &observation))
			return false;
	}
	observation.part = PARADL_PART_TOTAL;
	observation.seconds = total_s;
	observation.busy_s = observation.calls = -1;
	trace->reading->idle_s += window->idle_s;
	trace->reading->span_s += total_s;
	return observe(trace->reading, &observation);
}

/* Observes the kernels of layers one after the other, whatever runs at the same time. */
static bool observe_layers(struct trace *trace, const struct steps *steps)
{
	for (size_t i = 0; i < trace->kernel_count; ++i) {
		const struct trace_kernel *kernel = &trace->kernels[i];
		const unsigned phase = phase_of(trace->reading, kernel);
		const size_t step = timeline_window_of(steps->windows, steps->count, kernel->begin_s);
		if (kernel->layer < 0 || phase == PARADL_INPUT || phase == PARADL_GRADIENT_EXCHANGE ||
			step == steps->count)
			continue;
		const struct observation observation = {.layer = kernel->layer,
			.part = phase,
			.rank = trace->rank,
			.step = (double)step,
			.seconds = kernel->end_s - kernel->begin_s,
			.busy_s = -1,
			.calls = 1};
		if (!observe(trace->reading, &observation))
			return false;
	}
	return true;
}

static bool sweep(struct trace *trace, const struct steps *steps)
{
	struct measured_reading *reading = trace->reading;
	struct timeline_item *items = arena_alloc(reading->arena, trace->kernel_count, sizeof *items);
	const unsigned idle = reading->plan->degree[PARADL_PIPELINE] > 1 ? PARADL_BUBBLE : PARADL_PHASE_COUNT;
	if (!items)
		return out_of_memory(reading->error);
	for (size_t i = 0; i < trace->kernel_count; ++i)
		items[i] = (struct timeline_item){trace->kernels[i].begin_s, trace->kernels[i].end_s,
			phase_of(reading, &trace->kernels[i])};
	return timeline_sweep(
		       reading->arena, items, trace->kernel_count, idle, steps->windows, steps->count) ||
	       out_of_memory(reading->error);
}

static bool read(struct measured_reading *reading)
{
	struct trace trace;
	struct steps steps = {.count = 0};
	if (!trace_read(reading, &trace))
		return false;
	if (trace.rank < 0)
		trace.rank = reading->file;
	if (!trace.kernel_count) {
		error_at(reading->error, PARADL_SCHEMA, reading->path, 0, 0, "has no kernel of a device");
		error_hint(reading->error,
			"profile with ProfilerActivity.CUDA; events of cat \"kernel\" are looked for");
		return false;
	}
	if (!trace_context(&trace) || !steps_find(&trace, &steps))
		return false;
	if (!steps.count)
		reading->measurement->note =
			"the trace has no steps (ProfilerStep#): all of it counts as one";
	if (!windows_make(&trace, &steps) || !sweep(&trace, &steps))
		return false;
	for (size_t i = 0; i < steps.count; ++i)
		if (!observe_window(&trace, &steps.windows[i], (double)i))
			return false;
	return observe_layers(&trace, &steps);
}

const struct measured_reader measured_reader_trace = {
	.name = "chrome trace",
	.summary = "traceEvents of the PyTorch profiler, one file for each rank",
	.knows = knows,
	.read = read,
};
