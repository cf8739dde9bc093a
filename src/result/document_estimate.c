/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes the document of one plan in depth; estimate.def has its fields. */
#include "result/ranking.h"

static const char *price_basis(unsigned owned)
{
	return price_basis_names[owned];
}

/* Returns the plan of an estimate, or the reason why it cannot run, as a row of a ranking; NULL: out of memory. */
static const struct ranking_row *estimate_row(const struct result_at *at)
{
	const struct report_estimate *const report = at->in->document;
	struct {
		struct report_advice advice;
		struct paradl_ranking ranking;
		struct ranking_row row;
	} *const store = field_store(at, sizeof *store);
	if (!store)
		return NULL;
	store->ranking = (struct paradl_ranking){.devices = report->estimate ? report->estimate->devices : 0,
		.batch = report->estimate ? report->estimate->plan.batch : 0,
		.results = report->estimate,
		.count = report->estimate != NULL};
	store->advice = (struct report_advice){.head = report->head,
		.rankings = &store->ranking,
		.count = 1,
		.job = report->job,
		.runs = report->run,
		.file = report->parts ? report->parts->file : NULL};
	store->row = (struct ranking_row){.advice = &store->advice,
		.ranking = &store->ranking,
		.estimate = report->estimate,
		.infeasible = report->estimate ? NULL : report->infeasible,
		.rank = 1};
	return &store->row;
}

static bool estimate_line(const struct result_at *at, size_t index, struct field_value *value)
{
	value->row = index == 0 ? estimate_row(at) : NULL;
	return value->row != NULL;
}

static bool estimate_gap(const struct result_at *at, size_t index, struct field_value *value)
{
	const struct report_estimate *const report = at->in->document;
	value->row = report->estimate || index > 0 ? NULL : estimate_row(at);
	return value->row != NULL;
}

#define RECORDS "result/estimate.def"
#include "result/define.h"

static struct result_rows estimate_table(const void *document, bool is_table)
{
	const struct report_estimate *const report = document;
	struct result_rows rows = {.row = report};
	if (is_table && report->timeline)
		rows = (struct result_rows){
			.list = record_field(&record_timeline, "events"), .row = report->timeline->timeline};
	else if (is_table && report->parts && report->show_layers)
		rows = (struct result_rows){
			.list = record_field(&record_parts, "parts"), .row = report->parts};
	else if (is_table && (report->layers || (report->show_terms && report->explanation)))
		rows.list = record_field(&record_estimate_result, report->layers ? "layers" : "terms");
	else
		rows.list = record_field(&record_estimate_rows, is_table ? "table" : "results");
	if (rows.list->record == &record_result)
		ranking_choose_columns(&rows, &(struct report_advice){.job = report->job});
	return rows;
}

const struct result_document document_estimate = {.schema = "paradl-estimate-2",
	.title = "paradl estimate --json: one plan",
	.doc = "See paradl-estimate(1). One result, or none and the reason in infeasible.",
	.record = &record_estimate,
	.table = &record_result,
	.rows = estimate_table};
