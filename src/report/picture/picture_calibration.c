/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Draws a calibration. The upper panel has measured times with their intervals over size, both axes logarithmic,
 * and the segments that were fitted to them. The lower panel has the residuals: how far measured times are from
 * the segments.
 */
#include <math.h>

#include "base/error.h"
#include "report/picture/canvas.h"
#include "report/picture/marks.h"
#include "report/picture/picture.h"

enum { WIDTH = 1400, HEIGHT = 860, NAME_COLUMNS = 44, KEY = 470, RESIDUAL_MOST = 30 };

struct curves {
	const struct paradl_fitted_curve *items[LINES_MAX];
	const char *names[LINES_MAX];
	size_t count, all;
};

/* Returns the time that the fitted segments give for a size, in seconds; 0: the curve has no segments. */
static double fitted_s(const struct paradl_fitted_curve *curve, double bytes)
{
	double time_s = 0;
	for (unsigned i = 0; i < curve->segment_count; i++)
		if (i == 0 || bytes >= curve->segments[i].from_bytes)
			time_s = curve->segments[i].a_s + curve->segments[i].s_per_byte * bytes;
	return time_s;
}

static void write_point(struct canvas *canvas, const struct paradl_fitted_curve *curve, unsigned k)
{
	const double time_s = curve->time_s[k], fit_s = fitted_s(curve, curve->bytes[k]);
	canvas_number(canvas, curve->bytes[k]);
	canvas_number(canvas, time_s);
	canvas_number(canvas, curve->low_s ? curve->low_s[k] : time_s);
	canvas_number(canvas, curve->high_s ? curve->high_s[k] : time_s);
	canvas_number(canvas, fit_s > 0 ? fit_s : time_s);
	canvas_number(canvas, fit_s > 0 ? 100 * (time_s / fit_s - 1) : 0);
	canvas_row_end(canvas);
}

/* Writes a block for each curve: bytes, time, low, high, time by the segments, percent that the time is above that. */
static void write_data(struct canvas *canvas, const struct curves *curves)
{
	for (size_t i = 0; i < curves->count; i++) {
		canvas_block(canvas, curves->names[i]);
		fputs("# bytes\ttime_s\tlow_s\thigh_s\tsegments_s\tresidual_percent\n", canvas->data);
		for (unsigned k = 0; k < curves->items[i]->point_count; k++)
			write_point(canvas, curves->items[i], k);
	}
}

static struct panel place_times(const struct curves *curves)
{
	struct panel panel = {.left = 120,
		.right = WIDTH - KEY,
		.top = TOP_PIXELS + 26,
		.bottom = 500,
		.x = {.base = 2, .kind = TICKS_BYTES},
		.y = {.title = "time", .base = 10, .kind = TICKS_TIME}};
	struct range bytes = {0, 0}, times = {0, 0};
	for (size_t i = 0; i < curves->count; i++)
		for (unsigned k = 0; k < curves->items[i]->point_count; k++) {
			range_add(&bytes, curves->items[i]->bytes[k]);
			range_add(&times, curves->items[i]->time_s[k]);
			if (curves->items[i]->high_s)
				range_add(&times, curves->items[i]->high_s[k]);
			range_add(&times, fitted_s(curves->items[i], curves->items[i]->bytes[k]));
		}
	axis_fit(&panel.x, bytes);
	axis_fit(&panel.y, times);
	return panel;
}

static void draw_times(struct canvas *canvas, const struct curves *curves, const struct panel *panel)
{
	struct key_row key[LINES_MAX];
	canvas_panel(canvas, panel);
	for (size_t i = 0; i < curves->count; i++) {
		key[i] = (struct key_row){curves->names[i], line_rgb[i], line_glyphs[i]};
		canvas_plot(canvas, " index %zu using 1:5 with lines lw 2 lc rgb '#%06X'", i, line_rgb[i]);
		canvas_plot(canvas,
			" index %zu using 1:2:3:4 with yerrorbars pt %u ps 0.7 lw 1 lc rgb '#%06X'", i,
			line_points[i], line_rgb[i]);
	}
	canvas_key(canvas, panel->right + MARGIN_PIXELS, panel->top, key, curves->count);
	canvas_panel_end(canvas);
}

static void draw_residuals(struct canvas *canvas, const struct curves *curves, struct panel panel)
{
	panel.top = 580;
	panel.bottom = HEIGHT - 76;
	panel.x.title = "size";
	panel.y =
		(struct axis){"measured above segments", -RESIDUAL_MOST, RESIDUAL_MOST, 0, TICKS_PERCENT, 0};
	canvas_panel(canvas, &panel);
	canvas_label(canvas, panel.right + MARGIN_PIXELS, panel.bottom - LINE_PIXELS, SIDE_LEFT, INK_FAINT,
		"beyond 30 %: at the edge");
	canvas_line(
		canvas, panel.left, panel_y(&panel, 0), panel.right, panel_y(&panel, 0), "#9ca3af", "lw 1");
	for (size_t i = 0; i < curves->count; i++)
		canvas_plot(canvas,
			" index %zu using 1:($6 > 29 ? 29 : $6 < -29 ? -29 : $6) with linespoints lw 1 pt %u "
			"ps 0.6 lc rgb '#%06X'",
			i, line_points[i], line_rgb[i]);
	canvas_panel_end(canvas);
}

static void add_curves(
	struct report_sink *sink, const struct paradl_calibration *calibration, struct curves *curves)
{
	for (size_t i = 0; i < calibration->curve_count; i++) {
		const struct paradl_fitted_curve *const curve = &calibration->curves[i];
		if (curve->groups > 1 || curve->point_count < 2)
			continue;
		curves->all++;
		if (curves->count == LINES_MAX)
			continue;
		curves->items[curves->count] = curve;
		curves->names[curves->count++] = typeset_cut(sink,
			typeset(sink, "%s %ux%u, %s%s%s", curve->operation, curve->nodes, curve->devices,
				curve->library, curve->buffer ? ", " : "",
				curve->buffer ? curve->buffer : ""),
			NAME_COLUMNS);
	}
}

static bool paint(struct canvas *canvas, const void *what, struct paradl_error *error)
{
	const struct paradl_calibration *const calibration =
		((const struct report_calibration *)what)->calibration;
	struct report_sink *const sink = &canvas->sink;
	struct curves curves = {.count = 0};
	add_curves(sink, calibration, &curves);
	if (curves.count == 0)
		return error_set(
			error, PARADL_USAGE, "there is no curve to draw: no times over sizes were measured");
	const struct panel times = place_times(&curves);
	canvas_begin(canvas, WIDTH, HEIGHT);
	canvas_titles(canvas, "Measured times, and segments fitted to them",
		typeset(sink, "operation nodes x devices%s%s · bars: 95 %% over launches%s",
			calibration->hosts && *calibration->hosts ? " · " : "",
			calibration->hosts ? calibration->hosts : "",
			curves.all > curves.count
				? typeset(sink, " · the first %zu of %zu curves", curves.count, curves.all)
				: ""));
	write_data(canvas, &curves);
	draw_times(canvas, &curves, &times);
	draw_residuals(canvas, &curves, times);
	return true;
}

const struct picture picture_calibration = {
	.name = "calibration",
	.summary = "measured times over size, the segments fitted to them, and what is between",
	.commands = "fit",
	.paint = paint,
};
