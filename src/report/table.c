/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/table.h"
#include "base/arena.h"

#include <string.h>

enum { GAP = 2, MARGIN = 1 };

void table_start(struct table *table, struct report_sink *sink)
{
	memset(table, 0, sizeof *table);
	table->sink = sink;
}

void table_column(struct table *table, const struct table_column *column)
{
	if (table->column_count == TABLE_COLUMNS_MAX)
		return;
	struct table_column *const copy = &table->columns[table->column_count++];
	*copy = *column;
	copy->title = typeset_clean(table->sink, column->title);
}

const char **table_row(struct table *table)
{
	const char **row = table->spare;
	if (list_grow(table->sink->arena, &table->cells, table->row_count,
		    TABLE_COLUMNS_MAX * sizeof *table->cells))
		row = &table->cells[table->row_count++ * TABLE_COLUMNS_MAX];
	else
		table->sink->out_of_memory = true;
	for (size_t i = 0; i < TABLE_COLUMNS_MAX; i++)
		row[i] = "";
	return row;
}

const char **table_cells(const struct table *table, size_t row)
{
	return &table->cells[row * TABLE_COLUMNS_MAX];
}

static const char *cell(const struct table *table, size_t row, size_t column)
{
	return table_cells(table, row)[column];
}

static bool is_empty(const char *text)
{
	return strcmp(text, "") == 0 || strcmp(text, "-") == 0;
}

void table_drop_empty(struct table *table, size_t column)
{
	for (size_t row = 0; row < table->row_count; row++)
		if (!is_empty(cell(table, row, column)))
			return;
	table_drop(table, column);
}

bool table_is_mixed(const struct table *table, size_t column)
{
	const char *first = NULL;
	for (size_t row = 0; row < table->row_count; row++) {
		const char *const text = cell(table, row, column);
		if (is_empty(text))
			continue;
		if (first && strcmp(first, text) != 0)
			return true;
		first = text;
	}
	return false;
}

void table_drop(struct table *table, size_t column)
{
	const size_t after = --table->column_count - column;
	memmove(&table->columns[column], &table->columns[column + 1], after * sizeof *table->columns);
	for (size_t row = 0; row < table->row_count; row++) {
		const char **const cells = table_cells(table, row) + column;
		memmove(cells, cells + 1, after * sizeof *cells);
	}
}

/* The layout of a table: widths (0 for a hidden column), and the columns that are hidden. */
struct layout {
	size_t widths[TABLE_COLUMNS_MAX];
	bool hidden[TABLE_COLUMNS_MAX];
};

static void measure(const struct table *table, struct layout *layout)
{
	for (size_t column = 0; column < table->column_count; column++) {
		size_t widest = typeset_width(table->columns[column].title);
		for (size_t row = 0; row < table->row_count; row++) {
			const size_t width = typeset_width(cell(table, row, column));
			widest = width > widest ? width : widest;
		}
		layout->widths[column] = layout->hidden[column] ? 0 : widest;
	}
}

static size_t total_width(const struct table *table, const struct layout *layout)
{
	size_t total = MARGIN, shown = 0;
	for (size_t i = 0; i < table->column_count; i++) {
		total += layout->widths[i];
		shown += !layout->hidden[i];
	}
	return total + (shown > 0 ? (shown - 1) * GAP : 0);
}

size_t table_width(const struct table *table)
{
	struct layout layout = {0};
	measure(table, &layout);
	return total_width(table, &layout);
}

static int highest_drop(const struct table *table, const struct layout *layout)
{
	int highest = 0;
	for (size_t i = 0; i < table->column_count; i++)
		if (!layout->hidden[i] && table->columns[i].drop > highest)
			highest = table->columns[i].drop;
	return highest;
}

/*
 * Takes the width `excess` from columns that may be cut, the last first, but only from columns with the highest drop
 * still shown; returns the excess that remains.
 */
