/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A table of text that fits its line: columns are cut down or left out, never wrapped. */
#ifndef REPORT_TABLE_H
#define REPORT_TABLE_H

#include "report/typeset.h"

enum { TABLE_COLUMNS_MAX = 96 };

enum table_align { TABLE_LEFT, TABLE_RIGHT };

struct table_column {
	const char *title;
	enum table_align align;
	int drop;     /* the highest goes first when the table is too wide; 0 stays whatever happens */
	size_t least; /* text may be cut to this width before the column goes; 0: never cut */
};

struct table {
	struct report_sink *sink;
	struct table_column columns[TABLE_COLUMNS_MAX];
	size_t column_count;
	const char **cells;
	size_t row_count;
	bool hidden[TABLE_COLUMNS_MAX];       /* after table_print: columns that did not fit */
	const char *spare[TABLE_COLUMNS_MAX]; /* the row of a table that is out of memory */
};

void table_start(struct table *table, struct report_sink *sink);
void table_column(struct table *table, const struct table_column *column);
/* One more row of empty cells for the caller to fill in before the next; never NULL. */
const char **table_row(struct table *table);
const char **table_cells(const struct table *table, size_t row);
/* Takes a column away that has nothing but "" and "-". */
void table_drop_empty(struct table *table, size_t column);
size_t table_width(const struct table *table); /* uncut */
void table_print(struct table *table);

#endif
