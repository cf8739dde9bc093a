/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Draws a collective operation: its time over the message size, both axes logarithmic. There is one line for each
 * algorithm (at most LINES_MAX, first those that are best at some size) or for each network. A wide grey line
 * underneath is the best of each size; dotted lines stand at the sizes from which another algorithm is best.
 * Measured times are rings, times of the machine's profile are dashed.
 */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "report/picture/canvas.h"
#include "report/picture/marks.h"
#include "report/picture/picture.h"

enum { WIDTH = 1400, HEIGHT = 760, NAME_COLUMNS = 24, CROSSOVER_PIXELS = 84 };

struct line {
	const char *name;
	const double *times_s; /* time of each row of the table; NULL: the time_s of the rows */
	const struct paradl_collective_table *table;
};

struct lines {
	const struct paradl_collective_table *table; /* table whose sizes and crossovers are drawn */
	const struct paradl_timings *timings;        /* measured times; NULL: none */
	bool is_measured;                            /* whether the machine's profile has measured times */
	struct line lines[LINES_MAX];
	size_t count;
	bool has_best;
};

static double time_of(const struct line *line, size_t row)
{
	return line->times_s ? line->times_s[row] : line->table->rows[row].time_s;
}

/*
 * Writes a block with bytes, a column for each line, the best of the model, and the times of the profile; in a
 * second block the measured times.
 */
static void write_data(struct canvas *canvas, const struct lines *lines)
{
	const char *columns = "bytes";
	for (size_t i = 0; i < lines->count; i++)
		columns = typeset(&canvas->sink, "%s | %s", columns, lines->lines[i].name);
	canvas_block(canvas, typeset(&canvas->sink, "%s | best | of the profile", columns));
	for (size_t row = 0; row < lines->table->row_count; row++) {
		canvas_number(canvas, lines->table->rows[row].bytes);
		for (size_t i = 0; i < lines->count; i++) {
			const double time_s = time_of(&lines->lines[i], row);
			canvas_positive(canvas, time_s);
		}
		canvas_positive(canvas, lines->table->rows[row].model_s);
		canvas_positive(canvas, lines->table->rows[row].origin == PARADL_MODELLED
						? 0
						: lines->table->rows[row].time_s);
		canvas_row_end(canvas);
	}
	if (!lines->timings)
		return;
	canvas_block(canvas, "measured: bytes | time_s");
	for (size_t i = 0; i < lines->timings->count; i++) {
		canvas_number(canvas, lines->timings->items[i].bytes);
		canvas_number(canvas, lines->timings->items[i].time_s);
		canvas_row_end(canvas);
	}
}

static struct panel place(const struct lines *lines)
{
	struct panel panel = {.left = 96,
		.right = WIDTH - 330,
		.top = TOP_PIXELS + 44,
		.bottom = HEIGHT - 76,
		.x = {.title = "size", .base = 2, .kind = TICKS_BYTES},
		.y = {.title = "time", .base = 10, .kind = TICKS_TIME}};
	struct range bytes = {0, 0}, times = {0, 0};
	for (size_t row = 0; row < lines->table->row_count; row++) {
		range_add(&bytes, lines->table->rows[row].bytes);
		range_add(&times, lines->table->rows[row].time_s);
		for (size_t i = 0; i < lines->count; i++)
			range_add(&times, time_of(&lines->lines[i], row));
	}
	for (size_t i = 0; lines->timings && i < lines->timings->count; i++) {
		range_add(&bytes, lines->timings->items[i].bytes);
		range_add(&times, lines->timings->items[i].time_s);
	}
	axis_fit(&panel.x, bytes);
	axis_fit(&panel.y, times);
	return panel;
}

/*
 * Draws dotted lines at the sizes from which another algorithm is best, and their sizes above as far as there is
 * room.
 */
static void draw_crossovers(
	struct canvas *canvas, const struct panel *panel, const struct paradl_collective_table *table)
{
	double last = panel->left;
	for (size_t i = 0; i < table->crossover_count; i++) {
		const double x = panel_x(panel, table->crossovers[i].bytes);
		canvas_line(canvas, x, panel->top, x, panel->bottom, "#9ca3af", "dt 3 lw 1 back");
		if (x - last < CROSSOVER_PIXELS || x + CROSSOVER_PIXELS / 2.0 > panel->right)
			continue;
		canvas_label_sized(canvas, x, panel->top - LINE_PIXELS / 2.0, SIDE_CENTER, 13, INK_FAINT,
			typeset_quantity(&canvas->sink, table->crossovers[i].bytes, DIMENSION_BYTES));
		last = x;
	}
}

