/* SPDX-License-Identifier: GPL-3.0-or-later */
/* This file declares windows: points that are done together, before the first of them is given on. */
#ifndef STUDY_WINDOW_H
#define STUDY_WINDOW_H

#include "study/sweep.h"

/* A point of the window. */
struct job {
	unsigned long long index, world;
	bool done;
	unsigned worker;
	size_t place, length; /* place of its text in the worker's, if it is there, and its length */
	const char *text;     /* text, if received; NULL: it is the worker's */
};

/* The texts that a thread has written in this window. */
struct worker {
	char *text;
	size_t length, room;
	struct sweep_answer answer;
	size_t places[SWEEP_MOST_DIMENSIONS + 1];
	struct paradl_error error;
	size_t failed; /* index of the job that failed */
};

struct windows {
	struct paradl_sweep *sweep;
	const struct paradl_sweep_run *wanted;
	struct worker *workers;
	struct job *jobs, **order; /* jobs by index; order: by world */
	size_t count;              /* number of jobs of the window */
	bool ends;                 /* whether somebody wants to end the run */
	double window_s;           /* seconds that the slowest member took */
};

/* Runs jobs [first, end) of the order; in window.c. False: error is set. */
bool window_do(struct windows *run, size_t first, size_t end, struct paradl_error *error);
const char *window_text(const struct windows *run, const struct job *job);

/* Gives the jobs that are done to the team, and gets those of the others; in share.c. False: error is set. */
bool window_exchange(struct windows *run, struct paradl_error *error);

#endif
