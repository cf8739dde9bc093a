/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file declares a timeline: what a device does at each moment. If several items run together, the phase of the
 * highest rank has the moment: compute before communication before copies of input. So each moment is counted once,
 * and the moments that communication has are exposed.
 */
#ifndef STUDY_MEASURED_TRACE_TIMELINE_H
#define STUDY_MEASURED_TRACE_TIMELINE_H

#include "base/arena.h"
#include "paradl/oracle.h"

struct timeline_item {
	double begin_s, end_s;
	unsigned phase;
};

struct timeline_window {
	double begin_s, end_s; /* begin and end, filled by the caller; windows are ascending, none overlap */
	double exposed_s[PARADL_PHASE_COUNT]; /* seconds of each phase, with idle moments that count as it */
	double busy_s[PARADL_PHASE_COUNT];    /* seconds in which each phase runs, whatever else does */
	double idle_s;                        /* seconds of exposed_s when nothing ran */
	double items[PARADL_PHASE_COUNT];     /* number of items that begin in the window */
};

/*
 * Fills the windows. `idle_phase`: what idle moments count as; PARADL_PHASE_COUNT: as what comes next. False: out of
 * memory.
 */
bool timeline_sweep(struct paradl_arena *arena, const struct timeline_item *items, size_t count,
	unsigned idle_phase, struct timeline_window *windows, size_t window_count);

/* Returns the index of the window that a moment is in; `count`: none. */
size_t timeline_window_of(const struct timeline_window *windows, size_t count, double at_s);

#endif
