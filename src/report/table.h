/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A table of text fits its line: columns are cut or left out, never wrapped. Only columns that were asked for by name are
 * all printed, however wide the line becomes. Fields of results become columns of such tables, or of tables in a page.
 */
#ifndef REPORT_TABLE_H
#define REPORT_TABLE_H

#include "report/typeset.h"
#include "result/ranking.h"

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
	bool asked; /* whether the columns were asked for by name: all are printed whole */
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
void table_drop(struct table *table, size_t column);
/* Returns whether cells of the column differ, those that are "" or "-" left out. */
bool table_is_mixed(const struct table *table, size_t column);
/* Removes the column if all its cells are "" or "-". */
void table_drop_empty(struct table *table, size_t column);
/* Returns the width of the table with no column cut or hidden. */
size_t table_width(const struct table *table);
void table_print(struct table *table);

/* Fields of results become columns for people here: values have three digits and a unit. */

struct table_column column_look(const struct result_field *field);
/*
 * Returns the look of a column that was asked for by name behind the field `before` (may be NULL): it has a heading of
 * its own unless it goes on with that field.
 */
struct table_column column_look_asked(const struct result_field *field, const struct result_field *before);
/* Returns a value in three digits and with its unit; "" or "-" where there is none. */
const char *column_text(struct report_sink *sink, const struct result_field *field,
	const struct field_value *value, const char *currency);

/* A table with fields of a record as columns. */
struct columns {
	struct table table;
	struct result_context in;
	const struct result_record *record;
	const struct result_field *fields[TABLE_COLUMNS_MAX];
	const char **cells;   /* cells of the last row */
	const char *currency; /* currency of FIELD_MONEY; NULL: none */
	char scratch[SCRATCH_BYTES];
};

/* Starts a table with a column for each field that the comma list names, of the record or of its parts. */
void columns_start(struct columns *columns, struct report_sink *sink, const void *document,
	const struct result_record *record, const char *names);
/* Adds a row and returns its cells, in the order of the columns, in which the caller may put other texts. */
const char **columns_row(struct columns *columns, const void *row);
/* Adds a row for each item of the list field `list` of `row`, which is of the record `record`. */
void columns_list(
	struct columns *columns, const struct result_record *record, const char *list, const void *row);
void columns_print(struct columns *columns);
/* Prints the items of a list as a table: columns_start(), columns_list() and columns_print() in one call. */
void columns_show(struct report_sink *sink, const void *document, const struct result_record *record,
	const char *list, const void *row, const char *names);

/* Returns the value of a field in a row of a ranking. */
struct field_value ranking_value(
	struct report_sink *sink, const struct result_field *field, const struct ranking_row *row);
const char *ranking_text(
	struct report_sink *sink, const struct result_field *field, const struct ranking_row *row);

#endif
