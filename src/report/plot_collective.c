/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The picture of an operation: time over size, both axes logarithmic, one line for each algorithm (the fastest few) or
 * for each network, the best of each size in bold, crossovers as dotted lines.
 */
#include <string.h>

#include "base/decimal.h"
#include "base/error.h"
#include "report/palette.h"
#include "report/plot.h"
#include "report/typeset.h"

enum { LINES_MAX = 9, WIDTH = 1180, HEIGHT = 640, NAME_COLUMNS = 28, TITLE_COLUMNS = 88 };

struct line {
	const char *name;
	const double *times_s; /* by row; NULL: of the rows themselves */
	const struct paradl_collective_table *table;
	unsigned rgb;
};

struct picture {
	const char *title, *subtitle;
	const struct paradl_collective_table *table; /* whose sizes and crossovers are drawn */
	struct line lines[LINES_MAX];
	size_t count;
	bool has_best;
};

static double time_of(const struct line *line, size_t row)
{
	return line->times_s ? line->times_s[row] : line->table->rows[row].time_s;
}

static void write_number(FILE *file, double value)
{
	char digits[DECIMAL_LENGTH];
	fprintf(file, "\t%s", decimal_shortest(digits, sizeof digits, value));
}

/* bytes, then a column for each line, then the best */
static void write_data(FILE *file, const void *what)
{
	const struct picture *const picture = what;
	const struct paradl_collective_table *const table = picture->table;
	fputs("# bytes", file);
	for (size_t i = 0; i < picture->count; i++) {
		putc('\t', file);
		gnuplot_field(file, picture->lines[i].name);
	}
	fputs("\tbest\n", file);
	for (size_t row = 0; row < table->row_count; row++) {
		char digits[DECIMAL_LENGTH];
		fputs(decimal_shortest(digits, sizeof digits, table->rows[row].bytes), file);
		for (size_t i = 0; i < picture->count; i++)
			write_number(file, time_of(&picture->lines[i], row));
		write_number(file, table->rows[row].time_s);
		putc('\n', file);
	}
}

static void write_crossovers(FILE *file, const struct paradl_collective_table *table)
{
	for (size_t i = 0; i < table->crossover_count; i++) {
		char digits[DECIMAL_LENGTH];
		const char *const bytes =
			decimal_general(digits, sizeof digits, table->crossovers[i].bytes, 6);
		fprintf(file,
			"set arrow %zu from first %s,graph 0 to first %s,graph 1 nohead dt 3 lc rgb "
			"'#9ca3af' lw 1\n",
			i + 1, bytes, bytes);
	}
}

static void write_script(
	FILE *file, struct paradl_arena *arena, const struct plot_files *files, const void *what)
{
	const struct picture *const picture = what;
	gnuplot_begin(file, arena, files, WIDTH, HEIGHT);
	fputs("set border 3\nset grid xtics ytics back lc rgb '#e5e7eb' lw 1 lt 1\n"
	      "set tmargin at screen 0.85\nset bmargin at screen 0.12\n"
	      "set lmargin at screen 0.09\nset rmargin at screen 0.72\n\n",
		file);
	gnuplot_titles(file, arena, picture->title, picture->subtitle, WIDTH, HEIGHT);
	fputs("set logscale x 2\nset logscale y 10\n"
	      "set format y '%.0s %cs'\nset format x '%.0b %BB'\nset xtics rotate by 0 autofreq\n"
	      "set xlabel 'size' textcolor rgb '#374151'\nset ylabel 'time' textcolor rgb '#374151'\n"
	      "set key at screen 0.735,0.85 left top vertical Left reverse samplen 2 spacing 1.25 "
	      "noenhanced textcolor rgb '#374151'\n",
		file);
	if (picture->has_best) /* of one network */
		write_crossovers(file, picture->table);
	fputs("\nplot \\\n", file);
	if (picture->has_best)
		fprintf(file, " data using 1:%zu with lines lw 7 lc rgb '#d1d5db' title 'best', \\\n",
			picture->count + 2);
	for (size_t i = 0; i < picture->count; i++)
		fprintf(file, " data using 1:%zu with linespoints lw 2 pt 7 ps 0.5 lc rgb '#%06X' title %s%s",
			i + 2, picture->lines[i].rgb, gnuplot_quote(arena, picture->lines[i].name),
			i + 1 < picture->count ? ", \\\n" : "\n");
}

/* The Okabe-Ito colours in the order of the phases' palette; grey last. */
static unsigned colour(size_t index)
{
	return phase_looks[index % PARADL_PHASE_COUNT].rgb;
}

static bool is_best_somewhere(const struct paradl_collective_table *table, size_t choice)
{
	for (size_t i = 0; i < table->row_count; i++)
		if (table->rows[i].choice == choice)
			return true;
	return false;
}

static void add_algorithms(struct report_sink *sink, struct picture *picture)
{
	const struct paradl_collective_table *const table = picture->table;
	for (size_t pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < table->choice_count && picture->count < LINES_MAX; i++) {
			if (is_best_somewhere(table, i) != (pass == 0))
				continue;
			picture->lines[picture->count] =
				(struct line){typeset(sink, "%s", report_algorithm(table, i)),
					table->choices[i].time_s, table, colour(picture->count)};
			picture->count++;
		}
	picture->has_best = true;
}

static void add_networks(
	struct report_sink *sink, const struct report_collective *report, struct picture *picture)
{
	for (size_t i = 0; i < report->count && picture->count < LINES_MAX; i++, picture->count++)
		picture->lines[picture->count] = (struct line){
			typeset_cut(sink, typeset(sink, "%s", report->networks[i].info.name), NAME_COLUMNS),
			NULL, &report->networks[i].table, colour(picture->count)};
}

bool plot_collective(struct paradl_arena *arena, const struct report_collective *report, const char *path,
	struct paradl_error *error)
{
	struct report_sink sink = {.arena = arena};
	struct picture picture = {.table = &report->networks->table};
	const struct plot_writer writer = {write_script, write_data, &picture};
	const struct paradl_collective_table *const table = picture.table;
	const char *const operation = paradl_operation_name(table->operation);
	if (report->compares) {
		add_networks(&sink, report, &picture);
		picture.title = typeset(&sink, "%s on %zu networks", operation, report->count);
		picture.subtitle = "the best algorithm of each size and network";
	} else {
		add_algorithms(&sink, &picture);
		picture.title = typeset_cut(&sink,
			typeset(&sink, "%s on %s, %s ranks", operation, report->networks->info.name,
				typeset_whole(&sink, table->ranks)),
			TITLE_COLUMNS);
		picture.subtitle = typeset(&sink, "%u group%s at once · %s", table->concurrent,
			table->concurrent > 1 ? "s" : "", report->placement);
	}
	if (sink.out_of_memory)
		return error_set(error, PARADL_NO_MEMORY, "out of memory");
	return plot_write(arena, &writer, path, error);
}
