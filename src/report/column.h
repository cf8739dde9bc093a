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

/* Starts a table with a column for each of some fields of a record. */
void column_table(struct table *table, struct report_sink *sink, const struct result_record *record,
	const char *const *names, size_t count);
/* Adds a row of the same fields; returns its cells, more of which may follow. "-": nothing. */
const char **column_row(struct table *table, const struct result_record *record, const char *const *names,
	size_t count, const void *row);

/* Fields of rows of rankings. */
struct field_value ranking_value(
	struct report_sink *sink, const struct result_field *field, const struct ranking_row *row);
const char *ranking_text(
	struct report_sink *sink, const struct result_field *field, const struct ranking_row *row);

#endif
