/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The picture of a calibration: measured times over size with their intervals, both axes logarithmic, and the segments that
 * were fitted to them; under it how far the measured times are from the segments.
 */
#include <string.h>

#include "base/decimal.h"
#include "base/error.h"
#include "report/palette.h"
#include "report/plot.h"
#include "report/typeset.h"

enum { LINES_MAX = 9, WIDTH = 1360, HEIGHT = 760, NAME_COLUMNS = 38 };

struct picture {
	const char *title, *subtitle;
	const struct paradl_fitted_curve *curves[LINES_MAX];
	const char *names[LINES_MAX];
	size_t count, all;
};

/* By the segments; 0: there are none. */
static double fitted_s(const struct paradl_fitted_curve *curve, double bytes)
{
	double time_s = 0;
	for (unsigned i = 0; i < curve->segment_count; i++)
		if (i == 0 || bytes >= curve->segments[i].from_bytes)
			time_s = curve->segments[i].a_s + curve->segments[i].s_per_byte * bytes;
	return time_s;
}

static void write_number(FILE *file, double value)
{
	char digits[DECIMAL_LENGTH];
	fprintf(file, "\t%s", decimal_general(digits, sizeof digits, value, 9));
}

static void write_point(FILE *file, const struct paradl_fitted_curve *curve, unsigned k)
{
	char digits[DECIMAL_LENGTH];
	const double time_s = curve->time_s[k], fit_s = fitted_s(curve, curve->bytes[k]);
	const double residual = fit_s > 0 ? 100 * (time_s / fit_s - 1) : 0;
	fputs(decimal_shortest(digits, sizeof digits, curve->bytes[k]), file);
	write_number(file, time_s);
	write_number(file, curve->low_s ? curve->low_s[k] : time_s);
	write_number(file, curve->high_s ? curve->high_s[k] : time_s);
	write_number(file, fit_s > 0 ? fit_s : time_s);
	fprintf(file, "\t%s%s\n", residual < 0 ? "-" : "",
		decimal_fixed(digits, sizeof digits, residual < 0 ? -residual : residual, 3));
}

/* A block for each curve: bytes, time, low, high, segments, percent that the time is above them. */
static void write_data(FILE *file, const void *what)
{
	const struct picture *const picture = what;
	for (size_t i = 0; i < picture->count; i++) {
		const struct paradl_fitted_curve *const curve = picture->curves[i];
		fputs(i > 0 ? "\n\n# " : "# ", file);
		gnuplot_field(file, picture->names[i]);
		fputs("\n# bytes\ttime_s\tlow_s\thigh_s\tsegments_s\tresidual_percent\n", file);
		for (unsigned k = 0; k < curve->point_count; k++)
			write_point(file, curve, k);
	}
}

/* The Okabe-Ito colours in the order of the phases' palette. */
static unsigned colour(size_t index)
{
	return phase_looks[index % PARADL_PHASE_COUNT].rgb;
}

static void write_times(FILE *file, struct paradl_arena *arena, const struct picture *picture)
{
	fputs("set tmargin at screen 0.86\nset bmargin at screen 0.42\n"
	      "set logscale y 10\nset format y '%.0s %cs'\nset format x ''\n"
	      "set ylabel 'time' textcolor rgb '#374151'\n"
	      "set key at screen 0.635,0.86 left top vertical Left reverse samplen 2 spacing 1.25 "
	      "noenhanced textcolor rgb '#374151'\nplot \\\n",
		file);
	for (size_t i = 0; i < picture->count; i++) {
		fprintf(file, " data index %zu using 1:5 with lines lw 2 lc rgb '#%06X' notitle, \\\n", i,
			colour(i));
		fprintf(file,
			" data index %zu using 1:2:3:4 with yerrorbars pt 7 ps 0.6 lw 1 lc rgb '#%06X' title "
			"%s%s",
			i, colour(i), gnuplot_quote(arena, picture->names[i]),
			i + 1 < picture->count ? ", \\\n" : "\n");
	}
}

