/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The canvas of a picture is a script for gnuplot and its data; all pictures share one look. Places are pixels
 * from the left and the top, or values on the axes of a panel. Text of users stands in single quotes with
 * noenhanced or in fields of the data, nowhere else: canvas_quote, canvas_label and canvas_text see to that.
 */
#ifndef REPORT_PICTURE_CANVAS_H
#define REPORT_PICTURE_CANVAS_H

#include "report/report.h"
#include "report/typeset.h"

enum {
	MARGIN_PIXELS = 22,
	TOP_PIXELS = 104, /* height of title and subtitle */
	/* Width of a character and height of a line at the usual size, in a wide substitute for the font. */
	CHARACTER_PIXELS = 12,
	LINE_PIXELS = 22
};

/* Colours of text and lines that carry no meaning by their colour. */
#define INK_TEXT  "#111827"
#define INK_AXIS  "#374151"
#define INK_FAINT "#6b7280"
#define INK_ALARM "#b91c1c"
#define INK_GRID  "#e5e7eb"

/*
 * Chooses where axes have ticks and which text each tick has, and moves labels apart from one another. All
 * functions are pure functions on numbers.
 */

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
	double ticks_most; /* end of its ticks, where nothing beyond is to scale; 0: they go to its end */
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

struct canvas {
	struct report_sink sink; /* arena for texts of the picture; nothing is written to its file */
	FILE *script, *data;
	size_t width, height;  /* size in pixels */
	size_t rows;           /* number of rows of the current block so far */
	size_t blocks, labels; /* numbers so far: blocks of the data, labels of the script */
	bool fields;           /* whether the current row has fields yet */
	const char *plots;     /* plots of the current panel so far; NULL: none */
};

struct panel {
	double left, right, top, bottom; /* edges, in pixels from the canvas's left and top */
	struct axis x, y;
	bool own_y; /* true: rows have names instead of ticks, so the y axis has no line */
};

/* Sets the size of the canvas in pixels; comes before all else. */
void canvas_begin(struct canvas *canvas, double width, double height);
/* Draws the title and the subtitle above the panels; cuts them where they are too long. */
void canvas_titles(struct canvas *canvas, const char *title, const char *subtitle);

/* Begins a panel: sets its margins, ranges and ticks. Labels, lines and plots follow; canvas_panel_end draws them. */
void canvas_panel(struct canvas *canvas, const struct panel *panel);
void canvas_panel_end(struct canvas *canvas);
/* Returns the place of a value of the panel's x axis (panel_y: its y axis), in pixels of the canvas. */
double panel_x(const struct panel *panel, double value);
double panel_y(const struct panel *panel, double value);

enum side { SIDE_LEFT, SIDE_CENTER, SIDE_RIGHT }; /* part of the text that is at the given place */
/* Draws text at a place in pixels, in the usual size. */
void canvas_label(
	struct canvas *canvas, double x, double y, enum side side, const char *colour, const char *text);
/* Draws text in a size of its own, as small text of dense pictures; 0 points: the usual size. */
void canvas_label_sized(struct canvas *canvas, double x, double y, enum side side, unsigned points,
	const char *colour, const char *text);
/* Draws a straight line between places in pixels; the style is gnuplot's: "dt 3 lw 1". */
void canvas_line(struct canvas *canvas, double x1, double y1, double x2, double y2, const char *colour,
	const char *style);
/* Fills a rectangle behind all else; edges are in pixels. */
void canvas_area(
	struct canvas *canvas, double left, double top, double right, double bottom, const char *colour);

/* A name at the end of a line. */
struct end_label {
	const char *text;
	unsigned rgb;
	double x, y; /* end of the line, in pixels */
};
enum { END_LABELS_MAX = 24 };
/* Draws the names of lines at `x`, moved apart, each with a dotted line to its end; at most END_LABELS_MAX. */
void canvas_end_labels(struct canvas *canvas, const struct panel *panel, const struct end_label *labels,
	size_t count, double x);

/* A row of a key: a square of colour, or a glyph, and a name. */
struct key_row {
	const char *text;
	unsigned rgb;
	const char *glyph; /* character that looks like the points; NULL: a square */
};
/* Draws a key at the right of `x`, from `top` down. */
void canvas_key(struct canvas *canvas, double x, double top, const struct key_row *rows, size_t count);

/*
 * Begins a block of data rows and returns its index, by which plots name it; `columns` is a comment that names its
 * columns.
 */
size_t canvas_block(struct canvas *canvas, const char *columns);
void canvas_number(struct canvas *canvas, double value);
/* Writes a field with a number; NaN, which gnuplot leaves out, where it is not above 0 or infinite. */
void canvas_positive(struct canvas *canvas, double value);
void canvas_text(struct canvas *canvas, const char *text);
void canvas_row_end(struct canvas *canvas);

/* Adds a plot to the panel, " index N using 1:2 with lines"; it must hold trusted text only. */
void canvas_plot(struct canvas *canvas, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Returns text as a gnuplot string in single quotes, which expand nothing; control characters become spaces. */
const char *canvas_quote(struct paradl_arena *arena, const char *text);
/* Returns an upper bound of the width of text at the usual size, in pixels. */
double canvas_text_pixels(const char *text);
/* Returns text cut to a width in pixels. */
const char *canvas_fit(struct canvas *canvas, const char *text, double pixels);
/* Returns a colour, darkened to 70 %, as "#RRGGBB" for text on white. */
const char *canvas_dark(struct canvas *canvas, unsigned rgb);

#endif
