/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What estimates of one plan and of a plan for each part share. */
#ifndef CLI_ESTIMATE_H
#define CLI_ESTIMATE_H

#include "cli/question.h"

/* Is -s the name of a plan file? */
bool estimate_is_file(const char *strategy);
/* -s FILE, of a question that is loaded. */
enum exit_status estimate_layers(struct session *session, struct question *question);
/* The answer is "no": session->error says why; strategy: the plan as -s has it. */
enum exit_status estimate_refuse(
	struct session *session, struct question *question, const char *family, const char *strategy);

/* The whole training, if one is asked about; `job` stays with the report. */
bool estimate_expense(struct session *session, struct question *question, struct report_estimate *report,
	struct paradl_run_request *job);
enum exit_status estimate_answer(struct session *session, const struct report_estimate *report);

#endif
