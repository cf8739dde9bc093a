/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A sweep has columns of rankings and columns for the keys that it varies. */
#ifndef REPORT_SWEEP_COLUMNS_H
#define REPORT_SWEEP_COLUMNS_H

#include "report/column.h"
#include "report/grid.h"

struct sweep_column {
	const struct result_field *look;    /* field of rankings; NULL: `own` */
	struct result_field own;            /* field of the swept key */
	const struct paradl_sweep_key *key; /* swept key; NULL if `look` shows it */
	size_t place;                       /* index of the key */
	bool is_varied;
};

const struct result_field *sweep_field(const struct sweep_column *column);

/* A point of a sweep as a row of a ranking. */
struct sweep_cells {
	struct report_head head;
	struct report_advice advice;
	struct paradl_ranking ranking;
	struct paradl_infeasible infeasible;
	struct ranking_row row;
	const struct paradl_sweep_row *point;
};
void sweep_cells_fill(
	struct sweep_cells *cells, const struct report_sweep *report, const struct paradl_sweep_row *point);
struct field_value sweep_value(
	struct report_sink *sink, const struct sweep_column *column, const struct sweep_cells *cells);

/* Returns the default columns of tables that programs read. */
const char *sweep_usual(const struct report_sweep *report);

extern const struct report_sweep_lines csv_sweep, json_sweep, jsonl_sweep, text_sweep_lines;

#endif
