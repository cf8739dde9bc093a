/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef CLI_PLAN_SCRIPT_H
#define CLI_PLAN_SCRIPT_H

#include "cli/session.h"

/* Writes a script that starts the plan in place of the document; else says why there is none. */
enum exit_status script_answer(
	struct session *session, const struct report_head *head, const struct paradl_estimate *estimate);
/* Fails with the error that a script starts one plan for all layers: no program starts plans of parts. */
enum exit_status script_refuse_parts(struct session *session);

#endif
