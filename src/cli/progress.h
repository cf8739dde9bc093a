/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A line on a terminal that says how far a long computation is. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <stdio.h>
#include <time.h>

#include "cli/session.h"

struct progress {
	FILE *file; /* a terminal; NULL: nobody looks */
	bool shown;
	const char *things; /* "plans" */
	struct timespec next;
};

struct progress progress_begin(const struct session *session);
/* As paradl_search_request.progress; `context` is a struct progress. Shows after a second, then four times in each. */
void progress_plans(void *context, double done, double all);
void progress_end(struct progress *progress); /* takes the line away */

#endif
