/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/error.h"
#include "cli/command.h"
#include "cli/fit_into.h"
#include "cli/fit_kernels.h"
#include "cli/fit_samples.h"
#include "cli/question.h"

enum { RESTARTS = 8, FILES_MAX = 4096 };

static enum exit_status fit_constants(struct session *session)
{
	const struct arguments *const arguments = &session->arguments;
	const struct paradl_lookup lookup = {.directories = session->directories};
	const struct paradl_fit_request request = {.constants = arguments->constants,
		.leave_out = arguments->leave_out,
		.leave_each_out = arguments->leave_each_out,
		.restarts = RESTARTS};
	struct paradl_fit fit;
	struct report_head head = {.input_count = 0};
	const struct report_fit report = {.head = &head, .fit = &fit, .into = arguments->into};
	struct document document;
	if ((arguments->into && fit_folder_installed(session)) || !question_command(session, &head) ||
		!paradl_fit(session->arena, arguments->measured, &lookup, &request, &fit, &session->error))
		return session_fail(session);
	if (arguments->into && !paradl_fit_write(session->arena, &fit, arguments->into, &session->error))
		return session_fail(session);
	if (!document_begin(session, &document))
		return session_fail(session);
	session->format->fit(&document.sink, &report);
	return document_end(session, &document, EXIT_ANSWER);
}

/* Returns the first given option that applies to FILES of samples only; NULL: none is given. */
static const char *option_of_samples(const struct session *session)
{
	const struct arguments *const arguments = &session->arguments;
	if (arguments->base)
		return "--base";
	if (arguments->layer_times)
		return "--write-layer-times";
	if (arguments->model)
		return "--layers-of";
	if (arguments->show)
		return "--show";
	return arguments->plot || session->picture ? "--plot" : NULL;
}

static enum exit_status run(struct session *session)
{
	const bool has_files = session->operands.count > 0, has_times = session->arguments.measured;
	const char *const option = option_of_samples(session);
	const char *const of_kernels = session->arguments.device       ? "--device"
				       : session->arguments.shapes > 0 ? "--shapes"
				       : session->arguments.seed > 0   ? "--seed"
								       : NULL;
	if (has_files && !has_times &&
		(of_kernels || paradl_kernels_known(session->arena, session->operands.items[0])))
		return fit_kernels(session);
	if (of_kernels) {
		session_usage(
			session, "%s is about times of kernels, and there are no FILES of them", of_kernels);
		return session_fail(session);
	}
	if (has_files && !has_times)
		return fit_samples(session);
	if (has_times && !has_files && !option)
		return fit_constants(session);
	if (!has_times) {
		session_missing(session,
			"fit needs FILES of samples ('paradl calibrate' takes them), or --measured "
			"CSV");
	} else if (has_files) {
		session_usage(session, "fit takes either FILES of samples or --measured CSV, not both");
		error_hint(&session->error,
			"samples make a machine's profile, --measured finds constants of training programs");
	} else {
		session_usage(session, "%s is about FILES of samples, not --measured", option);
	}
	return session_fail(session);
}

const struct command command_fit = {
	.name = "fit",
	.summary = "make the profile of a machine from measurements, judge its health",
	.synopsis = "FILES... | KERNELS.csv... | --measured CSV [--into HW.json] [--base HW] [options]",
	.details = "FILES are samples of 'paradl calibrate', what nccl-tests and the OSU benchmarks print,\n"
		   "or JSON of nccl-tests, fio and IOR. Numbers and curves of the machine are fitted to\n"
		   "them, what is odd about it is said, and --into puts all of it into a profile.\n"
		   "KERNELS.csv are times of single kernels: what a device file says of products and\n"
		   "attention is fitted to them, and --into puts it into a copy of that file.\n"
		   "With --measured, every row of a CSV is a measured training step: constants that are\n"
		   "free, and their bounds, are in hw-profiles/fit-constants.csv.",
	.operands = "file",
	.operand = "FILES",
	.operand_help = "samples of 'paradl calibrate', logs of nccl-tests, fio, ...",
	.usual = "into base force strict show measured device leave-each-out output plot",
	.examples = {"paradl calibrate --fake -o fake.jsonl && paradl fit fake.jsonl",
		"paradl fit fake.jsonl --into fake.json"},
	.most_operands = FILES_MAX,
	.run = run,
};
