/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rankings as options ask for them: plans that keep promises, and that the program of --flags starts. */
#include <string.h>

#include "base/error.h"
#include "cli/arguments_rows.h"
#include "cli/question.h"
#include "result/launch/launch.h"

#define PROMISED(...) ROW("advise compare report search", __VA_ARGS__)

static const char *percentile_of(size_t index)
{
	return index < PARADL_PERCENTILE_COUNT ? paradl_percentile_name((enum paradl_percentile)index) : NULL;
}

static const struct option_row rows[] = {
	{PROMISED("ttft", OPTION_QUANTITY, promise.first_s, "TIME"), .dimension = DIMENSION_TIME,
		.group = "Job", .help = "inference: limit on the time to first token: '2 s'"},
	{PROMISED("tpot", OPTION_QUANTITY, promise.token_s, "TIME"), .formerly = "token-latency",
		.dimension = DIMENSION_TIME, .group = "Job",
		.help = "inference: limit on the time per output token: '50 ms'"},
	{PROMISED("latency", OPTION_QUANTITY, promise.latency_s, "TIME"), .dimension = DIMENSION_TIME,
		.group = "Job", .help = "inference: limit on the time of a whole answer: '2 s'; on average"},
	{PROMISED("percentile", OPTION_CHOICE, percentile, "P"), .choice = percentile_of, .initial = "mean",
		.group = "Job", .help = "requests that --ttft and --tpot hold for"},
};

const struct option_table arguments_ranking = {rows, sizeof rows / sizeof rows[0], NULL};

static bool ranking_request(struct session *session, const struct question *question, double devices,
	struct paradl_request *request)
{
	const struct arguments *const arguments = &session->arguments;
	const double batch = question_batch(session, devices, paradl_oracle_batch(question->oracle, devices));
	const bool batched = arguments->batch > 0 ||
			     (question->head.inference && !paradl_promise_made(&arguments->promise));
	*request = (struct paradl_request){
		.devices = (unsigned)devices,
		.batch = batched && !(question->head.rate_per_s > 0) ? batch : 0,
		.per_device = arguments->batch > 0 ? 0 : arguments->per_gpu,
		.micro = arguments->micro,
		.goal = (enum paradl_goal)arguments->goal,
		.strategies = arguments->strategies,
		.all_members = arguments->all,
		.options = arguments->plan_options,
	};
	return question_promise(session, &request->promise);
}

bool ranking_settle(struct session *session, struct question *question, const struct paradl_estimate *best)
{
	const char *const prefill = session->arguments.prefill;
	if (!prefill || strcmp(prefill, "auto") != 0)
		return true;
	session->arguments.prefill = best ? best->inference.prefill : NULL;
	return question_load(session, question);
}

bool ranking_each(struct session *session, const struct question *question, const struct option_counts *gpus,
	enum paradl_ranked plans, struct paradl_ranking *rankings)
{
	for (size_t i = 0; i < gpus->count; i++) {
		struct paradl_request request;
		if (!ranking_request(session, question, gpus->values[i], &request))
			return false;
		const double batch = question_batch(
			session, gpus->values[i], paradl_oracle_batch(question->oracle, gpus->values[i]));
		rankings[i] = (struct paradl_ranking){.devices = request.devices, .batch = batch};
		if (!paradl_advise(
			    question->oracle, &request, plans, session->arena, &rankings[i], &session->error))
			return false;
		if (session->arguments.verbose)
			diagnostic_print(session, "paradl: %u GPU%s: %zu plans looked at", request.devices,
				request.devices == 1 ? "" : "s", rankings[i].evaluated);
	}
	return true;
}

const struct paradl_estimate *ranking_unfit(
	struct session *session, const struct question *question, const struct paradl_ranking *ranking)
{
	struct paradl_estimate *const unfit =
		arena_alloc(session->arena, ranking->infeasible_count, sizeof *unfit);
	for (size_t i = 0; unfit && i < ranking->infeasible_count; i++) {
		struct paradl_plan plan;
		struct paradl_error error;
		if (!paradl_plan_parse(ranking->infeasible[i].strategy, &plan, &error))
			continue;
		plan.batch = ranking->batch;
		plan.micro = plan.micro > 0 ? plan.micro : session->arguments.micro;
		if (!paradl_estimate(question->oracle, &plan, &unfit[i], &error))
			unfit[i].devices = 0;
	}
	return unfit;
}

/*
 * With --flags PROGRAM a ranking has only the plans that the program runs as they are. All others move to the plans
 * that cannot run, with the reason.
 */

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
 * Replaces an estimate by that of the same plan with the axes nested as programs do. False, and no change, where that plan cannot run, does not fit, or is not started either.
 */
static bool nest_usually(struct choice *choice, struct paradl_estimate *estimate)
{
	struct paradl_plan plan = estimate->plan;
	struct paradl_estimate other;
	struct paradl_error error;
	paradl_plan_nest(&plan);
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

bool parts_explain(struct session *session, const struct question *question,
	const struct paradl_layered *layered, const struct paradl_plan *others, size_t count,
	struct report_parts *parts)
{
	struct paradl_layered_explanation *const explanation =
		arena_alloc(session->arena, 1, sizeof *explanation);
	if (!explanation)
		return out_of_memory(&session->error);
	*parts = (struct report_parts){
		.model = question->model, .layered = layered, .explanation = explanation, .others = others};
	return paradl_explain_layered(
		question->oracle, layered, others, count, session->arena, explanation, &session->error);
}
