/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tasks are taken in the order of their bounds, since those that may be best prove most of the others away. The first
 * round has one task and each further one twice as many, up to 64: early on every finding counts, later on there is
 * work for many. Where nothing is proved away, rounds only serve to report progress.
 */
#include "search/search_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

enum { ROUND_MOST = 1024, ROUND_PROVING = 64 };

/* Task of a round. */
struct turn {
	size_t place; /* index of the task */
	bool done;
	struct report report;
};

/* Message in which one process reports on a task to the others; its findings follow. */
struct message {
	size_t index; /* index of the task in the round */
	double evaluated, cut[PARADL_CUT_COUNT], least_cut;
	bool breaks;
	size_t findings; /* number of findings: the best, if there is one, and those of the front */
	struct found_plan nearest;
};

/* Loop over tasks by all members of the pool, with the first error, by index, that each of them met. */
struct loop {
	struct search_state *state;
	const size_t *order; /* places of all tasks, as they are bounded; NULL: as they are listed */
	struct turn *turns;
	unsigned rank, size; /* rank and size of a team: every size-th turn is this process's */
	struct failure {
		size_t index;
		struct paradl_error error;
	} * failures;
};

static void failure_note(struct loop *loop, unsigned member, size_t index, const struct paradl_error *error)
{
	struct failure *failure = &loop->failures[member];
	if (failure->error.status != PARADL_OK && failure->index < index)
		return;
	failure->index = index;
	failure->error = *error;
}

/* Runs a loop and returns whether nothing failed; otherwise the error is that of the first index. */
static bool loop_run(struct loop *loop, size_t count, size_t piece,
	void (*turn)(void *context, unsigned member, size_t index), struct paradl_error *error)
{
	struct search_state *state = loop->state;
	const unsigned members = pool_members(state->pool);
	const struct failure *first = NULL;
	loop->failures = arena_alloc(state->arena, members, sizeof *loop->failures);
	if (!loop->failures)
		return out_of_memory(error);
	pool_run(state->pool, count, piece, turn, loop);
	for (unsigned i = 0; i < members; ++i)
		if (loop->failures[i].error.status != PARADL_OK &&
			(!first || loop->failures[i].index < first->index))
			first = &loop->failures[i];
	if (first && error)
		*error = first->error;
	return !first;
}

static void bound_turn(void *context, unsigned member, size_t index)
{
	struct loop *loop = context;
	const size_t place = loop->order ? loop->order[index] : index;
	struct paradl_error error = {0};
	if (!branch_bound(loop->state->workers[member], &loop->state->tasks.items[place], &error))
		failure_note(loop, member, index, &error);
}

/* Tasks with the same degrees. */
struct cell {
	const struct task *first;
	size_t count;
};

static int compare_cells(const void *a, const void *b)
{
	const struct cell *x = a, *y = b;
	const unsigned *of_x = x->first->plan.degree, *of_y = y->first->plan.degree;
	for (unsigned axis = PARADL_EXPERT; axis < PARADL_AXIS_COUNT; ++axis)
		if (of_x[axis] != of_y[axis])
			return of_x[axis] < of_y[axis] ? -1 : 1;
	return x->first < y->first ? -1 : x->first > y->first;
}

/*
 * Returns the places of tasks in an order in which those whose layers are cut alike are near each other (oracle/cuts.c),
 * because their cells have the same degrees but along data and pipeline; NULL: out of memory.
 */
static const size_t *bound_order(const struct search_state *state)
{
	const struct tasks *tasks = &state->tasks;
	struct cell *cells = arena_alloc(state->arena, tasks->cells + 1, sizeof *cells);
	size_t *order = arena_alloc(state->arena, tasks->count + 1, sizeof *order);
	size_t count = 0, placed = 0;
	if (!cells || !order)
		return NULL;
	for (size_t i = 0; i < tasks->count; ++i) {
		if (!i || tasks->items[i].cell != tasks->items[i - 1].cell)
			cells[count++].first = &tasks->items[i];
		++cells[count - 1].count;
	}
	qsort(cells, count, sizeof *cells, compare_cells);
	for (size_t i = 0; i < count; ++i)
		for (size_t k = 0; k < cells[i].count; ++k)
			order[placed++] = (size_t)(cells[i].first - tasks->items) + k;
	return order;
}

bool rounds_bound(struct search_state *state, struct paradl_error *error)
{
	enum { PIECE = 16, FEW = 1024 }; /* cuts of few tasks are all kept */
	struct tasks *tasks = &state->tasks;
	const bool many = tasks->count > FEW;
	struct loop loop = {.state = state, .order = many ? bound_order(state) : NULL};
	if (many && !loop.order)
		return out_of_memory(error);
	const bool done = loop_run(&loop, tasks->count, PIECE, bound_turn, error);
	for (size_t i = 0; i < tasks->count; ++i)
		if (tasks->items[i].cut != PARADL_CUT_COUNT)
			state->cut[tasks->items[i].cut] += tasks->items[i].plans;
	return done;
}

