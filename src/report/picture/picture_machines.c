/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Draws machines side by side. The first chart has the time of the best plan of each (for inference the amount by
 * which plans are compared), the second its cost where machines have prices; ranges are lines. The first machine,
 * and those that are equal to it within the ranges, are dark. Where there are several models or numbers of GPUs,
 * each has a group of rows, drawn in units of the least of its group.
 */
#include <math.h>

#include "base/error.h"
#include "report/picture/marks.h"
#include "report/picture/picture.h"
#include "report/study_text.h"

enum { ROWS_MOST = 24, NAME_COLUMNS = 44, DETAIL_COLUMNS = 54, CHART = 700, GAP = 40 };
/* Bars are cut at this many times the shortest, of which some 8 of a chart's 330 pixels are left. */
enum { CUT_RATIO = 40 };

static const unsigned first_rgb = 0x0072B2, other_rgb = 0x9BC4E2;
static const double heading = 0.9, half = 0.3; /* heights of a heading and of half a bar, in rows */

struct row {
	const struct paradl_compare_cell *cell;
	const char *name, *detail, *ranks[2]; /* ranks as text: by the first chart's amount, by cost */
	double least[2]; /* least value of the row's group in each chart; negative: not known */
	double y;        /* place from the top, in rows */
};

struct machines {
	const struct report_compare *report;
	struct row rows[ROWS_MOST];
	size_t count, groups, left_out;
	const char *headings[ROWS_MOST];
	double heading_y[ROWS_MOST];
	double height; /* height of all groups, in rows */
	double right;  /* right edge of the last chart, in pixels */
};

/* One of the two charts. */
struct chart {
	enum paradl_amount amount;
	size_t rank;
	double unit, most; /* unit of the axis, 0: the least of each group; length of cut bars, in units */
	const char *title;
};

/* Returns the amount of the first chart: the amount that the tables are sorted by, but the time where that is cost. */
static enum paradl_amount first_of(const struct report_compare *report)
{
	return report->by == PARADL_AMOUNT_COST ? PARADL_AMOUNT_TIME : report->by;
}

static double drawn(const struct chart *chart, const struct row *row, double value)
{
	const double unit = chart->unit > 0 ? chart->unit : row->least[chart->rank];
	return unit > 0 ? fmin(value / unit, chart->most) : 0;
}

/* Returns whether a row's bar, or the line of its range, goes on beyond what is drawn. */
static bool is_cut(const struct chart *chart, const struct row *row)
{
	const double unit = chart->unit > 0 ? chart->unit : row->least[chart->rank];
	return compare_range(row->cell, chart->amount).high > (1 + 1e-9) * chart->most * unit;
}

static bool any_cut(const struct machines *machines, const struct chart *chart)
{
	size_t i = 0;
	while (i < machines->count && !is_cut(chart, &machines->rows[i]))
		i++;
	return i < machines->count;
}

static double least_of(const struct paradl_compare_cell *cells, size_t count, enum paradl_amount amount)
{
	double least = -1;
	for (size_t i = 0; i < count; i++) {
		const double value = compare_range(&cells[i], amount).value;
		if (value >= 0 && (least < 0 || value < least))
			least = value;
	}
	return least;
}

static void add_row(struct report_sink *sink, struct machines *machines,
	const struct paradl_compare_cell *cells, size_t which)
{
	const struct report_compare *const report = machines->report;
	const struct paradl_compare_cell *const cell = &cells[which];
	struct row *const row = &machines->rows[machines->count++];
	const char *options = "";
	const char *const plan =
		cell->runs ? picture_axes(sink, picture_plan(sink, &cell->estimate.plan), &options) : "";
	row->cell = cell;
	row->name =
		typeset_cut(sink, typeset(sink, "%s", report->machines[cell->machine].name), NAME_COLUMNS);
	row->detail = cell->devices == 0
			      ? " "
			      : typeset_cut(sink,
					typeset(sink, "%s GPU%s%s%s", typeset_whole(sink, cell->devices),
						cell->devices > 1 ? "s" : "", *plan ? " · " : "", plan),
					DETAIL_COLUMNS);
	for (size_t i = 0; i < 2; i++)
		row->ranks[i] = compare_rank_text(
			sink, report, cells, which, i == 1 ? PARADL_AMOUNT_COST : first_of(report));
	row->y = machines->height += 1;
}

/*
 * Returns a group's heading, "Llama-2-7B, 100 G tokens: 64 GPUs", without parts that all groups share; "" where
 * all do.
 */