static void draw(struct canvas *canvas, const struct lines *lines, const struct panel *panel)
{
	struct end_label labels[LINES_MAX + 1];
	const size_t last = lines->table->row_count - 1;
	size_t count = lines->count;
	canvas_panel(canvas, panel);
	write_data(canvas, lines);
	if (lines->has_best) { /* the lines are algorithms of one network */
		draw_crossovers(canvas, panel, lines->table);
		canvas_plot(
			canvas, " index 0 using 1:%zu with lines lw 10 lc rgb '#d1d5db'", lines->count + 2);
	}
	for (size_t i = 0; i < lines->count; i++) {
		canvas_plot(canvas, " index 0 using 1:%zu with linespoints lw 2 pt %u ps 0.7 lc rgb '#%06X'",
			i + 2, line_points[i], line_rgb[i]);
		labels[i] = (struct end_label){lines->lines[i].name, line_rgb[i],
			panel_x(panel, lines->table->rows[last].bytes),
			panel_y(panel, time_of(&lines->lines[i], last))};
	}
	if (lines->is_measured) {
		canvas_plot(canvas,
			" index 0 using 1:%zu with linespoints lw 2 dt 2 pt 6 ps 1.4 lc rgb '" INK_TEXT "'",
			lines->count + 3);
		labels[count++] = (struct end_label){"measured (profile)", 0x111827,
			panel_x(panel, lines->table->rows[last].bytes),
			panel_y(panel, lines->table->rows[last].time_s)};
	}
	if (lines->timings)
		canvas_plot(canvas, " index 1 using 1:2 with points pt 6 ps 2 lw 2 lc rgb '" INK_TEXT "'");
	canvas_end_labels(canvas, panel, labels, count, panel->right + 2.0 * MARGIN_PIXELS);
	canvas_panel_end(canvas);
}

static bool is_best_somewhere(const struct paradl_collective_table *table, size_t choice)
{
	for (size_t i = 0; i < table->row_count; i++)
		if (table->rows[i].choice == choice)
			return true;
	return false;
}

static void add_algorithms(struct report_sink *sink, struct lines *lines)
{
	const struct paradl_collective_table *const table = lines->table;
	for (size_t pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < table->choice_count && lines->count < LINES_MAX; i++)
			if (is_best_somewhere(table, i) == (pass == 0))
				lines->lines[lines->count++] = (struct line){
					typeset_cut(sink, typeset(sink, "%s", report_algorithm(table, i)),
						NAME_COLUMNS),
					table->choices[i].time_s, table};
	lines->has_best = true;
	for (size_t i = 0; i < table->row_count; i++)
		lines->is_measured = lines->is_measured || table->rows[i].origin != PARADL_MODELLED;
}

static void add_networks(
	struct report_sink *sink, const struct report_collective *report, struct lines *lines)
{
	for (size_t i = 0; i < report->count && lines->count < LINES_MAX; i++)
		lines->lines[lines->count++] = (struct line){
			typeset_cut(sink, typeset(sink, "%s", report->networks[i].info.name), NAME_COLUMNS),
			NULL, &report->networks[i].table};
}

/* Returns what the marks mean that have no name at their ends. */
static const char *legend(struct report_sink *sink, const struct lines *lines)
{
	const char *const crossovers =
		lines->has_best && lines->table->crossover_count > 0 ? " · dotted: where that changes" : "";
	return typeset(sink, "%s%s%s", lines->has_best ? " · grey: the best of each size" : "", crossovers,
		lines->timings ? typeset(sink, " · large rings: %s", lines->timings->tool) : "");
}

static bool paint(struct canvas *canvas, const void *what, struct paradl_error *error)
{
	const struct report_collective *const report = what;
	struct report_sink *const sink = &canvas->sink;
	struct lines lines = {.table = &report->networks->table, .timings = report->timings};
	const struct paradl_collective_table *const table = lines.table;
	const char *const operation = paradl_operation_name(table->operation);
	const char *title = typeset(sink, "%s on %zu networks", operation, report->count);
	const char *subtitle = "the best algorithm of each size and network";
	if (table->row_count == 0)
		return error_set(error, PARADL_USAGE, "there is no size to draw");
	if (report->compares) {
		add_networks(sink, report, &lines);
	} else {
		add_algorithms(sink, &lines);
		title = typeset(sink, "%s on %s, %s ranks", operation, report->networks->info.name,
			typeset_whole(sink, table->ranks));
		subtitle = typeset(sink, "%u group%s at once · %s", table->concurrent,
			table->concurrent > 1 ? "s" : "", report->placement);
	}
	const struct panel panel = place(&lines);
	canvas_begin(canvas, WIDTH, HEIGHT);
	canvas_titles(canvas, title, typeset(sink, "%s%s", subtitle, legend(sink, &lines)));
	draw(canvas, &lines, &panel);
	return true;
}

const struct picture picture_collective = {
	.name = "collective",
	.summary = "an operation of many devices: time over size by algorithm or network",
	.commands = "collective",
	.paint = paint,
};
