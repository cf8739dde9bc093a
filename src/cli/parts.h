/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef CLI_PARTS_H
#define CLI_PARTS_H

#include "cli/question.h"

/* What the parts of a plan take, and what they would take under others, each for all layers; count 0: none. */
bool parts_explain(struct session *session, const struct question *question,
	const struct paradl_layered *layered, const struct paradl_plan *others, size_t count,
	struct report_parts *parts);

#endif