static const char *heading_of(
	struct report_sink *sink, const struct report_compare *report, size_t model, size_t which)
{
	const struct paradl_comparison *const comparison = report->comparison;
	const struct paradl_compare_cell *const cell =
		&comparison->cells[(model * comparison->device_count + which) * comparison->machine_count];
	const char *const devices = comparison->device_count > 1
					    ? typeset(sink, "%s GPUs", typeset_whole(sink, cell->devices))
					    : "";
	if (comparison->model_count == 1)
		return devices;
	return typeset(sink, "%s, %s%s%s", typeset_cut(sink, report->models[model].name, NAME_COLUMNS),
		compare_job_text(sink, report, model), *devices ? ": " : "", devices);
}

static void add_group(
	struct report_sink *sink, struct machines *machines, size_t model, size_t which, size_t *order)
{
	const struct report_compare *const report = machines->report;
	const struct paradl_comparison *const comparison = report->comparison;
	const struct paradl_compare_cell *const cells =
		&comparison->cells[(model * comparison->device_count + which) * comparison->machine_count];
	const char *const text = heading_of(sink, report, model, which);
	if (machines->count + comparison->machine_count > ROWS_MOST) {
		machines->left_out++;
		return;
	}
	if (*text) {
		machines->heading_y[machines->groups] = machines->height + heading;
		machines->headings[machines->groups++] = text;
		machines->height += heading;
	}
	compare_sort(report, cells, report->by, order);
	for (size_t i = 0; i < comparison->machine_count; i++) {
		struct row *const row = &machines->rows[machines->count];
		row->least[0] = least_of(cells, comparison->machine_count, first_of(report));
		row->least[1] = least_of(cells, comparison->machine_count, PARADL_AMOUNT_COST);
		add_row(sink, machines, cells, order[i]);
	}
}

/* Finds where the chart's bars are cut: much beyond the shortest. Returns false where no row's amount is known. */
static bool fit_chart(const struct machines *machines, struct chart *chart)
{
	double most = 0, least = HUGE_VAL;
	chart->most = HUGE_VAL;
	for (size_t i = 0; i < machines->count; i++) {
		const struct row *const row = &machines->rows[i];
		const struct paradl_range range = compare_range(row->cell, chart->amount);
		if (range.value < 0)
			continue;
		most = fmax(most, drawn(chart, row, range.high));
		least = fmin(least, drawn(chart, row, range.high));
	}
	chart->most = fmin(most, CUT_RATIO * least);
	return most > 0;
}

static const char *note_of(
	struct report_sink *sink, const struct machines *machines, const struct chart *chart, size_t which)
{
	const struct row *const row = &machines->rows[which];
	const struct paradl_range range = compare_range(row->cell, chart->amount);
	if (range.value < 0)
		return chart->rank == 0 ? row->cell->reason : row->cell->runs ? "no price that compares" : "";
	return typeset(sink, "%s · %s%s",
		chart->amount == PARADL_AMOUNT_COST
			? typeset_money(sink, range.value, machines->report->currency)
		: chart->amount == PARADL_AMOUNT_WORK
			? compare_speed(sink, machines->report, row->cell->model, range.value)
			: typeset_quantity(sink, range.value, DIMENSION_TIME),
		row->ranks[chart->rank], is_cut(chart, row) ? " · cut" : "");
}

/* Writes the chart's block; "cut" is where a range is cut, whose "high" is empty. */
static void write_data(struct canvas *canvas, const struct machines *machines, const struct chart *chart)
{
	canvas_block(
		canvas, typeset(&canvas->sink, "%s: row | value | low | high | colour | cut", chart->title));
	for (size_t i = 0; i < machines->count; i++) {
		const struct paradl_compare_cell *const cell = machines->rows[i].cell;
		const struct paradl_range range = compare_range(cell, chart->amount);
		const unsigned rank = cell->ranks[chart->amount];
		canvas_number(canvas, machines->rows[i].y);
		canvas_positive(canvas, drawn(chart, &machines->rows[i], range.value));
		canvas_positive(canvas, drawn(chart, &machines->rows[i], range.low));
		const double end = drawn(chart, &machines->rows[i], range.high);
		const bool cut = is_cut(chart, &machines->rows[i]);
		canvas_positive(canvas, cut ? 0 : end);
		canvas_number(canvas, rank == 1 ? first_rgb : other_rgb);
		canvas_positive(canvas, cut ? end : 0);
		canvas_row_end(canvas);
	}
}

/* Draws a gap through a bar that is cut, near its end. */
static void draw_gap(struct canvas *canvas, const struct panel *panel, const struct row *row, double end)
{
	enum { BEFORE_END = 14, SLANT = 3 };
	const double x = panel_x(panel, end) - BEFORE_END;
	canvas_line(canvas, x - SLANT, panel_y(panel, row->y + half), x + SLANT,
		panel_y(panel, row->y - half), "white", "lw 4 front");
}

