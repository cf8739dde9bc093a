/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "cli/command.h"

static bool check_output(struct session *session)
{
	const char *const path = session->arguments.output;
	const char *const slash = path ? strrchr(path, '/') : NULL;
	const char *const dot = path ? strrchr(slash ? slash : path, '.') : NULL;
	if (!dot || strcmp(dot, ".json") == 0)
		return true;
	session_usage(session, "-o %s does not end in .json, which is what import writes", path);
	return false;
}

static const char *convert(struct session *session, const char *path, struct paradl_findings *findings)
{
	const struct arguments *const arguments = &session->arguments;
	const struct paradl_import_options options = {
		.from = arguments->import.from >= 0 ? paradl_format((size_t)arguments->import.from).name
						    : NULL,
		.layer_config = arguments->import.layer_config,
		.dataset = arguments->import.as > 0,
		.input = arguments->import.input,
		.shapes = arguments->import.shapes.items,
		.shape_count = arguments->import.shapes.count,
		.weights = arguments->import.weights,
		.assume = arguments->import_assume,
		.text_only = arguments->import.part > 0,
	};
	return paradl_import(session->arena, path, &options, findings, &session->error);
}

static enum exit_status run(struct session *session)
{
	struct paradl_findings findings = {0};
	struct document document;
	if (session->operands.count == 0) {
		session_missing(session, "import needs a FILE; 'paradl list formats' shows what is read");
		return session_fail(session);
	}
	if (!check_output(session))
		return session_fail(session);
	const char *const operand = session->operands.items[0];
	const char *const config = config_find_file(session, operand);
	const char *const path = config ? config : operand, *const text = convert(session, path, &findings);
	if (!text)
		return session_fail(session);
	for (size_t i = 0; i < findings.count; i++)
		if (!session->arguments.quiet)
			diagnostic_print(session, "%s: warning: %s", path, findings.warnings[i]);
	if (findings.note && !session->arguments.quiet)
		diagnostic_print(session, "%s: %s", path, findings.note);
	if (!document_begin(session, &document))
		return session_fail(session);
	fputs(text, document.sink.file);
	return document_end(session, &document, EXIT_ANSWER);
}

const struct command command_import = {
	.name = "import",
	.summary = "turn files of other tools into model and machine files",
	.synopsis = "FILE [--from FORMAT] [options]",
	.details = "FILE may be of any format that 'paradl list formats' shows. Other commands take such\n"
		   "files, too; importing keeps what was read, to look at and to change. What fio, IOR,\n"
		   "nccl-tests and the OSU benchmarks measured is for 'paradl fit'.",
	.operands = "file",
	.operand = "FILE",
	.operand_help = "ONNX, Hugging Face, ... ('paradl list formats')",
	.usual = "from input assume part weights as output",
	.examples = {"echo '{\"model_type\": \"gpt2\", \"n_layer\": 12, \"n_embd\": 768, \"n_head\": 12,\n   "
		     " \"n_positions\": 1024, \"vocab_size\": 50257}' > config.json\n  paradl import "
		     "config.json -o gpt.json",
		"paradl import config.json --from huggingface -o gpt.json"},
	.most_operands = 1,
	.run = run,
};
