/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws rows of stacked bars, with a name at the left of each row and a note at the end of its bar. */
#ifndef REPORT_PICTURE_BARS_H
#define REPORT_PICTURE_BARS_H

#include "report/picture/canvas.h"

enum { BAR_ROWS_MAX = 20 };

struct bar {
	const char *name, *detail; /* texts left of the bar; detail: small, below the name, NULL: none */
	const char *note;          /* text at the end of the bar, or on the bar where it is not feasible */
	const double *parts;       /* lengths of the parts, in units of the axis */
	bool feasible;             /* false: the bar is faded */
};

struct bars {
	const char *title, *subtitle, *axis;
	const struct key_row *parts; /* names and colours of the parts */
	const char *columns; /* names of the parts in the data, each after a tab: "\tforward\tbackward" */
	size_t part_count;
	const struct bar *rows;
	size_t row_count;
	double most;      /* length at which longer bars are cut */
	double limit;     /* value beyond which the chart is marked; 0: no limit */
	const char *what; /* text of the limit: "40.0 GiB per GPU" */
};

/* Fills in the name of a row, prefix and axes of the plan, and its detail, the options of the plan. */
void bar_name(struct report_sink *sink, struct bar *row, const char *prefix, const char *plan);
void bars_draw(struct canvas *canvas, const struct bars *bars);

/* The place of rows, in pixels. */
struct rows_place {
	double left, right, top, bottom; /* edges of the chart */
	double width, height;            /* size of the canvas */
};
/*
 * Returns the place of `count` rows whose names, chart and key have these widths in pixels, with `above` extra
 * pixels above the chart. The chart is wider where the canvas would be narrower than its least width.
 */
struct rows_place rows_place(double names, double chart, double key, double above, size_t count);
/* Returns the vertical axis whose values are numbers of rows, from 1 at the top. */
struct axis rows_axis(size_t count);

#endif
