/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The best of all plans: the space as tasks (tasks.c), searched in rounds (rounds.c) of branch and bound (branch.c), and
 * what was found as results.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

#include "base/error.h"
#include "base/quantity.h"
#include "search/rounds.h"
#include "search/value.h"
#include "strategy/plan_text.h"

const char *paradl_cut_text(enum paradl_cut cut)
{
	static const char *const texts[PARADL_CUT_COUNT] = {
		"cannot run", "need more memory than there is", "cannot be better"};
	return texts[cut];
}

/* -- the question ----------------------------------------------------------------------------------------- */

static bool numbers_hold(const struct paradl_search_request *request, struct paradl_error *error)
{
	if (!request->device_count)
		return error_set(error, PARADL_USAGE, "a search needs a number of devices");
	for (size_t i = 0; i < request->device_count; ++i)
		if (!request->devices[i] || (i && request->devices[i] <= request->devices[i - 1]))
			return error_set(error, PARADL_USAGE, "numbers of devices ascend from 1");
	if (!(request->gap >= 0) || request->gap > 1)
		return error_set(
			error, PARADL_USAGE, "the gap is a share from 0 to 1, is %.17g", request->gap);
	unsigned axes = 0;
	for (unsigned axis = 0; axis < PARADL_AXIS_COUNT; ++axis)
		axes += request->map >> axis & 1;
	if (request->map && axes != 2)
		return error_set(error, PARADL_USAGE, "a map has two axes, not %u", axes);
	return true;
}

static bool quest_begin(struct paradl_oracle *oracle, const struct paradl_search_request *request,
	struct quest *quest, struct paradl_error *error)
{
	*quest = (struct quest){.request = request,
		.samples = request->samples > 0 ? request->samples : oracle->model->samples,
		.nodes_per_device = 1.0 / oracle->machine->devices_per_node,
		.price_per_node_hour = oracle->machine->price_per_node_hour};
	quest->variation.options =
		oracle->model->tokens && !oracle->rules.ideal && !oracle->options.inference;
	if (!numbers_hold(request, error) || !vary_parse(request->vary, &quest->variation.vary, error))
		return false;
	if (request->options && !plan_options_parse(request->options, &quest->variation.fixed,
					&quest->variation.given, error))
		return false;
	if ((request->deadline_s > 0 || request->budget > 0) && !(quest->samples > 0)) {
		error_set(error, PARADL_USAGE,
			"a deadline or a budget is of so many samples, and %s names no data set",
			oracle->model->name);
		error_hint(error, "say how many samples or tokens");
		return false;
	}
	if (request->budget > 0 && !(quest->price_per_node_hour > 0))
		return error_set(error, PARADL_USAGE, "%s has no price, so nothing is known of a budget",
			oracle->machine->name);
	return true;
}

static bool families_wanted(
	const struct paradl_oracle *oracle, const char *text, bool *families, struct paradl_error *error)
{
	const unsigned axes = oracle_axes(oracle);
	if (!families_parse(text, families, error))
		return false;
	for (unsigned family = 0; !text && family < FAMILIES; ++family)
		families[family] = families[family] && !(family & ~axes);
	return true;
}

/* -- workers ---------------------------------------------------------------------------------------------- */

static unsigned threads_for(const struct paradl_search_request *request)
{
#ifdef _OPENMP
	return request->threads ? request->threads : (unsigned)omp_get_max_threads();
#else
	(void)request;
	return 1;
#endif
}

/* The first works with the oracle itself. The network is prepared before it is cloned, so that its curves are shared. */
static bool crew_begin(const struct quest *quest, struct paradl_oracle *oracle,
	struct paradl_arena *const *arenas, struct crew *crew, struct paradl_error *error)
{
	const struct paradl_search_request *request = quest->request;
	const unsigned most = request->devices[request->device_count - 1];
	if (most <= oracle->machine->devices && !network_prepare(oracle, most, error))
		return false;
	for (unsigned i = 0; i < crew->count; ++i) {
		struct paradl_oracle *own = i ? oracle_clone(oracle, arenas[i], error) : oracle;
		crew->workers[i] = own ? worker_create(quest, own, arenas[i], error) : NULL;
		if (!crew->workers[i])
			return false;
	}
	return true;
}

/* -- results ---------------------------------------------------------------------------------------------- */

