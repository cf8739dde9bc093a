/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The command `estimate` shows one plan in depth. With -s PLAN all layers have the same; -s FILE has a plan for each
 * part of the network.
 */
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "cli/arguments_rows.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/question.h"
#include "result/ranking.h"

static const struct option_row rows[] = {
	{FLAG("phases", phases, "estimate"), .help = "show time by phase, with formulas; the default"},
	{FLAG("layers", layers, "estimate"), .help = "show time and memory of each layer"},
	{FLAG("memory", memory, "estimate"), .help = "show what the peak memory per GPU is for"},
	{FLAG("timeline", timeline, "estimate"), .help = "show what each stage of a pipeline does when"},
	{FLAG("explain", explain, "estimate io"),
		.help = "show every formula with its numbers; and the result of each term"},
};

const struct option_table arguments_estimate = {rows, sizeof rows / sizeof rows[0], NULL};

static bool check_sections(struct session *session)
{
	const struct arguments *const arguments = &session->arguments;
	if (!arguments->strategy)
		return session_missing(
			session, "estimate needs -s PLAN, such as data=64 or data=16,spatial=4");
	if (session->format == &report_csv && arguments->layers && arguments->explain)
		return session_usage(session, "--csv is one table: of --layers or of --explain, not both");
	return true;
}

static bool add_timeline(struct session *session, const struct question *question,
	const struct paradl_plan *plan, struct report_estimate *report)
{
	struct report_timeline *const own = arena_alloc(session->arena, 1, sizeof *own);
	struct paradl_timeline *const timeline = arena_alloc(session->arena, 1, sizeof *timeline);
	if (!own || !timeline)
		return out_of_memory(&session->error);
	*own = (struct report_timeline){report->head, &report->estimate->plan, timeline};
	report->timeline = own;
	return paradl_timeline(question->oracle, plan, session->arena, timeline, &session->error);
}

static bool add_sections(struct session *session, const struct question *question,
	const struct paradl_plan *plan, struct report_estimate *report)
{
	const struct arguments *const arguments = &session->arguments;
	struct paradl_layer_table *const layers = arena_alloc(session->arena, 1, sizeof *layers);
	struct paradl_explanation *const explanation = arena_alloc(session->arena, 1, sizeof *explanation);
	struct paradl_algorithm_gains *const gains = arena_alloc(session->arena, 1, sizeof *gains);
	struct paradl_faster_dispatcher *const dispatched =
		arena_alloc(session->arena, 1, sizeof *dispatched);
	struct paradl_other_plan *const nested = arena_alloc(session->arena, 1, sizeof *nested);
	struct paradl_other_plan *const balanced = arena_alloc(session->arena, 1, sizeof *balanced);
	if (!layers || !explanation || !gains || !dispatched || !nested || !balanced)
		return out_of_memory(&session->error);
	report->show_phases = arguments->phases || !(arguments->layers || arguments->memory ||
							   arguments->explain || arguments->timeline);
	report->show_memory = arguments->memory;
	report->show_layers = arguments->layers;
	report->show_terms = arguments->explain;
	if (!paradl_explain(question->oracle, plan, session->arena, explanation, &session->error))
		return false;
	report->explanation = explanation;
	if (!paradl_algorithm_gains(question->oracle, plan, session->arena, gains, &session->error))
		return false;
	report->gains = gains;
	if (paradl_faster_dispatcher(question->oracle, report->estimate, session->arena, dispatched))
		report->dispatched = dispatched;
	if (paradl_faster_order(question->oracle, report->estimate, nested))
		report->nested = nested;
	if (paradl_faster_split(question->oracle, report->estimate, balanced))
		report->balanced = balanced;
	const struct picture *const picture = draw_choice(session, NULL);
	if ((arguments->timeline || picture == &picture_timeline) &&
		!add_timeline(session, question, plan, report))
		return false;
	if (!arguments->layers)
		return true;
	report->layers = layers;
	return paradl_estimate_layers(question->oracle, plan, session->arena, layers, &session->error);
}

