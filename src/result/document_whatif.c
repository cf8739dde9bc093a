/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes the document of estimates with something changed; whatif.def has its fields. */
#include <stdint.h>

#include "result/ranking.h"

/* Returns the change of a point as a share; infinity where its plan cannot run. */
static double point_change(const struct paradl_whatif_point *point)
{
	return point->runs ? point->change : HUGE_VAL;
}

/* Returns the seconds of a phase; after the last phase, those of the iteration. */
static double phase_s(const struct paradl_estimate *estimate, size_t phase)
{
	return phase < PARADL_PHASE_COUNT ? estimate->phase_s[phase] : estimate->iteration_s;
}

static bool phase_item(const struct result_at *at, size_t index, struct field_value *value)
{
	const struct paradl_whatif_pair *const pair = at->row;
	struct phase_row *const row = index <= PARADL_PHASE_COUNT ? field_store(at, sizeof *row) : NULL;
	value->row = row;
	if (!row)
		return false;
	row->name = index < PARADL_PHASE_COUNT ? paradl_phase_name((enum paradl_phase)index) : "iteration";
	row->before_s = phase_s(&pair->before, index);
	row->after_s = pair->after.runs ? phase_s(&pair->after.estimate, index) : -1;
	row->best_s = pair->has_best && pair->best.runs ? phase_s(&pair->best.estimate, index) : -1;
	return true;
}

#define RECORDS "result/whatif.def"
#include "result/define.h"

static struct result_rows whatif_table(const void *document, bool is_table)
{
	const struct report_whatif *const report = document;
	(void)is_table;
	if (report->tornado)
		return (struct result_rows){
			.list = record_field(&record_whatif_tornado, "inputs"), .row = report->tornado};
	if (report->target)
		return (struct result_rows){
			.list = record_field(&record_whatif_target, "inputs"), .row = report->target};
	return (struct result_rows){.list = record_field(&record_whatif_rows, "phases"), .row = report->pair};
}

const struct result_document document_whatif = {.schema = "paradl-whatif-1",
	.title = "paradl whatif --json: estimates with something changed",
	.doc = "See paradl-whatif(1). SI units; what is not known is null.",
	.record = &record_whatif,
	.table = &record_whatif_row,
	.rows = whatif_table};
