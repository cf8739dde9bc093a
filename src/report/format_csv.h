/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef REPORT_FORMAT_CSV_H
#define REPORT_FORMAT_CSV_H

#include "report/column.h"

struct csv_line {
	FILE *file;
	bool has_field;
};

void csv_text(struct csv_line *line, const char *text);
void csv_number(struct csv_line *line, double value);
void csv_end(struct csv_line *line);

void csv_value(struct csv_line *line, const struct result_field *field, const struct field_value *value);
void csv_put_document(struct report_sink *sink, const struct result_document *document,
	const struct report_head *head, const void *data);

#endif
