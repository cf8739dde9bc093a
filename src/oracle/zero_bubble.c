/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Zero bubble: gradients of weights, which nobody waits for, fill what would be idle (Qi et al., "Zero bubble pipeline
 * parallelism", 2024). Whenever a device is free it takes, of what is there by then, a backward, else a forward while it
 * holds fewer than its limit, else gradients of weights. With one virtual stage on each device a micro-batch is held
 * until its gradients of weights are done; limits are p and, 2p, 2 p.
 */
#include <math.h>

#include "oracle/events.h"

enum work { FORWARD, BACKWARD, WEIGHT, NOTHING };

/* Times this near are the same: a decision must not depend on how sums were rounded. */
static double nearness_s(const struct events *events, unsigned stage)
{
	const struct stage_times *times = &events->schedule->times[stage];
	return 1e-9 * (times->forward_s + times->backward_s + times->weight_s);
}

/* When the next forward or backward of a stage has arrived; infinite: not sent yet. */
static double forward_arrival_s(const struct events *events, unsigned stage)
{
	const unsigned batch = events->forwards[stage];
	if (!stage)
		return batch < events->schedule->micro_batches ? 0 : HUGE_VAL;
	if (batch >= events->forwards[stage - 1])
		return HUGE_VAL;
	return events->forward_at_s[(size_t)stage * events->ring + (batch & (events->ring - 1))];
}

static double backward_arrival_s(const struct events *events, unsigned stage)
{
	const unsigned batch = events->backwards[stage];
	if (stage + 1 == events->virtual_stages)
		return batch < events->forwards[stage] ? 0 : HUGE_VAL;
	if (batch >= events->backwards[stage + 1])
		return HUGE_VAL;
	return events->backward_at_s[(size_t)stage * events->ring + (batch & (events->ring - 1))];
}

/* Limits of micro-batches times virtual stages; the last place is for those that have passed the turn. */
static bool has_room(const struct events *events, unsigned device, unsigned stage)
{
	const unsigned p = events->stages, held = events->held[device];
	if (events->schedule->kind == PARADL_ZERO_BUBBLE)
		return held < p;
	if (events->schedule->kind == PARADL_ZERO_BUBBLE_V && stage < p)
		return held + 1 < 2 * p;
	return held < 2 * p;
}

/* `other` if it can start earlier; first offers win when both can start. */
static void offer(struct schedule_choice *choice, enum work work, unsigned stage, double at_s, double near_s)
{
	if (at_s < choice->at_s - near_s) {
		choice->at_s = at_s;
		choice->work = work;
		choice->stage = stage;
	}
}

static struct schedule_choice choose(const struct events *events, unsigned device)
{
	const unsigned chunks = events->schedule->chunks, last = events->virtual_stages - 1;
	const double free_s = events->free_s[device], near_s = nearness_s(events, device);
	struct schedule_choice choice = {HUGE_VAL, NOTHING, 0};
	for (unsigned chunk = chunks; chunk-- > 0;) {
		const unsigned stage = chunk ? last - device : device;
		offer(&choice, BACKWARD, stage, later_s(free_s, backward_arrival_s(events, stage)), near_s);
	}
	for (unsigned chunk = chunks; chunk-- > 0;) {
		const unsigned stage = chunk ? last - device : device;
		if (has_room(events, device, stage))
			offer(&choice, FORWARD, stage, later_s(free_s, forward_arrival_s(events, stage)),
				near_s);
	}
	for (unsigned chunk = chunks; chunk-- > 0;) {
		const unsigned stage = chunk ? last - device : device;
		if (events->weights[stage] < events->backwards[stage])
			offer(&choice, WEIGHT, stage, free_s, near_s);
	}
	return choice;
}

static void do_work(struct events *events, unsigned device, const struct schedule_choice *choice)
{
	const unsigned stage = choice->stage;
	if (choice->work == FORWARD) {
		events->held[device]++;
		events_forward(events, device, stage, choice->at_s);
	} else if (choice->work == BACKWARD) {
		events_backward(events, device, stage, choice->at_s);
	} else {
		events->held[device]--;
		events->weights[stage]++;
		events->end_s[device] = events->free_s[device] =
			choice->at_s + events->schedule->times[stage].weight_s;
	}
}

static void keep_most(
	const struct events *events, unsigned device, struct schedule_result *result, unsigned *most)
{
	if (events->held[device] <= *most)
		return;
	*most = events->held[device];
	if (result->devices)
		result->devices[device].held = *most;
	for (unsigned chunk = 0; result->held && chunk < events->schedule->chunks; ++chunk) {
		const unsigned stage = chunk ? events->virtual_stages - 1 - device : device;
		result->held[stage] = events->forwards[stage] - events->weights[stage];
	}
}

void zero_bubble_run(struct events *events, struct schedule_result *result)
{
	const unsigned p = events->stages;
	struct schedule_choice *const choices = events->scratch->choices;
	unsigned *const most = events->held + p;
	for (unsigned i = 0; i < p; ++i) {
		choices[i] = choose(events, i);
		most[i] = 0;
	}
	for (;;) {
		unsigned device = 0;
		for (unsigned i = 1; i < p; ++i)
			if (choices[i].at_s < choices[device].at_s)
				device = i;
		const struct schedule_choice choice = choices[device];
		if (choice.work == NOTHING)
			break;
		do_work(events, device, &choice);
		if (choice.work == FORWARD) {
			keep_most(events, device, result, &most[device]);
			if (choice.stage + 1 < events->virtual_stages) {
				const unsigned next = schedule_device(events->schedule, choice.stage + 1);
				choices[next] = choose(events, next);
			}
		} else if (choice.work == BACKWARD && choice.stage) {
			const unsigned next = schedule_device(events->schedule, choice.stage - 1);
			choices[next] = choose(events, next);
		} else if (choice.work == BACKWARD && !events->whole && events_extrapolate(events)) {
			for (unsigned i = 0; i < p; ++i)
				choices[i] = choose(events, i);
		}
		choices[device] = choose(events, device);
	}
}
