/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The columns a ranking can be shown in. One row each serves the terminal (three digits and a unit) and
 * CSV (SI units, every digit); --columns names them.
 */
#ifndef REPORT_COLUMN_H
#define REPORT_COLUMN_H

#include "report/table.h"

enum column_kind {
	COLUMN_TEXT,
	COLUMN_FLAG,
	COLUMN_COUNT,
	COLUMN_AMOUNT, /* in a terminal 300 G */
	COLUMN_SECONDS,
	COLUMN_BYTES,
	COLUMN_FACTOR,
	COLUMN_SHARE,
	COLUMN_FLOP_RATE,
	COLUMN_WATT,
	COLUMN_JOULE,
	COLUMN_MONEY,
	COLUMN_LIMIT, /* text; in a terminal, with its share of the time */
	COLUMN_BAR    /* terminal only */
};

struct ranking_row {
	const struct report_advice *advice;
	const struct paradl_ranking *ranking;
	const struct paradl_estimate *estimate;     /* NULL: infeasible */
	const struct paradl_infeasible *infeasible; /* or NULL */
	size_t rank;                                /* 1: best */
	double bar_full_s;                          /* what a full bar stands for */
	size_t bar_columns;
};

struct column_value {
	const char *text; /* of COLUMN_TEXT; NULL: none */
	double number;    /* of the others; negative: none */
};

struct ranking_column {
	const char *name;
	struct table_column look;
	enum column_kind kind;
	size_t offset; /* of a double in struct paradl_estimate, when there is no `get` */
	struct column_value (*get)(struct report_sink *sink, const struct ranking_row *row);
};

extern const struct ranking_column ranking_columns[];
extern const size_t ranking_column_count;

enum { RANKING_COLUMNS_MAX = TABLE_COLUMNS_MAX };
/* The columns of a comma list, at most RANKING_COLUMNS_MAX; an unknown name is a usage error. */
bool ranking_columns_parse(
	const char *list, const struct ranking_column *columns[], size_t *count, struct paradl_error *error);

/* In tables of all columns: those of a job need to know how large it is. */
bool ranking_column_applies(const struct ranking_column *column, const struct report_advice *advice);

struct column_value ranking_value(
	struct report_sink *sink, const struct ranking_column *column, const struct ranking_row *row);
const char *ranking_text(
	struct report_sink *sink, const struct ranking_column *column, const struct ranking_row *row);

#endif
