/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef REPORT_CSV_H
#define REPORT_CSV_H

#include "report/column.h"

struct csv_line {
	FILE *file;
	bool has_field;
};

void csv_text(struct csv_line *line, const char *text);
void csv_number(struct csv_line *line, double value); /* negative: nothing */
void csv_signed(struct csv_line *line, double value);
void csv_end(struct csv_line *line);
void csv_header(struct csv_line *line, const char *const *names, size_t count);

/* The columns that an advice asks for, or all. */
size_t csv_columns(const struct report_advice *advice, const struct ranking_column *columns[]);
void csv_ranking_row(struct csv_line *line, struct report_sink *sink,
	const struct ranking_column *const *columns, size_t count, const struct ranking_row *row);

void csv_parts(struct report_sink *sink, const struct report_parts *parts);
void csv_io(struct report_sink *sink, const struct report_io *report);
void csv_layers(struct report_sink *sink, const struct report_layers *report);
void csv_search(struct report_sink *sink, const struct report_search *report);
void csv_fit(struct report_sink *sink, const struct report_fit *report);
void csv_calibrate(struct report_sink *sink, const struct report_calibrate *report);
void csv_calibration(struct report_sink *sink, const struct report_calibration *report);
void csv_hide(struct report_sink *sink, const struct report_hide *report);
void csv_diagnosis(struct report_sink *sink, const struct report_diagnosis *report);
void csv_federate(struct report_sink *sink, const struct report_federate *report);
void csv_collective(struct report_sink *sink, const struct report_collective *report);

void csv_timeline(struct report_sink *sink, const struct paradl_timeline *timeline);

#endif
