/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of stacked bars with names at the left and notes at their ends. */
#ifndef REPORT_PICTURE_BARS_H
#define REPORT_PICTURE_BARS_H

#include "report/picture/canvas.h"

enum { BAR_ROWS_MAX = 20 };

struct bar {
	const char *name, *detail; /* left of it, the detail small and below; NULL: none */
	const char *note;          /* at its end, or on it if it is not feasible */
	const double *parts;       /* in the units of the axis */
	bool feasible;             /* else it is faded */
};

struct bars {
	const char *title, *subtitle, *axis;
	const struct key_row *parts; /* what the parts are */
	const char *columns;         /* their names in the data, after tabs: "\tforward\tbackward" */
	size_t part_count;
	const struct bar *rows;
	size_t row_count;
	double most;      /* longer bars are cut */
	double limit;     /* what is beyond is marked; 0: there is none */
	const char *what; /* the limit is: "40.0 GiB per GPU" */
};

/* The plan's axes as name, after the prefix, and its options as detail. */
void bar_name(struct report_sink *sink, struct bar *row, const char *prefix, const char *plan);
void bars_draw(struct canvas *canvas, const struct bars *bars);

/* Where rows are, in pixels: names of so many need room at the left. */
struct rows_place {
	double left, right, top, bottom; /* of the chart */
	double width, height;            /* of the canvas */
};
/* `above`: more of them above the chart. */
struct rows_place rows_place(double names, double chart, double key, double above, size_t count);
/* As an axis whose values are numbers of rows, from 1 at the top. */
struct axis rows_axis(size_t count);

#endif
