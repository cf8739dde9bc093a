/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Draws a step of a pipeline. Each device has a lane with forward and backward of every micro-batch; idle time is
 * hatched. Where there are too many operations to be seen one by one, a lane has the shares of each piece of time,
 * stacked.
 */
#include <math.h>

#include "base/error.h"
#include "report/palette.h"
#include "report/picture/canvas.h"
#include "report/picture/picture.h"

enum {
	DEVICES_SHOWN = 16, /* devices up to which operations are shown one by one */
	BATCHES_SHOWN = 32, /* micro-batches up to which they are */
	LANES_MAX = 64,
	COLUMNS = 160, /* pieces of time of a lane, where operations are not shown one by one */
	BOXES_MOST = 5120,
	WIDTH = 1500,
	LEFT = 120,
	LEAST_NUMBER_PIXELS = 20, /* width that a micro-batch's number needs */
	KEY_GAP = 60
};

struct lanes {
	const struct paradl_timeline *timeline;
	double unit_s;
	unsigned count, each; /* number of lanes; every `each`-th device is shown */
	bool one_by_one;
	bool used[LANE_LOOKS];
};

struct box {
	double from_s, to_s, above, below; /* times; top and bottom from the middle of the lane, in lanes */
	const char *number;
};

static void write_box(
	struct canvas *canvas, struct lanes *lanes, unsigned lane, unsigned look, struct box box)
{
	if (!(box.to_s > box.from_s))
		return;
	lanes->used[look] = true;
	canvas_number(canvas, lane);
	canvas_number(canvas, box.from_s / lanes->unit_s);
	canvas_number(canvas, box.to_s / lanes->unit_s);
	canvas_number(canvas, look);
	canvas_text(canvas, box.number);
	canvas_number(canvas, lane + box.above);
	canvas_number(canvas, lane + box.below);
	canvas_row_end(canvas);
}

static const char *number_of(struct canvas *canvas, const struct lanes *lanes,
	const struct paradl_event *event, double pixels_per_s)
{
	const bool is_pass = event->work == PARADL_WORK_FORWARD || event->work == PARADL_WORK_BACKWARD ||
			     event->work == PARADL_WORK_WEIGHTS;
	const double pixels = (event->end_s - event->start_s) * pixels_per_s;
	if (!lanes->one_by_one || !is_pass || pixels < LEAST_NUMBER_PIXELS)
		return "";
	return typeset(&canvas->sink, "%u", event->micro_batch + 1);
}

/*
 * Writes the boxes of a lane: the events of its device, and as idle the time before each event. Events begin at
 * index `first` or later; returns the index after the device's last.
 */
static size_t write_lane(
	struct canvas *canvas, struct lanes *lanes, size_t first, unsigned lane, double pixels_per_s)
{
	const struct paradl_timeline *const timeline = lanes->timeline;
	const unsigned device = lane * lanes->each;
	double before_s = 0;
	size_t i = first;
	while (i < timeline->count && timeline->events[i].device < device)
		i++;
	for (; i < timeline->count && timeline->events[i].device == device; i++) {
		const struct paradl_event *const event = &timeline->events[i];
		write_box(canvas, lanes, lane, LANE_IDLE,
			(struct box){before_s, event->start_s, -0.32, 0.32, ""});
		write_box(canvas, lanes, lane, event->work,
			(struct box){event->start_s, event->end_s, -0.4, 0.4,
				number_of(canvas, lanes, event, pixels_per_s)});
		before_s = event->end_s;
	}
	return i;
}

/*
 * Writes the boxes of a lane without single operations: for each column, stacked, the shares of its time that the
 * device spends on each kind of work. Returns an index from which to look for the next device's events.
 */
static size_t write_summary(struct canvas *canvas, struct lanes *lanes, size_t first, unsigned lane)
{
	const unsigned columns = lanes->count > BOXES_MOST / COLUMNS ? BOXES_MOST / lanes->count : COLUMNS;
	const double column_s = lanes->timeline->end_s / columns;
	size_t next = first;
	for (unsigned column = 0; column < columns; column++) {
		double shares[LANE_LOOKS], below = 0.4;
		next = lane_shares(lanes->timeline, next, lane * lanes->each, column * column_s,
			(column + 1) * column_s, shares);
		for (unsigned look = 0; look < LANE_LOOKS; look++) {
			const double above = below - 0.8 * shares[look];
			if (shares[look] > 1e-3)
				write_box(canvas, lanes, lane, look,
					(struct box){column * column_s, (column + 1) * column_s, above, below,
						""});
			below = above;
		}
	}
	return next;
}

