/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A line on a terminal that says how far a long computation is. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <stdbool.h>
#include <time.h>

struct progress {
	bool shows; /* standard error is a terminal, and may be written to */
	bool shown;
	const char *things; /* "plans" */
	struct timespec next;
};

struct progress progress_begin(bool quiet);
/* As paradl_search_request.progress; `context` is a struct progress. Shows after a second, then four times in each. */
void progress_plans(void *context, double done, double all);
void progress_end(struct progress *progress); /* takes the line away */

#endif
