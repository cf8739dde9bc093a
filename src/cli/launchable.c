/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * With --flags PROGRAM a ranking has only the plans that the program runs as they are. All others move to the plans
 * that cannot run, with the reason.
 */
#include "cli/launchable.h"

#include <string.h>

#include "base/error.h"
#include "result/launch/launch.h"

/* Ranking whose plans are checked one by one. */
struct choice {
	const struct question *question;
	struct launch *launch;
	struct paradl_estimate *kept;
	struct paradl_infeasible *others; /* infeasible plans: those of the ranking first */
	size_t kept_count, other_count;
};

static bool starts(struct choice *choice, const struct paradl_estimate *estimate)
{
	return launch_plan(choice->launch, &choice->question->head, estimate) &&
	       choice->launch->cannot.count == 0;
}

/*
 * Replaces an estimate by that of the same plan with the axes nested as programs do: pipeline, data, expert,
 * context, tensor. False, and no change, where that plan cannot run, does not fit, or is not started either.
 */
static bool nest_usually(struct choice *choice, struct paradl_estimate *estimate)
{
	static const unsigned char usual[PARADL_AXIS_COUNT] = {PARADL_PIPELINE, PARADL_DATA, PARADL_EXPERT,
		PARADL_CONTEXT, PARADL_TENSOR, PARADL_FILTER, PARADL_CHANNEL, PARADL_SPATIAL};
	struct paradl_plan plan = estimate->plan;
	struct paradl_estimate other;
	struct paradl_error error;
	memcpy(plan.order, usual, sizeof usual);
	if (!paradl_estimate(choice->question->oracle, &plan, &other, &error) || !other.fits ||
		!starts(choice, &other))
		return false;
	*estimate = other;
	return true;
}

/*
 * Returns the value that plans are compared by: that of one sample where the ranking has no batch, and each plan its
 * own.
 */
static double value_of(const struct paradl_ranking *ranking, const struct paradl_estimate *estimate)
{
	return ranking->batch > 0 ? paradl_goal_value(estimate, ranking->goal)
				  : paradl_search_value(estimate, ranking->goal);
}

/* Inserts a plan among those that are kept, in the order of the compared value. */
static void keep(
	struct choice *choice, const struct paradl_ranking *ranking, const struct paradl_estimate *estimate)
{
	size_t place = choice->kept_count++;
	for (; place > 0 && value_of(ranking, &choice->kept[place - 1]) > value_of(ranking, estimate);
		place--)
		choice->kept[place] = choice->kept[place - 1];
	choice->kept[place] = *estimate;
}

static void leave_out(struct choice *choice, const struct paradl_estimate *estimate)
{
	struct paradl_infeasible *const row = &choice->others[choice->other_count++];
	const struct launch *const launch = choice->launch;
	paradl_plan_family(&estimate->plan, row->family, sizeof row->family);
	paradl_plan_format(&estimate->plan, row->strategy, sizeof row->strategy);
	if (launch_plan(choice->launch, &choice->question->head, estimate))
		snprintf(row->reason, sizeof row->reason, "%.*s", (int)sizeof row->reason - 1,
			launch->cannot.items[0]);
}

static void look(struct choice *choice, const struct paradl_ranking *ranking)
{
	for (size_t i = 0; i < ranking->count; i++) {
		struct paradl_estimate estimate = ranking->results[i];
		if (starts(choice, &estimate) || nest_usually(choice, &estimate))
			keep(choice, ranking, &estimate);
		else
			leave_out(choice, &ranking->results[i]);
	}
}

static void compare_first(struct paradl_ranking *ranking)
{
	const struct paradl_estimate *const results = ranking->results;
	ranking->margin = 0;
	ranking->tie = false;
	if (ranking->count < 2 || !(value_of(ranking, results) > 0))
		return;
	ranking->margin = value_of(ranking, &results[1]) / value_of(ranking, &results[0]);
	ranking->tie = ranking->goal != PARADL_MEMORY && ranking->margin < 1 + paradl_tie_share(results);
}

bool launchable_only(struct session *session, const struct question *question, struct paradl_ranking *ranking)
{
	const struct report_head *const head = &question->head;
	const size_t all = ranking->infeasible_count + ranking->count;
	if (session->arguments.flags < 0 || !launch_applies(head) || ranking->count == 0)
		return true;
	struct choice choice = {.question = question,
		.launch = arena_alloc(session->arena, 1, sizeof(struct launch)),
		.kept = arena_alloc(session->arena, ranking->count, sizeof(struct paradl_estimate)),
		.others = arena_alloc(session->arena, all, sizeof(struct paradl_infeasible))};
	if (!choice.launch || !choice.kept || !choice.others)
		return out_of_memory(&session->error);
	memcpy(choice.others, ranking->infeasible, ranking->infeasible_count * sizeof *choice.others);
	choice.other_count = ranking->infeasible_count;
	look(&choice, ranking);
	/*
	 * Where no plan is left, as for a network that the program lacks, the ranking stays; its best plan has the
	 * reason.
	 */
	if (choice.kept_count == 0)
		return true;
	ranking->results = choice.kept;
	ranking->count = choice.kept_count;
	ranking->infeasible = choice.others;
	ranking->infeasible_count = choice.other_count;
	compare_first(ranking);
	return true;
}
