/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/arguments_rows.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/question.h"

#define VALIDATE(...) ROW("validate", __VA_ARGS__)

static const struct option_row rows[] = {
	{VALIDATE("measured", OPTION_TEXT, measured, "CSV"), .completes = "file", .group = "Question",
		.help = "CSV table of measured steps; paradl-measured(5)"},
	{VALIDATE("kernels", OPTION_TEXTS, kernels, "CSV"), .completes = "file", .group = "Question",
		.help = "CSV table of measured times of kernels; against what device files say of them; may "
			"be given again"},
	{VALIDATE("device", OPTION_TEXT, device, "DEVICE"), .completes = "devices", .group = "Question",
		.help = "kernels: only rows of this device; or a file that stands for the shipped one of its "
			"name"},
	{VALIDATE("all-rows", OPTION_FLAG, all_rows, NULL), .group = "Question",
		.help = "published results that are not complete, too"},
	{VALIDATE("run", OPTION_FLAG, run.asked, NULL), .group = "Run here",
		.help = "measure training steps of MODEL on this machine first; under each plan with mpirun, "
			"or with --framework pytorch-nhwc, -nchw, -compile those of PyTorch on one device"},
	{VALIDATE("ranks", OPTION_COUNTS, run.ranks, "N"), .min = 1, .max = 1024, .group = "Run here",
		.help = "processes of --run (default 1,2), each a device; those of each number are one set"},
	{VALIDATE("strategies", OPTION_TEXT, strategies, "LIST"), .completes = "strategies",
		.group = "Run here", .help = "only these axes: data,spatial,filter,channel,pipeline"},
	{VALIDATE("launches", OPTION_COUNT, run.launches, "N"), .initial = "5", .min = 1, .max = 1000,
		.group = "Run here", .help = "how often each plan is started; a row is the median"},
	{VALIDATE("quick", OPTION_FLAG, run.quick, NULL), .group = "Run here",
		.help = "measure each time for half a second instead of two"},
	{VALIDATE("samples-file", OPTION_TEXT, run.samples, "FILE"), .formerly = "samples",
		.completes = "file", .group = "Run here",
		.help = "keep the samples there (paradl-samples(5)); a new file"},
	{VALIDATE("mpirun", OPTION_TEXT, run.mpirun, "WORDS"), .initial = "mpirun", .group = "Run here",
		.help = "the launcher: 'mpirun --oversubscribe'; cut at blanks, without a shell"},
	{.name = "tolerance",
		.kind = OPTION_RATIO,
		AT(tolerance),
		.argument = "SHARE",
		.initial = "15%",
		.max = 1,
		.group = "Question",
		.commands = "validate",
		.help = "mean error of the totals that is still a pass"},
};

const struct option_table arguments_validate = {rows, sizeof rows / sizeof rows[0], NULL};

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
	if (arguments->run.asked && of_kernels)
		session_usage(session, "--run measures training steps here, not kernels");
	else if (!arguments->run.asked && (arguments->precision >= 0 || arguments->seq > 0))
		session_usage(session, "%s is about --run: rows say theirs",
			arguments->seq > 0 ? "--seq" : "--precision");
	else if (arguments->device && !of_kernels)
		session_usage(session, "--device is about --kernels");
	else if (of_kernels)
		return validate_kernels(session);
	else if (arguments->run.asked)
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
