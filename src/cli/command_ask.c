/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/command.h"

static enum exit_status run(struct session *session)
{
	session->arguments.json = true; /* so that errors are JSON documents, too */
	const char *const path = session->operands.count > 0 ? session->operands.items[0] : "-";
	const struct json *const question = json_load(session->arena, path, &session->error);
	return question ? ask_run(session, question) : session_fail(session);
}

const struct command command_ask = {
	.name = "ask",
	.summary = "answer a question that is written as JSON",
	.synopsis = "[QUESTION.json] [-o FILE]",
	.details = "A question is a command that computes, with its options as members:\n"
		   "{\"ask\": \"advise\", \"model\": \"resnet50\", \"hw\": \"abci\", \"gpus\": 64}. Models, "
		   "machines\n"
		   "and other files may stand in it as objects. The answer is what the command\n"
		   "prints with --json. Without a file the question is read from standard input.",
	.operands = "file",
	.operand = "QUESTION.json",
	.operand_help = "a command, its options as members (default standard input)",
	.usual = "output quiet verbose",
	.examples = {"echo '{\"ask\": \"advise\", \"model\": \"resnet50\", \"hw\": \"abci\"}' > q.json\n  "
		     "paradl ask q.json",
		"echo '{\"ask\": \"list\", \"topic\": \"hw\"}' | paradl ask -o machines.json"},
	.most_operands = 1,
	.run = run,
};
