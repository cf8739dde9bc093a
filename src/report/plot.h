/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef REPORT_PLOT_H
#define REPORT_PLOT_H

#include "report/report.h"

/*
 * Draws an advice with gnuplot: NAME.gp and NAME.dat beside the picture `path` (.png or .svg; .gp stops
 * there), for users to edit and draw again. gnuplot missing or failing is PARADL_NO_TOOL and keeps both.
 */
bool plot_advice(struct paradl_arena *arena, const struct report_advice *advice, const char *path,
	struct paradl_error *error);

/* The same of one operation: time over size, a line for each algorithm, or for each network. */
bool plot_collective(struct paradl_arena *arena, const struct report_collective *report, const char *path,
	struct paradl_error *error);

/* Measured curves with their segments, and under them how far off the segments are. */
bool plot_calibration(struct paradl_arena *arena, const struct report_calibration *report, const char *path,
	struct paradl_error *error);

/* plot.c: the files that a picture is made of, and gnuplot on them; `what` is the functions'. */
struct plot_files {
	const char *picture, *script, *data; /* paths; picture is that of the script when drawn again */
};
struct plot_writer {
	void (*script)(
		FILE *file, struct paradl_arena *arena, const struct plot_files *files, const void *what);
	void (*data)(FILE *file, const void *what);
	const void *what;
};
bool plot_write(struct paradl_arena *arena, const struct plot_writer *writer, const char *path,
	struct paradl_error *error);

/* One bar of the picture. */
struct plot_row {
	const char *name, *note;          /* left of it, and at its end (or on it, if it is not feasible) */
	double parts[PARADL_PHASE_COUNT]; /* in the units of the axis */
	bool feasible;
};

struct plot {
	const char *title, *subtitle, *axis;
	const struct plot_row *rows;
	size_t row_count;
	double most; /* longer bars are cut */
};

/* gnuplot.c: the two files, as text. User text is in single quotes or in the data file, nowhere else. */
void gnuplot_script(FILE *file, struct paradl_arena *arena, const struct plot_files *files, const void *what);
void gnuplot_data(FILE *file, const void *what);
/* Terminal, output and data file; then the two lines above a chart. */
void gnuplot_begin(
	FILE *file, struct paradl_arena *arena, const struct plot_files *files, size_t width, size_t height);
void gnuplot_titles(FILE *file, struct paradl_arena *arena, const char *title, const char *subtitle,
	size_t width, size_t height);
/* A field of the data file in double quotes. */
void gnuplot_field(FILE *file, const char *text);
/* Text as a gnuplot string in single quotes, which expand nothing; control characters become spaces. */
const char *gnuplot_quote(struct paradl_arena *arena, const char *text);

/* gnuplot_run.c: no shell, LC_ALL=C, draws to `temporary`. */
bool gnuplot_run(
	struct paradl_arena *arena, const char *script, const char *temporary, struct paradl_error *error);

#endif
