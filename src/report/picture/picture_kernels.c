/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Draws kernels in two panels for each device. The left panel has modelled over measured times, with the diagonal
 * and 20 % around it. The right panel has the roofline of the device (Williams et al., CACM 52(4), 2009), which is
 * the peaks of its number formats and the rate of its memory, and the rates that kernels reach below it. Colours
 * are kinds of kernels, or number formats where all kernels are of one kind.
 */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "report/picture/canvas.h"
#include "report/picture/marks.h"
#include "report/picture/picture.h"

enum { WIDTH = 1700, LEFT = 110, SIDE = 480, GAP = 150, KEY = 410, ROW = 640, FEW = 500, ROOFS_MAX = 8 };
static const double band = 0.2;

struct drawing {
	const struct paradl_kernels *kernels;
	bool by_precision;
	const char *groups[LINES_MAX]; /* names of the colours, in the order of their first kernels */
	size_t group_count;
};

struct group {
	size_t count, block;
	double error; /* mean relative error of the modelled times */
};

/* The two panels of one device. */
struct device_row {
	const struct drawing *drawing;
	const char *device;
	struct group groups[LINES_MAX], all;
	const struct paradl_kernel_roof *roofs[ROOFS_MAX]; /* peaks, the highest first */
	size_t roof_count;
	const struct paradl_kernel_roof *memory; /* rate of the memory; NULL: not known */
	struct panel times, rates;
};

static const char *name_of(const struct drawing *drawing, const struct paradl_kernel_point *point)
{
	return drawing->by_precision ? point->precision : point->kind;
}

static size_t group_of(const struct drawing *drawing, const struct paradl_kernel_point *point)
{
	size_t i = 0;
	while (i < drawing->group_count && strcmp(drawing->groups[i], name_of(drawing, point)) != 0)
		i++;
	return i;
}

static void groups_find(struct drawing *drawing)
{
	const struct paradl_kernel_point *const points = drawing->kernels->points;
	drawing->by_precision = true;
	for (size_t i = 1; i < drawing->kernels->point_count; i++)
		drawing->by_precision &= strcmp(points[i].kind, points[0].kind) == 0;
	for (size_t i = 0; i < drawing->kernels->point_count; i++)
		if (group_of(drawing, &points[i]) == drawing->group_count && drawing->group_count < LINES_MAX)
			drawing->groups[drawing->group_count++] = name_of(drawing, &points[i]);
}

/* Returns a kernel and stores its group; NULL where it is of another device or its group has no colour. */
static const struct paradl_kernel_point *point_at(const struct device_row *row, size_t index, size_t *group)
{
	const struct paradl_kernel_point *const point = &row->drawing->kernels->points[index];
	*group = group_of(row->drawing, point);
	return strcmp(point->device, row->device) == 0 && *group < row->drawing->group_count ? point : NULL;
}

static void group_add(struct group *group, double error)
{
	group->count++;
	group->error += (error - group->error) / (double)group->count;
}

static void roofs_find(struct device_row *row)
{
	for (size_t i = 0; i < row->drawing->kernels->roof_count; i++) {
		const struct paradl_kernel_roof *const roof = &row->drawing->kernels->roofs[i];
		if (strcmp(roof->device, row->device) != 0 || !(roof->rate > 0))
			continue;
		if (strcmp(roof->unit, "B/s") == 0) {
			row->memory = roof;
		} else if (row->roof_count < ROOFS_MAX) {
			size_t at = row->roof_count++;
			for (; at > 0 && row->roofs[at - 1]->rate < roof->rate; at--)
				row->roofs[at] = row->roofs[at - 1];
			row->roofs[at] = roof;
		}
	}
}

/* Returns the flop per byte at which memory keeps up with a rate; 0: it is not known. */
static double ridge_of(const struct device_row *row, double rate)
{
	return row->memory ? rate / row->memory->rate : 0;
}

/* Finds errors, roofs, and how far the axes go. */
static void row_fill(struct device_row *row)
{
	struct range times = {0, 0}, intensities = {0, 0}, rates = {0, 0};
	size_t group;
	for (size_t i = 0; i < row->drawing->kernels->point_count; i++) {
		const struct paradl_kernel_point *const point = point_at(row, i, &group);
		if (!point)
			continue;
		const double error = fabs(point->modelled_s / point->measured_s - 1);
		group_add(&row->groups[group], error);
		group_add(&row->all, error);
		range_add(&times, point->measured_s);
		range_add(&times, point->modelled_s);
		range_add(&intensities, point->flop / point->bytes);
		range_add(&rates, point->flop / point->measured_s);
	}
	roofs_find(row);
	for (size_t i = 0; i < row->roof_count; i++) {
		range_add(&rates, row->roofs[i]->rate);
		range_add(&intensities, ridge_of(row, row->roofs[i]->rate));
	}
	axis_fit(&row->times.x, times);
	axis_fit(&row->times.y, times);
	axis_fit(&row->rates.x, intensities);
	axis_fit(&row->rates.y, rates);
}

