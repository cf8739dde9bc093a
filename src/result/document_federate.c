/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes the document of federated rounds; federate.def has its fields. */
#include "result/ranking.h"

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
