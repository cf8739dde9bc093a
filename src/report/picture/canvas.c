/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes the script for gnuplot and its data. gnuplot runs text in backquotes inside double quotes as a command,
 * reads "< file" and writes "| file" through a shell, and expands @macros outside quotes. So user text stands only
 * in single quotes with noenhanced, or in the data.
 */
#include "report/picture/canvas.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "base/quantity.h"

enum { PLOT_BYTES = 512 };

/*
 * Returns text as a gnuplot string in single quotes. A quote inside could be doubled, but gnuplot 5.4 loses count
 * where several follow one another; each quote is therefore a string of its own, joined to the others by dots.
 */
const char *canvas_quote(struct paradl_arena *arena, const char *text)
{
	static const char quote[] = "'.\"'\".'";
	char *const quoted = arena_alloc(arena, (sizeof quote - 1) * strlen(text) + 3, 1);
	char *out = quoted;
	if (!quoted)
		return "''";
	*out++ = '\'';
	for (; *text; text++) {
		if (*text != '\'') {
			*out++ = iscntrl((unsigned char)*text) ? ' ' : *text;
			continue;
		}
		memcpy(out, quote, sizeof quote - 1);
		out += sizeof quote - 1;
	}
	*out++ = '\'';
	*out = '\0';
	return quoted;
}

double canvas_text_pixels(const char *text)
{
	return CHARACTER_PIXELS * (double)typeset_width(text);
}

const char *canvas_fit(struct canvas *canvas, const char *text, double pixels)
{
	return typeset_cut(&canvas->sink, text, pixels > 0 ? (size_t)(pixels / CHARACTER_PIXELS) : 1);
}

const char *canvas_dark(struct canvas *canvas, unsigned rgb)
{
	unsigned dark = 0;
	for (unsigned shift = 0; shift < 24; shift += 8)
		dark |= (rgb >> shift & 0xff) * 7 / 10 << shift;
	return typeset(&canvas->sink, "#%06x", dark);
}

/*
 * Returns x pixels as a share of the canvas's width; `up` returns y as a share of its height from the bottom, as
 * gnuplot has it.
 */
static double across(const struct canvas *canvas, double x)
{
	return x / (double)canvas->width;
}

static double up(const struct canvas *canvas, double y)
{
	return 1 - y / (double)canvas->height;
}

void canvas_begin(struct canvas *canvas, double width, double height)
{
	canvas->width = (size_t)(width + 0.5);
	canvas->height = (size_t)(height + 0.5);
}

void canvas_titles(struct canvas *canvas, const char *title, const char *subtitle)
{
	static const double usual = 20, least = 13; /* sizes of the title, in points */
	static const double wide = 0.8;             /* width of a bold character, as a share of its size */
	static const double usual_plain = 16, least_plain = 11,
			    wide_plain = 0.75; /* the same of the subtitle */
	const double room = (double)canvas->width - 2.0 * MARGIN_PIXELS;
	const double points = fmax(least, fmin(usual, floor(room / (wide * (double)typeset_width(title)))));
	const char *const cut = typeset_cut(&canvas->sink, title, (size_t)(room / (wide * points)));
	fprintf(canvas->script,
		"set label %zu %s at screen %.5f,%.5f left noenhanced front font family.':Bold,%.0f' "
		"textcolor rgb '" INK_TEXT "'\n",
		++canvas->labels, canvas_quote(canvas->sink.arena, cut), across(canvas, MARGIN_PIXELS),
		up(canvas, 34), points);
	const double fits = floor(room / (wide_plain * (double)typeset_width(subtitle)));
	const unsigned size = fits < usual_plain ? (unsigned)fmax(least_plain, fits) : 0;
	canvas_label_sized(canvas, MARGIN_PIXELS, 68, SIDE_LEFT, size, INK_FAINT,
		typeset_cut(&canvas->sink, subtitle,
			(size_t)(room / (wide_plain * (size > 0 ? size : usual_plain)))));
}

double panel_x(const struct panel *panel, double value)
{
	return panel->left + (panel->right - panel->left) * axis_share(&panel->x, value);
}

double panel_y(const struct panel *panel, double value)
{
	return panel->bottom + (panel->top - panel->bottom) * axis_share(&panel->y, value);
}

