/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes the document of training with fewer samples; hide.def has its fields. */
#include "result/ranking.h"

static bool stage_item(const struct paradl_steps *steps, size_t index, struct field_value *value)
{
	value->row = steps;
	return index < steps->count;
}

static bool schedule_item(const struct result_at *at, size_t index, struct field_value *value)
{
	return stage_item(&((const struct report_hide *)at->in->document)->hide->caps, index, value);
}

static bool retention_item(const struct result_at *at, size_t index, struct field_value *value)
{
	return stage_item(&((const struct report_hide *)at->in->document)->hide->retention, index, value);
}

#define RECORDS "result/hide.def"
#include "result/define.h"

static struct result_rows hide_table(const void *document, bool is_table)
{
	const struct report_hide *const report = document;
	(void)is_table;
	return (struct result_rows){
		.list = record_field(&record_hide, report->compares ? "samplers" : "rows"), .row = document};
}

const struct result_document document_hide = {.schema = "paradl-hide-1",
	.title = "paradl hide --json: training with fewer samples than all",
	.doc = "See paradl-hide(1). SI units; what is not known is null.",
	.record = &record_hide,
	.table = &record_hide_epoch,
	.rows = hide_table};
