/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A sweep is a document whose rows come one by one. */
#ifndef REPORT_SWEEP_DOCUMENT_H
#define REPORT_SWEEP_DOCUMENT_H

#include "paradl/study.h"
#include "report/report.h"
#include "report/table.h"

/* The document of a sweep, while its points come one by one. */
struct report_sweep_document {
	struct report_sink *sink;
	const struct report_sweep *report;
	double points;       /* points written so far */
	struct table *table; /* table of the text format */
};

/*
 * The functions with which a format writes sweeps. row() writes a point as a line without its line end, in any thread
 * and to a sink of that thread; line() puts lines into the document, in order. So points can be stored, and may come
 * from elsewhere.
 */
struct report_sweep_lines {
	const char *(*usual)(const struct report_sweep *report); /* default columns; "*": the swept keys */
	void (*row)(struct report_sink *sink, const struct report_sweep *report,
		const struct paradl_sweep_row *row);
	void (*begin)(struct report_sweep_document *document);
	void (*line)(struct report_sweep_document *document, const char *text, size_t length);
	void (*end)(struct report_sweep_document *document);
};
/* Fills the layout of the sweep; returns false and sets the error if `columns` names an unknown column. */
bool report_sweep_prepare(struct paradl_arena *arena, const struct report_sweep_lines *lines,
	struct report_sweep *report, struct paradl_error *error);

/* A sweep has columns of rankings and columns for the keys that it varies. */

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

extern const struct report_sweep_lines text_sweep_lines;

#endif
