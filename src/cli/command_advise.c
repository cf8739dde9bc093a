/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "base/error.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/question.h"
#include "report/table.h"

/* Returns the best plan on the largest number of GPUs on which any plan runs; NULL: none runs. */
static const struct paradl_estimate *best_of_most(const struct paradl_ranking *rankings, size_t count)
{
	for (size_t i = count; i-- > 0;)
		if (rankings[i].count > 0)
			return &rankings[i].results[0];
	return NULL;
}

static bool lacks_power(const struct paradl_ranking *rankings, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (rankings[i].count > 0)
			return rankings[i].results[0].energy_joule_per_epoch < 0;
	return false;
}

/* Warns where the machine's profile has no power (goal energy) or no price (goal cost), so GPU time ranks plans. */
static void check_goal(struct session *session, const struct question *question,
	const struct paradl_ranking *rankings, size_t count)
{
	const enum paradl_goal goal = (enum paradl_goal)session->arguments.goal;
	if (goal == PARADL_ENERGY && lacks_power(rankings, count))
		session_warn(session, "%s has no power: plans are ranked by GPU time",
			question->head.machine.name);
	if (goal == PARADL_COST && !(question->head.machine.price_per_device_hour > 0))
		session_warn(session, "%s has no price: plans are ranked by GPU time",
			question->head.machine.name);
}

static bool any_feasible(const struct report_advice *advice)
{
	for (size_t i = 0; i < advice->count; i++)
		if (advice->rankings[i].count > 0)
			return true;
	return false;
}

static void say_infeasible(struct session *session, const struct report_advice *advice)
{
	const struct paradl_ranking *const last = &advice->rankings[advice->count - 1];
	const char *const plural = last->devices == 1 ? "" : "s";
	if (last->infeasible_count == 0)
		diagnostic_print(session, "paradl: no feasible strategy for %u GPU%s", last->devices, plural);
	else
		diagnostic_print(session,
			"paradl: no feasible strategy for %u GPU%s (%zu tried); closest: %s: %s",
			last->devices, plural, last->infeasible_count, last->infeasible[0].strategy,
			last->infeasible[0].reason);
}

/* Returns whether a whole training is asked about and no plan finishes it within the limit. */
static bool all_late(const struct report_advice *advice)
{
	size_t runs = 0;
	for (size_t i = 0; advice->job && i < advice->count; i++)
		for (size_t j = 0; j < advice->rankings[i].count; j++)
			if (advice->runs[runs++].in_time)
				return false;
	return advice->job != NULL;
}

static enum exit_status write_script(struct session *session, const struct report_advice *advice)
{
	if (any_feasible(advice))
		return script_answer(session, advice->head, &advice->rankings[0].results[0]);
	say_infeasible(session, advice);
	return EXIT_NO;
}

/* Writes the answer. The picture comes first: where its failure is a document, there must be no other document. */
static enum exit_status answer(struct session *session, const struct report_advice *advice)
{
	enum exit_status status = EXIT_ANSWER;
	if (session->script)
		return write_script(session, advice);
	if (draw_wanted(session))
		status = draw_picture(session,
			draw_choice(session, advice->is_sweep ? &picture_scaling : &picture_ranking), advice);
	if (!session->picture) {
		if (!draw_goes_on(session, status))
			return status;
		struct document document;
		if (!document_begin(session, &document))
			return session_fail(session);
		session->format->advice(&document.sink, advice);
		status = document_end(session, &document, status);
	}
	if (status == EXIT_ANSWER && !any_feasible(advice)) {
		say_infeasible(session, advice);
		status = EXIT_NO;
	} else if (status == EXIT_ANSWER && all_late(advice)) {
		diagnostic_print(session, "paradl: no plan is through in time");
		status = EXIT_NO;
	}
	return status;
}

/*
 * Returns plans for each layer whose step is at least 0.5 % shorter than that of the best plan for all layers, which
 * rounding does not hide; NULL: none are, the goal is not time, or no such search is possible. A search that spends
 * little says whether there are any; those that are offered are what the command finds that is recommended for them.
 */
static const struct paradl_layered_search *offer_layers(
	struct session *session, const struct question *question, const struct paradl_ranking *ranking)
{
	static const double worth_saying = 0.005;
	const struct arguments *const arguments = &session->arguments;
	if (arguments->goal != PARADL_TIME || arguments->ideal || arguments->inference || ranking->count == 0)
		return NULL;
	struct paradl_layers_request request = {.devices = ranking->devices,
		.batch = ranking->batch,
		.strategies = arguments->strategies,
		.options = arguments->plan_options,
		.threads = session_threads(session)};
	const double below_s = ranking->results[0].iteration_s * (1 - worth_saying);
	struct paradl_layered_search *const layers = arena_alloc(session->arena, 1, sizeof *layers);
	for (unsigned in_full = 0; layers && in_full < 2; ++in_full) {
		struct paradl_error error;
		request.one_stage = !in_full;
		request.below_s = in_full ? 0 : below_s;
		if (!paradl_search_layers(question->oracle, &request, session->arena, layers, &error) ||
			!(layers->estimate.iteration_s < below_s))
			return NULL;
	}
	return layers;
}

/* Returns the best plan with fewer options that is as fast; NULL: there is none, or other things than time are asked for. */
static const struct paradl_other_plan *offer_simpler(
	struct session *session, const struct question *question, const struct paradl_ranking *ranking)
{
	const struct arguments *const arguments = &session->arguments;
	struct paradl_other_plan *const simpler = arena_alloc(session->arena, 1, sizeof *simpler);
	const bool asked =
		arguments->goal == PARADL_TIME && !arguments->inference && !arguments->plan_options;
	return asked && simpler && ranking->count > 0 && ranking->results[0].fits &&
			       paradl_simpler_plan(question->oracle, &ranking->results[0], simpler)
		       ? simpler
		       : NULL;
}

