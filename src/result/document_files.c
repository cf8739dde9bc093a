/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes the documents about files: lists of what there is, checks of files, failures. */
#include "result/documents.h"
#include "result/field.h"

#include <string.h>

/* Makes the document that lists all models, machines and the like; list.def has the fields of all rows. */

static bool listing_rows(const struct result_at *at, size_t index, struct field_value *value)
{
	const struct report_listing *const listing = at->in->document;
	value->row =
		index < listing->row_count ? (const char *)listing->rows + index * listing->row_bytes : NULL;
	return value->row != NULL;
}

#define NAMES   list
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

/* Makes documents of failures, and of checks of files; check.def has their fields. */

/* A file with one finding; text NULL: it is valid and has none. */
struct finding {
	const struct checked_file *file;
	const char *text;
};

static const char *error_code(unsigned status)
{
	static const char *const codes[] = {[PARADL_OK] = "internal",
		[PARADL_NO_MEMORY] = "no-memory",
		[PARADL_IO] = "io",
		[PARADL_SYNTAX] = "syntax",
		[PARADL_SCHEMA] = "schema",
		[PARADL_USAGE] = "usage",
		[PARADL_INFEASIBLE] = "infeasible",
		[PARADL_NO_TOOL] = "no-tool"};
	return codes[status < sizeof codes / sizeof codes[0] ? status : PARADL_OK];
}
enum { ERROR_COUNT = PARADL_NO_TOOL + 1 };

/* Reads a row for each finding, and one for each file without findings. */
static bool check_findings(const struct result_at *at, size_t index, struct field_value *value)
{
	const struct report_check *const check = at->row;
	for (size_t i = 0; i < check->count; i++) {
		const struct checked_file *const file = &check->files[i];
		const size_t rows = file->findings.count > 0 ? file->findings.count : 1;
		if (index >= rows) {
			index -= rows;
			continue;
		}
		struct finding *const row = field_store(at, sizeof *row);
		if (row)
			*row = (struct finding){file, index < file->findings.count
							      ? file->findings.warnings[index]
						      : file->valid ? NULL
								    : file->error.message};
		value->row = row;
		return row != NULL;
	}
	return false;
}

#define NAMES   check
#define RECORDS "result/check.def"
#include "result/define.h"

static struct result_rows check_table(const void *document, bool is_table)
{
	return (struct result_rows){.list = is_table ? record_field(&record_check_rows, "findings")
						     : record_field(&record_check, "files"),
		.row = document};
}

const struct result_document document_check = {.schema = "paradl-check-1",
	.title = "paradl check --json: what is wrong or odd in files",
	.doc = "See paradl-check(1).",
	.record = &record_check,
	.table = &record_finding,
	.rows = check_table};

const struct result_document document_error = {.schema = "paradl-error-1",
	.title = "paradl --json: a failure",
	.doc = "What every command prints in the place of its document when it fails; see paradl(1) for the "
	       "exit status.",
	.record = &record_error,
	.table = &record_failure};