static void write_axis(struct canvas *canvas, char name, const struct axis *axis, double apart)
{
	struct ticks ticks;
	char text[TICK_TEXT], low[DECIMAL_LENGTH], high[DECIMAL_LENGTH];
	fprintf(canvas->script, "set %crange [%s%s:%s%s]\n", name, axis->least < 0 ? "-" : "",
		decimal_shortest(low, sizeof low, axis->least < 0 ? -axis->least : axis->least),
		axis->most < 0 ? "-" : "",
		decimal_shortest(high, sizeof high, axis->most < 0 ? -axis->most : axis->most));
	if (axis->base > 0)
		fprintf(canvas->script, "set logscale %c %u\n", name, axis->base);
	else
		fprintf(canvas->script, "unset logscale %c\n", name);
	axis_ticks(axis, apart, &ticks);
	fprintf(canvas->script, ticks.count > 0 ? "set %ctics (" : "unset %ctics", name);
	for (size_t i = 0; i < ticks.count; i++)
		fprintf(canvas->script, "%s'%s%s' %.9g", i > 0 ? ", " : "",
			axis_tick_text(axis->kind, ticks.at[i], text), axis->kind == TICKS_PERCENT ? "%" : "",
			ticks.at[i]); /* gnuplot takes texts of ticks for formats: a percent sign is doubled */
	fputs(ticks.count > 0 ? ")\n" : "\n", canvas->script);
}

void canvas_panel(struct canvas *canvas, const struct panel *panel)
{
	static const double wide = 84, high = 30; /* size of a tick's text with its room, in pixels */
	FILE *const script = canvas->script;
	fprintf(script,
		"set lmargin at screen %.5f\nset rmargin at screen %.5f\n"
		"set tmargin at screen %.5f\nset bmargin at screen %.5f\n",
		across(canvas, panel->left), across(canvas, panel->right), up(canvas, panel->top),
		up(canvas, panel->bottom));
	fprintf(script, "set border %d ls 101\n", panel->own_y ? 1 : 3);
	write_axis(canvas, 'x', &panel->x, wide / (panel->right - panel->left));
	write_axis(canvas, 'y', &panel->y, high / (panel->bottom - panel->top));
	fprintf(script, "set grid %s %s back lc rgb '" INK_GRID "' lw 1 lt 1\n",
		panel->x.kind == TICKS_NONE ? "noxtics" : "xtics",
		panel->y.kind == TICKS_NONE ? "noytics" : "ytics");
	if (panel->x.title)
		canvas_label(canvas, (panel->left + panel->right) / 2, panel->bottom + 2.5 * LINE_PIXELS,
			SIDE_CENTER, INK_AXIS, panel->x.title);
	if (panel->y.title) /* above the axis and horizontal, so that it reads like other text */
		canvas_label(canvas, panel->left - 3.0 * MARGIN_PIXELS, panel->top - 1.1 * LINE_PIXELS,
			SIDE_LEFT, INK_AXIS, panel->y.title);
}

/* Adds a row of NaN to a block without rows: gnuplot does not count such blocks, which would shift later indices. */
static void fill_block(struct canvas *canvas)
{
	if (canvas->blocks > 0 && canvas->rows == 0)
		fputs("NaN\tNaN\tNaN\tNaN\tNaN\tNaN\tNaN\tNaN\n", canvas->data);
}

void canvas_panel_end(struct canvas *canvas)
{
	fill_block(canvas);
	canvas->rows = 1;
	fprintf(canvas->script, "%s\n\n", canvas->plots ? canvas->plots : "\nplot NaN");
	fputs("unset label\nunset arrow\nunset object\n", canvas->script);
	canvas->plots = NULL;
}

void canvas_label_sized(struct canvas *canvas, double x, double y, enum side side, unsigned points,
	const char *colour, const char *text)
{
	static const char *const sides[] = {"left", "center", "right"};
	fprintf(canvas->script, "set label %zu %s at screen %.5f,%.5f %s noenhanced front", ++canvas->labels,
		canvas_quote(canvas->sink.arena, text), across(canvas, x), up(canvas, y), sides[side]);
	if (points > 0)
		fprintf(canvas->script, " font family.',%u'", points);
	fprintf(canvas->script, " textcolor rgb '%s'\n", colour);
}

void canvas_label(
	struct canvas *canvas, double x, double y, enum side side, const char *colour, const char *text)
{
	canvas_label_sized(canvas, x, y, side, 0, colour, text);
}

void canvas_line(struct canvas *canvas, double x1, double y1, double x2, double y2, const char *colour,
	const char *style)
{
	fprintf(canvas->script, "set arrow from screen %.5f,%.5f to screen %.5f,%.5f nohead lc rgb '%s' %s\n",
		across(canvas, x1), up(canvas, y1), across(canvas, x2), up(canvas, y2), colour, style);
}

