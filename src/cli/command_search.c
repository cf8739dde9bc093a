/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/error.h"
#include "cli/command.h"
#include "cli/draw.h"
#include "cli/job_options.h"
#include "cli/plan_script.h"
#include "cli/progress.h"
#include "cli/search_fewest.h"
#include "cli/search_layers.h"
#include "cli/search_request.h"
#include "cli/team.h"
#include "report/column.h"

static bool check_columns(struct session *session)
{
	const struct result_field *columns[COLUMNS_MAX];
	size_t count = 0;
	return !session->arguments.columns ||
	       ranking_columns_parse(session->arguments.columns, columns, &count, &session->error);
}

static bool choose_devices(
	struct session *session, const struct option_counts *gpus, struct paradl_search_request *request)
{
	unsigned *const devices = arena_alloc(session->arena, gpus->count, sizeof *devices);
	if (!devices)
		return out_of_memory(&session->error);
	for (size_t i = 0; i < gpus->count; i++)
		devices[i] = (unsigned)gpus->values[i];
	request->devices = devices;
	request->device_count = gpus->count;
	return true;
}

static bool ask(struct session *session, const struct question *question,
	struct paradl_search_request *request, struct paradl_search *search, struct report_fewest *fewest)
{
	const struct arguments *const arguments = &session->arguments;
	struct progress progress = progress_begin(session);
	struct option_counts gpus;
	bool ok = question_gpus(session, question, &gpus);
	if (arguments->min_gpus && arguments->gpus.count == 0)
		fewest_candidates(&question->head.machine, &gpus);
	request->progress = progress_plans;
	request->progress_context = &progress;
	if (ok && arguments->min_gpus)
		ok = search_fewest(session, question, &gpus, request, search, fewest);
	else if (ok)
		ok = choose_devices(session, &gpus, request) &&
		     paradl_search(question->oracle, request, session->arena, search, &session->error);
	progress_end(&progress);
	request->progress_context = NULL;
	return ok;
}

/* Fills the runs of the job with each of the results, where a job is asked about. */
static bool runs_fill(struct session *session, const struct question *question, struct report_search *report)
{
	struct paradl_ranking ranking;
	if (!report->job || report->search->count == 0)
		return true;
	report_search_advice(report, &ranking);
	report->runs = job_runs(session, question, report->job, &ranking, 1);
	return report->runs != NULL;
}

static void say_none(struct session *session, const struct report_search *report)
{
	const struct paradl_infeasible *const closest = &report->search->closest;
	const unsigned last = report->request->devices[report->request->device_count - 1];
	const char *const plural = last == 1 ? "" : "s", *const upto = report->request->device_count > 1
									       ? "up to "
									       : "";
	if (*closest->strategy)
		diagnostic_print(session, "paradl: no plan for %s%u GPU%s; closest: %s: %s", upto, last,
			plural, closest->strategy, closest->reason);
	else
		diagnostic_print(session, "paradl: no plan for %s%u GPU%s can run", upto, last, plural);
}

/* Draws the picture. Those of rankings and memory take an advice, whose one ranking the results become. */
static enum exit_status draw(struct session *session, const struct report_search *report)
{
	struct paradl_ranking ranking;
	const struct report_advice advice = report_search_advice(report, &ranking);
	const struct picture *const usual = report->request->pareto ? &picture_pareto
					    : report->request->map  ? &picture_map
								    : &picture_ranking;
	const struct picture *const picture = draw_choice(session, usual);
	const bool of_search = picture == &picture_pareto || picture == &picture_map;
	return draw_picture(session, picture, of_search ? (const void *)report : &advice);
}

static enum exit_status write_script(struct session *session, const struct report_search *report)
{
	if (report->search->count > 0)
		return script_answer(session, report->head, &report->search->results[0]);
	say_none(session, report);
	return EXIT_NO;
}

static enum exit_status answer(struct session *session, const struct report_search *report)
{
	enum exit_status status = EXIT_ANSWER;
	struct document document;
	if (session->script)
		return write_script(session, report);
	if (draw_wanted(session))
		status = draw(session, report);
	if (!session->picture) {
		if (!draw_goes_on(session, status))
			return status;
		if (!document_begin(session, &document))
			return session_fail(session);
		session->format->search(&document.sink, report);
		status = document_end(session, &document, status);
	}
	if (status != EXIT_ANSWER || report->search->count > 0)
		return status;
	say_none(session, report);
	return EXIT_NO;
}

/* Warns where the best plan has an option that the program lacks, which only an option that was asked for can be. */
static void warn_offers(
	struct session *session, const struct question *question, const struct paradl_search *search)
{
	char lacking[64];
	if (search->count > 0 &&
		!paradl_plan_offered(question->oracle, &search->results[0].plan, lacking, sizeof lacking))
		session_warn(session, "%s has no %s; it is estimated as if it had",
			question->head.framework.name, lacking);
}

static enum exit_status run(struct session *session)
{
	struct question question;
	struct paradl_search_request request = {0};
	struct paradl_search search = {0};
	struct report_fewest fewest = {0};
	struct report_search report = {
		.head = &question.head,
		.request = &request,
		.search = &search,
		.fewest = session->arguments.min_gpus ? &fewest : NULL,
		.columns = session->arguments.columns,
	};
	if (session->arguments.per_layer && session->script)
		return script_refuse_parts(session);
	if (session->arguments.per_layer)
		return search_layers(session);
	if (!check_columns(session) || !question_load(session, &question) ||
		!team_agrees(session, &question.head) || !question_check_batch(session, &question) ||
		!search_request_read(session, &question, &request, &report) ||
		!ask(session, &question, &request, &search, &fewest))
		return session_fail(session);
	if (session->arguments.verbose && !session->arguments.min_gpus)
		diagnostic_print(
			session, "paradl: %.0f plans, %.0f evaluated", search.plans, search.evaluated);
	warn_offers(session, &question, &search);
	if (search.count > 0)
		question_warn_shared(session, question.oracle, "", search.results[0].devices,
			search.results[0].plan.batch);
	if (!runs_fill(session, &question, &report) ||
		!question_assume_input(session, &question, search.count > 0 ? &search.results[0] : NULL))
		return session_fail(session);
	question_finish(session, &question);
	return answer(session, &report);
}

const struct command command_search = {
	.name = "search",
	.summary = "find the best of all plans, with proof, or the fewest GPUs",
	.synopsis = "MODEL --hw HW [--gpus N] [options]",
	.details = "MODEL and HW are files or the names of shipped ones ('paradl list models').\n"
		   "Without --gpus: the best over every power of two of the machine's GPUs.",
	OPERAND_MODEL,
	.usual = "hw gpus batch seq precision framework inference goal tokens deadline min-gpus per-layer "
		 "top output",
	.examples = {"paradl search llama2-7b --hw dgx-a100-superpod --gpus 64 --batch 256",
		"paradl search llama2-7b --hw dgx-a100-superpod --batch 256 --min-gpus"},
	.first = true,
	.most_operands = 1,
	.in_team = true,
	.run = run,
};
