/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/error.h"
#include "cli/command.h"

static void check_file(struct session *session, const char *path, struct checked_file *file)
{
	const char *const shipped = shipped_any(session, path);
	file->path = path = shipped ? shipped : path;
	const struct paradl_source source = {.path = path, .directories = session->directories};
	file->valid = paradl_check(session->arena, &source, &file->findings, &file->error);
}

static enum exit_status run(struct session *session)
{
	const size_t count = session->operands.count;
	struct checked_file *const files = arena_alloc(session->arena, count, sizeof *files);
	const struct report_check check = {files, count};
	enum exit_status status = EXIT_ANSWER;
	struct document document;
	if (count == 0) {
		session_missing(session, "check needs a FILE: a model, a machine, a device, a framework");
		return session_fail(session);
	}
	if (!files || !document_begin(session, &document))
		return session_out_of_memory(session);
	for (size_t i = 0; i < count; i++) {
		check_file(session, session->operands.items[i], &files[i]);
		if (files[i].findings.count > 0 && session->arguments.strict && status == EXIT_ANSWER)
			status = EXIT_NO;
		if (files[i].valid)
			continue;
		session->error = files[i].error;
		diagnostic_error(session);
		status = EXIT_BAD_INPUT;
	}
	session->format->check(&document.sink, &check);
	return document_end(session, &document, status);
}

const struct command command_check = {
	.name = "check",
	.summary = "look for mistakes in model, machine and framework files",
	.synopsis = "FILE|NAME... [options]",
	.details = "Files, or names of shipped ones.\n"
		   "Errors make a file unusable (exit status 3). Findings are legal but look wrong.",
	.operands = "file",
	.operand = "FILE|NAME",
	.operand_help = "a file of any kind, or the name of a shipped one",
	.usual = "strict json csv output quiet verbose",
	.examples = {"paradl check resnet50 abci", "paradl check abci --csv -o findings.csv"},
	.most_operands = 10000,
	.run = run,
};
