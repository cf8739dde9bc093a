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

static enum exit_status run(struct session *session)
{
	struct paradl_findings findings = {0};
	struct document document;
	if (session->operands.count == 0) {
		session_usage(session,
			"import needs a FILE: config.json of Hugging Face, a workload of DLIO, "
			"or .net, .net_sc or .plat of the original ParaDL");
		return session_fail(session);
	}
	if (!check_output(session))
		return session_fail(session);
	const char *const path = session->operands.items[0];
	const char *const text =
		session->arguments.import_as > 0
			? paradl_import_dataset(session->arena, path, &findings, &session->error)
			: paradl_import(session->arena, path, session->arguments.layer_config, &findings,
				  &session->error);
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
	.synopsis = "FILE [--as WHAT] [--layer-config FILE] [-o FILE]",
	.details = "FILE is a config.json of Hugging Face transformers, a workload of DLIO or MLPerf\n"
		   "Storage (YAML), or a .net, .net_sc or .plat of the original ParaDL. What fio, IOR,\n"
		   "nccl-tests and the OSU benchmarks measured is for 'paradl fit'.",
	.operands = "file",
	.most_operands = 1,
	.run = run,
};
