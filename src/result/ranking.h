/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of rankings, and the records that documents of plans share. */
#ifndef RESULT_RANKING_H
#define RESULT_RANKING_H

#include "result/documents.h"
#include "result/field.h"

struct ranking_row {
	const struct report_advice *advice;
	const struct paradl_ranking *ranking;
	const struct paradl_estimate *estimate;     /* NULL: infeasible */
	const struct paradl_infeasible *infeasible; /* or NULL */
	const char *strategy;                       /* in place of the estimate's plan; NULL: that */
	size_t rank;                                /* 1: best */
	double bar_full_s;                          /* what a full bar stands for */
	size_t bar_columns;
};

/* Makes a copy of a row that lives as long as the document: false when memory has run out. */
bool ranking_item(const struct result_at *at, const struct ranking_row *row, struct field_value *value);

const char *result_goal_name(unsigned goal);           /* "time" */
const char *result_limit_kind(unsigned is_limitation); /* "bottleneck" */

/* Is the field one of the columns that --columns names? */
bool ranking_is_column(const struct result_field *field);
/* The columns of a comma list, at most COLUMNS_MAX; an unknown name is a usage error. */
bool ranking_columns_parse(
	const char *list, const struct result_field *columns[], size_t *count, struct paradl_error *error);

/* Fills in the columns that an advice asks for, or all that apply. */
void ranking_choose_columns(struct result_rows *rows, const struct report_advice *advice);

extern const struct result_record record_result, record_infeasible, record_asked, record_input, record_head,
	record_foot;

#endif
