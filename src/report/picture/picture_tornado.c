/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws how far a smaller and a larger value of each input moves a result, the inputs that move it most first. */
#include <math.h>

#include "base/error.h"
#include "report/picture/marks.h"
#include "report/picture/picture.h"
#include "report/study_text.h"

enum { LABEL_COLUMNS = 44, LABELS = 110, KEY = 240 };

/* Colours of Okabe and Ito, which everyone can tell apart; the darker is always the smaller input. */
static const unsigned low_rgb = 0x0072B2, high_rgb = 0xE69F00;

static double size_of(double share)
{
	return share < HUGE_VAL && share > -HUGE_VAL ? fabs(share) : 0;
}

static double span_of(const struct report_tornado_row *row)
{
	return row->low_share * row->high_share < 0 ? size_of(row->low_share - row->high_share)
						    : fmax(size_of(row->low_share), size_of(row->high_share));
}

/*
 * Sorts rows by span, the largest first, and keeps BAR_ROWS_MAX; rows of one span stay in order. Returns their
 * number.
 */
static size_t sorted(const struct report_tornado *tornado, const struct report_tornado_row **rows)
{
	size_t count = 0;
	for (size_t i = 0; i < tornado->count; i++) {
		size_t at = count < BAR_ROWS_MAX ? count++ : BAR_ROWS_MAX;
		for (; at > 0 && span_of(rows[at - 1]) < span_of(&tornado->rows[i]); at--)
			if (at < BAR_ROWS_MAX)
				rows[at] = rows[at - 1];
		if (at < BAR_ROWS_MAX)
			rows[at] = &tornado->rows[i];
	}
	return count;
}

static const char *share_text(struct report_sink *sink, double share)
{
	const double percent = 100 * fabs(share);
	if (percent < 0.005)
		return "0 %";
	return typeset(sink, "%s%.*f %%", share < 0 ? "−" : "+",
		percent < 0.095 ? 2
		: percent < 10  ? 1
				: 0,
		percent);
}

/* Writes the fields of a bar from 0 to the share, and of the text at its end. */
static void write_bar(struct canvas *canvas, double share, const char *note, double top, double bottom)
{
	const bool known = share < HUGE_VAL && share > -HUGE_VAL;
	canvas_number(canvas, known ? 100 * share : 0);
	canvas_number(canvas, top);
	canvas_number(canvas, bottom);
	const char *const change = known ? share_text(&canvas->sink, share) : NULL;
	canvas_text(canvas, change && note ? typeset(&canvas->sink, "%s, %s", change, note)
			    : change       ? change
			    : note         ? note
					   : "not feasible");
}

static void write_data(struct canvas *canvas, const struct report_tornado_row **rows, size_t count)
{
	canvas_block(canvas,
		"input\trow\tlow_percent\ttop\tbottom\tnote\thigh_percent\ttop\tbottom\tnote\tlow_left");
	for (size_t i = 0; i < count; i++) {
		const struct report_tornado_row *const row = rows[i];
		const double at = (double)i + 1;
		/* Where both bars go to one side, one is above the other, with room for the text of each. */
		const bool apart = !(row->low_share * row->high_share > 0);
		const double half = apart ? 0.34 : 0.46, gap = 0.04;
		canvas_text(canvas,
			typeset_cut(&canvas->sink, typeset(&canvas->sink, "%s", row->label), LABEL_COLUMNS));
		canvas_number(canvas, at);
		write_bar(canvas, row->low_share, row->low_note, at - half, apart ? at + half : at - gap);
		write_bar(canvas, row->high_share, row->high_note, apart ? at - half : at + gap, at + half);
		/* The side of a note without a bar is away from the other bar. */
		canvas_number(canvas, row->low_share < 0 || (!(row->low_share > 0) && row->high_share > 0));
		canvas_row_end(canvas);
	}
}

