/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/bar.h"

#include <math.h>
#include <string.h>

#include "report/palette.h"

enum { EIGHTHS = 8, BAR_COLUMNS_MAX = 64, NOTHING = PARADL_PHASE_COUNT };

static const char *const partial[EIGHTHS + 1] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"};

/* The ends of the phases in parts of a column; rounding the running sum keeps the total right. */
struct ends {
	size_t at[PARADL_PHASE_COUNT];
	size_t last;
	bool cut;
};

static struct ends find_ends(
	const double phase_s[PARADL_PHASE_COUNT], double full_s, size_t columns, size_t parts)
{
	struct ends ends = {0};
	const double scale = full_s > 0 ? (double)(columns * parts) / full_s : 0;
	double sum = 0;
	for (size_t i = 0; i < PARADL_PHASE_COUNT; i++) {
		sum += phase_s[i];
		const double end = floor(sum * scale + 0.5);
		ends.cut = end > (double)(columns * parts);
		ends.at[i] = ends.cut ? columns * parts : (size_t)end;
	}
	ends.last = ends.at[PARADL_PHASE_COUNT - 1];
	if (ends.last == 0 && sum > 0) /* a time above 0 never disappears */
		for (size_t i = 0; i < PARADL_PHASE_COUNT; i++)
			ends.at[i] = ends.last = 1;
	return ends;
}

static size_t phase_at(const struct ends *ends, size_t part)
{
	for (size_t i = 0; i < PARADL_PHASE_COUNT; i++)
		if (part < ends->at[i])
			return i;
	return NOTHING;
}

static const char *join(struct report_sink *sink, const char *a, const char *b)
{
	const char *const both = arena_printf(sink->arena, "%s%s", a, b);
	sink->out_of_memory |= !both;
	return both ? both : "";
}

/* Returns one column of the bar, with at most two phases: the one it begins with and the one it ends with. */
static const char *coloured_column(struct report_sink *sink, const struct ends *ends, size_t column)
{
	const size_t first = phase_at(ends, column * EIGHTHS);
	const size_t last = phase_at(ends, column * EIGHTHS + EIGHTHS - 1);
	size_t eighths = EIGHTHS;
	if (first == NOTHING)
		return "";
	if (first != last)
		eighths = ends->at[first] - column * EIGHTHS;
	return typeset_phase(sink, &phase_looks[first],
		last == NOTHING || first == last ? NULL : &phase_looks[last], partial[eighths]);
}

static const char *shaded_column(struct report_sink *sink, const struct ends *ends, size_t column)
{
	const size_t phase = phase_at(ends, column);
	if (phase == NOTHING)
		return "";
	if (!sink->style.ascii)
		return phase_looks[phase].shade;
	return typeset(sink, "%c", phase_looks[phase].ascii);
}

const char *bar_phases(
	struct report_sink *sink, const double phase_s[PARADL_PHASE_COUNT], double full_s, size_t columns)
{
	const bool in_colour = sink->style.colors != COLORS_NONE && !sink->style.ascii;
	const size_t parts = in_colour ? EIGHTHS : 1;
	const struct ends ends = find_ends(phase_s, full_s, columns, parts);
	const char *bar = "";
	for (size_t column = 0; column < columns; column++) {
		if (ends.cut && column + 1 == columns)
			return join(sink, bar, sink->style.ascii ? ">" : "▸");
		bar = join(sink, bar,
			in_colour ? coloured_column(sink, &ends, column)
				  : shaded_column(sink, &ends, column));
	}
	return bar;
}

static bool kind_seen(const bool used[PARADL_PHASE_COUNT], size_t phase)
{
	for (size_t i = 0; i < phase; i++)
		if (used[i] && strcmp(phase_looks[i].kind, phase_looks[phase].kind) == 0)
			return true;
	return false;
}

const char *bar_legend(struct report_sink *sink, const bool used[PARADL_PHASE_COUNT])
{
	const bool in_colour = sink->style.colors != COLORS_NONE && !sink->style.ascii;
	const char *legend = "";
	for (size_t i = 0; i < PARADL_PHASE_COUNT; i++) {
		const struct phase_look *const look = &phase_looks[i];
		const char mark[2] = {look->ascii, '\0'};
		if (!used[i] || (!in_colour && kind_seen(used, i)))
			continue;
		legend = join(sink, legend, *legend ? "  " : "");
		legend = join(sink, legend,
			in_colour           ? typeset_phase(sink, look, NULL, "█")
			: sink->style.ascii ? mark
					    : look->shade);
		legend = join(sink, legend, " ");
		legend = join(sink, legend, in_colour ? look->label : look->kind);
	}
	return legend;
}