/*
 * Returns the width for a row's note, in pixels. The reason why a machine does not run a network may go on into
 * the next chart, where that machine has no bar.
 */
static double room_for_reason(
	const struct machines *machines, const struct row *row, const struct panel *panel)
{
	return (row->cell->runs ? panel->right : machines->right) - panel->left - MARGIN_PIXELS;
}

/* Draws a chart. Notes stand behind the ends of ranges; the axis is long enough that notes have room there. */
static void draw_chart(
	struct canvas *canvas, const struct machines *machines, const struct chart *chart, struct panel panel)
{
	const double room = panel.right - panel.left;
	double notes = 0;
	for (size_t i = 0; i < machines->count; i++)
		if (compare_range(machines->rows[i].cell, chart->amount).value >= 0)
			notes = fmax(notes, canvas_text_pixels(note_of(&canvas->sink, machines, chart, i)));
	notes = fmin(notes + MARGIN_PIXELS, room / 2);
	panel.x = (struct axis){chart->title, 0, chart->most / (1 - notes / room), 0,
		chart->rank == 0 || !(chart->unit > 0) ? TICKS_NUMBER : TICKS_COUNT,
		any_cut(machines, chart) ? chart->most : 0};
	canvas_panel(canvas, &panel);
	write_data(canvas, machines, chart);
	canvas_plot(canvas,
		" index %zu using 2:1:(0):2:($1 - %.2f):($1 + %.2f):5 with boxxyerror fs solid 1 noborder "
		"lc rgb variable",
		chart->rank, half, half);
	canvas_plot(canvas, " index %zu using 2:1:3:4 with xerrorbars ps 0 lw 2 lc rgb '" INK_TEXT "'",
		chart->rank);
	canvas_plot(canvas,
		" index %zu using 3:1:($6 - $3):(0) with vectors nohead lw 2 lc rgb '" INK_TEXT "'",
		chart->rank);
	for (size_t i = 0; i < machines->count; i++) {
		const struct row *const row = &machines->rows[i];
		const struct paradl_range range = compare_range(row->cell, chart->amount);
		const bool known = range.value >= 0;
		const double end = known ? drawn(chart, row, range.high) : 0;
		if (is_cut(chart, row))
			draw_gap(canvas, &panel, row, end);
		canvas_label(canvas, panel_x(&panel, end) + MARGIN_PIXELS / 2.0, panel_y(&panel, row->y),
			SIDE_LEFT,
			known             ? INK_TEXT
			: row->cell->runs ? INK_FAINT
					  : INK_ALARM,
			canvas_fit(canvas, note_of(&canvas->sink, machines, chart, i),
				known ? notes : room_for_reason(machines, row, &panel)));
	}
	canvas_panel_end(canvas);
}

/* Draws the names of rows and groups, left of the first chart. */
static void draw_names(struct canvas *canvas, const struct machines *machines, const struct panel *panel)
{
	const double x = panel->left - MARGIN_PIXELS / 2.0;
	for (size_t i = 0; i < machines->count; i++) {
		const double y = panel_y(panel, machines->rows[i].y);
		canvas_label(canvas, x, y - 0.44 * LINE_PIXELS, SIDE_RIGHT, INK_TEXT, machines->rows[i].name);
		canvas_label_sized(canvas, x, y + 0.50 * LINE_PIXELS, SIDE_RIGHT, 12, INK_FAINT,
			machines->rows[i].detail);
	}
	for (size_t i = 0; i < machines->groups; i++)
		canvas_label(canvas, MARGIN_PIXELS, panel_y(panel, machines->heading_y[i]), SIDE_LEFT,
			INK_AXIS, machines->headings[i]);
}

static double widest_name(const struct machines *machines)
{
	static const double small = 0.8; /* width of small text, as a share of usual text */
	double most = 0;
	for (size_t i = 0; i < machines->count; i++) {
		most = fmax(most, canvas_text_pixels(machines->rows[i].name));
		most = fmax(most, small * canvas_text_pixels(machines->rows[i].detail));
	}
	return most;
}

