/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/progress.h"

#include <stdio.h>

enum { STEP_NS = 250000000, SECOND_NS = 1000000000, PERCENT = 100 };

struct progress progress_begin(const struct session *session)
{
	struct progress progress = {
		.file = session->is_watched && !session->arguments.quiet ? session->complaints : NULL,
		.things = "plans"};
	clock_gettime(CLOCK_MONOTONIC, &progress.next);
	progress.next.tv_sec++;
	return progress;
}

static bool is_before(const struct timespec *a, const struct timespec *b)
{
	return a->tv_sec != b->tv_sec ? a->tv_sec < b->tv_sec : a->tv_nsec < b->tv_nsec;
}

void progress_plans(void *context, double done, double all)
{
	struct progress *const progress = context;
	struct timespec now;
	if (!progress->file || clock_gettime(CLOCK_MONOTONIC, &now) != 0 || is_before(&now, &progress->next))
		return;
	progress->next = now;
	progress->next.tv_nsec += STEP_NS;
	if (progress->next.tv_nsec >= SECOND_NS) {
		progress->next.tv_nsec -= SECOND_NS;
		progress->next.tv_sec++;
	}
	progress->shown = true;
	fprintf(progress->file, "\rparadl: %.0f of %.0f %s (%.0f %%)\033[K", done, all, progress->things,
		all > 0 ? PERCENT * done / all : PERCENT);
	fflush(progress->file);
}

void progress_end(struct progress *progress)
{
	if (progress->shown)
		fputs("\r\033[K", progress->file);
	progress->shown = false;
}
