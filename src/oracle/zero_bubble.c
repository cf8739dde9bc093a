/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Zero bubble: gradients of weights, which nobody waits for, fill what would be idle (Qi et al., "Zero bubble pipeline
 * parallelism", 2024). Whenever a device is free it takes, of what is there by then, a backward, else a forward while
 * it holds fewer than its limit, else gradients of weights. It holds a micro-batch until these are done; the limit is
 * p, with twice the memory 2 p, and for V 2 p of stages half as large.
 */
#include <math.h>

#include "oracle/events.h"

/* Times this near, as a share of a stage's work, are the same: a decision must not depend on how sums were rounded. */
static const double nearness = 1e-9;

/*
 * The limit, in micro-batches times virtual stages. For V, one place is for those that have passed the turn, and on the
 * way there no more are ahead of their backwards than there are stages after this one: more would only wait.
 */
static bool has_room(const struct events *events, unsigned device, unsigned stage)
{
	const unsigned p = events->stages, held = events->held[device];
	if (events->schedule->kind == PARADL_ZERO_BUBBLE)
		return held < p;
	if (events->schedule->kind == PARADL_ZERO_BUBBLE_V && stage < p)
		return held + 1 < 2 * p &&
		       events->done[PASS_FORWARD][stage] - events->done[PASS_BACKWARD][stage] <
			       2 * p - 1 - stage;
	return held < 2 * p;
}

/* Takes the work if it can start earlier: what is offered first wins when both can start. */
static void offer(struct schedule_choice *choice, unsigned work, unsigned stage, double at_s)
{
	if (at_s < choice->at_s - choice->near_s) {
		choice->at_s = at_s;
		choice->work = work;
		choice->stage = stage;
	}
}

static void choose(const struct events *events, unsigned device)
{
	const unsigned stages[] = {device, 2 * events->stages - 1 - device}, count = events->schedule->chunks;
	const double free_s = events->free_s[device];
	struct schedule_choice choice = {HUGE_VAL, events->scratch->choices[device].near_s, WORK_NOTHING, 0};
	for (unsigned i = 0; i < count; ++i)
		offer(&choice, PASS_BACKWARD, stages[i],
			later_s(free_s, events_arrival_s(events, PASS_BACKWARD, stages[i])));
	for (unsigned i = count; i-- > 0;)
		if (has_room(events, device, stages[i]))
			offer(&choice, PASS_FORWARD, stages[i],
				later_s(free_s, events_arrival_s(events, PASS_FORWARD, stages[i])));
	for (unsigned i = count; i-- > 0;)
		if (events->done[WORK_WEIGHTS][stages[i]] < events->done[PASS_BACKWARD][stages[i]])
			offer(&choice, WORK_WEIGHTS, stages[i], free_s);
	events->scratch->choices[device] = choice;
}

/* What a stage was sent matters to its device if it is the next one there and comes before other work begins. */
static void tell_next(const struct events *events, const struct schedule_choice *sent)
{
	if (sent->work == WORK_WEIGHTS || sent->stage == events->ends[!sent->work])
		return;
	const enum pass pass = sent->work;
	const unsigned stage = stage_after(pass, sent->stage), *done = events->done[pass];
	const unsigned device = schedule_device(events->schedule, stage);
	const struct schedule_choice *const choice = &events->scratch->choices[device];
	if (done[sent->stage] - done[stage] == 1 &&
		events_arrival_s(events, pass, stage) <= choice->at_s + choice->near_s)
		choose(events, device);
}

static void keep_most(const struct events *events, unsigned device, struct schedule_result *result)
{
	unsigned *const most = events->held + events->stages;
	if (events->held[device] <= most[device])
		return;
	most[device] = events->held[device];
	for (unsigned chunk = 0; chunk < events->schedule->chunks; ++chunk) {
		const unsigned stage = chunk ? events->virtual_stages - 1 - device : device;
		result->held[stage] = events->done[PASS_FORWARD][stage] - events->done[WORK_WEIGHTS][stage];
	}
}

/* Returns the first of those that are soonest. */
static unsigned earliest(const struct events *events)
{
	const struct schedule_choice *const choices = events->scratch->choices;
	unsigned device = 0;
	for (unsigned i = 1; i < events->stages; ++i)
		device = choices[i].at_s < choices[device].at_s ? i : device;
	return device;
}

void zero_bubble_run(struct events *events, struct schedule_result *result)
{
	struct schedule_choice *const choices = events->scratch->choices;
	for (unsigned i = 0; i < events->stages; ++i) {
		events->held[events->stages + i] = 0;
		choices[i].near_s = nearness * stage_work_s(&events->schedule->times[i]);
		choose(events, i);
	}
	for (;;) {
		const unsigned device = earliest(events);
		const struct schedule_choice choice = choices[device];
		if (choice.work == WORK_NOTHING)
			return;
		events_work(events, choice.work, device, choice.stage, choice.at_s);
		if (choice.work == PASS_FORWARD)
			keep_most(events, device, result);
		tell_next(events, &choice);
		choose(events, device);
		if (choice.work == PASS_BACKWARD && !choice.stage && !events->whole &&
			events_extrapolate(events))
			for (unsigned i = 0; i < events->stages; ++i)
				choose(events, i);
	}
}
