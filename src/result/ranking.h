/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of rankings, and records that documents of plans share. */
#ifndef RESULT_RANKING_H
#define RESULT_RANKING_H

#include "result/documents.h"
#include "result/field.h"

/* A plan of a ranking, or one that cannot run. */
struct ranking_row {
	const struct report_advice *advice;
	const struct paradl_ranking *ranking;
	const struct paradl_estimate *estimate;     /* NULL: infeasible */
	const struct paradl_infeasible *infeasible; /* plan that cannot run, and why; or NULL */
	const char *strategy;                       /* text in place of the estimate's plan; NULL: none */
	size_t rank;                                /* place in the ranking; 1: best */
	double bar_full_s;                          /* seconds of a full bar */
	size_t bar_columns;
};

/* Makes a copy of a row that lives as long as the document. Returns false when out of memory. */
bool ranking_item(const struct result_at *at, const struct ranking_row *row, struct field_value *value);

/* Returns the name of a goal, such as "time"; NULL: there is no such goal. */
const char *result_goal_name(unsigned goal);
/* Returns "limitation" or "bottleneck". */
const char *result_limit_kind(unsigned is_limitation);

/* Returns whether the field is one of the columns that --columns names. */
bool ranking_is_column(const struct result_field *field);
/* Parses a comma list of columns, at most COLUMNS_MAX; an unknown name is a usage error. */
bool ranking_columns_parse(
	const char *list, const struct result_field *columns[], size_t *count, struct paradl_error *error);

/* Fills in the columns that an advice asks for, or all that apply to it. */
void ranking_choose_columns(struct result_rows *rows, const struct report_advice *advice);

extern const struct result_record record_result, record_infeasible, record_faster_dispatcher,
	record_other_plan, record_asked, record_input, record_head, record_foot;

/* Sums over a plan of parts, which every format shows. */

/* Returns the seconds of all that a part does in one iteration, hidden or not, without redistributions. */
double parts_row_s(const struct paradl_layered_row *row);
/* Returns the seconds in which all tensors are redistributed. */
double parts_moves_s(const struct report_parts *parts);
/* Returns the seconds in which the tensors that one part reads are redistributed. */
double parts_moves_into_s(const struct report_parts *parts, size_t part);
/* Returns the seconds of a part under the k-th of the other plans; negative: it cannot run so. */
double parts_other_s(const struct report_parts *parts, size_t part, size_t k);
bool parts_same_plan(const struct paradl_plan *a, const struct paradl_plan *b);
/* Returns how many different plans the parts have. */
size_t parts_plans(const struct paradl_layered *layered);

#endif
