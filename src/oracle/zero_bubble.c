/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Zero bubble: gradients of weights, which nobody waits for, fill what would be idle (Qi et al., "Zero bubble pipeline
 * parallelism", 2024). Whenever a device is free it takes, of what is there by then, a backward, else a forward while
 * it holds fewer than its limit, else gradients of weights. It holds a micro-batch until these are done; the limit is
 * p, with twice the memory 2 p, and for V 2 p of stages half as large.
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
		       events->forwards[stage] - events->backwards[stage] < 2 * p - 1 - stage;
	return held < 2 * p;
}

/* Takes the work if it can start earlier: what is offered first wins when both can start. */
static void offer(struct schedule_choice *choice, enum work work, unsigned stage, double at_s)
{
	if (at_s < choice->at_s - choice->near_s) {
		choice->at_s = at_s;
		choice->work = work;
		choice->stage = stage;
	}
}

static void choose(const struct events *events, unsigned device)
{
	const unsigned other = 2 * events->stages - 1 - device, chunks = events->schedule->chunks;
	const double free_s = events->free_s[device];
	struct schedule_choice choice = {HUGE_VAL, events->scratch->choices[device].near_s, NOTHING, 0};
	for (unsigned chunk = 0; chunk < chunks; ++chunk) {
		const unsigned stage = chunk ? other : device;
		offer(&choice, BACKWARD, stage, later_s(free_s, backward_arrival_s(events, stage)));
	}
	for (unsigned chunk = chunks; chunk-- > 0;) {
		const unsigned stage = chunk ? other : device;
		if (has_room(events, device, stage))
			offer(&choice, FORWARD, stage, later_s(free_s, forward_arrival_s(events, stage)));
	}
	for (unsigned chunk = chunks; chunk-- > 0;) {
		const unsigned stage = chunk ? other : device;
		if (events->weights[stage] < events->backwards[stage])
			offer(&choice, WEIGHT, stage, free_s);
	}
	events->scratch->choices[device] = choice;
	events->scratch->soonest_s[device] = choice.at_s;
}

/* What a stage was sent matters to its device if it is the next one there and comes before other work begins. */
static void tell(const struct events *events, unsigned stage, unsigned waiting, double at_s)
{
	const unsigned device = schedule_device(events->schedule, stage);
	const struct schedule_choice *const choice = &events->scratch->choices[device];
	if (waiting == 1 && at_s <= choice->at_s + choice->near_s)
		choose(events, device);
}

static void tell_next(const struct events *events, const struct schedule_choice *done)
{
	const unsigned stage = done->stage;
	if (done->work == FORWARD && stage + 1 < events->virtual_stages)
		tell(events, stage + 1, events->forwards[stage] - events->forwards[stage + 1],
			forward_arrival_s(events, stage + 1));
	else if (done->work == BACKWARD && stage)
		tell(events, stage - 1, events->backwards[stage] - events->backwards[stage - 1],
			backward_arrival_s(events, stage - 1));
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
		const double end_s = choice->at_s + events->schedule->times[stage].weight_s;
		events->held[device]--;
		events_note(events, device, stage, events->weights[stage]++, SCHEDULE_WEIGHTS, choice->at_s,
			end_s);
		events->end_s[device] = events->free_s[device] = end_s;
	}
}

static void keep_most(const struct events *events, unsigned device, struct schedule_result *result)
{
	unsigned *const most = events->held + events->stages;
	if (events->held[device] <= most[device])
		return;
	most[device] = events->held[device];
	if (result->devices)
		result->devices[device].held = most[device];
	for (unsigned chunk = 0; result->held && chunk < events->schedule->chunks; ++chunk) {
		const unsigned stage = chunk ? events->virtual_stages - 1 - device : device;
		result->held[stage] = events->forwards[stage] - events->weights[stage];
	}
}

/* The first of those that are soonest. In lanes: comparisons do not wait for one another. */
static unsigned earliest(const struct events *events)
{
	const double *const soonest_s = events->scratch->soonest_s;
	double lanes_s[SCHEDULE_LANES], least_s = HUGE_VAL;
	unsigned device = 0;
	for (unsigned lane = 0; lane < SCHEDULE_LANES; ++lane)
		lanes_s[lane] = HUGE_VAL;
	for (unsigned i = 0; i < events->stages; i += SCHEDULE_LANES)
		for (unsigned lane = 0; lane < SCHEDULE_LANES; ++lane)
			lanes_s[lane] =
				soonest_s[i + lane] < lanes_s[lane] ? soonest_s[i + lane] : lanes_s[lane];
	for (unsigned lane = 0; lane < SCHEDULE_LANES; ++lane)
		least_s = lanes_s[lane] < least_s ? lanes_s[lane] : least_s;
	while (soonest_s[device] > least_s)
		++device;
	return device;
}

static void choose_all(const struct events *events)
{
	for (unsigned i = 0; i < events->stages; ++i)
		choose(events, i);
}

void zero_bubble_run(struct events *events, struct schedule_result *result)
{
	for (unsigned i = 0; i < events->stages; ++i) {
		events->held[events->stages + i] = 0;
		events->scratch->choices[i].near_s = nearness_s(events, i);
	}
	for (unsigned lane = 0; lane < SCHEDULE_LANES; ++lane)
		events->scratch->soonest_s[events->stages + lane] = HUGE_VAL;
	choose_all(events);
	for (;;) {
		const unsigned device = earliest(events);
		const struct schedule_choice choice = events->scratch->choices[device];
		if (choice.work == NOTHING)
			return;
		do_work(events, device, &choice);
		if (choice.work == FORWARD)
			keep_most(events, device, result);
		tell_next(events, &choice);
		choose(events, device);
		if (choice.work == BACKWARD && !choice.stage && !events->whole && events_extrapolate(events))
			choose_all(events);
	}
}
