/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a device does at each moment. Of all that runs together the phase of the highest rank has the moment: compute before
 * communication before copies of input. So each moment is counted once, and what communication has is exposed.
 */
#ifndef STUDY_MEASURED_TIMELINE_H
#define STUDY_MEASURED_TIMELINE_H

#include "base/arena.h"

struct timeline_item {
	double begin_s, end_s;
	unsigned phase;
};

struct timeline_window {
	double begin_s, end_s;                /* to be filled before; ascending, none overlap */
	double exposed_s[PARADL_PHASE_COUNT]; /* and idle moments, which belong to what comes next */
	double busy_s[PARADL_PHASE_COUNT];    /* of each phase by itself */
	double idle_s;                        /* of exposed_s: nothing ran */
	double items[PARADL_PHASE_COUNT];     /* that begin in the window */
};

/* `idle_phase`: what idle moments count as; PARADL_PHASE_COUNT: as what comes next. False: out of memory. */
bool timeline_sweep(struct paradl_arena *arena, const struct timeline_item *items, size_t count,
	unsigned idle_phase, struct timeline_window *windows, size_t window_count);

/* The window that a moment is in; `count`: none. */
size_t timeline_window_of(const struct timeline_window *windows, size_t count, double at_s);

#endif
