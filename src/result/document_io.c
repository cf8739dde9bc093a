/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes the document of input modes for plans; io.def has its fields. */
#include "result/ranking.h"

static bool give(const struct result_at *at, struct io_row row, struct field_value *value)
{
	struct io_row *const store = field_store(at, sizeof *store);
	if (store)
		*store = row;
	value->row = store;
	return store != NULL;
}

static bool way_item(const struct result_at *at, size_t index, struct field_value *value)
{
	const struct paradl_input_table *const table = ((const struct report_io *)at->in->document)->table;
	for (size_t i = 0; i < table->count; index -= table->cases[i++].row_count) {
		const struct paradl_input_case *const plan = &table->cases[i];
		if (index < plan->row_count)
			return give(at, (struct io_row){plan, &plan->rows[index], NULL}, value);
	}
	return false;
}

static bool term_item(const struct result_at *at, size_t index, struct field_value *value)
{
	const struct paradl_input_table *const table = ((const struct report_io *)at->in->document)->table;
	for (size_t i = 0; i < table->count; index -= table->cases[i++].explanation->count) {
		const struct paradl_input_case *const plan = &table->cases[i];
		if (index < plan->explanation->count)
			return give(at, (struct io_row){plan, NULL, &plan->explanation->terms[index]}, value);
	}
	return false;
}

#define RECORDS "result/io.def"
#include "result/define.h"

static struct result_rows io_table(const void *document, bool is_table)
{
	const struct report_io *const report = document;
	return (struct result_rows){
		.list = record_field(&record_io_rows, is_table && report->shows_terms ? "terms" : "ways"),
		.row = document};
}

const struct result_document document_io = {.schema = "paradl-io-1",
	.title = "paradl io --json: ways to feed plans",
	.doc = "See paradl-io(1). SI units; what is not known is null.",
	.record = &record_io,
	.table = &record_io_row,
	.rows = io_table};
