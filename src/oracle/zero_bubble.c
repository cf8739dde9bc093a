/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Zero bubble decides by time, and is followed in order of time: gradients of weights, which nobody waits for, fill
 * what would be idle (Qi et al., "Zero bubble pipeline parallelism", 2024). Whenever a device is free it takes, of
 * what is there by then, a backward, else a forward while it holds fewer than its limit, else gradients of weights. It
 * holds a micro-batch until these are done; the limit is p, with twice the memory 2 p, and for V 2 p of stages half as
 * large.
 *
 * No order of time is kept between devices. The next work of a device is known as soon as nothing can come that would
 * change it: messages that were sent are known, and of the next one of a neighbour it is known when it can be there at
 * the soonest, which follows from what that neighbour waits for in turn. So each device is followed as far as it goes,
 * there and back along the pipeline.
 */
#include "oracle/zero_bubble.h"

#include <string.h>

#include "base/arena.h"

/* Share of a stage's work within which times are the same: a decision must not depend on how sums were rounded. */
static const double nearness = 1e-9;

bool zero_bubble_reserve(struct schedule_scratch *scratch, struct paradl_arena *arena)
{
	const size_t p = scratch->stages, all = scratch->all < 2 * p ? scratch->all : 2 * p;
	const size_t rings = 2 * all * schedule_ring(scratch->stages);
	struct bubble_memory *memory = arena_alloc(arena, 1, sizeof *memory);
	double *numbers = arena_alloc(arena, 2 * rings + 3 * p, sizeof *numbers);
	if (!memory || !numbers)
		return false;
	memory->devices = arena_alloc(arena, p, sizeof *memory->devices);
	memory->stages = arena_alloc(arena, 2 * all, sizeof *memory->stages);
	if (!memory->devices || !memory->stages)
		return false;
	memory->kept = memory->stages + all;
	memory->rings = numbers;
	memory->kept_s = memory->rings + rings;
	scratch->bubble = memory;
	return true;
}

/* -- what a device does next ------------------------------------------------------------------------------ */

struct choice {
	double at_s;
	double surely_s; /* up to then it is known that this comes next */
	unsigned work;
	struct bubble_stage *stage;
};

/*
 * Takes the work if it can start earlier: what is offered first wins when both can start. Nobody can foretell which it
 * is, so there is no branch.
 */
static inline void offer(
	struct choice *choice, double near_s, unsigned work, struct bubble_stage *stage, double at_s)
{
	const bool sooner = at_s < choice->at_s - near_s;
	choice->at_s = sooner ? at_s : choice->at_s;
	choice->work = sooner ? work : choice->work;
	choice->stage = sooner ? stage : choice->stage;
}

static inline void offer_pass(struct choice *choice, const struct bubble_device *own, enum pass pass,
	struct bubble_stage *stage, bool has_room)
{
	const double next_s = stage->next_s[pass];
	const double least_s = has_room && !(next_s < HUGE_VAL) ? *stage->from_s[pass] : HUGE_VAL;
	offer(choice, own->near_s, pass, stage, has_room ? later_s(own->free_s, next_s) : HUGE_VAL);
	choice->surely_s = least_s < choice->surely_s ? least_s : choice->surely_s;
}

static inline void offer_weights(
	struct choice *choice, const struct bubble_device *own, struct bubble_stage *stage)
{
	const bool waits = stage->done[WORK_WEIGHTS] < stage->done[PASS_BACKWARD];
	offer(choice, own->near_s, WORK_WEIGHTS, stage, waits ? own->free_s : HUGE_VAL);
}

/*
 * Says what a device of `count` stages does next, and when. For V, one place of the limit is for those that have
 * passed the turn, and on the way there no more are ahead of their backwards than there are stages after this one, as
 * more would wait.
 */
