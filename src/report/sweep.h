/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The columns of a sweep: those of rankings, and what varies. */
#ifndef REPORT_SWEEP_H
#define REPORT_SWEEP_H

#include "report/column.h"
#include "report/grid.h"

struct sweep_column {
	const struct result_field *look; /* NULL: `own`, of the key */
	struct result_field own;
	const struct paradl_sweep_key *key; /* what varies */
	size_t place;                       /* of the key */
	bool is_varied;
};

const struct result_field *sweep_field(const struct sweep_column *column);

/* A point as a row of a ranking. */
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

/* Of tables that programs read. */
const char *sweep_usual(const struct report_sweep *report);

extern const struct report_sweep_lines csv_sweep, json_sweep, jsonl_sweep, text_sweep_lines;

#endif