static int compare_findings(const void *a, const void *b)
{
	const struct finding *x = a, *y = b;
	if (x->value < y->value || x->value > y->value)
		return x->value < y->value ? -1 : 1;
	return x->place < y->place ? -1 : x->place > y->place;
}

static const struct paradl_estimate *estimates_of(struct paradl_oracle *oracle,
	const struct finding *findings, size_t count, struct paradl_arena *arena, struct paradl_error *error)
{
	struct paradl_estimate *estimates = arena_alloc(arena, count + 1, sizeof *estimates);
	if (!estimates) {
		error_set(error, PARADL_NO_MEMORY, "out of memory");
		return NULL;
	}
	for (size_t i = 0; i < count; ++i)
		if (!paradl_estimate(oracle, &findings[i].plan, &estimates[i], error))
			return NULL;
	return estimates;
}

/* Times are known to some share, and so is what they cost. */
static size_t equal_count(
	const struct paradl_oracle *oracle, enum paradl_goal goal, const struct paradl_search *search)
{
	const double share = goal == PARADL_MEMORY || search->results[0].error_share < 0
				     ? 0
				     : search->results[0].error_share;
	const double most = paradl_search_value(&search->results[0], goal) * (1 + share);
	size_t equal = 1;
	(void)oracle;
	while (equal < search->count && paradl_search_value(&search->results[equal], goal) <= most)
		++equal;
	return equal;
}

static bool results_fill(struct campaign *rounds, struct paradl_oracle *oracle, struct paradl_arena *arena,
	struct paradl_search *search, struct paradl_error *error)
{
	struct incumbents *incumbents = &rounds->incumbents;
	const enum paradl_goal goal = rounds->quest->request->goal;
	size_t count = 0;
	for (unsigned i = 0; i < incumbents->cell_count; ++i)
		if (incumbents->cells[i].value < HUGE_VAL)
			incumbents->cells[count++] = incumbents->cells[i];
	qsort(incumbents->cells, count, sizeof *incumbents->cells, compare_findings);
	search->count = count < incumbents->keep ? count : incumbents->keep;
	search->results = estimates_of(oracle, incumbents->cells, search->count, arena, error);
	if (!search->results)
		return false;
	if (!search->count)
		return true;
	const double best = paradl_search_value(&search->results[0], goal);
	search->lower_bound = rounds->least_cut < best ? rounds->least_cut : best;
	search->gap = search->lower_bound > 0 ? best / search->lower_bound - 1 : 0;
	search->equal = equal_count(oracle, goal, search);
	if (search->count > 1 && best > 0)
		search->margin = paradl_search_value(&search->results[1], goal) / best;
	return true;
}

static int compare_traded(const void *a, const void *b)
{
	const struct finding *x = a, *y = b;
	for (unsigned goal = 0; goal < GOALS; ++goal)
		if (x->traded[goal] < y->traded[goal] || x->traded[goal] > y->traded[goal])
			return x->traded[goal] < y->traded[goal] ? -1 : 1;
	return x->place < y->place ? -1 : x->place > y->place;
}

static bool front_fill(struct campaign *rounds, struct paradl_oracle *oracle, struct paradl_arena *arena,
	struct paradl_search *search, struct paradl_error *error)
{
	struct front *front = &rounds->incumbents.front;
	if (!front->count)
		return true;
	qsort(front->items, front->count, sizeof *front->items, compare_traded);
	search->front_count = front->count;
	search->front = estimates_of(oracle, front->items, front->count, arena, error);
	return search->front != NULL;
}

/* Of the tasks of a group (-1: of all) the one that may need least memory; NULL: none runs. */
static const struct task *task_leanest(const struct campaign *rounds, long group)
{
	const struct task *leanest = NULL;
	for (size_t i = 0; i < rounds->tasks->count; ++i) {
		const struct task *task = &rounds->tasks->items[i];
		if (!task->runs || (group >= 0 && rounds->incumbents.group_of[task->cell] != (unsigned)group))
			continue;
		if (!leanest || task->bounds.memory_bytes < leanest->bounds.memory_bytes)
			leanest = task;
	}
	return leanest;
}