void canvas_area(
	struct canvas *canvas, double left, double top, double right, double bottom, const char *colour)
{
	fprintf(canvas->script,
		"set object rectangle from screen %.5f,%.5f to screen %.5f,%.5f behind fc rgb '%s' fs solid "
		"noborder\n",
		across(canvas, left), up(canvas, bottom), across(canvas, right), up(canvas, top), colour);
}

void canvas_end_labels(struct canvas *canvas, const struct panel *panel, const struct end_label *labels,
	size_t count, double x)
{
	double places[END_LABELS_MAX];
	size_t order[END_LABELS_MAX];
	if (count > END_LABELS_MAX)
		count = END_LABELS_MAX;
	for (size_t i = 0; i < count; i++) {
		size_t at = i;
		for (; at > 0 && labels[order[at - 1]].y > labels[i].y; at--)
			order[at] = order[at - 1];
		order[at] = i;
	}
	for (size_t i = 0; i < count; i++)
		places[i] = labels[order[i]].y;
	spread(places, count, LINE_PIXELS, panel->top, panel->bottom);
	for (size_t i = 0; i < count; i++) {
		const struct end_label *const label = &labels[order[i]];
		const char *const line = typeset(&canvas->sink, "#%06X", label->rgb);
		canvas_line(canvas, label->x + 6, label->y, x - 6, places[i], line, "lw 0.8 dt 3");
		canvas_label(canvas, x, places[i], SIDE_LEFT, canvas_dark(canvas, label->rgb),
			canvas_fit(canvas, label->text, (double)canvas->width - x - 8));
	}
}

void canvas_key(struct canvas *canvas, double x, double top, const struct key_row *rows, size_t count)
{
	enum { SQUARE = 16 };
	static const double line = 1.25 * LINE_PIXELS;
	for (size_t i = 0; i < count; i++) {
		const double y = top + line * ((double)i + 0.5);
		const char *const colour = typeset(&canvas->sink, "#%06X", rows[i].rgb);
		if (rows[i].glyph)
			canvas_label(canvas, x + SQUARE / 2.0, y, SIDE_CENTER, colour, rows[i].glyph);
		else
			canvas_area(canvas, x, y - SQUARE / 2.0, x + SQUARE, y + SQUARE / 2.0, colour);
		canvas_label(canvas, x + 1.7 * SQUARE, y, SIDE_LEFT, INK_AXIS, rows[i].text);
	}
}

size_t canvas_block(struct canvas *canvas, const char *columns)
{
	fill_block(canvas);
	fprintf(canvas->data, "%s# %s\n", canvas->blocks > 0 ? "\n\n" : "", columns);
	canvas->rows = 0;
	return canvas->blocks++;
}

static void separate(struct canvas *canvas)
{
	if (canvas->fields)
		putc('\t', canvas->data);
	canvas->fields = true;
}

void canvas_number(struct canvas *canvas, double value)
{
	char digits[DECIMAL_LENGTH];
	separate(canvas);
	if (value < 0)
		putc('-', canvas->data);
	fputs(decimal_shortest(digits, sizeof digits, value < 0 ? -value : value), canvas->data);
}

void canvas_positive(struct canvas *canvas, double value)
{
	if (value > 0 && value < HUGE_VAL) {
		canvas_number(canvas, value);
		return;
	}
	separate(canvas);
	fputs("NaN", canvas->data);
}

/*
 * Writes a field in double quotes. gnuplot's data format cannot hold a double quote or a control character in it,
 * so these become single quotes and spaces.
 */
void canvas_text(struct canvas *canvas, const char *text)
{
	separate(canvas);
	putc('"', canvas->data);
	for (; *text; text++)
		putc(*text == '"' ? '\'' : iscntrl((unsigned char)*text) ? ' ' : *text, canvas->data);
	putc('"', canvas->data);
}

void canvas_row_end(struct canvas *canvas)
{
	putc('\n', canvas->data);
	canvas->fields = false;
	canvas->rows++;
}

/*
 * Keeps a plot until the panel ends, since gnuplot has one plot command for a panel, after all its settings and
 * labels.
 */
void canvas_plot(struct canvas *canvas, const char *format, ...)
{
	char plot[PLOT_BYTES];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(plot, sizeof plot, format, arguments);
	va_end(arguments);
	const char *const plots = arena_printf(canvas->sink.arena, "%s%s data%s",
		canvas->plots ? canvas->plots : "", canvas->plots ? ", \\\n" : "\nplot", plot);
	canvas->sink.out_of_memory |= !plots;
	canvas->plots = plots;
}
