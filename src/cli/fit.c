/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/command.h"
#include "cli/question.h"

enum { RESTARTS = 8 };

static enum exit_status run(struct session *session)
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
	if (!arguments->measured) {
		session_usage(session, "fit needs --measured CSV");
		return session_fail(session);
	}
	if (!question_command(session, &head) ||
		!paradl_fit(session->arena, arguments->measured, &lookup, &request, &fit, &session->error))
		return session_fail(session);
	if (arguments->into && !paradl_fit_write(session->arena, &fit, arguments->into, &session->error))
		return session_fail(session);
	if (!document_begin(session, &document))
		return session_fail(session);
	session->format->fit(&document.sink, &report);
	return document_end(session, &document, EXIT_ANSWER);
}

const struct command command_fit = {
	.name = "fit",
	.summary = "constants of devices and frameworks from measured training times",
	.synopsis = "--measured CSV [--constants FILE] [--into DIR] [options]",
	.details = "Every row of the CSV names its network, machine, framework and plan. Constants\n"
		   "that are free, and their bounds, are in hw-profiles/fit-constants.csv.",
	.most_operands = 0,
	.run = run,
};
