/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Draws the ratio of projected to measured times over the measured times, both axes logarithmic. It has the line
 * of equal times and 10 % around it, a colour and a shape for each set (or family of plans), and the names of the
 * points that are furthest off.
 */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "report/picture/canvas.h"
#include "report/picture/marks.h"
#include "report/picture/picture.h"

enum { WIDTH = 1500, HEIGHT = 900, KEY = 620, NAMED_MAX = 8, GROUPS = LINES_MAX, PIECES = 12 };
static const double band = 0.1, least_named = 0.1;

struct scatter {
	const struct paradl_validation *validation;
	const char *groups[GROUPS]; /* names of groups; the last one is all others where there are too many */
	size_t group_count;
	bool of_sets, has_others;
	const struct paradl_measured_row *worst[NAMED_MAX]; /* rows furthest off, the worst first */
	size_t worst_count, compared;
};

static bool is_compared(const struct paradl_measured_row *row)
{
	return !row->skipped && row->measured.total_s > 0 && row->projected.total_s > 0;
}

static double ratio(const struct paradl_measured_row *row)
{
	return row->projected.total_s / row->measured.total_s;
}

static double off(const struct paradl_measured_row *row)
{
	return ratio(row) - 1;
}

static size_t rows_of(const struct scatter *scatter, const char *name)
{
	size_t count = 0;
	for (size_t i = 0; i < scatter->validation->count; i++) {
		const struct paradl_measured_row *const row = &scatter->validation->rows[i];
		const char *const own = scatter->of_sets ? row->set : row->family;
		count += is_compared(row) && own && strcmp(own, name) == 0;
	}
	return count;
}

/* Chooses the groups that have points: sets where there are several, else families of plans. */
static void choose_groups(struct scatter *scatter)
{
	const struct paradl_validation *const validation = scatter->validation;
	scatter->of_sets = validation->set_count > 1;
	const struct paradl_score *const scores =
		scatter->of_sets ? validation->by_set : validation->by_strategy;
	const size_t count = scatter->of_sets ? validation->set_count : validation->strategy_count;
	for (size_t i = 0; i < count; i++) {
		if (rows_of(scatter, scores[i].name) == 0)
			continue;
		scatter->has_others = scatter->group_count == GROUPS;
		if (scatter->has_others)
			break;
		scatter->groups[scatter->group_count++] = scores[i].name;
	}
	if (scatter->has_others || scatter->group_count == 0) {
		scatter->group_count += scatter->group_count == 0;
		scatter->groups[scatter->group_count - 1] = "others";
		scatter->has_others = true;
	}
}

static size_t group_of(const struct scatter *scatter, const struct paradl_measured_row *row)
{
	const char *const name = scatter->of_sets ? row->set : row->family;
	const size_t named = scatter->group_count - scatter->has_others;
	for (size_t i = 0; name && i < named; i++)
		if (strcmp(scatter->groups[i], name) == 0)
			return i;
	return scatter->has_others ? named : 0;
}

static void choose_worst(struct scatter *scatter)
{
	for (size_t i = 0; i < scatter->validation->count; i++) {
		const struct paradl_measured_row *const row = &scatter->validation->rows[i];
		if (!is_compared(row))
			continue;
		scatter->compared++;
		size_t at = scatter->worst_count;
		if (fabs(off(row)) < least_named)
			continue;
		for (; at > 0 && fabs(off(scatter->worst[at - 1])) < fabs(off(row)); at--)
			if (at < NAMED_MAX)
				scatter->worst[at] = scatter->worst[at - 1];
		if (at < NAMED_MAX)
			scatter->worst[at] = row;
		scatter->worst_count += scatter->worst_count < NAMED_MAX;
	}
}

/* Writes a block for each group, then one for the line of equal times with its band. */
static void write_data(struct canvas *canvas, const struct scatter *scatter, const struct axis *axis)
{
	struct report_sink *const sink = &canvas->sink;
	for (size_t group = 0; group < scatter->group_count; group++) {
		canvas_block(
			canvas, typeset(sink, "%s: measured_s | projected / measured | model | hw | strategy",
					scatter->groups[group]));
		for (size_t i = 0; i < scatter->validation->count; i++) {
			const struct paradl_measured_row *const row = &scatter->validation->rows[i];
			if (!is_compared(row) || group_of(scatter, row) != group)
				continue;
			canvas_number(canvas, row->measured.total_s);
			canvas_number(canvas, ratio(row));
			canvas_text(canvas, typeset(sink, "%s", row->model ? row->model : ""));
			canvas_text(canvas, typeset(sink, "%s", row->hw ? row->hw : ""));
			canvas_text(canvas, typeset(sink, "%s", row->strategy ? row->strategy : ""));
			canvas_row_end(canvas);
		}
	}
	canvas_block(canvas, "equal: measured_s | projected / measured | 10 % less | 10 % more");
	const double ends[] = {axis->least, axis->most};
	for (size_t i = 0; i < 2; i++) {
		canvas_number(canvas, ends[i]);
		canvas_number(canvas, 1);
		canvas_number(canvas, 1 - band);
		canvas_number(canvas, 1 + band);
		canvas_row_end(canvas);
	}
}

