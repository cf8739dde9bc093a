/* SPDX-License-Identifier: GPL-3.0-or-later */
/* These functions write the pieces of JSON: format_json.c writes whole documents, format_jsonl.c one object per line. */
#ifndef REPORT_FORMAT_JSON_H
#define REPORT_FORMAT_JSON_H

#include "base/json.h"
#include "report/report.h"
#include "result/field.h"

struct json_writer json_writer_for(const struct report_sink *sink, bool compact);

/* Writes a text, number or flag; null if it is not known. */
void json_value(struct json_writer *writer, const char *key, const struct result_field *field,
	const struct field_value *value);
void json_put_document(struct report_sink *sink, const struct result_document *document,
	const struct report_head *head, const void *data);
/*
 * Writes a document whose list comes item by item: json_put_before() all up to the first item, json_put_behind() all
 * after the last; `any` says whether there were items.
 */
void json_put_before(struct report_sink *sink, const struct result_document *document,
	const struct report_head *head, const void *data, const char *list);
void json_put_behind(struct report_sink *sink, const struct result_document *document,
	const struct report_head *head, const void *data, const char *list, bool any);
/* Writes the rows of a document, one object per line. */
void json_put_rows(struct report_sink *sink, const struct result_document *document,
	const struct report_head *head, const void *data);

#endif