/* The leanest plan, as far as it runs. */
static bool leanest_estimate(
	struct campaign *rounds, struct paradl_oracle *oracle, long group, struct paradl_estimate *estimate)
{
	const struct task *task = task_leanest(rounds, group);
	struct paradl_plan plan;
	if (!task)
		return false;
	branch_frugal(rounds->crew.workers[0], task, &plan);
	return paradl_estimate(oracle, &plan, estimate, NULL);
}

static bool closest_fill(struct campaign *rounds, struct paradl_oracle *oracle, struct paradl_search *search,
	struct paradl_error *error)
{
	struct paradl_infeasible *closest = &search->closest;
	struct paradl_estimate estimate;
	char needs[32], has[32];
	if (search->count)
		return true;
	if (!leanest_estimate(rounds, oracle, -1, &estimate)) {
		struct paradl_error why = {0};
		const struct task *first = rounds->tasks->count ? &rounds->tasks->items[0] : NULL;
		if (!first || paradl_estimate(oracle, &first->plan, &estimate, &why))
			return true;
		paradl_plan_family(&first->plan, closest->family, sizeof closest->family);
		paradl_plan_format(&first->plan, closest->strategy, sizeof closest->strategy);
		snprintf(closest->reason, sizeof closest->reason, "%.255s", why.message);
		snprintf(closest->needs, sizeof closest->needs, "%.255s", why.hint);
		return true;
	}
	(void)error;
	paradl_plan_family(&estimate.plan, closest->family, sizeof closest->family);
	paradl_plan_format(&estimate.plan, closest->strategy, sizeof closest->strategy);
	quantity_format(needs, sizeof needs, estimate.memory_bytes, DIMENSION_BYTES);
	quantity_format(has, sizeof has, estimate.capacity_bytes, DIMENSION_BYTES);
	if (!estimate.fits) {
		snprintf(closest->reason, sizeof closest->reason,
			"needs %s on the fullest device, which has %s", needs, has);
		snprintf(closest->needs, sizeof closest->needs,
			"more devices, a smaller batch, or devices with more memory");
		return true;
	}
	snprintf(closest->reason, sizeof closest->reason, "fits, but no plan is fast enough or cheap enough");
	snprintf(closest->needs, sizeof closest->needs, "more time or money, or another number of devices");
	return true;
}

/* -- maps ------------------------------------------------------------------------------------------------- */

static void map_degrees(
	const struct paradl_search_request *request, const struct paradl_plan *plan, unsigned degree[2])
{
	unsigned count = 0;
	for (unsigned axis = 0; axis < PARADL_AXIS_COUNT; ++axis)
		if (request->map >> axis & 1)
			degree[count++] = plan->degree[axis];
}

/* One group for each number of devices and pair of degrees, in the order in which they come. */
static bool groups_make(struct campaign *rounds, struct paradl_arena *arena, struct paradl_map_cell **cells,
	struct paradl_error *error)
{
	const struct paradl_search_request *request = rounds->quest->request;
	struct incumbents *incumbents = &rounds->incumbents;
	unsigned *group_of = arena_alloc(arena, incumbents->cell_count + 1, sizeof *group_of);
	*cells = arena_alloc(arena, incumbents->cell_count + 1, sizeof **cells);
	if (!group_of || !*cells)
		return error_set(error, PARADL_NO_MEMORY, "out of memory");
	for (size_t i = 0; i < rounds->tasks->count; ++i) {
		const struct task *task = &rounds->tasks->items[i];
		struct paradl_map_cell cell = {.devices = (unsigned)paradl_plan_devices(&task->plan)};
		unsigned group = 0;
		map_degrees(request, &task->plan, cell.degree);
		while (group < incumbents->group_count &&
			((*cells)[group].devices != cell.devices ||
				(*cells)[group].degree[0] != cell.degree[0] ||
				(*cells)[group].degree[1] != cell.degree[1]))
			++group;
		if (group == incumbents->group_count)
			(*cells)[incumbents->group_count++] = cell;
		group_of[task->cell] = group;
	}
	incumbents->group_of = group_of;
	return true;
}

static int compare_cells(const void *a, const void *b)
{
	const struct paradl_map_cell *x = a, *y = b;
	if (x->devices != y->devices)
		return x->devices < y->devices ? -1 : 1;
	if (x->degree[0] != y->degree[0])
		return x->degree[0] < y->degree[0] ? -1 : 1;
	return x->degree[1] < y->degree[1] ? -1 : x->degree[1] > y->degree[1];
}