static void search_turn(void *context, unsigned member, size_t index)
{
	struct loop *loop = context;
	struct search_state *state = loop->state;
	struct turn *turn = &loop->turns[index];
	struct paradl_error error = {0};
	if (turn->done || index % loop->size != loop->rank)
		return;
	turn->done = branch_search(state->workers[member], &state->tasks.items[turn->place], turn->place,
		&state->incumbents, &turn->report, &error);
	if (!turn->done)
		failure_note(loop, member, index, &error);
}

static bool turns_run(struct search_state *state, struct turn *turns, size_t count, unsigned rank,
	unsigned size, struct paradl_error *error)
{
	struct loop loop = {.state = state, .turns = turns, .rank = rank, .size = size};
	return loop_run(&loop, count, 1, search_turn, error);
}

/* -- the team --------------------------------------------------------------------------------------------- */

static size_t findings_of(const struct report *report)
{
	return (report->best.value < HUGE_VAL) + report->front_count;
}

static unsigned char *turns_pack(
	struct search_state *state, const struct turn *turns, size_t count, size_t *bytes)
{
	size_t room = 1;
	for (size_t i = 0; i < count; ++i)
		if (turns[i].done)
			room += sizeof(struct message) +
				findings_of(&turns[i].report) * sizeof(struct found_plan);
	unsigned char *packed = arena_alloc(state->arena, room, 1);
	*bytes = 0;
	for (size_t i = 0; packed && i < count; ++i) {
		const struct report *report = &turns[i].report;
		struct message message;
		if (!turns[i].done)
			continue;
		memset(&message, 0, sizeof message);
		message.index = i;
		message.evaluated = report->evaluated;
		message.least_cut = report->least_cut;
		message.findings = findings_of(report);
		message.nearest = report->nearest;
		message.breaks = report->breaks;
		memcpy(message.cut, report->cut, sizeof message.cut);
		memcpy(packed + *bytes, &message, sizeof message);
		*bytes += sizeof message;
		if (report->best.value < HUGE_VAL) {
			memcpy(packed + *bytes, &report->best, sizeof report->best);
			*bytes += sizeof report->best;
		}
		if (report->front_count)
			memcpy(packed + *bytes, report->front, report->front_count * sizeof *report->front);
		*bytes += report->front_count * sizeof *report->front;
	}
	return packed;
}

/*
 * Reads a report; false when out of memory. Its best is the first of its findings, if it has one; only a front has
 * more.
 */
static bool turn_unpack(struct search_state *state, const struct message *message,
	const unsigned char *findings, struct turn *turn)
{
	const size_t front = state->problem.request->pareto && message->findings ? message->findings : 0;
	struct found_plan *list = arena_alloc(state->arena, message->findings + 1, sizeof *list);
	if (!list)
		return false;
	memcpy(list, findings, message->findings * sizeof *list);
	turn->report = (struct report){.evaluated = message->evaluated,
		.least_cut = message->least_cut,
		.best.value = HUGE_VAL,
		.nearest = message->nearest,
		.breaks = message->breaks};
	memcpy(turn->report.cut, message->cut, sizeof message->cut);
	for (size_t i = 0; i < message->findings; ++i)
		if (list[i].value < turn->report.best.value)
			turn->report.best = list[i];
	turn->report.front = list;
	turn->report.front_count = front;
	turn->done = true;
	return true;
}

static bool turns_exchange(
	struct search_state *state, struct turn *turns, size_t count, struct paradl_error *error)
{
	const struct paradl_team *team = state->problem.request->team;
	const void *all = NULL;
	size_t bytes, all_bytes = 0;
	const unsigned char *mine = turns_pack(state, turns, count, &bytes);
	if (!mine)
		return out_of_memory(error);
	if (!team->exchange(team->context, mine, bytes, &all, &all_bytes))
		return error_set(
			error, PARADL_IO, "the other processes of the search cannot be reached any more");
	for (const unsigned char *at = all, *end = at + all_bytes; at && at < end;) {
		struct message message;
		if ((size_t)(end - at) < sizeof message)
			break;
		memcpy(&message, at, sizeof message);
		at += sizeof message;
		if (message.index >= count ||
			message.findings > (size_t)(end - at) / sizeof(struct found_plan))
			break;
		if (!turns[message.index].done && !turn_unpack(state, &message, at, &turns[message.index]))
			return out_of_memory(error);
		at += message.findings * sizeof(struct found_plan);
	}
	return true;
}