static inline struct choice choose(const struct bubble *bubble, unsigned device, unsigned count)
{
	const struct bubble_device *const own = &bubble->devices[device];
	struct bubble_stage *const first = &bubble->stages[device],
				   *const back = &bubble->stages[2 * bubble->device_count - 1 - device];
	const double come_s = first->next_s[PASS_BACKWARD]; /* infinite: the choice is to do nothing */
	struct choice choice = {later_s(own->free_s, come_s),
		come_s < HUGE_VAL ? HUGE_VAL : *first->from_s[PASS_BACKWARD], PASS_BACKWARD, first};
	if (count == 1) {
		offer_pass(&choice, own, PASS_FORWARD, first, own->held < bubble->limit);
		offer_weights(&choice, own, first);
		return choice;
	}
	const unsigned ahead = first->done[PASS_FORWARD] - first->done[PASS_BACKWARD];
	const bool turns = own->held + 1 < bubble->limit && ahead < bubble->limit - 1 - device;
	offer_pass(&choice, own, PASS_BACKWARD, back, true);
	offer_pass(&choice, own, PASS_FORWARD, back, own->held < bubble->limit);
	offer_pass(&choice, own, PASS_FORWARD, first, turns);
	offer_weights(&choice, own, back);
	offer_weights(&choice, own, first);
	return choice;
}

/* -- doing it --------------------------------------------------------------------------------------------- */

/* Sends a pass's result to the stage that comes next in that pass; where links queue, after what went before. */
static inline void message_send(
	const struct bubble *bubble, enum pass pass, struct bubble_stage *stage, double end_s, bool queues)
{
	struct bubble_stage *const to = pass == PASS_FORWARD ? stage + 1 : stage - 1;
	struct bubble_device *const other = &bubble->devices[to->device];
	double sent_s = end_s + stage->times.send_s[pass];
	if (queues && to->device != stage->device) {
		double *const link_s = &bubble->devices[stage->device].link_s[to->device < stage->device];
		sent_s = *link_s = later_s(end_s, *link_s) + stage->times.send_s[pass];
	}
	to->arrival_s[pass][to->sent[pass] & bubble->mask] = sent_s;
	if (to->sent[pass]++ != to->done[pass])
		return;
	const double at_s = later_s(other->free_s, sent_s);
	to->next_s[pass] = sent_s;
	other->at_s = at_s < other->at_s ? at_s : other->at_s;
}

/* Runs the next forward or backward of a stage, and sends its result. */
static inline void pass_do(
	const struct bubble *bubble, enum pass pass, struct bubble_stage *stage, double at_s, bool queues)
{
	struct bubble_device *const own = &bubble->devices[stage->device];
	const double end_s = at_s + stage->times.work_s[pass];
	const unsigned next = ++stage->done[pass];
	own->end_s = end_s;
	own->free_s = end_s + stage->times.blocked_s[pass];
	stage->next_s[pass] =
		next < stage->sent[pass] ? stage->arrival_s[pass][next & bubble->mask] : HUGE_VAL;
	if (stage != &bubble->stages[pass == PASS_FORWARD ? bubble->stage_count - 1 : 0])
		message_send(bubble, pass, stage, end_s, queues);
	else if (pass == PASS_FORWARD && stage->sent[PASS_BACKWARD]++ == stage->done[PASS_BACKWARD])
		stage->next_s[PASS_BACKWARD] = 0;
}

/* Counts a micro-batch as held, from its forward until its gradients of weights are done, and keeps the most. */
static inline void most_keep(const struct bubble *bubble, struct bubble_device *own, unsigned device)
{
	if (++own->held <= own->most)
		return;
	own->most = own->held;
	for (unsigned chunk = 0; chunk < bubble->schedule->chunks; ++chunk) {
		const unsigned k = chunk ? bubble->stage_count - 1 - device : device;
		const unsigned *const done = bubble->stages[k].done;
		bubble->result->held[k] = done[PASS_FORWARD] - done[WORK_WEIGHTS];
	}
}

/* Logs the work that is about to be done. */
static void work_log(const struct bubble *bubble, const struct choice *choice)
{
	const struct bubble_stage *const stage = choice->stage;
	struct schedule_log *const log = bubble->log;
	const double work_s =
		choice->work == WORK_WEIGHTS ? stage->times.weight_s : stage->times.work_s[choice->work];
	if (log)
		log->events[log->count++] = (struct paradl_event){choice->at_s, choice->at_s + work_s,
			stage->device, (unsigned)(stage - bubble->stages), stage->done[choice->work],
			PARADL_WORK_FORWARD + choice->work};
}