static bool map_fill(struct campaign *rounds, struct paradl_oracle *oracle, struct paradl_map_cell *cells,
	struct paradl_search *search, struct paradl_error *error)
{
	const struct incumbents *incumbents = &rounds->incumbents;
	for (unsigned i = 0; i < incumbents->group_count; ++i) {
		const bool found = incumbents->groups[i].value < HUGE_VAL;
		if (found && !paradl_estimate(oracle, &incumbents->groups[i].plan, &cells[i].best, error))
			return false;
		cells[i].runs = found || leanest_estimate(rounds, oracle, (long)i, &cells[i].best);
		cells[i].fits = found;
	}
	qsort(cells, incumbents->group_count, sizeof *cells, compare_cells);
	search->cells = cells;
	search->cell_count = incumbents->group_count;
	return true;
}

/* --------------------------------------------------------------------------------------------------------- */

static bool search_run(struct campaign *rounds, struct paradl_oracle *oracle, struct paradl_arena *arena,
	struct paradl_search *search, struct paradl_error *error)
{
	const struct paradl_search_request *request = rounds->quest->request;
	struct incumbents *incumbents = &rounds->incumbents;
	struct paradl_map_cell *cells = NULL;
	incumbents->keep = request->keep ? request->keep : 1;
	incumbents->cell_count = rounds->tasks->cells;
	incumbents->front.goals = request->pareto;
	rounds->least_cut = HUGE_VAL;
	if (request->map && !groups_make(rounds, arena, &cells, error))
		return false;
	if (!incumbents_begin(incumbents, rounds->arena, error) || !rounds_bound(rounds, error) ||
		!rounds_run(rounds, error))
		return false;
	search->evaluated = rounds->evaluated;
	memcpy(search->cut, rounds->cut, sizeof search->cut);
	search->plans = rounds->evaluated;
	for (unsigned cut = 0; cut < PARADL_CUT_COUNT; ++cut)
		search->plans += rounds->cut[cut];
	if (request->map && !map_fill(rounds, oracle, cells, search, error))
		return false;
	return front_fill(rounds, oracle, arena, search, error) &&
	       results_fill(rounds, oracle, arena, search, error) &&
	       closest_fill(rounds, oracle, search, error);
}

static bool crew_search(struct quest *quest, struct paradl_oracle *oracle, struct paradl_arena *const *arenas,
	unsigned threads, struct paradl_arena *arena, struct paradl_search *search,
	struct paradl_error *error)
{
	struct tasks tasks;
	struct campaign rounds = {.quest = quest, .tasks = &tasks, .arena = arenas[0], .crew.count = threads};
	bool families[FAMILIES];
	rounds.crew.workers = arena_alloc(arenas[0], threads, sizeof *rounds.crew.workers);
	if (!rounds.crew.workers)
		return error_set(error, PARADL_NO_MEMORY, "out of memory");
	return families_wanted(oracle, quest->request->strategies, families, error) &&
	       crew_begin(quest, oracle, arenas, &rounds.crew, error) &&
	       tasks_list(oracle, quest->request, &quest->variation, families, arenas[0], &tasks, error) &&
	       search_run(&rounds, oracle, arena, search, error);
}

/* Everything but the results lives in arenas of its own. */
bool paradl_search(struct paradl_oracle *oracle, const struct paradl_search_request *request,
	struct paradl_arena *arena, struct paradl_search *search, struct paradl_error *error)
{
	enum { THREADS_MAX = 256 };
	struct paradl_arena *arenas[THREADS_MAX] = {NULL};
	struct quest quest;
	*search = (struct paradl_search){0};
	if (!quest_begin(oracle, request, &quest, error))
		return false;
	unsigned threads = threads_for(request), made = 0;
	threads = threads < THREADS_MAX ? threads : THREADS_MAX;
	while (made < threads && (arenas[made] = paradl_arena_create()))
		++made;
	const bool found = made == threads
				   ? crew_search(&quest, oracle, arenas, threads, arena, search, error)
				   : error_set(error, PARADL_NO_MEMORY, "out of memory");
	for (unsigned i = 0; i < made; ++i)
		paradl_arena_free(arenas[i]);
	return found;
}
