/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes the document that lists all models, machines and the like; list.def has the fields of all rows. */
#include <string.h>

#include "result/field.h"

static bool listing_rows(const struct result_at *at, size_t index, struct field_value *value)
{
	const struct report_listing *const listing = at->in->document;
	value->row =
		index < listing->row_count ? (const char *)listing->rows + index * listing->row_bytes : NULL;
	return value->row != NULL;
}

#define RECORDS "result/list.def"
#include "result/define.h"

static struct result_rows list_rows(const void *document, bool is_table)
{
	const struct report_listing *const listing = document;
	(void)is_table;
	return (struct result_rows){
		.list = record_field(listing->model ? &record_listed_layers : &record_list, listing->what),
		.row = document};
}

const struct result_document document_list = {.schema = "paradl-list-1",
	.title = "paradl list --json: what there is, or the layers of a model",
	.doc = "See paradl-list(1). One key beside schema says what is listed.",
	.record = &record_list,
	.table = &record_listed_model,
	.rows = list_rows};

const struct result_record *listing_record(const struct report_listing *listing)
{
	return list_rows(listing, true).list->record;
}

struct field_value listing_value(
	const struct report_listing *listing, const struct result_field *field, size_t row)
{
	struct result_context context = {.document = listing};
	struct field_value value = {0};
	struct result_at at = {.in = &context};
	if (!listing_rows(&at, row, &value))
		return (struct field_value){.absent = true};
	at.row = value.row;
	return field_read(field, &at);
}
