/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/command.h"
#include "cli/question.h"

/* -q leaves the reasons out of the document, yet "missed" alone helps nobody. */
static void say_skipped(struct session *session, const struct paradl_validation *validation)
{
	for (size_t i = 0; i < validation->count; i++) {
		const struct paradl_measured_row *const row = &validation->rows[i];
		if (row->skipped)
			diagnostic_print(session, "paradl: line %d is skipped: %s", row->line, row->skipped);
	}
}

static enum exit_status run(struct session *session)
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
		.head = &head, .validation = &validation, .tolerance = arguments->tolerance};
	struct document document;
	if (!arguments->measured) {
		session_usage(session, "validate needs --measured CSV");
		return session_fail(session);
	}
	if (!question_command(session, &head) ||
		!paradl_validate(
			session->arena, arguments->measured, &lookup, &validation, &session->error) ||
		!document_begin(session, &document))
		return session_fail(session);
	session->format->validation(&document.sink, &report);
	const bool met = validation.summary.mean.total >= 1 - arguments->tolerance;
	if (!met && arguments->quiet)
		say_skipped(session, &validation);
	return document_end(session, &document, met ? EXIT_ANSWER : EXIT_NO);
}

const struct command command_validate = {
	.name = "validate",
	.summary = "compare projections with measurements",
	.synopsis = "--measured CSV [--hw HW] [options]",
	.details = "Every row of the CSV names its model, machine and strategy, so nothing else is\n"
		   "needed. Exits with 1 when the mean accuracy of the totals misses the tolerance.",
	.most_operands = 0,
	.run = run,
};
