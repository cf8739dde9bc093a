/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fields of results become columns for people here: values have three digits and a unit. */
#ifndef REPORT_COLUMN_H
#define REPORT_COLUMN_H

#include "report/table.h"
#include "result/ranking.h"

struct table_column column_look(const struct result_field *field);
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
