/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gnuplot runs what stands in backquotes inside double quotes, reads "< file" and writes "| file" through
 * a shell, and expands @macros outside quotes: so user text stands in single quotes with noenhanced, or
 * in the data file, and file names begin with "/" or "./".
 */
#include <ctype.h>
#include <string.h>

#include "base/decimal.h"
#include "report/palette.h"
#include "report/plot.h"

enum {
	LEAST_WIDTH_PIXELS = 1400,
	CHART_PIXELS = 640, /* at least */
	ROW_PIXELS = 48,
	TOP_PIXELS = 104,
	BOTTOM_PIXELS = 72,
	LEAST_HEIGHT_PIXELS = 480, /* the key has its place */
	CHARACTER_PIXELS = 12,     /* of a wide substitute for the font */
	KEY_PIXELS = 290,
	MARGIN_PIXELS = 22
};

/* In pixels. */
struct geometry {
	size_t width, height, left, notes;
};

const char *gnuplot_quote(struct paradl_arena *arena, const char *text)
{
	char *const quoted = arena_alloc(arena, 2 * strlen(text) + 4, 1);
	char *out = quoted;
	if (!quoted)
		return "''";
	*out++ = '\'';
	if (*text == '\'') /* gnuplot 5.4 takes ''' for an empty string and the beginning of another */
		*out++ = ' ';
	for (; *text; text++) {
		if (*text == '\'')
			*out++ = '\'';
		*out++ = iscntrl((unsigned char)*text) ? ' ' : *text;
	}
	*out++ = '\'';
	*out = '\0';
	return quoted;
}

static size_t text_pixels(const char *text)
{
	size_t characters = 0;
	for (; *text; text++)
		characters += ((unsigned char)*text & 0xc0) != 0x80;
	return CHARACTER_PIXELS * characters;
}

static struct geometry arrange(const struct plot *plot)
{
	struct geometry geometry = {0};
	size_t names = 0, notes = 0;
	for (size_t i = 0; i < plot->row_count; i++) {
		const struct plot_row *const row = &plot->rows[i];
		const size_t name = text_pixels(row->name), note = text_pixels(row->note);
		names = name > names ? name : names;
		notes = row->feasible && note > notes ? note : notes;
	}
	geometry.left = MARGIN_PIXELS + names + MARGIN_PIXELS;
	geometry.notes = notes < CHART_PIXELS / 2 ? notes : CHART_PIXELS / 2;
	geometry.width = geometry.left + CHART_PIXELS + KEY_PIXELS;
	if (geometry.width < LEAST_WIDTH_PIXELS)
		geometry.width = LEAST_WIDTH_PIXELS;
	geometry.height = TOP_PIXELS + BOTTOM_PIXELS + ROW_PIXELS * plot->row_count;
	if (geometry.height < LEAST_HEIGHT_PIXELS)
		geometry.height = LEAST_HEIGHT_PIXELS;
	return geometry;
}

static double share(size_t pixels, size_t all)
{
	return (double)pixels / (double)all;
}

void gnuplot_begin(
	FILE *file, struct paradl_arena *arena, const struct plot_files *files, size_t width, size_t height)
{
	const bool is_svg = strstr(files->picture, ".svg") != NULL;
	fprintf(file, "# To draw it again from where paradl ran: gnuplot -d %s\n",
		gnuplot_quote(arena, files->script));
	fprintf(file, "if (!exists('output')) output = %s\n", gnuplot_quote(arena, files->picture));
	fprintf(file, "data = %s\n\nset encoding utf8\n", gnuplot_quote(arena, files->data));
	fprintf(file,
		"set terminal %s size %zu,%zu font 'Liberation Sans,15' enhanced rounded background "
		"'#ffffff'%s\n",
		is_svg ? "svg" : "pngcairo", width, height, is_svg ? "" : " linewidth 1.2");
	fputs("set output output\nset datafile separator tab\n\n"
	      "set style line 101 lc rgb '#6b7280' lw 1\nset border 1 ls 101\n"
	      "set tics nomirror out scale 0.6 textcolor rgb '#374151'\n",
		file);
}

void gnuplot_titles(FILE *file, struct paradl_arena *arena, const char *title, const char *subtitle,
	size_t width, size_t height)
{
	fprintf(file,
		"set label 1 %s at screen %.4f,%.4f left noenhanced font 'Liberation Sans:Bold,20' "
		"textcolor rgb '#111827'\n",
		gnuplot_quote(arena, title), share(MARGIN_PIXELS, width), 1 - share(34, height));
	fprintf(file, "set label 2 %s at screen %.4f,%.4f left noenhanced textcolor rgb '#6b7280'\n",
		gnuplot_quote(arena, subtitle), share(MARGIN_PIXELS, width), 1 - share(68, height));
}

static void write_head(FILE *file, struct paradl_arena *arena, const struct plot_files *files,
	const struct plot *plot, const struct geometry *geometry)
{
	const size_t width = geometry->width, height = geometry->height;
	gnuplot_begin(file, arena, files, width, height);
	fputs("unset ytics\nset grid noytics xtics back lc rgb '#e5e7eb' lw 1 lt 1\n", file);
	fprintf(file, "set lmargin at screen %.4f\nset rmargin at screen %.4f\n",
		share(geometry->left, width), 1 - share(KEY_PIXELS, width));
	fprintf(file, "set tmargin at screen %.4f\nset bmargin at screen %.4f\n\n",
		1 - share(TOP_PIXELS, height), share(BOTTOM_PIXELS, height));
	gnuplot_titles(file, arena, plot->title, plot->subtitle, width, height);
}

