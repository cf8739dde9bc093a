/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes the document of projections against measurements; validation.def has its fields. */
#include "result/documents.h"
#include "result/field.h"

/* Returns the relative error of a projected time; NaN where the row was skipped or nothing was measured. */
static double error_between(const struct paradl_measured_row *row, double measured_s, double projected_s)
{
	return row->skipped || !(measured_s > 0) ? (double)NAN : projected_s / measured_s - 1;
}

static double error_of(const struct paradl_measured_row *row)
{
	return error_between(row, row->measured.total_s, row->projected.total_s);
}

static double first_error_of(const struct paradl_measured_row *row)
{
	return error_between(row, row->measured.first_s, row->projected.first_s);
}

/*
 * Returns 1 where the measured time is within the error of the projected one, else 0; NaN where either is not known.
 */
static double inside_between(
	const struct paradl_measured_row *row, double measured_s, double projected_s, double error_share)
{
	if (row->skipped || !(measured_s > 0) || error_share < 0)
		return (double)NAN;
	return fabs(measured_s - projected_s) <= error_share * projected_s;
}

static double inside_of(const struct paradl_measured_row *row)
{
	return inside_between(row, row->measured.total_s, row->projected.total_s, row->error_share);
}

static double first_inside_of(const struct paradl_measured_row *row)
{
	return inside_between(row, row->measured.first_s, row->projected.first_s, row->first_error_share);
}

/* Returns the GPUs of a plan; -1 where the text is no plan. */
static double strategy_gpus(const char *strategy)
{
	struct paradl_plan plan;
	struct paradl_error error;
	return strategy && paradl_plan_parse(strategy, &plan, &error) ? paradl_plan_devices(&plan) : -1;
}

static bool give_score(
	const struct paradl_score *scores, size_t count, size_t index, struct field_value *value)
{
	if (index >= count)
		return false;
	*value = (struct field_value){.text = scores[index].name, .row = &scores[index]};
	return true;
}

static bool strategy_scores(const struct result_at *at, size_t index, struct field_value *value)
{
	const struct paradl_validation *const validation = at->row;
	return give_score(validation->by_strategy, validation->strategy_count, index, value);
}

static bool set_scores(const struct result_at *at, size_t index, struct field_value *value)
{
	const struct paradl_validation *const validation = at->row;
	return give_score(validation->by_set, validation->set_count, index, value);
}

#define RECORDS "result/validation.def"
#include "result/define.h"

static struct result_rows validated_rows(const void *document, bool is_table)
{
	(void)is_table;
	return (struct result_rows){.list = record_field(&record_validate, "rows"), .row = document};
}

const struct result_document document_validate = {.schema = "paradl-validate-1",
	.title = "paradl validate --json: projections against measurements",
	.doc = "See paradl-validate(1). Accuracy is 1 - |projected - measured| / measured, at least 0; null: "
	       "not measured.",
	.record = &record_validate,
	.table = &record_validated,
	.rows = validated_rows};