static size_t cut(const struct table *table, struct layout *layout, size_t excess)
{
	const int highest = highest_drop(table, layout);
	for (size_t i = table->column_count; i-- > 0 && excess > 0;) {
		const struct table_column *const column = &table->columns[i];
		if (layout->hidden[i] || column->least == 0 || column->drop < highest ||
			layout->widths[i] <= column->least)
			continue;
		const size_t spare = layout->widths[i] - column->least;
		const size_t taken = spare < excess ? spare : excess;
		layout->widths[i] -= taken;
		excess -= taken;
	}
	return excess;
}

static bool hide_one(const struct table *table, struct layout *layout)
{
	size_t worst = table->column_count;
	for (size_t i = 0; i < table->column_count; i++)
		if (!layout->hidden[i] && table->columns[i].drop > 0 &&
			(worst == table->column_count || table->columns[i].drop > table->columns[worst].drop))
			worst = i;
	if (worst == table->column_count)
		return false;
	layout->hidden[worst] = true;
	return true;
}

static bool fits(const struct table *table, struct layout *layout)
{
	const size_t line = table->sink->style.width;
	measure(table, layout);
	const size_t total = total_width(table, layout);
	return total <= line || cut(table, layout, total - line) == 0;
}

/* Reports whether a column without a title goes on with one that is hidden: it would stand there without a heading. */
static bool is_headless(const struct table *table, const struct layout *layout, size_t column)
{
	return !*table->columns[column].title && column > 0 && layout->hidden[column - 1];
}

/*
 * Hides columns until the rest fits, then shows those again that there is room for: a wide column may have hidden a
 * narrow one.
 */
static void fit(const struct table *table, struct layout *layout)
{
	struct layout uncut = {0};
	measure(table, &uncut);
	if (table->asked) {
		*layout = uncut;
		return;
	}
	while (!fits(table, layout) && hide_one(table, layout))
		;
	for (size_t i = 0; i < table->column_count; i++) {
		const size_t needed = total_width(table, layout) + GAP + uncut.widths[i];
		if (!layout->hidden[i] || needed > table->sink->style.width || is_headless(table, layout, i))
			continue;
		layout->hidden[i] = false;
		layout->widths[i] = uncut.widths[i];
	}
}

static void print_line(
	const struct table *table, const struct layout *layout, const char *const *cells, bool title)
{
	FILE *const file = table->sink->file;
	size_t pending = MARGIN; /* spaces still to write, so that none end a line */
	for (size_t i = 0; i < table->column_count; i++) {
		if (layout->hidden[i])
			continue;
		const char *const text = typeset_cut(table->sink, cells[i], layout->widths[i]);
		const size_t width = typeset_width(text);
		const size_t padding = layout->widths[i] > width ? layout->widths[i] - width : 0;
		const bool right = table->columns[i].align == TABLE_RIGHT;
		pending += right ? padding : 0;
		if (*text)
			fprintf(file, "%*s%s", (int)pending, "",
				title ? typeset_ink(table->sink, INK_DIM, text) : text);
		pending = (*text ? 0 : pending + width) + (right ? 0 : padding) + GAP;
	}
	putc('\n', file);
}

/* Prints which columns have no room in a line of the width that was asked for. */
static void print_hidden(const struct table *table)
{
	const char *names = "";
	for (size_t i = 0; i < table->column_count; i++)
		if (table->hidden[i] && *table->columns[i].title)
			names = typeset(
				table->sink, "%s%s%s", names, *names ? ", " : "", table->columns[i].title);
	if (*names && table->sink->style.width_asked && !table->sink->style.brief)
		typeset_labelled(table->sink, "left out",
			typeset(table->sink, "%s: wider lines have them (--width)", names));
}

void table_print(struct table *table)
{
	struct layout layout = {0};
	const char *titles[TABLE_COLUMNS_MAX];
	for (size_t i = 0; i < table->column_count; i++)
		titles[i] = table->columns[i].title;
	fit(table, &layout);
	memcpy(table->hidden, layout.hidden, sizeof table->hidden);
	print_line(table, &layout, titles, true);
	for (size_t row = 0; row < table->row_count; row++)
		print_line(table, &layout, &table->cells[row * TABLE_COLUMNS_MAX], false);
	print_hidden(table);
}
