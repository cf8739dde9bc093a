/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calibrations as JSON and CSV: a row for each measuring program. */
#include "report/csv.h"
#include "report/json.h"

static void write_program(struct json_writer *writer, const struct report_measured *program)
{
	json_begin_object(writer, NULL);
	json_write_text(writer, "program", program->program);
	json_write_text(writer, "skipped", program->skipped);
	json_write_number(writer, "launches", program->launches);
	json_write_number(writer, "points", program->points);
	json_write_number(writer, "measured", program->measured);
	json_write_number(writer, "kept", program->kept);
	json_write_number(writer, "failed", program->failed);
	json_write_number(writer, "absent", program->absent);
	json_write_number(writer, "seconds", program->seconds);
	json_end_object(writer);
}

void json_calibrate(struct report_sink *sink, const struct report_calibrate *report)
{
	struct json_writer writer = json_writer_for(sink, false);
	json_begin_object(&writer, NULL);
	json_write_text(&writer, "schema", "paradl-calibrate-1");
	json_write_text(&writer, "file", report->file);
	json_write_bool(&writer, "dry_run", report->is_plan);
	json_write_number(&writer, "launches", report->launches);
	json_begin_array(&writer, "programs");
	for (size_t i = 0; i < report->count; i++)
		write_program(&writer, &report->programs[i]);
	json_end_array(&writer);
	json_list(&writer, "dropped", report->dropped);
	json_write_text(&writer, "stopped", report->stopped);
	json_positive(&writer, "file_bytes", report->is_plan ? report->file_bytes : -1);
	json_positive(&writer, "memory_bytes", report->is_plan ? report->memory_bytes : -1);
	json_write_text(&writer, "next", report->next);
	json_end_object(&writer);
}

void jsonl_calibrate(struct report_sink *sink, const struct report_calibrate *report)
{
	for (size_t i = 0; i < report->count; i++) {
		struct json_writer writer = json_writer_for(sink, true);
		write_program(&writer, &report->programs[i]);
	}
}

void csv_calibrate(struct report_sink *sink, const struct report_calibrate *report)
{
	static const char *const names[] = {"program", "skipped", "launches", "points", "measured", "kept",
		"failed", "absent", "seconds"};
	struct csv_line line = {sink->file, false};
	csv_header(&line, names, sizeof names / sizeof names[0]);
	for (size_t i = 0; i < report->count; i++) {
		const struct report_measured *const program = &report->programs[i];
		csv_text(&line, program->program);
		csv_text(&line, program->skipped);
		csv_number(&line, program->launches);
		csv_number(&line, program->points);
		csv_number(&line, program->measured);
		csv_number(&line, program->kept);
		csv_number(&line, program->failed);
		csv_number(&line, program->absent);
		csv_number(&line, program->seconds);
		csv_end(&line);
	}
}