static void draw_titles(
	struct canvas *canvas, const struct machines *machines, const struct chart *charts, size_t count)
{
	const bool cut = any_cut(machines, &charts[0]) || (count > 1 && any_cut(machines, &charts[1]));
	struct report_sink *const sink = &canvas->sink;
	const struct report_compare *const report = machines->report;
	const struct paradl_comparison *const comparison = report->comparison;
	const char *const job =
		comparison->model_count > 1
			? typeset(sink, "%zu models", comparison->model_count)
			: typeset(sink, "%s, %s", typeset_cut(sink, report->models->name, NAME_COLUMNS),
				  compare_job_text(sink, report, 0));
	canvas_titles(canvas,
		typeset(sink, "%s%s: the best plan of each machine", job,
			compare_constraint_text(sink, report)),
		typeset(sink,
			"lines: what is not known exactly · full colour: first, or equal to it within that "
			"(=)%s%s",
			cut ? " · cut: longer than drawn" : "",
			machines->left_out > 0 ? typeset(sink, " · %zu more not drawn", machines->left_out)
					       : ""));
}

static void draw(struct canvas *canvas, struct machines *machines, const struct chart *charts, size_t count)
{
	const struct rows_place place = rows_place(widest_name(machines), count > 1 ? 1.4 * CHART : CHART,
		MARGIN_PIXELS, 0, (size_t)ceil(machines->height));
	const double middle = (place.left + place.right) / 2;
	struct panel panel = {place.left, count > 1 ? middle - GAP / 2.0 : place.right, place.top,
		place.bottom, {0}, {.least = machines->height + 0.6, .most = 0.4, .kind = TICKS_NONE}, true};
	machines->right = place.right;
	canvas_begin(canvas, place.width, place.height);
	draw_titles(canvas, machines, charts, count);
	draw_names(canvas, machines, &panel);
	for (size_t i = 0; i < count; i++) {
		draw_chart(canvas, machines, &charts[i], panel);
		panel.left = middle + GAP / 2.0;
		panel.right = place.right;
	}
}

/* Returns the title of the first chart's axis, "hours", or for inference "seconds until the whole answer". */
static const char *first_title(
	struct report_sink *sink, const struct report_compare *report, const char *unit)
{
	if (report->samples)
		return unit;
	return report->by == PARADL_AMOUNT_WORK ? typeset(sink, "%s of a GPU for each %s", unit,
							  report->models->generates ? "token" : "sample")
						: typeset(sink, "%s until the whole answer", unit);
}

/*
 * Sets the titles and units of both axes: units of time and money where there is one model and number of GPUs, else
 * multiples of the least of each group.
 */
static void title_charts(struct report_sink *sink, const struct machines *machines, struct chart charts[2])
{
	const struct report_compare *const report = machines->report;
	const char *const unit = compare_unit(report, 0);
	if (machines->groups > 0) {
		charts[0].title = report->by == PARADL_AMOUNT_WORK ? "times as many GPUs as the least"
								   : "times as long as the fastest";
		charts[1].title = typeset(sink, "times as much as the cheapest (%s)", compare_basis(report));
		return;
	}
	charts[0].unit = 1;
	const bool known = fit_chart(machines, &charts[0]);
	const struct time_scale scale = axis_time_scale(known ? charts[0].most : 1);
	charts[0].unit = scale.seconds;
	charts[0].title = first_title(sink, report, scale.name);
	charts[1].unit = 1;
	charts[1].title = report->currency ? typeset(sink, "%s%s%s (%s)", report->currency,
						     report->samples ? "" : " a ",
						     report->samples ? "" : unit, compare_basis(report))
					   : "";
}

static bool paint(struct canvas *canvas, const void *what, struct paradl_error *error)
{
	const struct report_compare *const report = what;
	const struct paradl_comparison *const comparison = report->comparison;
	struct machines *const machines = arena_alloc(canvas->sink.arena, 1, sizeof *machines);
	size_t *const order = arena_alloc(canvas->sink.arena, comparison->machine_count, sizeof *order);
	struct chart charts[2] = {{.amount = first_of(report)}, {.amount = PARADL_AMOUNT_COST, .rank = 1}};
	if (!machines || !order)
		return out_of_memory(error);
	*machines = (struct machines){.report = report};
	for (size_t model = 0; model < comparison->model_count; model++)
		for (size_t i = 0; i < comparison->device_count; i++)
			add_group(&canvas->sink, machines, model, i, order);
	title_charts(&canvas->sink, machines, charts);
	if (!fit_chart(machines, &charts[0]))
		return error_set(
			error, PARADL_INFEASIBLE, "there is nothing to draw: nothing runs on any machine");
	draw(canvas, machines, charts, fit_chart(machines, &charts[1]) ? 2 : 1);
	return true;
}

const struct picture picture_machines = {
	.name = "machines",
	.summary = "machines side by side: time and cost, with ranges",
	.commands = "compare",
	.paint = paint,
};