/* Draws the points that are furthest off: numbers at the points, and their names below (x, y) at the right. */
static void draw_worst(
	struct canvas *canvas, const struct panel *panel, const struct scatter *scatter, double x, double y)
{
	struct report_sink *const sink = &canvas->sink;
	struct end_label numbers[NAMED_MAX];
	struct segment equals[PIECES]; /* pieces of the line of equal times, which numbers keep off */
	for (size_t i = 0; i < PIECES; i++) {
		const double from = (double)i / PIECES, to = (double)(i + 1) / PIECES;
		const double width = panel->right - panel->left, level = panel_y(panel, 1);
		equals[i] =
			(struct segment){panel->left + from * width, level, panel->left + to * width, level};
	}
	if (scatter->worst_count == 0)
		return;
	canvas_label(canvas, x, y, SIDE_LEFT, INK_AXIS, "furthest off");
	for (size_t i = 0; i < scatter->worst_count; i++) {
		const struct paradl_measured_row *const row = scatter->worst[i];
		const double percent = 100 * off(row), at = y + LINE_PIXELS * (1.3 + 1.9 * (double)i);
		numbers[i] = (struct end_label){typeset(sink, "%zu", i + 1), 0x111827,
			panel_x(panel, row->measured.total_s), panel_y(panel, ratio(row))};
		canvas_label_sized(canvas, x + 20, at, SIDE_RIGHT, 13, INK_TEXT, typeset(sink, "%zu", i + 1));
		canvas_label_sized(canvas, x + 30, at, SIDE_LEFT, 13, INK_TEXT,
			canvas_fit(canvas,
				typeset(sink, "%s%.0f %%  %s on %s", percent > 0 ? "+" : "−", fabs(percent),
					row->model ? row->model : "", row->hw ? row->hw : ""),
				1.1 * (WIDTH - x - 40)));
		canvas_label_sized(canvas, x + 30, at + 0.8 * LINE_PIXELS, SIDE_LEFT, 12, INK_FAINT,
			canvas_fit(canvas, typeset(sink, "%s", row->strategy ? row->strategy : ""),
				1.2 * (WIDTH - x - 40)));
	}
	names_beside(canvas, panel, numbers, scatter->worst_count, equals, PIECES);
}

static void draw(struct canvas *canvas, const struct scatter *scatter, const struct panel *panel)
{
	struct key_row key[GROUPS];
	const double x = panel->right + 2.0 * MARGIN_PIXELS;
	canvas_panel(canvas, panel);
	write_data(canvas, scatter, &panel->x);
	canvas_plot(
		canvas, " index %zu using 1:3:4 with filledcurves lc rgb '#e5e7eb'", scatter->group_count);
	canvas_plot(canvas, " index %zu using 1:2 with lines lw 1.2 lc rgb '#6b7280'", scatter->group_count);
	for (size_t i = scatter->group_count; i-- > 0;) { /* the last group, all others, is drawn below */
		canvas_plot(canvas, " index %zu using 1:2 with points pt %u ps 1.2 lc rgb '#30%06X'", i,
			line_points[i], line_rgb[i]);
		key[i] = (struct key_row){
			canvas_fit(canvas, typeset(&canvas->sink, "%s", scatter->groups[i]), WIDTH - x - 40),
			line_rgb[i], line_glyphs[i]};
	}
	canvas_key(canvas, x, panel->top, key, scatter->group_count);
	draw_worst(canvas, panel, scatter, x,
		panel->top + 1.25 * LINE_PIXELS * ((double)scatter->group_count + 1.2));
	canvas_panel_end(canvas);
}

static bool paint(struct canvas *canvas, const void *what, struct paradl_error *error)
{
	struct report_sink *const sink = &canvas->sink;
	struct scatter scatter = {.validation = ((const struct report_validation *)what)->validation};
	const struct paradl_score *const all = &scatter.validation->summary;
	struct range times = {0, 0}, ratios = {1 - 2 * band, 1 + 2 * band};
	choose_groups(&scatter);
	choose_worst(&scatter);
	if (scatter.compared == 0)
		return error_set(error, PARADL_USAGE, "there is nothing to draw: no row could be compared");
	for (size_t i = 0; i < scatter.validation->count; i++)
		if (is_compared(&scatter.validation->rows[i])) {
			range_add(&times, scatter.validation->rows[i].measured.total_s);
			range_add(&ratios, ratio(&scatter.validation->rows[i]));
		}
	struct panel panel = {.left = 110,
		.right = WIDTH - KEY,
		.top = TOP_PIXELS + 34,
		.bottom = HEIGHT - 76,
		.x = {.title = "measured", .base = 10, .kind = TICKS_TIME},
		.y = {.title = "projected / measured", .base = 10, .kind = TICKS_NUMBER}};
	axis_fit(&panel.x, times);
	axis_fit(&panel.y, ratios);
	canvas_begin(canvas, WIDTH, HEIGHT);
	canvas_titles(canvas,
		typeset(sink, "Projected over measured times: %zu row%s", scatter.compared,
			scatter.compared == 1 ? "" : "s"),
		typeset(sink, "mean error %.1f %%, median %.1f %%, worst %.1f %% · grey: within 10 %%%s",
			all->mape, all->median, all->worst,
			all->skipped > 0 ? typeset(sink, " · %zu skipped", all->skipped) : ""));
	draw(canvas, &scatter, &panel);
	return true;
}

const struct picture picture_measured = {
	.name = "measured",
	.summary = "projected over measured times, and 10 % around them",
	.commands = "validate",
	.paint = paint,
};