static void plot_boxes(struct canvas *canvas, const struct lanes *lanes)
{
	const char *const border = lanes->one_by_one ? "border lc rgb '#ffffff'" : "noborder";
	if (lanes->used[LANE_IDLE])
		canvas_plot(canvas,
			" using ($4 == %d ? $2 : NaN):1:2:3:6:7 with boxxyerror fs "
			"pattern 4 "
			"noborder lc rgb '#c4c9d1'",
			LANE_IDLE);
	for (unsigned i = 0; i < LANE_IDLE; i++)
		if (lanes->used[i])
			canvas_plot(canvas,
				" using ($4 == %u ? $2 : NaN):1:2:3:6:7 with boxxyerror fs "
				"solid 1 %s lc rgb '#%06X'",
				i, border, phase_looks[lane_looks[i].phase].rgb);
	for (unsigned i = PARADL_WORK_FORWARD; i <= PARADL_WORK_WEIGHTS; i++)
		if (lanes->used[i] && lanes->one_by_one)
			canvas_plot(canvas,
				" using ($4 == %u ? ($2 + $3) / 2 : NaN):1:5 with labels noenhanced font "
				"family.',11' textcolor rgb '%s'",
				i, i == PARADL_WORK_BACKWARD ? INK_TEXT : "#ffffff");
}

static void draw_key(struct canvas *canvas, const struct lanes *lanes, double top)
{
	double x = LEFT;
	for (unsigned i = 0; i < LANE_LOOKS; i++) {
		const struct key_row row = {lane_looks[i].label, phase_looks[lane_looks[i].phase].rgb, NULL};
		if (!lanes->used[i])
			continue;
		canvas_key(canvas, x, top, &row, 1);
		x += canvas_text_pixels(row.text) + KEY_GAP;
	}
}

/* Returns "PLAN · 8 micro-batches · step 120 ms · idle 27 % (busiest 12 %)". */
static const char *subtitle(
	struct report_sink *sink, const struct report_timeline *report, const struct lanes *lanes)
{
	const struct paradl_timeline *const timeline = report->timeline;
	const struct lane_idle idle = lane_idle(timeline);
	return typeset(sink, "%s · %.0f micro-batch%s · step %s%s · idle %s (busiest %s)%s",
		picture_plan(sink, report->plan), timeline->micro_batches,
		timeline->micro_batches > 1 ? "es" : "",
		typeset_quantity(sink, timeline->step_s, DIMENSION_TIME),
		timeline->end_s > timeline->step_s * (1 + 1e-9) ? "; devices begin the next one early" : "",
		typeset_percent(sink, idle.mean), typeset_percent(sink, idle.busiest),
		lanes->one_by_one ? "" : " · heights: shares of the time");
}

static bool paint(struct canvas *canvas, const void *what, struct paradl_error *error)
{
	const struct report_timeline *const report = what;
	const struct paradl_timeline *const timeline = report->timeline;
	struct report_sink *const sink = &canvas->sink;
	const unsigned each = (timeline->devices + LANES_MAX - 1) / LANES_MAX;
	struct lanes lanes = {.timeline = timeline,
		.each = each,
		.count = (timeline->devices + each - 1) / each,
		.one_by_one = timeline->devices <= DEVICES_SHOWN && timeline->micro_batches <= BATCHES_SHOWN};
	if (timeline->count == 0 || !(timeline->end_s > 0))
		return error_set(error, PARADL_USAGE, "there is no timeline to draw");
	const struct time_scale scale = axis_time_scale(timeline->end_s);
	lanes.unit_s = scale.seconds;
	const double lane = lanes.count <= 8 ? 54 : lanes.count <= 16 ? 36 : 18;
	const double top = TOP_PIXELS + 40;
	const struct panel panel = {.left = LEFT,
		.right = WIDTH - MARGIN_PIXELS,
		.top = top,
		.bottom = top + lane * lanes.count,
		.x = {.title = scale.name, .most = timeline->end_s / lanes.unit_s, .kind = TICKS_NUMBER},
		.y = {.least = lanes.count - 0.5, .most = -0.5, .kind = TICKS_NONE},
		.own_y = true};
	canvas_begin(canvas, WIDTH, fmax(panel.bottom + 80, 360));
	canvas_titles(canvas,
		picture_title(sink, report->head, typeset(sink, ": a step on %u stages", timeline->devices)),
		subtitle(sink, report, &lanes));
	canvas_panel(canvas, &panel);
	canvas_block(canvas, "lane\tfrom\tto\twork\tmicro-batch\tabove\tbelow");
	const double pixels_per_s = (panel.right - panel.left) / timeline->end_s;
	size_t next = 0;
	for (unsigned i = 0; i < lanes.count; i++) {
		next = lanes.one_by_one ? write_lane(canvas, &lanes, next, i, pixels_per_s)
					: write_summary(canvas, &lanes, next, i);
		if (lane >= LINE_PIXELS || i % 4 == 0)
			canvas_label(canvas, LEFT - 12, panel_y(&panel, i), SIDE_RIGHT, INK_TEXT,
				typeset(sink, "stage %u", i * each + 1));
	}
	plot_boxes(canvas, &lanes);
	draw_key(canvas, &lanes, TOP_PIXELS - 8);
	canvas_panel_end(canvas);
	return true;
}

const struct picture picture_timeline = {
	.name = "timeline",
	.summary = "what each stage of a pipeline does when, and where it waits",
	.commands = "estimate",
	.paint = paint,
};
