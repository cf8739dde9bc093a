/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A row for each phase that was measured, then one for each layer. */
#include "report/csv.h"

static const char *kind_name(enum paradl_limit_kind kind)
{
	return kind == PARADL_LIMITATION ? "limitation" : "bottleneck";
}

static void write_phase(struct csv_line *line, const struct paradl_diagnosis *diagnosis,
	const struct paradl_diagnosis_row *row)
{
	const struct paradl_cause *const cause = row->cause >= 0 ? &diagnosis->causes[row->cause] : NULL;
	csv_text(line, "phase");
	csv_text(line, paradl_part_name(row->part));
	csv_number(line, row->measured_s);
	csv_number(line, row->projected_s);
	csv_signed(line, row->gap_s);
	csv_number(line, row->share);
	csv_number(line, row->tolerance_s);
	csv_number(line, row->explained_s);
	csv_text(line, cause ? cause->name : "");
	csv_text(line, cause ? cause->category : "");
	csv_text(line, cause ? kind_name(cause->kind) : "");
	csv_number(line, cause ? cause->assumed : -1);
	csv_number(line, cause ? cause->as_if : -1);
	csv_text(line, cause ? cause->unit : "");
	csv_end(line);
}

static void write_layer(struct csv_line *line, const struct paradl_diagnosis_layer *layer)
{
	csv_text(line, "layer");
	csv_text(line, layer->name);
	csv_number(line, layer->measured_s);
	csv_number(line, layer->projected_s);
	csv_signed(line, layer->gap_s);
	csv_number(line, layer->share);
	for (unsigned i = 0; i < 8; i++)
		csv_text(line, "");
	csv_end(line);
}

void csv_diagnosis(struct report_sink *sink, const struct report_diagnosis *report)
{
	static const char *const names[] = {"of", "name", "measured_s", "projected_s", "gap_s", "gap_share",
		"tolerance_s", "explained_s", "cause", "category", "kind", "assumed", "as_if", "unit"};
	const struct paradl_diagnosis *const diagnosis = report->diagnosis;
	struct csv_line line = {sink->file, false};
	csv_header(&line, names, sizeof names / sizeof names[0]);
	for (size_t i = 0; i < diagnosis->row_count; i++)
		write_phase(&line, diagnosis, &diagnosis->rows[i]);
	for (size_t i = 0; i < diagnosis->layer_count; i++)
		write_layer(&line, &diagnosis->layers[i]);
}