/* Reports that a plan is not feasible, and what it would need; documents say so in place of the estimate. */
static enum exit_status estimate_refuse(
	struct session *session, struct question *question, const char *family, const char *strategy)
{
	struct paradl_infeasible infeasible = {.distance = HUGE_VAL};
	const struct report_estimate report = {.head = &question->head, .infeasible = &infeasible};
	struct document document;
	snprintf(infeasible.family, sizeof infeasible.family, "%s", family);
	snprintf(infeasible.strategy, sizeof infeasible.strategy, "%s", strategy);
	snprintf(infeasible.reason, sizeof infeasible.reason, "%.*s", (int)sizeof infeasible.reason - 1,
		session->error.message);
	snprintf(infeasible.needs, sizeof infeasible.needs, "%s", session->error.hint);
	diagnostic_print(session, "paradl: %s is not feasible: %s", infeasible.strategy, infeasible.reason);
	if (*infeasible.needs)
		diagnostic_print(session, "  hint: %s", infeasible.needs);
	if (session->script)
		return EXIT_NO;
	if (!question_assume_input(session, question, NULL))
		return session_fail(session);
	question_finish(session, question);
	if (!document_begin(session, &document))
		return session_fail(session);
	session->format->estimate(&document.sink, &report);
	return document_end(session, &document, EXIT_NO);
}

/* Warns where the training program does not offer what the plan asks for; the plan is estimated all the same. */
static void warn_of_program(
	struct session *session, const struct question *question, const struct paradl_plan *plan)
{
	char lacking[64];
	if (!paradl_plan_offered(question->oracle, plan, lacking, sizeof lacking))
		session_warn(session, "%s has no %s; it is estimated as if it had",
			question->head.framework.name, lacking);
}

static enum exit_status refuse(
	struct session *session, struct question *question, const struct paradl_plan *plan)
{
	char family[64], strategy[PARADL_PLAN_TEXT];
	paradl_plan_family(plan, family, sizeof family);
	paradl_plan_format(plan, strategy, sizeof strategy);
	return estimate_refuse(session, question, family, strategy);
}

static bool estimate_expense(struct session *session, struct question *question,
	struct report_estimate *report, struct paradl_run_request *job)
{
	bool asked = false;
	paradl_power(question->oracle, report->estimate, &report->power);
	paradl_price(question->oracle, report->estimate, &report->price);
	if (!job_read(session, question, job, &asked))
		return false;
	if (!asked)
		return true;
	const struct paradl_ranking ranking = {.results = report->estimate, .count = 1};
	report->job = job;
	report->run = job_runs(session, question, job, &ranking, 1);
	return report->run != NULL;
}

/* Draws the picture that was asked for. All pictures but the timeline are of an advice, here with this plan alone. */
static enum exit_status draw(struct session *session, const struct report_estimate *report)
{
	const struct paradl_ranking ranking = {.devices = report->estimate->devices,
		.batch = report->estimate->plan.batch,
		.results = report->estimate,
		.count = 1};
	const struct report_advice advice = {.head = report->head, .rankings = &ranking, .count = 1};
	const struct picture *const usual = session->arguments.timeline ? &picture_timeline
					    : session->arguments.memory ? &picture_memory
									: &picture_ranking;
	const struct picture *const picture = draw_choice(session, usual);
	return draw_picture(
		session, picture, picture == &picture_timeline ? (const void *)report->timeline : &advice);
}

/*
 * Writes the answer as a script, picture or document. Returns EXIT_NO where the plan does not fit into memory, or
 * where the whole training, if one is asked about, does not end in time.
 */
