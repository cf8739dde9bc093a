/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fields of results as columns for people: three digits and a unit. */
#ifndef REPORT_COLUMN_H
#define REPORT_COLUMN_H

#include "report/table.h"
#include "result/ranking.h"

struct table_column column_look(const struct result_field *field);
/* A value in three digits and with its unit; "" or "-" where there is none. */
const char *column_text(struct report_sink *sink, const struct result_field *field,
	const struct field_value *value, const char *currency);

/* A table of fields of a record. */
struct columns {
	struct table table;
	struct result_context in;
	const struct result_record *record;
	const struct result_field *fields[TABLE_COLUMNS_MAX];
	const char **cells;   /* of the last row */
	const char *currency; /* of money; NULL: none */
	char scratch[SCRATCH_BYTES];
};

/* Starts a table with a column for each field in a comma list, of the record or of its parts. */
void columns_start(struct columns *columns, struct report_sink *sink, const void *document,
	const struct result_record *record, const char *names);
/* Adds a row; returns its cells: those of COLUMN are for the caller to fill in, and more may follow. */
const char **columns_row(struct columns *columns, const void *row);
/* Adds a row for each item of a list that `row`, of another record, has. */
void columns_list(
	struct columns *columns, const struct result_record *record, const char *list, const void *row);
void columns_print(struct columns *columns);
/* Prints the items of a list: all of the above. */
void columns_show(struct report_sink *sink, const void *document, const struct result_record *record,
	const char *list, const void *row, const char *names);

/* Fields of rows of rankings. */
struct field_value ranking_value(
	struct report_sink *sink, const struct result_field *field, const struct ranking_row *row);
const char *ranking_text(
	struct report_sink *sink, const struct result_field *field, const struct ranking_row *row);

#endif
