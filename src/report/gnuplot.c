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
	WIDTH_PIXELS = 1400,
	ROW_PIXELS = 48,
	TOP_PIXELS = 104,
	BOTTOM_PIXELS = 68,
	LEAST_HEIGHT_PIXELS = 420,
	NAME_PIXELS = 10, /* of one character of the font, generously */
	KEY_PIXELS = 230,
	MARGIN_PIXELS = 22
};

const char *gnuplot_quote(struct paradl_arena *arena, const char *text)
{
	char *const quoted = arena_alloc(arena, 2 * strlen(text) + 3, 1);
	char *out = quoted;
	if (!quoted)
		return "''";
	*out++ = '\'';
	for (; *text; text++) {
		if (*text == '\'')
			*out++ = '\'';
		*out++ = iscntrl((unsigned char)*text) ? ' ' : *text;
	}
	*out++ = '\'';
	*out = '\0';
	return quoted;
}

static size_t widest_name(const struct plot *plot)
{
	size_t widest = 0;
	for (size_t i = 0; i < plot->row_count; i++) {
		const size_t length = strlen(plot->rows[i].name);
		widest = length > widest ? length : widest;
	}
	return widest;
}

static unsigned height_pixels(const struct plot *plot)
{
	const unsigned height = TOP_PIXELS + BOTTOM_PIXELS + ROW_PIXELS * (unsigned)plot->row_count;
	return height > LEAST_HEIGHT_PIXELS ? height : LEAST_HEIGHT_PIXELS;
}

static double of_width(size_t pixels)
{
	const double share = (double)pixels / WIDTH_PIXELS;
	return share < 0.5 ? share : 0.5;
}

static void write_head(FILE *file, struct paradl_arena *arena, const struct plot *plot)
{
	const unsigned height = height_pixels(plot);
	const bool is_svg = strstr(plot->picture, ".svg") != NULL;
	fprintf(file, "# To draw it again from where paradl ran: gnuplot -d %s\n",
		gnuplot_quote(arena, plot->script));
	fprintf(file, "if (!exists('output')) output = %s\n", gnuplot_quote(arena, plot->picture));
	fprintf(file, "data = %s\n\nset encoding utf8\n", gnuplot_quote(arena, plot->data));
	fprintf(file, "set terminal %s size %d,%u font 'Liberation Sans,15' enhanced rounded%s\n",
		is_svg ? "svg" : "pngcairo", WIDTH_PIXELS, height,
		is_svg ? " background '#ffffff'" : " background '#ffffff' linewidth 1.2");
	fputs("set output output\nset datafile separator tab\n\n"
	      "set style line 101 lc rgb '#6b7280' lw 1\nset border 1 ls 101\n"
	      "set tics nomirror out scale 0.6 textcolor rgb '#374151'\nunset ytics\n"
	      "set grid noytics xtics back lc rgb '#e5e7eb' lw 1 lt 1\n",
		file);
	fprintf(file, "set lmargin at screen %.4f\nset rmargin at screen %.4f\n",
		of_width(MARGIN_PIXELS + NAME_PIXELS * widest_name(plot)), 1 - of_width(KEY_PIXELS));
	fprintf(file, "set tmargin at screen %.4f\nset bmargin at screen %.4f\n\n",
		1 - (double)TOP_PIXELS / height, (double)BOTTOM_PIXELS / height);
	fprintf(file,
		"set label 1 %s at screen %.4f,%.4f left noenhanced font 'Liberation Sans:Bold,20' "
		"textcolor rgb '#111827'\n",
		gnuplot_quote(arena, plot->title), (double)MARGIN_PIXELS / WIDTH_PIXELS, 1 - 34.0 / height);
	fprintf(file, "set label 2 %s at screen %.4f,%.4f left noenhanced textcolor rgb '#6b7280'\n",
		gnuplot_quote(arena, plot->subtitle), (double)MARGIN_PIXELS / WIDTH_PIXELS,
		1 - 68.0 / height);
}

static void write_axes(FILE *file, struct paradl_arena *arena, const struct plot *plot)
{
	char most[DECIMAL_LENGTH];
	fprintf(file, "set xrange [0:%s]\nset yrange [%zu.6:0.4]\n",
		decimal_shortest(most, sizeof most, plot->most), plot->row_count);
	fprintf(file, "set xlabel %s noenhanced offset 0,0.3 textcolor rgb '#374151'\n",
		gnuplot_quote(arena, plot->axis));
	fprintf(file,
		"set key at screen %.4f,graph 1 left top vertical Left reverse samplen 1.2 spacing 1.25 "
		"noenhanced textcolor rgb '#374151'\n\n",
		1 - of_width(KEY_PIXELS - MARGIN_PIXELS));
}

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
			" data using (column(11) == %d ? from(%zu) : NaN):(row($0)):(from(%zu)):(upto(%zu)):"
			"(row($0) - half):(row($0) + half) with boxxyerror fs solid 1 noborder ",
			feasible, i + 2, i + 2, i + 2);
		if (feasible)
			fprintf(file, "lc rgb '#%06X' title '%s', \\\n", phase_looks[i].rgb,
				phase_looks[i].label);
		else
			fprintf(file, "lc rgb '#c8%06X' notitle, \\\n", phase_looks[i].rgb);
	}
}

void gnuplot_script(FILE *file, struct paradl_arena *arena, const struct plot *plot)
{
	char most[DECIMAL_LENGTH];
	write_head(file, arena, plot);
	write_axes(file, arena, plot);
	fprintf(file, "most = %s\nhalf = 0.34\n", decimal_shortest(most, sizeof most, plot->most));
	fputs("row(n) = n + 1\ncut(x) = x < most ? x : most\n"
	      "upto(k) = cut(sum[j=2:k] column(j))\nfrom(k) = k == 2 ? 0 : upto(k - 1)\n\n"
	      "plot \\\n",
		file);
	write_phases(file, plot, true);
	write_phases(file, plot, false);
	fputs(" data using (0):(row($0)):1 with labels right offset -1,0 noenhanced "
	      "textcolor rgb '#111827' notitle, \\\n"
	      " data using (column(11) == 1 ? upto(10) : NaN):(row($0)):12 with labels left offset 0.8,0 "
	      "noenhanced textcolor rgb '#111827' notitle, \\\n"
	      " data using (column(11) == 0 ? 0 : NaN):(row($0)):12 with labels left offset 0.8,0 "
	      "noenhanced font 'Liberation Sans,14' textcolor rgb '#b91c1c' notitle\n",
		file);
}

/* A field in double quotes: the reader knows no way to write a double quote or a control character in it. */
static void write_field(FILE *file, const char *text)
{
	putc('"', file);
	for (; *text; text++)
		putc(*text == '"' ? '\'' : iscntrl((unsigned char)*text) ? ' ' : *text, file);
	putc('"', file);
}

void gnuplot_data(FILE *file, const struct plot *plot)
{
	char digits[DECIMAL_LENGTH];
	fputs("# name", file);
	for (size_t i = 0; i < PARADL_PHASE_COUNT; i++)
		fprintf(file, "\t%s", paradl_phase_name((enum paradl_phase)i));
	fputs("\tfeasible\tnote\n", file);
	for (size_t i = 0; i < plot->row_count; i++) {
		const struct plot_row *const row = &plot->rows[i];
		write_field(file, row->name);
		for (size_t j = 0; j < PARADL_PHASE_COUNT; j++)
			fprintf(file, "\t%s", decimal_shortest(digits, sizeof digits, row->parts[j]));
		fprintf(file, "\t%d\t", row->feasible);
		write_field(file, row->note);
		putc('\n', file);
	}
}
