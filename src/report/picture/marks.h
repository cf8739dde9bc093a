/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Marks of pictures: bars, colours and shapes of lines, and names beside points. */
#ifndef REPORT_PICTURE_MARKS_H
#define REPORT_PICTURE_MARKS_H

#include <stddef.h>

#include "report/picture/canvas.h"

/* Draws rows of stacked bars, with a name at the left of each row and a note at the end of its bar. */

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

/*
 * Colours and shapes of lines and sets of points. Colours are those of Okabe and Ito that show on white, most
 * different first.
 */

enum { LINES_MAX = 9 };
extern const unsigned line_rgb[LINES_MAX];
/* gnuplot's point types, in the order of the colours, so that shapes tell lines apart where colours do not. */
extern const unsigned line_points[LINES_MAX];
extern const char *const line_glyphs[LINES_MAX]; /* characters that look like these point types */

/* Places names beside points, where they cover the fewest lines and names. */

/* A piece of a line, in pixels. */
struct segment {
	double x1, y1, x2, y2;
};

/*
 * Draws each label beside its point (x, y), away from the segments and the labels before it, with a dotted line to
 * the point where it is more than a line of text away. Draws at most END_LABELS_MAX.
 */
void names_beside(struct canvas *canvas, const struct panel *panel, const struct end_label *labels,
	size_t count, const struct segment *segments, size_t segment_count);

#endif