/* Runs the work that a device has chosen. */
static inline void choice_do(
	const struct bubble *bubble, unsigned device, const struct choice *choice, bool queues)
{
	struct bubble_device *const own = &bubble->devices[device];
	switch (choice->work) { /* by kind, so that each is compiled by itself */
	case PASS_FORWARD:
		pass_do(bubble, PASS_FORWARD, choice->stage, choice->at_s, queues);
		most_keep(bubble, own, device);
		break;
	case PASS_BACKWARD:
		pass_do(bubble, PASS_BACKWARD, choice->stage, choice->at_s, queues);
		break;
	default:
		own->end_s = own->free_s = choice->at_s + choice->stage->times.weight_s;
		++choice->stage->done[WORK_WEIGHTS];
		--own->held;
	}
}

/* -- how far devices can be followed ---------------------------------------------------------------------- */

/* Finds when the next message of a stage is there at the soonest, if nobody works before first_s. */
static inline void least_find(const struct bubble *bubble, enum pass pass, unsigned k, double first_s)
{
	struct bubble_stage *const stage = &bubble->stages[k];
	const double free_s = bubble->devices[stage->device].free_s;
	double come_s = stage->next_s[pass];
	if (!(come_s < HUGE_VAL) && pass == PASS_FORWARD)
		come_s = k ? stage[-1].least_s[PASS_FORWARD] : HUGE_VAL;
	else if (!(come_s < HUGE_VAL))
		come_s = k + 1 < bubble->stage_count ? stage[1].least_s[PASS_BACKWARD]
						     : stage->least_s[PASS_FORWARD];
	stage->least_s[pass] = later_s(later_s(first_s, free_s), come_s) + stage->passing_s[pass];
}

/*
 * Follows a device of `count` stages as far as its work is known, and finds when those that are looked at next get
 * something from it at the soonest: on the way there or back. Plain: no links queue, and nothing is logged.
 */
static inline void device_follow(const struct bubble *bubble, unsigned device, double first_s,
	enum pass layer_plan, unsigned count, bool plain)
{
	const bool queues = !plain && bubble->schedule->links_queue;
	struct choice choice = choose(bubble, device, count);
	for (; choice.at_s <= choice.surely_s && choice.at_s < HUGE_VAL;
		choice = choose(bubble, device, count)) {
		if (!plain)
			work_log(bubble, &choice);
		choice_do(bubble, device, &choice, queues);
	}
	bubble->devices[device].at_s = choice.at_s;
	least_find(bubble, layer_plan, device, first_s);
	if (count > 1)
		least_find(bubble, !layer_plan, bubble->stage_count - 1 - device, first_s);
}

/* Follows the devices, of `count` stages each, there and back; returns when one works next, or no sooner. */
static inline double devices_follow(const struct bubble *bubble, double first_s, unsigned count, bool plain)
{
	const unsigned p = bubble->device_count;
	double next_s = HUGE_VAL;
	for (unsigned i = 0; i < p; ++i)
		device_follow(bubble, i, first_s, PASS_FORWARD, count, plain);
	for (unsigned i = p; i-- > 0;)
		device_follow(bubble, i, first_s, PASS_BACKWARD, count, plain);
	for (unsigned i = 0; i < p; ++i)
		next_s = bubble->devices[i].at_s < next_s ? bubble->devices[i].at_s : next_s;
	return next_s;
}

/* Follows them until stage 0 has done more backwards, or all is done; on a copy, which no write can change. */
static inline double backward_follow(struct bubble bubble, double first_s, unsigned count, bool plain)
{
	const unsigned before = bubble.stages[0].done[PASS_BACKWARD];
	while (first_s < HUGE_VAL && bubble.stages[0].done[PASS_BACKWARD] == before)
		first_s = devices_follow(&bubble, first_s, count, plain);
	return first_s;
}

double bubble_follow(const struct bubble *bubble, double first_s)
{
	const bool plain = !bubble->schedule->links_queue && !bubble->log;
	if (bubble->schedule->chunks == 1)
		return plain ? backward_follow(*bubble, first_s, 1, true)
			     : backward_follow(*bubble, first_s, 1, false);
	return plain ? backward_follow(*bubble, first_s, 2, true)
		     : backward_follow(*bubble, first_s, 2, false);
}