static void write_residuals(FILE *file, const struct picture *picture)
{
	fputs("\nunset label 1\nunset label 2\nunset key\n"
	      "set tmargin at screen 0.37\nset bmargin at screen 0.11\n"
	      "unset logscale y\nset yrange [-30:30]\nset ytics 10\nset format y '%+.0f %%'\n"
	      "set format x '%.0b %BB'\nset xlabel 'size' textcolor rgb '#374151'\n"
	      "set ylabel 'off segments' textcolor rgb '#374151'\n"
	      "set label 3 'beyond 30 %: at the edge' at screen "
	      "0.635,0.12 left textcolor rgb "
	      "'#6b7280'\nplot \\\n"
	      " 0 with lines lw 1 lc rgb '#9ca3af' notitle, \\\n",
		file);
	for (size_t i = 0; i < picture->count; i++)
		fprintf(file,
			" data index %zu using 1:($6 > 29 ? 29 : $6 < -29 ? -29 : $6) with linespoints lw 1 "
			"pt 7 ps "
			"0.5 lc rgb '#%06X'%s",
			i, colour(i), i + 1 < picture->count ? ", \\\n" : "\n");
	fputs("unset multiplot\n", file);
}

static void write_script(
	FILE *file, struct paradl_arena *arena, const struct plot_files *files, const void *what)
{
	const struct picture *const picture = what;
	gnuplot_begin(file, arena, files, WIDTH, HEIGHT);
	fputs("set border 3\nset grid xtics ytics back lc rgb '#e5e7eb' lw 1 lt 1\n"
	      "set lmargin at screen 0.11\nset rmargin at screen 0.62\nset multiplot\n\n",
		file);
	gnuplot_titles(file, arena, picture->title, picture->subtitle, WIDTH, HEIGHT);
	fputs("set logscale x 2\nset xtics rotate by 0 autofreq\n", file);
	write_times(file, arena, picture);
	write_residuals(file, picture);
}

static void add_curves(
	struct report_sink *sink, const struct paradl_calibration *calibration, struct picture *picture)
{
	for (size_t i = 0; i < calibration->curve_count; i++) {
		const struct paradl_fitted_curve *const curve = &calibration->curves[i];
		if (curve->groups > 1 || curve->point_count < 2)
			continue;
		picture->all++;
		if (picture->count == LINES_MAX)
			continue;
		picture->curves[picture->count] = curve;
		picture->names[picture->count++] = typeset_cut(sink,
			typeset(sink, "%s %ux%u, %s%s%s", curve->operation, curve->nodes, curve->devices,
				curve->library, curve->buffer ? ", " : "",
				curve->buffer ? curve->buffer : ""),
			NAME_COLUMNS);
	}
}

bool plot_calibration(struct paradl_arena *arena, const struct report_calibration *report, const char *path,
	struct paradl_error *error)
{
	struct report_sink sink = {.arena = arena};
	struct picture picture = {.title = "Measured times, and segments fitted to them"};
	const struct plot_writer writer = {write_script, write_data, &picture};
	const struct paradl_calibration *const calibration = report->calibration;
	add_curves(&sink, calibration, &picture);
	if (picture.count == 0)
		return error_set(
			error, PARADL_USAGE, "there is no curve to draw: no times over sizes were measured");
	picture.subtitle = typeset(&sink, "operation nodes x devices%s%s · bars: 95 %% over launches%s",
		calibration->hosts && *calibration->hosts ? " · " : "",
		calibration->hosts ? calibration->hosts : "",
		picture.all > picture.count
			? typeset(&sink, " · the first %zu of %zu curves", picture.count, picture.all)
			: "");
	if (sink.out_of_memory)
		return error_set(error, PARADL_NO_MEMORY, "out of memory");
	return plot_write(arena, &writer, path, error);
}
