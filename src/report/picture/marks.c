/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws what several pictures share: rows of bars, colours and shapes of lines, and names beside points. */
#include "report/picture/marks.h"

#include <math.h>

#include "base/quantity.h"
#include "report/picture/picture.h"

const unsigned line_rgb[LINES_MAX] = {
	0x0072B2, 0xD55E00, 0x009E73, 0xE69F00, 0xCC79A7, 0x56B4E9, 0x111827, 0x882255, 0x6b7280};
const unsigned line_points[LINES_MAX] = {7, 5, 9, 11, 13, 6, 2, 1, 3};
const char *const line_glyphs[LINES_MAX] = {"●", "■", "▲", "▼", "◆", "○", "×", "+", "*"};

enum {
	LEAST_WIDTH = 1400,
	LEAST_HEIGHT = 480, /* height that the key needs */
	CHART = 640,        /* least width of the chart */
	CHART_MOST = 900,
	ROW = 48,
	BOTTOM = 80,
	KEY = 290,
	KEY_LINE = 28,
	NAME_COLUMNS = 50,
	DETAIL_COLUMNS = 62
};
#define DETAIL_SHARE 0.8  /* width of the small text of details, as a share of usual text */
#define REASON_SHARE 1.15 /* small characters in the width of a usual one */

struct rows_place rows_place(double names, double chart, double key, double above, size_t count)
{
	struct rows_place place = {.left = 2.0 * MARGIN_PIXELS + names, .top = TOP_PIXELS + above};
	place.width = place.left + chart + key;
	if (place.width < LEAST_WIDTH)
		place.width = LEAST_WIDTH;
	place.right = place.width - key;
	place.height = place.top + BOTTOM + ROW * (double)count;
	if (place.height < LEAST_HEIGHT)
		place.height = LEAST_HEIGHT;
	place.bottom = place.height - BOTTOM;
	return place;
}

struct axis rows_axis(size_t count)
{
	return (struct axis){.least = (double)count + 0.6, .most = 0.4, .kind = TICKS_NONE};
}

void bar_name(struct report_sink *sink, struct bar *row, const char *prefix, const char *plan)
{
	const char *options;
	const char *const axes = picture_axes(sink, plan, &options);
	row->name = typeset_cut(sink, typeset(sink, "%s%s", prefix, *axes ? axes : plan), NAME_COLUMNS);
	row->detail = *axes && *options ? typeset_cut(sink, options, DETAIL_COLUMNS) : NULL;
}

static double widest(const struct bars *bars, const char *(*text)(const struct bar *))
{
	double most = 0;
	for (size_t i = 0; i < bars->row_count; i++) {
		const double pixels = canvas_text_pixels(text(&bars->rows[i]));
		most = pixels > most ? pixels : most;
	}
	return most;
}

static double widest_name(const struct bars *bars)
{
	double most = 0;
	for (size_t i = 0; i < bars->row_count; i++) {
		const struct bar *const bar = &bars->rows[i];
		most = fmax(most, canvas_text_pixels(bar->name));
		most = fmax(most, bar->detail ? DETAIL_SHARE * canvas_text_pixels(bar->detail) : 0);
	}
	return most;
}

static const char *end_of(const struct bar *bar)
{
	return bar->feasible ? bar->note : "";
}

static const char *reason_of(const struct bar *bar)
{
	return bar->feasible ? "" : bar->note;
}

static double clamp(double value, double least, double most)
{
	return value < least ? least : value > most ? most : value;
}

/* Returns the width for a row's reason, in pixels: up to the key, and below the key up to the edge of the canvas. */
static double reason_room(const struct bars *bars, const struct rows_place *place, size_t row)
{
	const double y = place->top + (place->bottom - place->top) * (double)row / (double)bars->row_count;
	const bool below = y > place->top + KEY_LINE * (double)bars->part_count;
	return (below ? place->width : place->right) - place->left - MARGIN_PIXELS;
}

static void write_data(struct canvas *canvas, const struct bars *bars, const struct rows_place *place)
{
	const char *const columns =
		arena_printf(canvas->sink.arena, "name%s\tfeasible\tnote\tdetail\tname_up", bars->columns);
	canvas->sink.out_of_memory |= !columns;
	canvas_block(canvas, columns ? columns : "");
	for (size_t i = 0; i < bars->row_count; i++) {
		const struct bar *const row = &bars->rows[i];
		canvas_text(canvas, row->name);
		for (size_t j = 0; j < bars->part_count; j++)
			canvas_number(canvas, row->parts[j]);
		canvas_number(canvas, row->feasible);
		canvas_text(canvas, row->feasible ? row->note
						  : canvas_fit(canvas, row->note,
							    REASON_SHARE * reason_room(bars, place, i)));
		canvas_text(canvas, row->detail ? row->detail : " ");
		canvas_number(canvas,
			row->detail ? 0.47 : 0); /* halves of a bar: the name moves up for the detail */
		canvas_row_end(canvas);
	}
}