static struct axis shares_axis(const struct report_tornado_row **rows, size_t count, double pixels)
{
	struct axis axis = {.kind = TICKS_PERCENT};
	double least = 0, most = 0;
	for (size_t i = 0; i < count; i++) {
		const double ends[] = {rows[i]->low_share, rows[i]->high_share};
		for (size_t j = 0; j < 2; j++)
			if (size_of(ends[j]) > 0) {
				least = fmin(least, 100 * ends[j]);
				most = fmax(most, 100 * ends[j]);
			}
	}
	if (!(most > least))
		most = 1;
	/* The axis is wider by room for the numbers at both ends. */
	const double per_pixel = (most - least) / (pixels - 2.0 * LABELS);
	axis.least = least - LABELS * per_pixel;
	axis.most = most + LABELS * per_pixel;
	return axis;
}

static void plot_side(struct canvas *canvas, unsigned column, unsigned rgb, const char *at_left)
{
	canvas_plot(canvas, " using (0):2:(0):%u:%u:%u with boxxyerror fs solid 1 noborder lc rgb '#%06X'",
		column, column + 1, column + 2, rgb);
	for (unsigned left = 0; left < 2; left++) /* the text is empty in the plot of the other side */
		canvas_plot(canvas,
			" using %u:(($%u + $%u) / 2):((%s) == %u ? stringcolumn(%u) : '') with labels %s "
			"noenhanced textcolor rgb '" INK_TEXT "'",
			column, column + 1, column + 2, at_left, left, column + 3,
			left ? "right offset -0.6,0" : "left offset 0.6,0");
}

static void draw(struct canvas *canvas, const struct report_tornado *tornado,
	const struct report_tornado_row **rows, size_t count)
{
	struct report_sink *const sink = &canvas->sink;
	double names = 0;
	for (size_t i = 0; i < count; i++)
		names = fmax(names, canvas_text_pixels(rows[i]->label));
	names = fmin(names, LABEL_COLUMNS * CHARACTER_PIXELS);
	const struct rows_place place = rows_place(names, 700, KEY, 0, count);
	struct panel panel = {place.left, place.right, place.top, place.bottom,
		shares_axis(rows, count, place.right - place.left), rows_axis(count), true};
	const char *const share = typeset_percent(sink, tornado->vary_share);
	const struct key_row key[] = {{typeset(sink, "input −%s", share), low_rgb, NULL},
		{typeset(sink, "input +%s", share), high_rgb, NULL}};
	panel.x.title = typeset(sink, "change of the %s", tornado->result);
	canvas_begin(canvas, place.width, place.height);
	canvas_titles(canvas,
		picture_title(sink, tornado->head, typeset(sink, ": what moves the %s", tornado->result)),
		typeset(sink, "%s now · %s · each input by ±%s, all others as they are", tornado->value,
			tornado->plan, share));
	canvas_panel(canvas, &panel);
	write_data(canvas, rows, count);
	canvas_key(canvas, panel.right + MARGIN_PIXELS, panel.top, key, 2);
	canvas_line(canvas, panel_x(&panel, 0), panel.top, panel_x(&panel, 0), panel.bottom, INK_FAINT,
		"lw 1 front");
	plot_side(canvas, 3, low_rgb, "$11 == 1");
	plot_side(canvas, 7, high_rgb, "$7 < 0 || ($7 == 0 && $11 == 0)");
	for (size_t i = 0; i < count; i++)
		canvas_label(canvas, panel.left - MARGIN_PIXELS / 2.0, panel_y(&panel, (double)i + 1),
			SIDE_RIGHT, INK_TEXT,
			typeset_cut(sink, typeset(sink, "%s", rows[i]->label), LABEL_COLUMNS));
	canvas_panel_end(canvas);
}

static bool paint(struct canvas *canvas, const void *what, struct paradl_error *error)
{
	const struct report_tornado *const tornado = what;
	const struct report_tornado_row *rows[BAR_ROWS_MAX];
	const size_t count = sorted(tornado, rows);
	if (count == 0)
		return error_set(error, PARADL_USAGE, "there is no input to vary");
	draw(canvas, tornado, rows, count);
	return true;
}

const struct picture picture_tornado = {
	.name = "tornado",
	.summary = "how far each input moves the result",
	.commands = "whatif",
	.paint = paint,
};