double bubble_renew(const struct bubble *bubble)
{
	double first_s = HUGE_VAL;
	for (unsigned i = 0; i < bubble->device_count; ++i) {
		struct bubble_device *const own = &bubble->devices[i];
		own->at_s = own->free_s;
		first_s = fmin(first_s, own->free_s);
	}
	for (unsigned k = 0; k < bubble->stage_count; ++k) {
		struct bubble_stage *const stage = &bubble->stages[k];
		for (unsigned pass = 0; pass < 2; ++pass) {
			const unsigned next = stage->done[pass];
			stage->next_s[pass] = next < stage->sent[pass]
						      ? stage->arrival_s[pass][next & bubble->mask]
						      : HUGE_VAL;
		}
	}
	for (unsigned k = 0; k < bubble->stage_count; ++k)
		least_find(bubble, PASS_FORWARD, k, first_s);
	for (unsigned k = bubble->stage_count; k-- > 0;)
		least_find(bubble, PASS_BACKWARD, k, first_s);
	return first_s;
}

static void stage_begin(const struct bubble *bubble, unsigned k, const struct bubble_memory *memory)
{
	static const double never_s = HUGE_VAL, surely = 0.999; /* below 1 for what is near */
	const struct pipeline_schedule *const schedule = bubble->schedule;
	const unsigned ring = bubble->mask + 1, device = schedule_device(schedule, k);
	double *const rings = memory->rings + 2 * (size_t)k * ring;
	struct bubble_stage *const stage = &bubble->stages[k];
	*stage = (struct bubble_stage){.times = schedule->times[k],
		.from_s = {&never_s, &never_s},
		.arrival_s = {rings, rings + ring},
		.device = device};
	for (unsigned pass = 0; pass < 2; ++pass)
		stage->passing_s[pass] = surely * (stage->times.work_s[pass] + stage->times.send_s[pass]);
	if (k && schedule_device(schedule, k - 1) != device)
		stage->from_s[PASS_FORWARD] = &stage[-1].least_s[PASS_FORWARD];
	if (k + 1 < bubble->stage_count && schedule_device(schedule, k + 1) != device)
		stage->from_s[PASS_BACKWARD] = &stage[1].least_s[PASS_BACKWARD];
}

static struct bubble bubble_begin(const struct pipeline_schedule *schedule,
	const struct bubble_memory *memory, bool whole, struct schedule_result *result)
{
	const unsigned p = schedule->stages, all = p * schedule->chunks, ring = schedule_ring(p);
	const struct bubble bubble = {.schedule = schedule,
		.result = result,
		.log = whole ? result->log : NULL,
		.devices = memory->devices,
		.stages = memory->stages,
		.device_count = p,
		.stage_count = all,
		.limit = schedule->kind == PARADL_ZERO_BUBBLE ? p : 2 * p,
		.mask = ring - 1};
	for (unsigned i = 0; i < p; ++i)
		memory->devices[i] =
			(struct bubble_device){.near_s = nearness * stage_work_s(&schedule->times[i])};
	for (unsigned k = 0; k < all; ++k)
		stage_begin(&bubble, k, memory);
	memset(bubble.stages[0].arrival_s[PASS_FORWARD], 0, ring * sizeof(double));
	memset(bubble.stages[all - 1].arrival_s[PASS_BACKWARD], 0, ring * sizeof(double));
	bubble.stages[0].sent[PASS_FORWARD] = schedule->micro_batches;
	bubble_renew(&bubble);
	return bubble;
}

void zero_bubble_run(const struct pipeline_schedule *schedule, const struct schedule_scratch *scratch,
	bool whole, struct schedule_result *result)
{
	const struct bubble_memory *const memory = scratch->bubble;
	const struct bubble bubble = bubble_begin(schedule, memory, whole, result);
	struct bubble_mark mark = {.next = 1};
	for (double first_s = 0; first_s < HUGE_VAL;) {
		first_s = bubble_follow(&bubble, first_s);
		if (!whole)
			first_s = bubble_steady(&bubble, memory, &mark, first_s);
	}
	for (unsigned i = 0; i < bubble.device_count; ++i)
		scratch->times[i] = bubble.devices[i].end_s;
	schedule_fill(schedule, scratch->times, result);
}
