/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sweeps: documents whose rows come one by one. */
#ifndef REPORT_GRID_H
#define REPORT_GRID_H

#include "report/report.h"

/* A document of a sweep, whose points come one by one. */
struct report_sweep_document {
	struct report_sink *sink;
	const struct report_sweep *report;
	double points;       /* so far */
	struct table *table; /* of the format's own */
};

/*
 * A point becomes a line without an end, in any thread and with a sink of that thread; lines become a document, in order. So points
 * can be kept, and come from elsewhere.
 */
struct report_sweep_lines {
	const char *(*usual)(const struct report_sweep *report); /* columns; "*": what varies */
	void (*row)(struct report_sink *sink, const struct report_sweep *report,
		const struct paradl_sweep_row *row);
	void (*begin)(struct report_sweep_document *document);
	void (*line)(struct report_sweep_document *document, const char *text, size_t length);
	void (*end)(struct report_sweep_document *document);
};
/* Fills the layout; false: `columns` names what there is not. */
bool report_sweep_prepare(struct paradl_arena *arena, const struct report_sweep_lines *lines,
	struct report_sweep *report, struct paradl_error *error);

#endif
