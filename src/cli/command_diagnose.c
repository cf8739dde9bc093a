/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/error.h"
#include "cli/arguments_rows.h"
#include "cli/command.h"
#include "cli/question.h"

static const struct option_row rows[] = {
	{ROW("diagnose", "measured", OPTION_TEXTS, diagnose.measured, "FILE"), .completes = "file",
		.group = "Question",
		.help = "measured times: CSV of phases, or PyTorch profiler trace; or paradl-measured(5), "
			"paradl-samples(5); of traces one for each rank, with --measured again"},
	{ROW("diagnose", "tolerance", OPTION_RATIO, diagnose.tolerance, "SHARE"), .max = 10,
		.group = "Question",
		.help = "gap of a phase that needs no cause: 15%; without it the framework's known error"},
};

const struct option_table arguments_diagnose = {rows, sizeof rows / sizeof rows[0], NULL};

static bool check(struct session *session)
{
	const struct arguments *const arguments = &session->arguments;
	if (session->operands.count == 0 || !arguments->hw) /* question_load reports it */
		return true;
	if (!arguments->strategy)
		return session_missing(session, "diagnose needs -s PLAN, such as data=64");
	return arguments->diagnose.measured.count > 0 ||
	       session_missing(session, "diagnose needs --measured FILE, times of that plan");
}

static void warn(struct session *session, const struct paradl_measurement *measurement,
	const struct paradl_diagnosis *diagnosis)
{
	if (measurement->note)
		session_warn(session, "%s", measurement->note);
	if (diagnosis->unmatched > 0)
		session_warn(session, "the network does not have %zu of the measured layers",
			diagnosis->unmatched);
	if (!diagnosis->estimate.fits)
		session_warn(session, "the plan needs more memory than a GPU has");
}

static enum exit_status run(struct session *session)
{
	const struct option_texts *const files = &session->arguments.diagnose.measured;
	struct question question;
	struct paradl_plan plan;
	struct paradl_measurement measurement;
	struct document document;
	struct paradl_diagnosis *const diagnosis = arena_alloc(session->arena, 1, sizeof *diagnosis);
	struct paradl_source *const sources = arena_alloc(session->arena, files->count, sizeof *sources);
	if (!diagnosis || !sources)
		return session_out_of_memory(session);
	for (size_t i = 0; i < files->count; i++)
		sources[i].path = files->items[i];
	if (!check(session) || !question_load(session, &question) ||
		!question_check_batch(session, &question) ||
		!question_plan(session, &question, session->arguments.strategy, &plan) ||
		!paradl_measurement_load(session->arena, sources, files->count, question.oracle, &plan,
			&measurement, &session->error) ||
		!paradl_diagnose(question.oracle, &plan, &measurement, session->arguments.diagnose.tolerance,
			session->arena, diagnosis, &session->error))
		return session_fail(session);
	for (size_t i = 0; i < files->count; i++)
		if (!question_input(session, &question.head, files->items[i]))
			return session_fail(session);
	warn(session, &measurement, diagnosis);
	question_finish(session, &question);
	const struct report_diagnosis report = {
		.head = &question.head, .measurement = &measurement, .diagnosis = diagnosis};
	if (!document_begin(session, &document))
		return session_fail(session);
	session->format->diagnosis(&document.sink, &report);
	return document_end(session, &document, EXIT_ANSWER);
}

const struct command command_diagnose = {
	.name = "diagnose",
	.summary = "explain gaps between measured and projected times, by phase",
	.synopsis = "MODEL --hw HW -s PLAN --measured FILE [--measured FILE ...] [options]",
	.details = "For those who implement strategies. A cause is a change of the model (links half as\n"
		   "fast, no overlap, another algorithm); it counts when estimating with it gives the\n"
		   "measured times, and it says with which number. Gaps within the framework's known\n"
		   "error need none.",
	OPERAND_MODEL,
	.usual = "hw strategy measured tolerance batch seq precision framework no-input output csv",
	.examples = {"printf 'phase,seconds\\ntotal,0.15\\n' > run.csv\n  paradl diagnose alexnet --hw abci "
		     "-s data=16 --measured run.csv",
		"paradl diagnose alexnet --hw abci -s data=16 --measured run.csv --no-input"},
	.most_operands = 1,
	.run = run,
};
