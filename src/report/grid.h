/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A sweep is a document whose rows come one by one. */
#ifndef REPORT_GRID_H
#define REPORT_GRID_H

#include "paradl/study.h"
#include "report/report.h"

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

#endif