/* -- rounds ----------------------------------------------------------------------------------------------- */

static bool round_merge(
	struct search_state *state, const struct turn *turns, size_t count, struct paradl_error *error)
{
	for (size_t i = 0; i < count; ++i) {
		const struct report *report = &turns[i].report;
		const unsigned cell = state->tasks.items[turns[i].place].cell;
		state->tasks.items[turns[i].place].breaks = report->breaks;
		state->evaluated += report->evaluated;
		for (unsigned cut = 0; cut < PARADL_CUT_COUNT; ++cut)
			state->cut[cut] += report->cut[cut];
		if (report->least_cut < state->least_cut)
			state->least_cut = report->least_cut;
		if (report->best.value < HUGE_VAL &&
			!incumbents_add(&state->incumbents, cell, &report->best, error))
			return false;
		state->runs = state->runs || report->best.value < HUGE_VAL;
		if (report->nearest.value < HUGE_VAL)
			incumbents_near(&state->incumbents, cell, &report->nearest);
		for (size_t k = 0; k < report->front_count; ++k)
			if (!front_add(&state->incumbents.front, &report->front[k], error))
				return false;
	}
	incumbents_settle(&state->incumbents);
	return true;
}

static bool round_run(
	struct search_state *state, struct turn *turns, size_t count, struct paradl_error *error)
{
	const struct paradl_team *team = state->problem.request->team;
	if (team && team->size > 1 &&
		(!turns_run(state, turns, count, team->rank, team->size, error) ||
			!turns_exchange(state, turns, count, error)))
		return false;
	/* Runs all turns, or those that lost members of the team have not done. */
	return turns_run(state, turns, count, 0, 1, error) && round_merge(state, turns, count, error);
}

struct entry {
	double value_bound;
	unsigned doubled;
	size_t place;
};

static int compare_entries(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	if (x->value_bound < y->value_bound || x->value_bound > y->value_bound)
		return x->value_bound < y->value_bound ? -1 : 1;
	if (x->doubled != y->doubled)
		return x->doubled < y->doubled ? -1 : 1;
	return x->place < y->place ? -1 : x->place > y->place;
}

/*
 * Returns whether half of a task's batch breaks the promise of each token, which is later the more requests are under
 * way. Where no plan is known to keep all that is promised, the larger batch may still come closer to it.
 */
static bool task_breaks(const struct search_state *state, struct task *task)
{
	task->breaks = state->runs && !state->problem.request->exhaustive && task->half > 0 &&
		       state->tasks.items[task->half - 1].breaks;
	return task->breaks;
}

/* Returns whether the task is proved away before its turn comes; counts its plans then. */
static bool task_leave(struct search_state *state, struct task *task)
{
	const enum paradl_cut cut = task_breaks(state, task) ? PARADL_CUT_BOUND
							     : branch_cut(state->workers[0], task,
								       &state->incumbents, &state->least_cut);
	if (cut == PARADL_CUT_COUNT)
		return false;
	state->cut[cut] += task->plans;
	return true;
}

static void progress_tell(const struct search_state *state, double plans)
{
	const struct paradl_search_request *request = state->problem.request;
	double done = state->evaluated;
	for (unsigned cut = 0; cut < PARADL_CUT_COUNT; ++cut)
		done += state->cut[cut];
	if (request->progress)
		request->progress(request->progress_context, done, plans);
}

bool rounds_run(struct search_state *state, struct paradl_error *error)
{
	const struct tasks *tasks = &state->tasks;
	struct entry *entries = arena_alloc(state->arena, tasks->count + 1, sizeof *entries);
	struct turn *turns = arena_alloc(state->arena, ROUND_MOST, sizeof *turns);
	const bool exhaustive = state->problem.request->exhaustive;
	size_t count = 0, width = exhaustive ? ROUND_MOST : 1;
	double plans = 0;
	if (!entries || !turns)
		return out_of_memory(error);
	for (size_t i = 0; i < tasks->count; ++i) {
		plans += tasks->items[i].plans;
		if (tasks->items[i].cut == PARADL_CUT_COUNT)
			entries[count++] =
				(struct entry){tasks->items[i].value_bound, tasks->items[i].doubled, i};
	}
	qsort(entries, count, sizeof *entries, compare_entries);
	for (size_t next = 0; next < count;) {
		size_t taken = 0;
		for (; next < count && taken < width; ++next)
			if (!task_leave(state, &tasks->items[entries[next].place]))
				turns[taken++] = (struct turn){.place = entries[next].place};
		if (!round_run(state, turns, taken, error))
			return false;
		progress_tell(state, plans);
		if (!exhaustive)
			width = 2 * width < ROUND_PROVING ? 2 * width : ROUND_PROVING;
	}
	return true;
}
