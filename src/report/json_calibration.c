/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calibrations as JSON: every number, curve, outlier and verdict. */
#include "report/json.h"

static const char *file_name(enum paradl_fitted_file file)
{
	return file == PARADL_FITTED_DEVICE ? "device" : "machine";
}

static void write_number(struct json_writer *writer, const struct paradl_fitted_number *number)
{
	const bool is_known = number->high > number->low;
	json_begin_object(writer, NULL);
	json_write_text(writer, "file", file_name(number->file));
	json_write_text(writer, "path", number->path);
	json_write_text(writer, "unit", number->unit);
	json_write_number(writer, "value", number->value);
	json_positive(writer, "low", is_known ? number->low : -1);
	json_positive(writer, "high", is_known ? number->high : -1);
	json_write_bool(writer, "is_range", number->is_range);
	json_write_number(writer, "points", number->points);
	json_write_number(writer, "launches", number->launches);
	json_positive(writer, "residual", number->residual);
	json_write_text(writer, "from", number->from);
	json_positive(writer, "was", number->was);
	json_write_text(writer, "was_from", number->was_from);
	json_end_object(writer);
}

static void write_point(struct json_writer *writer, const struct paradl_fitted_curve *curve, unsigned index)
{
	json_begin_object(writer, NULL);
	json_write_number(writer, "bytes", curve->bytes[index]);
	json_write_number(writer, "time_s", curve->time_s[index]);
	json_positive(writer, "low_s", curve->low_s ? curve->low_s[index] : -1);
	json_positive(writer, "high_s", curve->high_s ? curve->high_s[index] : -1);
	json_begin_array(writer, "flags");
	for (unsigned flag = 0; curve->flags && flag < POINT_FLAGS; flag++)
		if (curve->flags[index] >> flag & 1)
			json_write_text(writer, NULL, report_point_flags[flag]);
	json_end_array(writer);
	json_end_object(writer);
}

static void write_curve(struct json_writer *writer, const struct paradl_fitted_curve *curve)
{
	json_begin_object(writer, NULL);
	json_write_text(writer, "operation", curve->operation);
	json_write_text(writer, "library", curve->library);
	json_write_text(writer, "buffer", curve->buffer);
	json_write_number(writer, "nodes", curve->nodes);
	json_write_number(writer, "devices", curve->devices);
	json_write_number(writer, "groups", curve->groups);
	json_write_number(writer, "launches", curve->launches);
	json_positive(writer, "segment_error", curve->segment_error);
	json_positive(writer, "held_out_error", curve->held_out_error);
	json_positive(writer, "interpolation_error", curve->interpolation_error);
	json_begin_array(writer, "segments");
	for (unsigned i = 0; i < curve->segment_count; i++) {
		json_begin_object(writer, NULL);
		json_write_number(writer, "from_bytes", curve->segments[i].from_bytes);
		json_write_number(writer, "start_s", curve->segments[i].a_s);
		json_write_number(writer, "s_per_byte", curve->segments[i].s_per_byte);
		json_end_object(writer);
	}
	json_end_array(writer);
	json_begin_array(writer, "points");
	for (unsigned i = 0; i < curve->point_count; i++)
		write_point(writer, curve, i);
	json_end_array(writer);
	json_end_object(writer);
}

static void write_outlier(struct json_writer *writer, const struct paradl_outlier *outlier)
{
	json_begin_object(writer, NULL);
	json_write_text(writer, "file", outlier->file);
	json_write_number(writer, "line", outlier->line);
	json_write_text(writer, "point", outlier->point);
	json_write_text(writer, "text", outlier->text);
	json_end_object(writer);
}

static void write_verdict(struct json_writer *writer, const struct paradl_verdict *verdict)
{
	json_begin_object(writer, NULL);
	json_write_text(writer, "severity", report_severity(verdict->severity));
	json_write_text(writer, "judge", verdict->judge);
	json_write_text(writer, "text", verdict->text);
	json_write_text(writer, "check", verdict->check);
	json_write_text(writer, "where", verdict->where);
	json_end_object(writer);
}

static void write_counts(struct json_writer *writer, const struct paradl_calibration *calibration)
{
	json_write_number(writer, "files", (double)calibration->files);
	json_write_number(writer, "launches", (double)calibration->launches);
	json_write_number(writer, "points", (double)calibration->points);
	json_write_number(writer, "failed", (double)calibration->failed);
	json_write_number(writer, "torn", (double)calibration->torn);
	json_write_text(writer, "samples", calibration->samples);
	json_write_text(writer, "hosts", calibration->hosts);
}

void json_calibration(struct report_sink *sink, const struct report_calibration *report)
{
	const struct paradl_calibration *const calibration = report->calibration;
	struct json_writer writer = json_writer_for(sink, false);
	json_begin_object(&writer, NULL);
	json_write_text(&writer, "schema", "paradl-calibration-1");
	json_list(&writer, "command", &report->head->command);
	json_inputs(&writer, report->head);
	write_counts(&writer, calibration);
	json_write_text(&writer, "into", report->into);
	json_begin_array(&writer, "numbers");
	for (size_t i = 0; i < calibration->number_count; i++)
		write_number(&writer, &calibration->numbers[i]);
	json_end_array(&writer);
	json_begin_array(&writer, "curves");
	for (size_t i = 0; i < calibration->curve_count; i++)
		write_curve(&writer, &calibration->curves[i]);
	json_end_array(&writer);
	json_begin_array(&writer, "outliers");
	for (size_t i = 0; i < calibration->outlier_count; i++)
		write_outlier(&writer, &calibration->outliers[i]);
	json_end_array(&writer);
	json_begin_array(&writer, "verdicts");
	for (size_t i = 0; i < calibration->verdict_count; i++)
		write_verdict(&writer, &calibration->verdicts[i]);
	json_end_array(&writer);
	json_end_object(&writer);
}

void jsonl_calibration(struct report_sink *sink, const struct report_calibration *report)
{
	const struct paradl_calibration *const calibration = report->calibration;
	for (size_t i = 0; i < calibration->number_count; i++) {
		struct json_writer writer = json_writer_for(sink, true);
		write_number(&writer, &calibration->numbers[i]);
	}
	for (size_t i = 0; i < calibration->curve_count; i++) {
		struct json_writer writer = json_writer_for(sink, true);
		write_curve(&writer, &calibration->curves[i]);
	}
}
