/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Zero bubble decides by time, and is followed in order of it: gradients of weights, which nobody waits for, fill what
 * would be idle (Qi et al., "Zero bubble pipeline parallelism", 2024). Whenever a device is free it takes, of what is there
 * by then, a backward, else a forward while it holds fewer than its limit, else gradients of weights. It holds a
 * micro-batch until these are done; the limit is p, with twice the memory 2 p, and for V 2 p of stages half as large.
 *
 * What a device is sent takes a pass of a neighbour and a message. So a device can be followed by itself up to that long after the
 * neighbours work next, and they do so no sooner than what they are sent in turn is there: no order of time is kept between devices.
 */
#include "oracle/events.h"

/* Times this near, as a share of a stage's work, are the same: a decision must not depend on how sums were rounded. */
static const double nearness = 1e-9;

/*
 * The limit, in micro-batches times virtual stages. For V, one place is for those that have passed the turn, and on the
 * way there no more are ahead of their backwards than there are stages after this one: more would only wait.
 */
static inline bool has_room(const struct events *events, unsigned device, unsigned stage)
{
	const unsigned p = events->stages;
	if (events->schedule->kind != PARADL_ZERO_BUBBLE_V)
		return events->held[device] < (events->schedule->kind == PARADL_ZERO_BUBBLE ? p : 2 * p);
	const unsigned ahead = events->done[PASS_FORWARD][stage] - events->done[PASS_BACKWARD][stage];
	const bool turns = stage < p;
	return events->held[device] + turns < 2 * p && (!turns || ahead < 2 * p - 1 - stage);
}

/* Takes the work if it can start earlier: what is offered first wins when both can start. Which it is, nobody can foretell: no branch. */
static inline void offer(struct schedule_choice *choice, unsigned work, unsigned stage, double at_s)
{
	const bool sooner = at_s < choice->at_s - choice->near_s;
	choice->at_s = sooner ? at_s : choice->at_s;
	choice->work = sooner ? work : choice->work;
	choice->stage = sooner ? stage : choice->stage;
}

/* Says what a device of so many stages does next, and when. */
static inline void choose(const struct events *events, unsigned device, unsigned count)
{
	const unsigned back = 2 * events->stages - 1 - device; /* its second stage */
	const double free_s = events->free_s[device];
	struct schedule_choice *const own = &events->scratch->choices[device];
	struct schedule_choice choice = {.at_s = HUGE_VAL, .near_s = own->near_s, .work = WORK_NOTHING};
	for (unsigned i = 0; i < count; ++i) {
		const unsigned stage = i ? back : device;
		offer(&choice, PASS_BACKWARD, stage, later_s(free_s, events->next_s[PASS_BACKWARD][stage]));
	}
	for (unsigned i = count; i-- > 0;) {
		const unsigned stage = i ? back : device;
		const double at_s = later_s(free_s, events->next_s[PASS_FORWARD][stage]);
		offer(&choice, PASS_FORWARD, stage, has_room(events, device, stage) ? at_s : HUGE_VAL);
	}
	for (unsigned i = count; i-- > 0;) {
		const unsigned stage = i ? back : device;
		const bool waits = events->done[WORK_WEIGHTS][stage] < events->done[PASS_BACKWARD][stage];
		offer(&choice, WORK_WEIGHTS, stage, waits ? free_s : HUGE_VAL);
	}
	own->at_s = choice.at_s;
	own->work = choice.work;
	own->stage = choice.stage;
}

static inline void next_find(const struct events *events, enum pass pass, unsigned stage)
{
	events->next_s[pass][stage] = events_arrival_s(events, pass, stage);
}

/*
 * Does a pass on a device of so many stages, and says what its stage takes next, and what it sent. That matters to the device there if
 * it is the next one and comes before other work begins.
 */
static inline void pass_do(
	struct events *events, enum pass pass, unsigned device, unsigned stage, double at_s, unsigned count)
{
	const unsigned *const done = events->done[pass];
	events_work(events, pass, device, stage, at_s);
	next_find(events, pass, stage);
	if (stage == events->ends[!pass]) {
		next_find(events, !pass, stage);
		return;
	}
	const unsigned to = stage_after(pass, stage);
	if (done[stage] - done[to] != 1)
		return;
	const unsigned other = count > 1 && to >= events->stages ? 2 * events->stages - 1 - to : to;
	const struct schedule_choice *const choice = &events->scratch->choices[other];
	const double sent_s = *events_arrival(events, pass, to, done[to]);
	events->next_s[pass][to] = sent_s;
	if (other != device && sent_s <= choice->at_s + choice->near_s)
		choose(events, other, count);
}