static enum exit_status estimate_answer(struct session *session, const struct report_estimate *report)
{
	enum exit_status status = EXIT_ANSWER;
	struct document document;
	if (session->script)
		return script_answer(session, report->head, report->estimate);
	if (draw_wanted(session))
		status = draw(session, report);
	if (!session->picture) {
		if (!draw_goes_on(session, status))
			return status;
		if (!document_begin(session, &document))
			return session_fail(session);
		session->format->estimate(&document.sink, report);
		status = document_end(session, &document, status);
	}
	if (status == EXIT_ANSWER && !report->estimate->fits)
		status = EXIT_NO;
	return status == EXIT_ANSWER && report->run && job_is_late(session, report->job, report->run)
		       ? EXIT_NO
		       : status;
}

/* Returns whether -s names a plan file: the name ends in .json, or there is such a file. */
static bool estimate_is_file(const char *strategy)
{
	const char *const dot = strrchr(strategy, '.');
	return (dot && strcmp(dot, ".json") == 0) || access(strategy, F_OK) == 0;
}

/* Gives all parts the batch of --batch or --per-gpu, which have priority over the file's. */
static bool choose_batch(struct session *session, struct paradl_layered *layered)
{
	const struct arguments *const arguments = &session->arguments;
	struct paradl_layered_part *const parts =
		arena_alloc(session->arena, layered->part_count, sizeof *parts);
	if (!parts)
		return out_of_memory(&session->error);
	if (arguments->batch > 0)
		layered->batch = arguments->batch;
	else if (arguments->per_gpu > 0)
		layered->batch = arguments->per_gpu * layered->devices;
	for (size_t i = 0; i < layered->part_count; i++) {
		parts[i] = layered->parts[i];
		parts[i].plan.batch = layered->batch;
	}
	layered->parts = parts;
	return true;
}

static bool load(struct session *session, struct question *question, struct paradl_layered *layered)
{
	const struct arguments *const arguments = &session->arguments;
	const struct paradl_machine_info *const machine = &question->head.machine;
	const char *const path = arguments->strategy;
	if (arguments->batch > 0 && arguments->per_gpu > 0)
		return session_usage(session, "only one of --batch and --per-gpu is possible");
	if (arguments->inference)
		return session_usage(session, "-s %s is a plan for training, not for --inference", path);
	if (!paradl_layered_load(session->arena, question->model, &(struct paradl_source){.path = path},
		    layered, &session->error))
		return false;
	if (layered->devices > machine->devices)
		return session_usage(session, "%s is a plan for %u GPUs, more than %s has: %u", path,
			layered->devices, machine->name, machine->devices);
	return question_input(session, &question->head, path) && choose_batch(session, layered);
}

/* Returns each different plan of the parts once; NULL: out of memory. */
static struct paradl_plan *distinct_plans(
	struct session *session, const struct paradl_layered *layered, size_t *count)
{
	struct paradl_plan *const plans = arena_alloc(session->arena, layered->part_count, sizeof *plans);
	*count = 0;
	for (size_t i = 0; plans && i < layered->part_count; i++) {
		const struct paradl_plan *const plan = &layered->parts[i].plan;
		size_t same = 0;
		while (same < *count && !parts_same_plan(plan, &plans[same]))
			same++;
		if (same == *count)
			plans[(*count)++] = *plan;
	}
	return plans;
}

static bool explain(struct session *session, const struct question *question,
	const struct paradl_layered *layered, struct report_parts *parts)
{
	size_t count = 0;
	const struct paradl_plan *const plans =
		session->arguments.explain ? distinct_plans(session, layered, &count) : NULL;
	if (session->arguments.explain && !plans)
		return out_of_memory(&session->error);
	return parts_explain(session, question, layered, plans, count, parts);
}

