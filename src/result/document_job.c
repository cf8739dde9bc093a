/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes the documents of questions above a step: input, training with fewer samples, federated rounds. */
#include "result/ranking.h"

/* Makes the document of input modes for plans; io.def has its fields. */

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

#define NAMES   io
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

/* Makes the document of training with fewer samples; hide.def has its fields. */

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

#define NAMES   hide
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

/* Makes the document of federated rounds; federate.def has its fields. */

/* A round with one of its clients. */
struct federate_row {
	const struct paradl_round *round;
	const struct paradl_round_client *client; /* NULL: the round is not possible */
};

static bool federate_item(const struct result_at *at, size_t index, struct field_value *value)
{
	const struct paradl_federated *const federated =
		((const struct report_federate *)at->in->document)->federated;
	for (size_t i = 0; i < federated->count; i++) {
		const struct paradl_round *const round = &federated->rounds[i];
		const size_t rows = round->possible ? round->client_count : 1;
		if (index >= rows) {
			index -= rows;
			continue;
		}
		struct federate_row *const row = field_store(at, sizeof *row);
		if (row)
			*row = (struct federate_row){round, round->possible ? &round->clients[index] : NULL};
		value->row = row;
		return row != NULL;
	}
	return false;
}

#define NAMES   federate
#define RECORDS "result/federate.def"
#include "result/define.h"

static struct result_rows federate_table(const void *document, bool is_table)
{
	return (struct result_rows){.list = is_table ? record_field(&record_federate_rows, "rows")
						     : record_field(&record_federate, "results"),
		.row = document};
}

const struct result_document document_federate = {.schema = "paradl-federate-2",
	.title = "paradl federate --json: rounds of federated training",
	.doc = "See paradl-federate(1). SI units; what is not known is null.",
	.record = &record_federate,
	.table = &record_federate_row,
	.rows = federate_table};
