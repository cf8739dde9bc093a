/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts of a plan as a table; what is dealt out again counts with the part that reads it. */
#include "report/csv.h"
#include "report/parts.h"

void csv_parts(struct report_sink *sink, const struct report_parts *parts)
{
	static const char *const names[] = {"from", "to", "layers", "stage", "plan", "forward_s",
		"backward_s", "update_s", "exchange_s", "halo_s", "gradient_s", "redistribute_s",
		"weights_bytes", "activations_bytes", "uniform_s"};
	struct csv_line line = {sink->file, false};
	csv_header(&line, names, sizeof names / sizeof names[0]);
	for (size_t i = 0; i < parts->layered->part_count; i++) {
		const struct paradl_layered_part *const part = &parts->layered->parts[i];
		const struct paradl_layered_row *const row = &parts->explanation->rows[i];
		const double numbers[] = {row->forward_s, row->backward_s, row->update_s, row->exchange_s,
			row->halo_s, row->gradient_s, parts_moves_into_s(parts, i), row->weights_bytes,
			row->activations_bytes,
			parts->explanation->other_count == 1 ? parts_other_s(parts, i, 0) : -1};
		char plan[PARADL_PLAN_TEXT];
		paradl_plan_format(&part->plan, plan, sizeof plan);
		csv_text(&line, paradl_model_layer(parts->model, part->first).name);
		csv_text(&line, paradl_model_layer(parts->model, part->end - 1).name);
		csv_number(&line, part->end - part->first);
		csv_number(&line, part->stage);
		csv_text(&line, plan);
		for (size_t j = 0; j < sizeof numbers / sizeof numbers[0]; j++)
			csv_number(&line, numbers[j]);
		csv_end(&line);
	}
}

void csv_layers(struct report_sink *sink, const struct report_layers *report)
{
	csv_parts(sink, report->parts);
}
