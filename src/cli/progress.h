/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shows how far a long computation is, in a line on a terminal. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <stdio.h>
#include <time.h>

#include "cli/session.h"

struct progress {
	FILE *file; /* terminal; NULL: nothing is shown */
	bool shown;
	const char *things; /* name of what is counted: "plans" */
	struct timespec next;
};

struct progress progress_begin(const struct session *session);
/*
 * Shows the numbers of plans done and of all, as paradl_search_request.progress; `context` is a struct progress. The
 * line appears after a second, and is updated four times a second.
 */
void progress_plans(void *context, double done, double all);
void progress_end(struct progress *progress); /* removes the line */

#endif
