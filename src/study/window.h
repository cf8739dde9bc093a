/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Points that are done together, before the first of them is given on. */
#ifndef STUDY_WINDOW_H
#define STUDY_WINDOW_H

#include "study/sweep.h"

/* A point of the window. */
struct job {
	unsigned long long index, world;
	bool done;
	unsigned worker;
	size_t place, length; /* of its text, in the worker's; of others' points, in what was received */
	const char *text;     /* received; NULL: the worker's */
};

/* What a thread has told in this window. */
struct worker {
	char *text;
	size_t length, room;
	struct sweep_answer answer;
	size_t places[SWEEP_MOST_DIMENSIONS + 1];
	struct paradl_error error;
	size_t failed; /* job */
};

struct windows {
	struct paradl_sweep *sweep;
	const struct paradl_sweep_run *wanted;
	struct worker *workers;
	struct job *jobs, **order; /* order: by world */
	size_t count;              /* jobs of the window */
	bool ends;                 /* somebody wants to */
	double window_s;           /* what it took the slowest member */
};

/* window.c: jobs [first, end) of the order. */
bool window_do(struct windows *run, size_t first, size_t end, struct paradl_error *error);
const char *window_text(const struct windows *run, const struct job *job);

/* share.c: gives what is done to the team, and gets what the others have. */
bool window_exchange(struct windows *run, struct paradl_error *error);

#endif
