/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where axes have ticks and what these say; labels that make room for one another. Pure functions on numbers. */
#ifndef REPORT_PICTURE_AXIS_H
#define REPORT_PICTURE_AXIS_H

#include "report/report.h"

enum tick_kind {
	TICKS_NUMBER,  /* 0.5, 20, 3000 */
	TICKS_COUNT,   /* 4, 20 k, 1 M */
	TICKS_WHOLE,   /* 4, 64, 1024: of powers of two */
	TICKS_TIME,    /* 10 µs, 1 min; values are seconds */
	TICKS_BYTES,   /* 64 KiB */
	TICKS_PERCENT, /* 50 % */
	TICKS_NONE
};

struct axis {
	const char *title; /* of ours: not quoted as names are; NULL: none */
	double least, most;
	unsigned base; /* of a logarithmic axis; 0: linear */
	enum tick_kind kind;
};

enum { TICKS_MAX = 40, TICK_TEXT = 32 };
struct ticks {
	double at[TICKS_MAX];
	size_t count;
};

/* As many as fit when neighbours are `apart` of the axis's length from one another, at least. */
void axis_ticks(const struct axis *axis, double apart, struct ticks *ticks);
const char *axis_tick_text(enum tick_kind kind, double value, char text[TICK_TEXT]);
/* Where a value is on the axis, from 0 to 1. */
double axis_share(const struct axis *axis, double value);
/* Of values that are above 0; {0, 0}: of none. */
struct range {
	double least, most;
};
void range_add(struct range *range, double value); /* others than those are left out */
/* The axis then has the range, and a little more; if it is linear, its ends are round. */
void axis_fit(struct axis *axis, struct range range);

/* The unit that a linear axis of times has: "hours". */
struct time_scale {
	double seconds;
	const char *name;
};
struct time_scale axis_time_scale(double longest_s);

/*
 * Moves places (ascending) so that neighbours are `gap` apart and all are within [least, most], if there is room, by as
 * little as possible in the sum of squares.
 */
void spread(double *places, size_t count, double gap, double least, double most);

#endif