/* The longest bar ends where its note still has room. */
static void write_axes(
	FILE *file, struct paradl_arena *arena, const struct plot *plot, const struct geometry *geometry)
{
	const size_t chart = geometry->width - geometry->left - KEY_PIXELS;
	const double end = plot->most / (1 - share(geometry->notes, chart));
	fprintf(file, "set xrange [0:%.6g]\nset yrange [%zu.6:0.4]\n", end, plot->row_count);
	fprintf(file, "set xlabel %s noenhanced offset 0,0.3 textcolor rgb '#374151'\n",
		gnuplot_quote(arena, plot->axis));
	fprintf(file,
		"set key at screen %.4f,graph 1 left top vertical Left reverse samplen 1.2 spacing 1.25 "
		"noenhanced textcolor rgb '#374151'\n\n",
		1 - share(KEY_PIXELS - MARGIN_PIXELS, geometry->width));
}

/* Of the data, from 1: the name, the phases, and these. */
enum { COLUMN_LAST_PHASE = PARADL_PHASE_COUNT + 1, COLUMN_FEASIBLE, COLUMN_NOTE };

static bool is_drawn(const struct plot *plot, size_t phase, bool feasible)
{
	for (size_t i = 0; i < plot->row_count; i++)
		if (plot->rows[i].parts[phase] > 0 && plot->rows[i].feasible == feasible)
			return true;
	return false;
}

static void write_phases(FILE *file, const struct plot *plot, bool feasible)
{
	for (size_t i = 0; i < PARADL_PHASE_COUNT; i++) {
		if (!is_drawn(plot, i, feasible))
			continue;
		fprintf(file,
			" data using (column(%d) == %d ? from(%zu) : NaN):(row($0)):(from(%zu)):(upto(%zu)):"
			"(row($0) - half):(row($0) + half) with boxxyerror fs solid 1 noborder ",
			COLUMN_FEASIBLE, feasible, i + 2, i + 2, i + 2);
		if (feasible)
			fprintf(file, "lc rgb '#%06X' title '%s', \\\n", phase_looks[i].rgb,
				phase_looks[i].label);
		else
			fprintf(file, "lc rgb '#c8%06X' notitle, \\\n", phase_looks[i].rgb);
	}
}

void gnuplot_script(FILE *file, struct paradl_arena *arena, const struct plot_files *files, const void *what)
{
	const struct plot *const plot = what;
	char most[DECIMAL_LENGTH];
	const struct geometry geometry = arrange(plot);
	write_head(file, arena, files, plot, &geometry);
	write_axes(file, arena, plot, &geometry);
	fprintf(file, "most = %s\nhalf = 0.34\n", decimal_shortest(most, sizeof most, plot->most));
	fputs("row(n) = n + 1\ncut(x) = x < most ? x : most\n"
	      "upto(k) = cut(sum[j=2:k] column(j))\nfrom(k) = k == 2 ? 0 : upto(k - 1)\n\n"
	      "plot \\\n",
		file);
	write_phases(file, plot, true);
	write_phases(file, plot, false);
	fputs(" data using (0):(row($0)):1 with labels right offset -1,0 noenhanced "
	      "textcolor rgb '#111827' notitle, \\\n",
		file);
	fprintf(file,
		" data using (column(%d) == 1 ? upto(%d) : NaN):(row($0)):%d with labels left offset 0.8,0 "
		"noenhanced textcolor rgb '#111827' notitle, \\\n"
		" data using (column(%d) == 0 ? 0 : NaN):(row($0)):%d with labels left offset 0.8,0 "
		"noenhanced font 'Liberation Sans,14' textcolor rgb '#b91c1c' notitle\n",
		COLUMN_FEASIBLE, COLUMN_LAST_PHASE, COLUMN_NOTE, COLUMN_FEASIBLE, COLUMN_NOTE);
}

/* A field in double quotes: the reader knows no way to write a double quote or a control character in it. */
void gnuplot_field(FILE *file, const char *text)
{
	putc('"', file);
	for (; *text; text++)
		putc(*text == '"' ? '\'' : iscntrl((unsigned char)*text) ? ' ' : *text, file);
	putc('"', file);
}

void gnuplot_data(FILE *file, const void *what)
{
	const struct plot *const plot = what;
	char digits[DECIMAL_LENGTH];
	fputs("# name", file);
	for (size_t i = 0; i < PARADL_PHASE_COUNT; i++)
		fprintf(file, "\t%s", paradl_phase_name((enum paradl_phase)i));
	fputs("\tfeasible\tnote\n", file);
	for (size_t i = 0; i < plot->row_count; i++) {
		const struct plot_row *const row = &plot->rows[i];
		gnuplot_field(file, row->name);
		for (size_t j = 0; j < PARADL_PHASE_COUNT; j++)
			fprintf(file, "\t%s", decimal_shortest(digits, sizeof digits, row->parts[j]));
		fprintf(file, "\t%d\t", row->feasible);
		gnuplot_field(file, row->note);
		putc('\n', file);
	}
}
