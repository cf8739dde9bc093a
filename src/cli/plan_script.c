/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The answer to --flags PROGRAM -o FILE: a script that starts the best plan, or the one that is estimated. */
#include "cli/plan_script.h"

#include "base/error.h"
#include "report/script_write.h"

enum exit_status script_answer(
	struct session *session, const struct report_head *head, const struct paradl_estimate *estimate)
{
	struct launch *const launch = arena_alloc(session->arena, 1, sizeof *launch);
	struct document document;
	if (!launch)
		return session_out_of_memory(session);
	if (!launch_plan(launch, head, estimate)) {
		diagnostic_print(session, "paradl: no script was written: %s",
			!estimate->fits ? "the plan needs more memory than a GPU has"
					: "no program is named (--flags)");
		return EXIT_NO;
	}
	if (launch->command.count == 0) {
		diagnostic_print(session, "paradl: no script was written: %s", launch->cannot.items[0]);
		return EXIT_NO;
	}
	for (size_t i = 0; i < launch->cannot.count; i++)
		session_warn(session, "not as estimated: %s", launch->cannot.items[i]);
	if (!document_begin(session, &document))
		return session_fail(session);
	script_write(&document.sink, head, estimate, launch);
	return document_end(session, &document, EXIT_ANSWER);
}

enum exit_status script_refuse_parts(struct session *session)
{
	session_usage(session, "a script starts one plan for all layers");
	return session_fail(session);
}