static void choose_all(const struct events *events)
{
	for (unsigned k = 0; k < events->virtual_stages; ++k) {
		next_find(events, PASS_FORWARD, k);
		next_find(events, PASS_BACKWARD, k);
	}
	for (unsigned i = 0; i < events->stages; ++i)
		choose(events, i, events->schedule->chunks);
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

/* Does what a device of so many stages has chosen. */
static inline void choice_do(
	struct events *events, unsigned device, unsigned count, struct schedule_result *result)
{
	const struct schedule_choice choice = events->scratch->choices[device];
	switch (choice.work) { /* so that each is compiled by itself */
	case PASS_FORWARD:
		pass_do(events, PASS_FORWARD, device, choice.stage, choice.at_s, count);
		keep_most(events, device, result);
		break;
	case PASS_BACKWARD:
		pass_do(events, PASS_BACKWARD, device, choice.stage, choice.at_s, count);
		break;
	default:
		events_work(events, WORK_WEIGHTS, device, choice.stage, choice.at_s);
	}
	choose(events, device, count);
}

/* Returns how long what a stage sends is on its way at least, from the begin of the work; HUGE_VAL: there is no such stage. */
static double way_s(const struct events *events, enum pass pass, long stage)
{
	const double surely = 0.999; /* and what is near */
	if (stage < 0 || stage >= (long)events->virtual_stages)
		return HUGE_VAL;
	const struct stage_times *times = &events->schedule->times[stage];
	return surely * (times->work_s[pass] + times->send_s[pass]);
}

static void device_begin(const struct events *events, unsigned device)
{
	const long here = device, back = 2 * (long)events->stages - 1 - here;
	struct schedule_choice *choice = &events->scratch->choices[device];
	choice->near_s = nearness * stage_work_s(&events->schedule->times[device]);
	choice->before_s = device ? way_s(events, PASS_FORWARD, here - 1) : HUGE_VAL;
	choice->after_s = device + 1 < events->stages ? way_s(events, PASS_BACKWARD, here + 1) : HUGE_VAL;
	if (events->schedule->chunks > 1) {
		choice->before_s = fmin(choice->before_s, way_s(events, PASS_BACKWARD, back + 1));
		if (device + 1 < events->stages)
			choice->after_s = fmin(choice->after_s, way_s(events, PASS_FORWARD, back - 1));
	}
	events->held[events->stages + device] = 0;
}

/* Returns when a device works next at the earliest, whatever is still sent to it: nobody works before first_s. */
static inline double works_s(const struct schedule_choice *choice, double first_s)
{
	const double way = choice->before_s < choice->after_s ? choice->before_s : choice->after_s;
	return choice->at_s < first_s + way ? choice->at_s : first_s + way;
}

/* Returns up to when it is known what comes to a device. */
static inline double known_s(const struct events *events, unsigned device, double first_s)
{
	const struct schedule_choice *own = &events->scratch->choices[device];
	const double before_s = device ? works_s(own - 1, first_s) + own->before_s : HUGE_VAL;
	const double after_s =
		device + 1 < events->stages ? works_s(own + 1, first_s) + own->after_s : HUGE_VAL;
	return later_s(first_s, before_s < after_s ? before_s : after_s);
}

/* Follows each device, of so many stages, as far as it is known what comes to it; returns when one works next. */
static inline double devices_follow(
	struct events *events, double first_s, unsigned count, struct schedule_result *result)
{
	struct schedule_choice *const choices = events->scratch->choices;
	double next_s = HUGE_VAL;
	for (unsigned i = 0; i < events->stages; ++i) {
		const double until_s = known_s(events, i, first_s);
		while (choices[i].at_s <= until_s && choices[i].work != WORK_NOTHING)
			choice_do(events, i, count, result);
		if (i && choices[i - 1].at_s < next_s) /* nobody after this one sends it anything */
			next_s = choices[i - 1].at_s;
	}
	const double last_s = choices[events->stages - 1].at_s;
	return last_s < next_s ? last_s : next_s;
}

/* The same until stage 0 has done more backwards, or all is done. On a copy, which nothing that is written can change. */
static double backward_follow(struct events events, double first_s, struct schedule_result *result)
{
	const unsigned before = events.done[PASS_BACKWARD][0];
	if (events.virtual_stages == events.stages)
		while (first_s < HUGE_VAL && events.done[PASS_BACKWARD][0] == before)
			first_s = devices_follow(&events, first_s, 1, result);
	else
		while (first_s < HUGE_VAL && events.done[PASS_BACKWARD][0] == before)
			first_s = devices_follow(&events, first_s, 2, result);
	return first_s;
}

void zero_bubble_run(struct events *events, struct schedule_result *result)
{
	for (unsigned i = 0; i < events->stages; ++i)
		device_begin(events, i);
	choose_all(events);
	for (double first_s = 0; first_s < HUGE_VAL;) {
		first_s = backward_follow(*events, first_s, result);
		if (events->whole || !(first_s < HUGE_VAL) || !events_extrapolate(events))
			continue;
		choose_all(events);
		first_s = HUGE_VAL;
		for (unsigned i = 0; i < events->stages; ++i)
			first_s = fmin(first_s, events->scratch->choices[i].at_s);
	}
}
