/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef CLI_PLAN_PARTS_H
#define CLI_PLAN_PARTS_H

#include "cli/question.h"

/*
 * Explains what the parts of a plan take, and what they would take under `others`, plans for all layers; count 0:
 * none of these. False: the error is set.
 */
bool parts_explain(struct session *session, const struct question *question,
	const struct paradl_layered *layered, const struct paradl_plan *others, size_t count,
	struct report_parts *parts);

#endif