/* Writes a block for each group. */
static void write_points(struct canvas *canvas, struct device_row *row)
{
	size_t own;
	for (size_t group = 0; group < row->drawing->group_count; group++) {
		row->groups[group].block = canvas_block(canvas,
			typeset(&canvas->sink, "%s, %s: measured_s | modelled_s | flop_per_byte | flop_per_s",
				row->device, row->drawing->groups[group]));
		for (size_t i = 0; i < row->drawing->kernels->point_count; i++) {
			const struct paradl_kernel_point *const point = point_at(row, i, &own);
			if (!point || own != group)
				continue;
			canvas_number(canvas, point->measured_s);
			canvas_number(canvas, point->modelled_s);
			canvas_positive(canvas, point->flop / point->bytes);
			canvas_positive(canvas, point->flop / point->measured_s);
			canvas_row_end(canvas);
		}
	}
}

/* Draws small groups over large ones; the more points there are, the smaller and fainter each is. */
static void plot_points(struct canvas *canvas, const struct device_row *row, const char *columns)
{
	const bool is_dense = row->all.count > FEW;
	size_t order[LINES_MAX];
	for (size_t i = 0; i < row->drawing->group_count; i++) {
		size_t at = i;
		for (; at > 0 && row->groups[order[at - 1]].count < row->groups[i].count; at--)
			order[at] = order[at - 1];
		order[at] = i;
	}
	for (size_t i = 0; i < row->drawing->group_count; i++)
		if (row->groups[order[i]].count > 0)
			canvas_plot(canvas, " index %zu using %s with points pt %u ps %s lc rgb '#%s%06X'",
				row->groups[order[i]].block, columns, line_points[order[i]],
				is_dense ? "0.35" : "0.8", is_dense ? "A0" : "50", line_rgb[order[i]]);
}

static void draw_times(struct canvas *canvas, const struct device_row *row)
{
	const double ends[] = {row->times.x.least, row->times.x.most};
	const size_t diagonal =
		canvas_block(canvas, "diagonal: measured_s | modelled_s | 20 % less | 20 % more");
	for (size_t i = 0; i < 2; i++) {
		canvas_number(canvas, ends[i]);
		canvas_number(canvas, ends[i]);
		canvas_number(canvas, ends[i] * (1 - band));
		canvas_number(canvas, ends[i] * (1 + band));
		canvas_row_end(canvas);
	}
	canvas_panel(canvas, &row->times);
	canvas_plot(canvas, " index %zu using 1:3:4 with filledcurves lc rgb '#e5e7eb'", diagonal);
	plot_points(canvas, row, "1:2");
	canvas_plot(canvas, " index %zu using 1:2 with lines lw 1.2 lc rgb '#374151'", diagonal);
	canvas_panel_end(canvas);
}

/* Draws the rate of memory up to the highest peak. */
static void draw_memory(struct canvas *canvas, const struct device_row *row, const char *style)
{
	const struct panel *const panel = &row->rates;
	const double rate = row->memory->rate, high = ridge_of(row, row->roofs[0]->rate);
	const double low = fmax(panel->x.least, ridge_of(row, panel->y.least));
	canvas_line(canvas, panel_x(panel, low), panel_y(panel, low * rate), panel_x(panel, high),
		panel_y(panel, high * rate), INK_TEXT, style);
	canvas_label(canvas, panel->left + MARGIN_PIXELS, panel->top + LINE_PIXELS, SIDE_LEFT, INK_AXIS,
		typeset(&canvas->sink, "slope: memory %s",
			typeset_unit(&canvas->sink, rate, row->memory->unit, 3)));
}

/* Draws each peak from where memory keeps up with it; formats with the same one share a name. */
static void draw_roofs(struct canvas *canvas, const struct device_row *row)
{
	static const char style[] = "lw 1.4 front";
	struct report_sink *const sink = &canvas->sink;
	const struct panel *const panel = &row->rates;
	struct end_label labels[ROOFS_MAX];
	const char *names = "";
	size_t count = 0;
	for (size_t i = 0; i < row->roof_count; i++) {
		const struct paradl_kernel_roof *const roof = row->roofs[i];
		const double y = panel_y(panel, roof->rate), ridge = ridge_of(row, roof->rate);
		const bool is_last = i + 1 == row->roof_count || row->roofs[i + 1]->rate < roof->rate;
		names = typeset(sink, "%s%s%s", names, *names ? ", " : "", roof->what);
		canvas_line(canvas, panel_x(panel, fmax(ridge, panel->x.least)), y, panel->right, y, INK_TEXT,
			style);
		if (!is_last)
			continue;
		labels[count++] = (struct end_label){
			typeset(sink, "%s %s", names, typeset_unit(sink, roof->rate, roof->unit, 3)),
			0x374151, panel->right, y};
		names = "";
	}
	canvas_end_labels(canvas, panel, labels, count, panel->right + MARGIN_PIXELS);
	if (row->memory && row->roof_count > 0)
		draw_memory(canvas, row, style);
}

