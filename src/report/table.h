/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A table of text always fits its line: columns are cut or left out, never wrapped. */
#ifndef REPORT_TABLE_H
#define REPORT_TABLE_H

#include "report/typeset.h"

enum { TABLE_COLUMNS_MAX = 96 };

enum table_align { TABLE_LEFT, TABLE_RIGHT };

struct table_column {
	const char *title;
	enum table_align align;
	int drop; /* the column with the highest drop goes first if the table is too wide; 0: always shown */
	size_t least; /* width to which the text may be cut before the column goes; 0: never cut */
};

struct table {
	struct report_sink *sink;
	struct table_column columns[TABLE_COLUMNS_MAX];
	size_t column_count;
	const char **cells;
	size_t row_count;
	bool hidden[TABLE_COLUMNS_MAX];       /* columns that did not fit, set by table_print() */
	const char *spare[TABLE_COLUMNS_MAX]; /* row to write to when memory has run out */
};

void table_start(struct table *table, struct report_sink *sink);
void table_column(struct table *table, const struct table_column *column);
/* Adds a row of empty cells, for the caller to fill in before the next row is added; never returns NULL. */
const char **table_row(struct table *table);
const char **table_cells(const struct table *table, size_t row);
/* Removes the column if all its cells are "" or "-". */
void table_drop_empty(struct table *table, size_t column);
/* Returns the width of the table with no column cut or hidden. */
size_t table_width(const struct table *table);
void table_print(struct table *table);

#endif
