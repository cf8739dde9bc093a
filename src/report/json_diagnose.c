/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/json.h"

static void write_times(struct json_writer *writer, const struct paradl_measured_time *time)
{
	json_positive(writer, "least_rank_s", time ? time->least_s : -1);
	json_positive(writer, "most_rank_s", time ? time->most_s : -1);
	json_positive(writer, "quickest_step_s", time ? time->quickest_s : -1);
	json_positive(writer, "slowest_step_s", time ? time->slowest_s : -1);
	json_positive(writer, "busy_s", time ? time->busy_s : -1);
	json_positive(writer, "calls", time ? time->calls : -1);
}

static const struct paradl_measured_time *time_of(const struct paradl_measurement *measurement, unsigned part)
{
	for (size_t i = 0; i < measurement->count; i++)
		if (measurement->times[i].part == part)
			return &measurement->times[i];
	return NULL;
}

static void write_row(struct json_writer *writer, const struct report_diagnosis *report,
	const struct paradl_diagnosis_row *row)
{
	json_begin_object(writer, NULL);
	json_write_text(writer, "phase", paradl_part_name(row->part));
	json_write_number(writer, "measured_s", row->measured_s);
	json_write_number(writer, "projected_s", row->projected_s);
	json_write_number(writer, "gap_s", row->gap_s);
	json_write_number(writer, "gap_share", row->share);
	json_write_number(writer, "tolerance_s", row->tolerance_s);
	json_write_number(writer, "explained_s", row->explained_s);
	json_write_text(writer, "cause", row->cause >= 0 ? report->diagnosis->causes[row->cause].name : NULL);
	write_times(writer, time_of(report->measurement, row->part));
	json_end_object(writer);
}

static void write_cause(struct json_writer *writer, const struct paradl_diagnosis *diagnosis,
	const struct paradl_cause *cause)
{
	json_begin_object(writer, NULL);
	json_write_text(writer, "name", cause->name);
	json_write_text(writer, "summary", cause->summary);
	json_write_text(
		writer, "instead_of", cause->instead >= 0 ? diagnosis->causes[cause->instead].name : NULL);
	json_write_text(writer, "category", cause->category);
	json_write_text(writer, "kind", cause->kind == PARADL_LIMITATION ? "limitation" : "bottleneck");
	json_write_text(writer, "origin", *cause->origin ? cause->origin : NULL);
	json_begin_array(writer, "phases");
	for (unsigned part = 0; part < PARADL_PART_COUNT; part++)
		if (cause->parts & 1U << part)
			json_write_text(writer, NULL, paradl_part_name(part));
	json_end_array(writer);
	json_write_text(writer, "quantity", cause->quantity);
	json_write_text(writer, "unit", cause->quantity ? cause->unit : NULL);
	json_positive(writer, "assumed", cause->assumed);
	json_positive(writer, "as_if", cause->as_if);
	json_write_number(writer, "explained_s", cause->explained_s);
	json_write_number(writer, "left_s", cause->left_s);
	json_write_text(writer, "gaps", cause->gaps);
	json_write_text(writer, "text", cause->text);
	json_write_text(writer, "check", cause->check);
	json_end_object(writer);
}

static void write_layer(struct json_writer *writer, const struct paradl_diagnosis_layer *layer)
{
	json_begin_object(writer, NULL);
	json_write_text(writer, "name", layer->name);
	json_write_text(writer, "type", layer->type);
	json_write_number(writer, "measured_s", layer->measured_s);
	json_write_number(writer, "projected_s", layer->projected_s);
	json_write_number(writer, "gap_s", layer->gap_s);
	json_write_number(writer, "gap_share", layer->share);
	json_end_object(writer);
}

void json_diagnosis(struct report_sink *sink, const struct report_diagnosis *report)
{
	struct json_writer writer = json_writer_for(sink, false);
	const struct paradl_diagnosis *const diagnosis = report->diagnosis;
	const struct paradl_measurement *const measurement = report->measurement;
	char strategy[PARADL_PLAN_TEXT];
	paradl_plan_format(&diagnosis->estimate.plan, strategy, sizeof strategy);
	json_begin_document(&writer, "paradl-diagnose-1", report->head);
	json_write_text(&writer, "strategy", strategy);
	json_write_number(&writer, "gpus", diagnosis->estimate.devices);
	json_write_number(&writer, "batch", diagnosis->estimate.plan.batch);
	json_write_text(&writer, "measured_as", measurement->format);
	json_write_number(&writer, "ranks", measurement->ranks);
	json_write_number(&writer, "steps", measurement->steps);
	json_positive(&writer, "idle_share", measurement->waiting_share);
	json_write_number(&writer, "tolerance", diagnosis->tolerance);
	json_write_bool(&writer, "within_error", diagnosis->within_error);
	json_write_number(&writer, "gap_s", diagnosis->gap_s);
	json_write_number(&writer, "unexplained_s", diagnosis->unexplained_s);
	json_begin_array(&writer, "phases");
	for (size_t i = 0; i < diagnosis->row_count; i++)
		write_row(&writer, report, &diagnosis->rows[i]);
	json_end_array(&writer);
	json_begin_array(&writer, "causes");
	for (size_t i = 0; i < diagnosis->cause_count; i++)
		write_cause(&writer, diagnosis, &diagnosis->causes[i]);
	json_end_array(&writer);
	json_begin_array(&writer, "layers");
	for (size_t i = 0; i < diagnosis->layer_count; i++)
		write_layer(&writer, &diagnosis->layers[i]);
	json_end_array(&writer);
	json_end_document(&writer, report->head);
}

void jsonl_diagnosis(struct report_sink *sink, const struct report_diagnosis *report)
{
	for (size_t i = 0; i < report->diagnosis->row_count; i++) {
		struct json_writer writer = json_writer_for(sink, true);
		write_row(&writer, report, &report->diagnosis->rows[i]);
	}
}
