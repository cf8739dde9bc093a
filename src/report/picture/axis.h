/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Chooses where axes have ticks and which text each tick has, and moves labels apart from one another. All
 * functions are pure functions on numbers.
 */
#ifndef REPORT_PICTURE_AXIS_H
#define REPORT_PICTURE_AXIS_H

#include "report/report.h"

enum tick_kind {
	TICKS_NUMBER,  /* 0.5, 20, 3000 */
	TICKS_COUNT,   /* 4, 20 k, 1 M */
	TICKS_WHOLE,   /* 4, 64, 1024: powers of two, written out */
	TICKS_TIME,    /* 10 µs, 1 min; values are seconds */
	TICKS_BYTES,   /* 64 KiB */
	TICKS_PERCENT, /* 50 % */
	TICKS_NONE
};

struct axis {
	const char *title; /* text of the picture itself, never a user's name; NULL: none */
	double least, most;
	unsigned base; /* base of a logarithmic axis; 0: linear */
	enum tick_kind kind;
};

enum { TICKS_MAX = 40, TICK_TEXT = 32 };
struct ticks {
	double at[TICKS_MAX];
	size_t count;
};

/* Finds as many ticks as fit when neighbours are at least `apart` from one another, a share of the axis's length. */
void axis_ticks(const struct axis *axis, double apart, struct ticks *ticks);
/* Writes the text of a tick, number and unit, and returns it. */
const char *axis_tick_text(enum tick_kind kind, double value, char text[TICK_TEXT]);
/* Returns the place of a value on the axis: 0 at its beginning, 1 at its end. */
double axis_share(const struct axis *axis, double value);
/* The range of values above 0; {0, 0}: no values. */
struct range {
	double least, most;
};
/* Widens the range to a value; leaves out values that are not above 0, or infinite. */
void range_add(struct range *range, double value);
/* Sets the ends of the axis to the range and a little more; the ends of a linear axis are round. */
void axis_fit(struct axis *axis, struct range range);

/* A unit of a linear axis of times: "hours" with 3600 s. */
struct time_scale {
	double seconds;
	const char *name;
};
/* Returns the largest unit, up to days, of which the longest time has at least two; else microseconds. */
struct time_scale axis_time_scale(double longest_s);

/*
 * Moves ascending places so that neighbours are at least `gap` apart and, if there is room, all are within [least,
 * most]; the sum of the squared moves is the least possible. Leaves more than TICKS_MAX places as they are.
 */
void spread(double *places, size_t count, double gap, double least, double most);

#endif
