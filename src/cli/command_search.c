/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/error.h"
#include "cli/arguments_rows.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/question.h"
#include "cli/session.h"
#include "report/table.h"

#define SEARCH(...) ROW("search", __VA_ARGS__)

static const struct option_row rows[] = {
	{SEARCH("goal", OPTION_CHOICE, goal, "GOAL"), .choice = arguments_goal, .group = "Question",
		.help = "what to optimize; without it time, or cost with --deadline"},
	{SEARCH("search-over", OPTION_TEXT, search.search_over, "LIST"), .formerly = "vary",
		.completes = "vary", .group = "Question",
		.help = "options to search besides degrees: zero,recompute; of order, micro, "
			"schedule, "
			"recompute, zero, shard, sequence, experts, context, overlap, batch of "
			"inference; or "
			"none; +offload adds that to all, +chunk,seqs the settings of engines"},
	{SEARCH("gap", OPTION_RATIO, search.gap, "SHARE"), .max = 1, .group = "Question",
		.help = "how far from the best the answer may be, to come sooner: 1%"},
	{SEARCH("per-layer", OPTION_FLAG, search.per_layer, NULL), .group = "Question",
		.help = "find the fastest way to cut each layer; for one number of GPUs"},
	{SEARCH("layer-plans", OPTION_COUNT, search.layer_plans, "N"), .formerly = "ways", .min = 1,
		.max = 1000, .group = "Question",
		.help = "ways to cut a layer that --per-layer knows, at most; without it 24"},
	{SEARCH("exhaustive", OPTION_FLAG, search.exhaustive, NULL), .group = "Question",
		.help = "evaluate every plan, prove none away: a check"},
	{SEARCH("pareto", OPTION_TEXT, search.pareto, "GOALS"), .completes = "goals", .group = "Question",
		.help = "the plans that no other beats in all of these: time,cost,memory,energy; "
			"inference: tpot,per-gpu; ttft"},
	{SEARCH("map", OPTION_TEXT, search.map, "AXES"), .completes = "strategies", .group = "Question",
		.help = "the best plan for each pair of degrees of two axes: tensor,pipeline"},
	{ROW("advise report search sweep whatif", "threads", OPTION_COUNT, threads, "N"), .min = 1,
		.max = 1024, .group = "Question",
		.help = "threads that work (default all processors); OMP_NUM_THREADS where that is "
			"set"},
	{ROW("search sweep", "lost-after", OPTION_QUANTITY, lost_after_s, "TIME"),
		.dimension = DIMENSION_TIME, .initial = "30 s", .min = 0.1, .max = 1e6, .group = "Question",
		.help = "paradl-mpi: a process of which nothing is heard for so long is given up"},
	{SEARCH("write-plan", OPTION_TEXT, search.write_plan, "FILE"), .formerly = "plan",
		.completes = "file", .group = "Output",
		.help = "write the plan of --per-layer here; for 'paradl estimate -s FILE'"},
	{SEARCH("min-gpus", OPTION_FLAG, search.min_gpus, NULL), .formerly = "fewest", .group = "Job",
		.help = "find the fewest GPUs on which a plan fits; and holds the limits below"},
	{SEARCH("deadline", OPTION_QUANTITY, deadline_s, "TIME"), .dimension = DIMENSION_TIME, .group = "Job",
		.help = "limit on the whole training: '12 h', '30 d'"},
	{SEARCH("budget", OPTION_MONEY, budget, "MONEY"), .min = 1, .group = "Job",
		.help = "limit on its cost: 250k; or '3M USD', in the machine's currency"},
};

const struct option_table arguments_search = {rows, sizeof rows / sizeof rows[0], NULL};

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
	request->progress = progress_plans;
	request->progress_context = &progress;
	if (ok && arguments->search.min_gpus)
		ok = search_fewest(session, question, request, search, fewest);
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

/* Warns of what the best plan takes, and of how its batch is another one than may be thought. */
static void warn_of_best(
	struct session *session, const struct question *question, const struct paradl_estimate *best)
{
	question_warn_host(session, question, &best->plan);
	question_warn_shared(session, question->oracle, "", best->devices, best->plan.batch);
	question_warn_rounded(session, &question->head.model, "", best->devices, best->plan.batch);
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
		.fewest = session->arguments.search.min_gpus ? &fewest : NULL,
		.columns = session->arguments.columns,
		.usual_devices = session->arguments.gpus.count == 0 && !session->arguments.search.min_gpus,
	};
	if (session->arguments.search.per_layer && session->script)
		return script_refuse_parts(session);
	if (session->arguments.search.per_layer)
		return search_layers(session);
	if (!check_columns(session) || !question_load(session, &question) ||
		!team_agrees(session, &question.head) || !question_check_batch(session, &question) ||
		!search_request_read(session, &question, &request, &report))
		return session_fail(session);
	if (!ask(session, &question, &request, &search, &fewest) ||
		!ranking_settle(session, &question, search.count > 0 ? search.results : NULL))
		return session_fail(session);
	if (session->arguments.verbose && !session->arguments.search.min_gpus)
		diagnostic_print(
			session, "paradl: %.0f plans, %.0f evaluated", search.plans, search.evaluated);
	warn_offers(session, &question, &search);
	if (search.count > 0)
		warn_of_best(session, &question, &search.results[0]);
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