static bool is_drawn(const struct bars *bars, size_t part, bool feasible)
{
	for (size_t i = 0; i < bars->row_count; i++)
		if (bars->rows[i].parts[part] > 0 && bars->rows[i].feasible == feasible)
			return true;
	return false;
}

static void plot_parts(struct canvas *canvas, const struct bars *bars, bool feasible)
{
	for (size_t i = 0; i < bars->part_count; i++)
		if (is_drawn(bars, i, feasible))
			canvas_plot(canvas,
				" using (column(%zu) == %d ? from(%zu) : "
				"NaN):(row($0)):(from(%zu)):(upto(%zu)):"
				"(row($0) - half):(row($0) + half) with boxxyerror fs solid 1 noborder "
				"lc rgb '#%s%06X'",
				bars->part_count + 2, feasible, i + 2, i + 2, i + 2, feasible ? "" : "c8",
				bars->parts[i].rgb);
}

static void draw_key(struct canvas *canvas, const struct bars *bars, const struct rows_place *place)
{
	struct key_row *const rows = arena_alloc(canvas->sink.arena, bars->part_count, sizeof *rows);
	size_t count = 0;
	canvas->sink.out_of_memory |= !rows;
	for (size_t i = 0; rows && i < bars->part_count; i++)
		if (is_drawn(bars, i, true) || is_drawn(bars, i, false))
			rows[count++] = bars->parts[i];
	if (rows)
		canvas_key(canvas, place->right + MARGIN_PIXELS, place->top, rows, count);
}

static void draw_limit(struct canvas *canvas, const struct bars *bars, const struct panel *panel)
{
	const double at = panel_x(panel, bars->limit);
	const bool at_right = at > (panel->left + panel->right) / 2;
	canvas_area(canvas, at, panel->top, panel->right, panel->bottom, "#fef2f2");
	canvas_line(canvas, at, panel->top, at, panel->bottom, INK_ALARM, "lw 2 front");
	canvas_label(canvas, at_right ? panel->right : at, panel->top - 0.75 * LINE_PIXELS,
		at_right ? SIDE_RIGHT : SIDE_LEFT, INK_ALARM, bars->what);
}

static void draw_notes(struct canvas *canvas, const struct bars *bars, const struct panel *panel)
{
	for (size_t i = 0; i < bars->row_count; i++)
		canvas_label(canvas, panel->right + MARGIN_PIXELS / 2.0, panel_y(panel, (double)i + 1),
			SIDE_LEFT, INK_TEXT, bars->rows[i].note);
}

/*
 * Reports whether any row is feasible, or any is not. Notes of a kind that no row has must not be plotted: gnuplot
 * 5.4 crashes where a lone row has its label at NaN.
 */
static bool has_rows(const struct bars *bars, bool feasible)
{
	for (size_t i = 0; i < bars->row_count; i++)
		if (bars->rows[i].feasible == feasible)
			return true;
	return false;
}

/* Draws the whole picture; the axis is long enough that the note of the longest bar still has room behind it. */
void bars_draw(struct canvas *canvas, const struct bars *bars)
{
	const double chart = bars->limit > 0 ? CHART_MOST : clamp(widest(bars, reason_of), CHART, CHART_MOST);
	const struct rows_place place =
		rows_place(widest_name(bars), chart, KEY, bars->limit > 0 ? LINE_PIXELS : 0, bars->row_count);
	const bool aside = bars->limit > 0;
	const double room = place.right - place.left;
	const double notes = clamp(widest(bars, end_of) + MARGIN_PIXELS, 0, room / 2);
	/* Where there is a limit, notes stand beside the chart: on it they would cross the line of the limit. */
	const struct panel panel = {place.left, place.right - (aside ? notes : 0), place.top, place.bottom,
		{bars->axis, 0, bars->most / (aside ? 1 : 1 - notes / room), 0, TICKS_NUMBER, 0},
		rows_axis(bars->row_count), true};
	char most[DECIMAL_LENGTH];
	canvas_begin(canvas, place.width, place.height);
	canvas_titles(canvas, bars->title, bars->subtitle);
	canvas_panel(canvas, &panel);
	write_data(canvas, bars, &place);
	draw_key(canvas, bars, &place);
	if (bars->limit > 0)
		draw_limit(canvas, bars, &panel);
	fprintf(canvas->script,
		"most = %s\nhalf = %.3f\nrow(n) = n + 1\ncut(x) = x < most ? x : most\n"
		"upto(k) = cut(sum[j=2:k] column(j))\nfrom(k) = k == 2 ? 0 : upto(k - 1)\n",
		decimal_shortest(most, sizeof most, bars->most),
		0.34 * fmin(1, ROW * (double)bars->row_count / (panel.bottom - panel.top)));
	plot_parts(canvas, bars, true);
	plot_parts(canvas, bars, false);
	canvas_plot(canvas,
		" using (0):(row($0) - column(%zu) * half):1 with labels right offset -1,0 "
		"noenhanced textcolor rgb '" INK_TEXT "'",
		bars->part_count + 5);
	canvas_plot(canvas,
		" using (0):(row($0) + 0.65 * half):%zu with labels right offset -1.2,0 noenhanced font "
		"family.',12' "
		"textcolor rgb '" INK_FAINT "'",
		bars->part_count + 4);
	if (aside)
		draw_notes(canvas, bars, &panel);
	else if (has_rows(bars, true))
		canvas_plot(canvas,
			" using (column(%zu) == 1 ? upto(%zu) : NaN):(row($0)):%zu with labels left offset "
			"0.8,0 noenhanced textcolor rgb '" INK_TEXT "'",
			bars->part_count + 2, bars->part_count + 1, bars->part_count + 3);
	if (has_rows(bars, false))
		canvas_plot(canvas,
			" using (column(%zu) == 0 ? 0 : NaN):(row($0)):%zu with labels left offset 0.8,0 "
			"noenhanced font family.',14' textcolor rgb '" INK_ALARM "'",
			bars->part_count + 2, bars->part_count + 3);
	canvas_panel_end(canvas);
}

