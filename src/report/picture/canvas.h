/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a picture is drawn on: a script for gnuplot and its data, with one look. Places are pixels from the left and the
 * top, or values on the axes of a panel. Text of users stands in single quotes with noenhanced or in fields of the data,
 * nowhere else: canvas_quote, canvas_label and canvas_text see to that.
 */
#ifndef REPORT_PICTURE_CANVAS_H
#define REPORT_PICTURE_CANVAS_H

#include "report/picture/axis.h"
#include "report/typeset.h"

enum {
	MARGIN_PIXELS = 22,
	TOP_PIXELS = 104, /* of title and subtitle */
	/* Of a character and a line at the usual size, in a wide substitute for the font. */
	CHARACTER_PIXELS = 12,
	LINE_PIXELS = 22
};

/* Colours of text and lines that say nothing. */
#define INK_TEXT  "#111827"
#define INK_AXIS  "#374151"
#define INK_FAINT "#6b7280"
#define INK_ALARM "#b91c1c"
#define INK_GRID  "#e5e7eb"

struct canvas {
	struct report_sink sink; /* texts of the picture; writes nothing */
	FILE *script, *data;
	size_t width, height;
	size_t rows;           /* of the block */
	size_t blocks, labels; /* so far: of the data, in the script */
	bool fields;           /* this row has some */
	const char *plots;     /* of this panel, so far; NULL: none */
};

struct panel {
	double left, right, top, bottom; /* the edges, in pixels from the canvas's left and top */
	struct axis x, y;
	bool own_y; /* rows have names instead of ticks */
};

/* First: how large it is, and the lines above. Long titles are cut. */
void canvas_begin(struct canvas *canvas, double width, double height);
void canvas_titles(struct canvas *canvas, const char *title, const char *subtitle);

/* Sets margins, ranges, ticks; then labels, lines and plots; the end draws them. */
void canvas_panel(struct canvas *canvas, const struct panel *panel);
void canvas_panel_end(struct canvas *canvas);
/* Where a value is, in pixels. */
double panel_x(const struct panel *panel, double value);
double panel_y(const struct panel *panel, double value);

enum side { SIDE_LEFT, SIDE_CENTER, SIDE_RIGHT }; /* of the text that the place is at */
void canvas_label(
	struct canvas *canvas, double x, double y, enum side side, const char *colour, const char *text);
/* Of one number beside others: small ones in dense pictures. */
void canvas_label_sized(struct canvas *canvas, double x, double y, enum side side, unsigned points,
	const char *colour, const char *text);
/* A straight line in pixels; style: gnuplot's, "dt 3 lw 1". */
void canvas_line(struct canvas *canvas, double x1, double y1, double x2, double y2, const char *colour,
	const char *style);
/* Behind all else, in pixels. */
void canvas_area(
	struct canvas *canvas, double left, double top, double right, double bottom, const char *colour);

/* The names of lines at their ends, pushed apart. */
struct end_label {
	const char *text;
	unsigned rgb;
	double x, y; /* where the line ends, in pixels */
};
enum { END_LABELS_MAX = 24 };
void canvas_end_labels(struct canvas *canvas, const struct panel *panel, const struct end_label *labels,
	size_t count, double x);

/* A key at the right of `x`, from `top` down: a square of colour and a name each. */
struct key_row {
	const char *text;
	unsigned rgb;
	const char *glyph; /* of points; NULL: a square */
};
void canvas_key(struct canvas *canvas, double x, double top, const struct key_row *rows, size_t count);

/* Data: a block of rows of fields; the index of a block is what plots name. */
size_t canvas_block(struct canvas *canvas, const char *columns); /* a comment: what is in them */
void canvas_number(struct canvas *canvas, double value);
void canvas_positive(struct canvas *canvas, double value); /* 0, negative or infinite: there is none */
void canvas_text(struct canvas *canvas, const char *text);
void canvas_row_end(struct canvas *canvas);

/* One plot of the panel, " index N using 1:2 with lines": trusted text only. */
void canvas_plot(struct canvas *canvas, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Text as a gnuplot string in single quotes, which expand nothing; control characters become spaces. */
const char *canvas_quote(struct paradl_arena *arena, const char *text);
/* The width of text that is surely enough, in pixels. */
double canvas_text_pixels(const char *text);
/* Text cut to so many pixels. */
const char *canvas_fit(struct canvas *canvas, const char *text, double pixels);
/* A colour for text: as dark as white paper needs. */
const char *canvas_dark(struct canvas *canvas, unsigned rgb);

#endif