static void draw_rates(struct canvas *canvas, const struct device_row *row)
{
	struct report_sink *const sink = &canvas->sink;
	struct key_row key[LINES_MAX];
	const double x = row->rates.right + MARGIN_PIXELS;
	size_t count = 0;
	canvas_panel(canvas, &row->rates);
	plot_points(canvas, row, "3:4");
	draw_roofs(canvas, row);
	for (size_t i = 0; i < row->drawing->group_count; i++)
		if (row->groups[i].count > 0)
			key[count++] =
				(struct key_row){typeset(sink, "%s: %s, %.1f %%", row->drawing->groups[i],
							 typeset_whole(sink, (double)row->groups[i].count),
							 100 * row->groups[i].error),
					line_rgb[i], line_glyphs[i]};
	canvas_key(canvas, x, row->rates.bottom - 1.25 * LINE_PIXELS * (double)count, key, count);
	canvas_panel_end(canvas);
}

static void draw_device(struct canvas *canvas, struct device_row *row, size_t index)
{
	const double top = TOP_PIXELS + 60 + (double)index * ROW, bottom = top + SIDE;
	row->times = (struct panel){.left = LEFT,
		.right = LEFT + SIDE,
		.top = top,
		.bottom = bottom,
		.x = {.title = "measured", .base = 10, .kind = TICKS_TIME},
		.y = {.title = "modelled", .base = 10, .kind = TICKS_TIME}};
	row->rates = (struct panel){.left = LEFT + SIDE + GAP,
		.right = WIDTH - KEY,
		.top = top,
		.bottom = bottom,
		.x = {.title = "flop per byte", .base = 10, .kind = TICKS_COUNT},
		.y = {.title = "measured flop/s", .base = 10, .kind = TICKS_COUNT}};
	row_fill(row);
	write_points(canvas, row);
	canvas_label(canvas, MARGIN_PIXELS, top - 2.7 * LINE_PIXELS, SIDE_LEFT, INK_TEXT,
		typeset(&canvas->sink, "%s: %s kernels, mean error %.1f %%", row->device,
			typeset_whole(&canvas->sink, (double)row->all.count), 100 * row->all.error));
	draw_times(canvas, row);
	draw_rates(canvas, row);
}

/* Finds the names of the devices of the kernels, one for each roof of memory; returns their number. */
static size_t devices_find(const struct paradl_kernels *kernels, const char **devices)
{
	size_t count = 0;
	for (size_t i = 0; i < kernels->roof_count; i++)
		if (strcmp(kernels->roofs[i].what, "memory") == 0)
			devices[count++] = kernels->roofs[i].device;
	return count;
}

static bool paint(struct canvas *canvas, const void *what, struct paradl_error *error)
{
	const struct paradl_kernels *const kernels = ((const struct report_kernels *)what)->kernels;
	const bool is_left_out = kernels->error_count && !(kernels->errors[0].left_out_mean < 0);
	struct drawing drawing = {.kernels = kernels};
	const char **const devices =
		arena_alloc(canvas->sink.arena, kernels->roof_count + 1, sizeof *devices);
	if (!devices)
		return out_of_memory(error);
	const size_t count = devices_find(kernels, devices);
	groups_find(&drawing);
	canvas_begin(canvas, WIDTH, TOP_PIXELS + (double)count * ROW);
	canvas_titles(canvas, "Measured against modelled times of kernels, and rooflines of devices",
		typeset(&canvas->sink, "modelled %s · grey: within 20 %% · key: %s, kernels, mean error",
			is_left_out ? "with constants that were fitted without them" : "as device files say",
			drawing.by_precision ? "number format" : "kind"));
	for (size_t i = 0; i < count; i++) {
		struct device_row row = {.drawing = &drawing, .device = devices[i]};
		draw_device(canvas, &row, i);
	}
	return true;
}

const struct picture picture_kernels = {
	.name = "kernels",
	.summary = "measured against modelled times of kernels, and the roofline of their device",
	.commands = "fit validate",
	.paint = paint,
};
