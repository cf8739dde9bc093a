/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/command_validate.h"
#include "cli/command.h"
#include "cli/draw.h"
#include "cli/fit_kernels.h"
#include "cli/question.h"

/* Prints why rows were skipped: -q leaves the reasons out of the document, yet "missed" alone helps nobody. */
static void say_skipped(struct session *session, const struct paradl_validation *validation)
{
	for (size_t i = 0; i < validation->count; i++) {
		const struct paradl_measured_row *const row = &validation->rows[i];
		if (row->skipped)
			diagnostic_print(session, "paradl: line %d is skipped: %s", row->line, row->skipped);
	}
}

enum exit_status validate_compare(struct session *session, const struct report_runs *runs)
{
	const struct arguments *const arguments = &session->arguments;
	const struct paradl_lookup lookup = {
		.directories = session->directories,
		.hw = arguments->hw,
		.framework = arguments->framework,
		.all_rows = arguments->all_rows,
		.options = {.ideal = arguments->ideal, .quiet_network = arguments->quiet_network},
	};
	struct paradl_validation validation;
	struct report_head head = {.input_count = 0};
	const struct report_validation report = {
		.head = &head, .validation = &validation, .tolerance = arguments->tolerance, .runs = runs};
	enum exit_status status = EXIT_ANSWER;
	struct document document;
	if (!question_command(session, &head) ||
		!paradl_validate(session->arena, arguments->measured, &lookup, &validation, &session->error))
		return session_fail(session);
	if (draw_wanted(session))
		status = draw_picture(session, &picture_measured, &report);
	if (!draw_goes_on(session, status))
		return status;
	if (!document_begin(session, &document))
		return session_fail(session);
	session->format->validation(&document.sink, &report);
	const bool met = validation.summary.mean.total >= 1 - arguments->tolerance;
	if (!met && arguments->quiet)
		say_skipped(session, &validation);
	if (status == EXIT_ANSWER && !met)
		status = EXIT_NO;
	return document_end(session, &document, status);
}

static enum exit_status run(struct session *session)
{
	const struct arguments *const arguments = &session->arguments;
	const bool of_kernels = arguments->kernels.count > 0;
	if (arguments->run && of_kernels)
		session_usage(session, "--run measures training steps here, not kernels");
	else if (arguments->device && !of_kernels)
		session_usage(session, "--device is about --kernels");
	else if (of_kernels)
		return validate_kernels(session);
	else if (arguments->run)
		return session->host->measure(session);
	else if (!arguments->measured)
		session_missing(
			session, "validate needs --measured CSV, --kernels CSV, or --run to measure here");
	else if (session->operands.count > 0)
		session_usage(session, "a MODEL is for --run: rows of --measured name theirs");
	else
		return validate_compare(session, NULL);
	return session_fail(session);
}

const struct command command_validate = {
	.name = "validate",
	.summary = "compare projections with measurements",
	.synopsis = "--measured CSV | --kernels CSV | --run [MODEL] --hw HW [options]",
	.details = "Every row of the CSV names its model, machine and strategy, so nothing else is\n"
		   "needed. With --run the rows are measured here first: training steps of a small\n"
		   "network (tiny-cnn) under each plan; --measured then names the file that keeps\n"
		   "them. Exits with 1 when the mean accuracy of the totals misses the tolerance.",
	.operands = "models",
	.operand = "MODEL",
	.operand_help = "a network for --run (default tiny-cnn)",
	.usual = "measured tolerance kernels device run hw ranks quick output plot",
	.examples =
		{"printf 'model,hw,strategy,batch,unit,total_s\\n' > runs.csv\n  echo "
		 "resnet50,abci,data=64,4096,iter,0.19 >> runs.csv\n  paradl validate --measured runs.csv",
			"paradl validate --run --quick --hw laptop"},
	.most_operands = 1,
	.run = run,
};
