/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fits as JSON and CSV: constants, then how well each set is projected. */
#include "report/csv.h"
#include "report/json.h"

static const char *bound_name(int bound)
{
	return bound < 0 ? "lower" : bound > 0 ? "upper" : NULL;
}

static void write_constant(struct json_writer *writer, const struct paradl_fit_constant *constant)
{
	json_begin_object(writer, NULL);
	json_write_text(writer, "file", constant->places[0].file);
	json_write_text(writer, "name", constant->places[0].name);
	json_write_text(writer, "unit", constant->unit);
	json_write_text(writer, "meaning", constant->meaning);
	json_write_number(writer, "value", constant->value);
	json_positive(writer, "before", constant->places[0].before);
	json_write_number(writer, "prior", constant->prior);
	json_write_number(writer, "low", constant->low);
	json_write_number(writer, "high", constant->high);
	json_write_number(writer, "standard_error", constant->standard_error);
	json_write_bool(writer, "identified", constant->identified);
	json_write_text(writer, "bound", bound_name(constant->bound));
	json_write_number(writer, "rows", (double)constant->rows);
	json_begin_array(writer, "places");
	for (size_t i = 0; i < constant->place_count; i++) {
		json_begin_object(writer, NULL);
		json_write_text(writer, "file", constant->places[i].file);
		json_write_text(writer, "name", constant->places[i].name);
		json_write_number(writer, "value", constant->places[i].value);
		json_end_object(writer);
	}
	json_end_array(writer);
	json_end_object(writer);
}

static void write_set(struct json_writer *writer, const struct paradl_fit_set *set)
{
	json_begin_object(writer, set->name);
	json_write_number(writer, "rows", (double)set->rows);
	json_write_number(writer, "mape_before", set->before);
	json_write_number(writer, "mape", set->after);
	json_write_number(writer, "bias", set->bias);
	json_positive(writer, "mape_left_out", set->left_out);
	json_end_object(writer);
}

void json_fit(struct report_sink *sink, const struct report_fit *report)
{
	const struct paradl_fit *const fit = report->fit;
	struct json_writer writer = json_writer_for(sink, false);
	json_begin_object(&writer, NULL);
	json_write_text(&writer, "schema", "paradl-fit-1");
	json_write_number(&writer, "rows", (double)fit->rows);
	json_write_number(&writer, "skipped", (double)fit->skipped);
	json_write_number(&writer, "objective_at_priors", fit->objective_before);
	json_write_number(&writer, "objective", fit->objective);
	json_write_text(&writer, "into", report->into);
	json_begin_array(&writer, "constants");
	for (size_t i = 0; i < fit->constant_count; i++)
		write_constant(&writer, &fit->constants[i]);
	json_end_array(&writer);
	json_begin_object(&writer, "by_set");
	for (size_t i = 0; i < fit->set_count; i++)
		write_set(&writer, &fit->sets[i]);
	json_end_object(&writer);
	json_end_object(&writer);
}

void jsonl_fit(struct report_sink *sink, const struct report_fit *report)
{
	for (size_t i = 0; i < report->fit->constant_count; i++) {
		struct json_writer writer = json_writer_for(sink, true);
		write_constant(&writer, &report->fit->constants[i]);
	}
}

void csv_fit(struct report_sink *sink, const struct report_fit *report)
{
	static const char *const names[] = {"file", "name", "value", "unit", "before", "prior", "low", "high",
		"standard_error", "identified", "bound", "rows"};
	struct csv_line line = {sink->file, false};
	csv_header(&line, names, sizeof names / sizeof names[0]);
	for (size_t i = 0; i < report->fit->constant_count; i++) {
		const struct paradl_fit_constant *const constant = &report->fit->constants[i];
		csv_text(&line, constant->places[0].file);
		csv_text(&line, constant->places[0].name);
		csv_number(&line, constant->value);
		csv_text(&line, constant->unit);
		csv_number(&line, constant->places[0].before);
		csv_number(&line, constant->prior);
		csv_number(&line, constant->low);
		csv_number(&line, constant->high);
		csv_number(&line, constant->standard_error);
		csv_number(&line, constant->identified);
		csv_text(&line, bound_name(constant->bound));
		csv_number(&line, (double)constant->rows);
		csv_end(&line);
	}
}