/* Offers what the ranking does not ask about: plans for each layer, another dispatcher of tokens, a simpler plan. */
static void offer_others(
	struct session *session, const struct question *question, struct report_advice *advice)
{
	const struct paradl_ranking *const ranking = &advice->rankings[0];
	struct paradl_faster_dispatcher *const dispatched =
		arena_alloc(session->arena, 1, sizeof *dispatched);
	advice->layers = offer_layers(session, question, ranking);
	advice->simpler = offer_simpler(session, question, ranking);
	if (dispatched && ranking->count > 0 &&
		paradl_faster_dispatcher(question->oracle, &ranking->results[0], session->arena, dispatched))
		advice->dispatched = dispatched;
	struct paradl_other_plan *const balanced = arena_alloc(session->arena, 1, sizeof *balanced);
	if (balanced && ranking->count > 0 &&
		paradl_faster_split(question->oracle, &ranking->results[0], balanced))
		advice->balanced = balanced;
}

static bool check_columns(struct session *session)
{
	const struct result_field *columns[COLUMNS_MAX];
	size_t count = 0;
	return !session->arguments.columns ||
	       ranking_columns_parse(session->arguments.columns, columns, &count, &session->error);
}

/* Limits of the text that people read: plans, and lines for them. Other formats, for programs, get all plans. */
enum { TEXT_TOP = 10, TEXT_LINES = 7 };

static size_t choose_top(const struct session *session)
{
	if (session->arguments.top >= 0)
		return (size_t)session->arguments.top;
	return session->format == &report_text ? TEXT_TOP : 0;
}

/* Keeps the plans that the program can start, and warns of batches and epochs. */
static bool rankings_check(struct session *session, const struct question *question,
	struct paradl_ranking *rankings, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!launchable_only(session, question, &rankings[i]))
			return false;
	check_goal(session, question, rankings, count);
	for (size_t i = 0; i < count; ++i) {
		question_warn_shared(session, question->oracle, "", rankings[i].devices, rankings[i].batch);
		if (count == 1)
			question_warn_rounded(
				session, &question->head.model, "", rankings[i].devices, rankings[i].batch);
		question_warn_epoch(session, question, rankings[i].batch);
	}
	return true;
}

/* Returns what the answer shows of each ranking: a text about several numbers of GPUs only the best plan. */
static enum paradl_ranked plans_shown(
	const struct session *session, const struct option_counts *gpus, bool has_job)
{
	const struct arguments *const arguments = &session->arguments;
	if (session->format != &report_text || draw_wanted(session) || arguments->verbose)
		return PARADL_RANKED_ALL;
	return gpus->count > 1 && !arguments->all && arguments->flags < 0 && !has_job ? PARADL_RANKED_FIRST
										      : PARADL_RANKED_BRIEF;
}

static enum exit_status run(struct session *session)
{
	struct question question;
	struct option_counts gpus;
	struct paradl_run_request job;
	bool has_job = false;
	struct report_advice advice = {
		.head = &question.head,
		.goal = (enum paradl_goal)session->arguments.goal,
		.top = choose_top(session),
		.lines = session->arguments.top < 0 && !session->arguments.verbose ? TEXT_LINES : 0,
		.columns = session->arguments.columns,
	};
	if (!check_columns(session) || !question_load(session, &question) ||
		!question_check_batch(session, &question) || !question_gpus(session, &question, &gpus) ||
		!job_read(session, &question, &job, &has_job))
		return session_fail(session);
	if (session->script && gpus.count > 1) {
		session_usage(session, "a script starts one plan: write --gpus N");
		return session_fail(session);
	}
	struct paradl_ranking *const rankings = arena_alloc(session->arena, gpus.count, sizeof *rankings);
	if (!rankings)
		return session_out_of_memory(session);
	if (!ranking_each(session, &question, &gpus, plans_shown(session, &gpus, has_job), rankings) ||
		(gpus.count == 1 && !ranking_settle(session, &question, best_of_most(rankings, gpus.count))))
		return session_fail(session);
	if (!rankings_check(session, &question, rankings, gpus.count))
		return session_fail(session);
	advice.rankings = rankings;
	advice.count = gpus.count;
	advice.is_sweep = gpus.count > 1;
	advice.job = has_job ? &job : NULL;
	advice.runs = has_job ? job_runs(session, &question, &job, rankings, gpus.count) : NULL;
	if (has_job && !advice.runs)
		return session_fail(session);
	if (draw_wanted(session))
		advice.unfit = ranking_unfit(session, &question, &rankings[0]);
	if (gpus.count == 1 && !session->picture)
		offer_others(session, &question, &advice);
	if (!question_assume_input(session, &question, best_of_most(rankings, gpus.count)))
		return session_fail(session);
	question_finish(session, &question);
	return answer(session, &advice);
}

const struct command command_advise = {
	.name = "advise",
	.summary = "rank every way to spread the training of a model over GPUs",
	.synopsis = "MODEL --hw HW [--gpus N] [options]",
	.details = "MODEL and HW are files or the names of shipped ones ('paradl list models').\n"
		   "Without --gpus: the best plan for every power of two of the machine's GPUs.",
	OPERAND_MODEL,
	.usual = "hw gpus batch seq precision framework goal inference tokens flags top verbose output plot",
	.examples = {"paradl advise resnet50 --hw abci --gpus 64",
		"paradl advise llama3-70b --hw dgx-h100-superpod --gpus 64 --batch 512"},
	.first = true,
	.most_operands = 1,
	.run = run,
};