/* Estimates the plan of -s FILE; the question is loaded already. */
static enum exit_status estimate_layers(struct session *session, struct question *question)
{
	const struct arguments *const arguments = &session->arguments;
	const bool has_sections = arguments->layers || arguments->memory || arguments->explain;
	struct paradl_layered layered = {.devices = 0};
	struct paradl_estimate estimate;
	struct report_parts parts;
	struct paradl_run_request job;
	struct report_estimate report = {
		.head = &question->head,
		.estimate = &estimate,
		.parts = &parts,
		.show_phases = arguments->phases || !has_sections,
		.show_memory = arguments->memory,
		.show_layers = arguments->layers || (!has_sections && session->format == &report_text),
		.show_terms = arguments->explain,
	};
	if (arguments->timeline || draw_choice(session, NULL) == &picture_timeline) {
		session_usage(session, "a timeline is of one plan for all layers");
		return session_fail(session);
	}
	if (session->script)
		return script_refuse_parts(session);
	if (!load(session, question, &layered))
		return session_fail(session);
	if (!paradl_estimate_layered(question->oracle, &layered, &estimate, &session->error))
		return session->error.status == PARADL_INFEASIBLE
			       ? estimate_refuse(session, question, "", arguments->strategy)
			       : session_fail(session);
	if (!explain(session, question, &layered, &parts) ||
		!question_assume_input(session, question, &estimate) ||
		!estimate_expense(session, question, &report, &job))
		return session_fail(session);
	parts.file = arguments->strategy;
	question_finish(session, question);
	return estimate_answer(session, &report);
}

static enum exit_status run(struct session *session)
{
	struct question question;
	struct paradl_plan plan;
	struct paradl_estimate estimate;
	struct paradl_remedy remedy;
	struct paradl_run_request job;
	struct report_estimate report = {.head = &question.head, .estimate = &estimate};
	if (!check_sections(session) || !question_load(session, &question))
		return session_fail(session);
	if (estimate_is_file(session->arguments.strategy))
		return estimate_layers(session, &question);
	if (session->arguments.prefill && strcmp(session->arguments.prefill, "auto") == 0) {
		session_usage(session, "--prefill auto is for the best of all plans, not for one of them");
		error_hint(&session->error,
			"name the plan of the GPUs that read prompts: --prefill data=2,tensor=4");
		return session_fail(session);
	}
	if (!question_check_batch(session, &question) ||
		!question_plan(session, &question, session->arguments.strategy, &plan))
		return session_fail(session);
	if (!paradl_estimate(question.oracle, &plan, &estimate, &session->error))
		return session->error.status == PARADL_INFEASIBLE ? refuse(session, &question, &plan)
								  : session_fail(session);
	warn_of_program(session, &question, &plan);
	question_warn_host(session, &question, &plan);
	question_warn_rounded(session, &question.head.model, "", paradl_plan_devices(&plan), plan.batch);
	if (!add_sections(session, &question, &plan, &report) ||
		!question_assume_input(session, &question, &estimate) ||
		!estimate_expense(session, &question, &report, &job))
		return session_fail(session);
	if (!estimate.fits &&
		paradl_remedy(question.oracle, &estimate, &remedy)) /* last: it tries other plans */
		report.remedy = &remedy;
	question_finish(session, &question);
	return estimate_answer(session, &report);
}

const struct command command_estimate = {
	.name = "estimate",
	.summary = "project one plan in depth: phases, layers, memory, formulas",
	.synopsis = "MODEL --hw HW -s PLAN [options]",
	.details = "PLAN is degrees by axis, the outermost first: data=64,spatial=4. What a table of\n"
		   "advise prints can be pasted. A file, name.json, has a plan for each part of the\n"
		   "network (paradl-plan(5)). --layers, --memory, --timeline and --explain\n"
		   "replace the phases; add --phases to have both.",
	OPERAND_MODEL,
	.usual = "hw strategy batch seq precision framework inference tokens layers memory explain flags "
		 "output plot",
	.examples = {"paradl estimate resnet50 --hw abci -s data=16,spatial=4 --batch 1024",
		"paradl estimate llama3-8b --hw dgx-h100-superpod -s data=2,tensor=4 --memory"},
	.first = true,
	.most_operands = 1,
	.run = run,
};