struct box {
	double left, right, top, bottom;
};

static bool meets(const struct box *a, const struct box *b)
{
	return a->left < b->right && b->left < a->right && a->top < b->bottom && b->top < a->bottom;
}

/* Returns how much of a line is under the box, as a number of equally spaced points of the line. */
static double crossed(const struct segment *line, const struct box *box)
{
	enum { STEPS = 24 };
	double count = 0;
	for (unsigned step = 0; step <= STEPS; step++) {
		const double x = line->x1 + (line->x2 - line->x1) * step / STEPS;
		const double y = line->y1 + (line->y2 - line->y1) * step / STEPS;
		count += x > box->left && x < box->right && y > box->top && y < box->bottom;
	}
	return count;
}

static bool is_inside(const struct box *box, const struct panel *panel)
{
	return box->left >= panel->left && box->right <= panel->right && box->top >= panel->top &&
	       box->bottom <= panel->bottom;
}

/*
 * Returns the `index`-th candidate of a name's box: even ones right of the point, odd ones left; pairs are 0, 1
 * down, 1 up, 2 down, ... lines away.
 */
static struct box candidate(const struct end_label *label, int index)
{
	enum { NEAR = 12 };
	const int turn = index / 2, away = (turn + 1) / 2 * (turn % 2 ? 1 : -1);
	const double width = canvas_text_pixels(label->text);
	const double left = index % 2 ? label->x - NEAR - width : label->x + NEAR;
	const double middle = label->y + 0.8 * LINE_PIXELS * away;
	return (struct box){left, left + width, middle - LINE_PIXELS / 2.0, middle + LINE_PIXELS / 2.0};
}

struct drawn {
	const struct panel *panel;
	const struct segment *segments;
	size_t segment_count;
	struct box placed[END_LABELS_MAX];
	size_t count;
};

/*
 * Returns the cost of a box. It is lowest near the point; being outside the panel, over another name, or over
 * lines costs more, in this order.
 */
static double cost_of(const struct drawn *drawn, const struct box *box, int index)
{
	static const double outside = 1000, taken = 200;
	const int away = index / 4 + index % 2;
	double cost = away + (is_inside(box, drawn->panel) ? 0 : outside);
	for (size_t i = 0; i < drawn->segment_count; i++)
		cost += crossed(&drawn->segments[i], box);
	for (size_t i = 0; i < drawn->count; i++)
		cost += meets(box, &drawn->placed[i]) ? taken : 0;
	return cost;
}

static struct box best_place(const struct drawn *drawn, const struct end_label *label)
{
	enum { CANDIDATES = 22 };
	struct box best = candidate(label, 0);
	double least = HUGE_VAL;
	for (int index = 0; index < CANDIDATES; index++) {
		const struct box box = candidate(label, index);
		const double cost = cost_of(drawn, &box, index);
		if (cost < least) {
			least = cost;
			best = box;
		}
	}
	return best;
}

void names_beside(struct canvas *canvas, const struct panel *panel, const struct end_label *labels,
	size_t count, const struct segment *segments, size_t segment_count)
{
	struct drawn drawn = {.panel = panel, .segments = segments, .segment_count = segment_count};
	for (size_t i = 0; i < count && i < END_LABELS_MAX; i++) {
		const struct box box = best_place(&drawn, &labels[i]);
		const double middle = (box.top + box.bottom) / 2;
		drawn.placed[drawn.count++] = box;
		canvas_label(canvas, box.left, middle, SIDE_LEFT, canvas_dark(canvas, labels[i].rgb),
			labels[i].text);
		if (fabs(middle - labels[i].y) > LINE_PIXELS)
			canvas_line(canvas, labels[i].x, labels[i].y,
				box.left > labels[i].x ? box.left - 2 : box.right, middle,
				typeset(&canvas->sink, "#%06X", labels[i].rgb), "lw 0.8 dt 3");
	}
}
