/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tasks are taken in the order of their bounds, since those that may be best prove most of the others away. In its first
 * turn a task is screened (screen.c), and waits for the second by the bound that this finds; then it is searched. The
 * first round searches one task and each further one twice as many, up to 64: early on every finding counts, later on
 * there is work for many. Where groups keep a best plan of their own, each has its turns in every round. Where nothing
 * is proved away, rounds only serve to report progress.
 */
#include "search/search_state.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"

enum { ROUND_MOST = 1024, ROUND_PROVING = 64 };

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

/* Task to be searched. Rivals are tasks whose best plan proves others of them away: those of a group that keeps one. */
struct entry {
	double value_bound;
	unsigned rivals, doubled;
	size_t place;
};

static int compare_entries(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	if (x->rivals != y->rivals)
		return x->rivals < y->rivals ? -1 : 1;
	if (x->value_bound < y->value_bound || x->value_bound > y->value_bound)
		return x->value_bound < y->value_bound ? -1 : 1;
	if (x->doubled != y->doubled)
		return x->doubled < y->doubled ? -1 : 1;
	return x->place < y->place ? -1 : x->place > y->place;
}

/* Tasks that are left: queues of rivals. Each is a heap, whose first entry has the least bound. */
struct queues {
	struct queue {
		struct entry *entries;
		size_t count;
	} * list;
	size_t count;
};

static void entries_swap(struct entry *a, struct entry *b)
{
	const struct entry other = *a;
	*a = *b;
	*b = other;
}

static void queue_push(struct queue *queue, const struct entry *entry)
{
	struct entry *entries = queue->entries;
	size_t at = queue->count++;
	entries[at] = *entry;
	for (; at > 0 && compare_entries(&entries[at], &entries[(at - 1) / 2]) < 0; at = (at - 1) / 2)
		entries_swap(&entries[at], &entries[(at - 1) / 2]);
}

static void queue_pop(struct queue *queue)
{
	struct entry *entries = queue->entries;
	const size_t count = --queue->count;
	entries[0] = entries[count];
	for (size_t at = 0, next = 1; next < count; at = next, next = 2 * at + 1) {
		if (next + 1 < count && compare_entries(&entries[next + 1], &entries[next]) < 0)
			++next;
		if (compare_entries(&entries[at], &entries[next]) < 0)
			break;
		entries_swap(&entries[at], &entries[next]);
	}
}

/* Puts all tasks that may count into queues; false when out of memory. */
static bool queues_make(const struct search_state *state, struct queues *queues)
{
	const struct tasks *tasks = &state->tasks;
	const struct incumbents *incumbents = &state->incumbents;
	size_t count = 0;
	struct entry *entries = arena_alloc(state->arena, tasks->count + 1, sizeof *entries);
	queues->list = arena_alloc(state->arena, tasks->count + 1, sizeof *queues->list);
	queues->count = 0;
	if (!entries || !queues->list)
		return false;
	for (size_t i = 0; i < tasks->count; ++i) {
		const struct task *task = &tasks->items[i];
		if (task->cut == PARADL_CUT_COUNT)
			entries[count++] = (struct entry){task->value_bound,
				incumbents->keeps_groups ? incumbents->group_of[task->cell] : 0,
				task->doubled, i};
	}
	qsort(entries, count, sizeof *entries, compare_entries);
	for (size_t i = 0; i < count; ++i) {
		if (!i || entries[i].rivals != entries[i - 1].rivals)
			queues->list[queues->count++].entries = &entries[i];
		++queues->list[queues->count - 1].count; /* a sorted list is a heap */
	}
	return true;
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

/* Puts tasks that were screened back into their queues, by the bounds that this found. */
static void turns_return(
	const struct search_state *state, struct queues *queues, const struct turn *turns, size_t count)
{
	for (size_t i = 0; i < count; ++i) {
		const struct report *report = &turns[i].report;
		struct task *task = &state->tasks.items[turns[i].place];
		struct queue *queue = &queues->list[turns[i].queue];
		if (!report->waits)
			continue;
		task->screened = true;
		task->bounds = report->bounds;
		task->value_bound = report->value_bound;
		queue_push(queue, &(struct entry){task->value_bound, 0, task->doubled, turns[i].place});
	}
}

/* Number of turns of a round. */
struct taken {
	size_t screens, searches;
};

/*
 * Takes the turns of a round: of each queue, tasks that are not proved away, as long as the next one by its bound is to
 * be screened, up to a share of ROUND_PROVING, or to be searched, up to a share of `width`, and at least one.
 */
static struct taken turns_take(
	struct search_state *state, struct queues *queues, size_t width, struct turn *turns)
{
	const size_t searches = width / (queues->count + 1) + 1,
		     screens = ROUND_PROVING / (queues->count + 1) + 1;
	struct taken all = {0, 0};
	for (size_t i = 0; i < queues->count; ++i) {
		struct queue *queue = &queues->list[i];
		struct taken own = {0, 0};
		while (queue->count && all.screens + all.searches < ROUND_MOST) {
			const size_t place = queue->entries[0].place;
			struct task *task = &state->tasks.items[place];
			if (task->screened ? own.searches == searches : own.screens == screens)
				break;
			queue_pop(queue);
			if (task_leave(state, task))
				continue;
			turns[all.screens + all.searches] = (struct turn){.place = place, .queue = i};
			own.screens += !task->screened;
			all.screens += !task->screened;
			own.searches += task->screened;
			all.searches += task->screened;
		}
	}
	return all;
}

bool rounds_run(struct search_state *state, struct paradl_error *error)
{
	const size_t room = state->tasks.count < ROUND_MOST ? state->tasks.count : ROUND_MOST;
	struct turn *turns = arena_alloc(state->arena, room + 1, sizeof *turns);
	const bool exhaustive = state->problem.request->exhaustive;
	size_t width = exhaustive ? ROUND_MOST : 1;
	struct queues queues;
	double plans = 0;
	if (!turns || !queues_make(state, &queues))
		return out_of_memory(error);
	for (size_t i = 0; i < state->tasks.count; ++i)
		plans += state->tasks.items[i].plans;
	for (;;) {
		const struct taken taken = turns_take(state, &queues, width, turns);
		const size_t count = taken.screens + taken.searches;
		if (!count)
			return true;
		if (!round_run(state, turns, count, error))
			return false;
		turns_return(state, &queues, turns, count);
		progress_tell(state, plans);
		if (!exhaustive && taken.searches)
			width = 2 * width < ROUND_PROVING ? 2 * width : ROUND_PROVING;
	}
}
