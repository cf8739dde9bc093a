/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Validations, listings and checks as JSON. */
#include "report/json.h"

static void write_measurement(struct json_writer *writer, const char *key, double compute,
	double communication, double total, double memory)
{
	json_begin_object(writer, key);
	json_positive(writer, "compute_s", compute);
	json_positive(writer, "communication_s", communication);
	json_positive(writer, "total_s", total);
	json_positive(writer, "memory_bytes", memory);
	json_end_object(writer);
}

static void write_accuracy(struct json_writer *writer, const struct paradl_accuracy *accuracy)
{
	json_positive(writer, "compute", accuracy->compute);
	json_positive(writer, "communication", accuracy->communication);
	json_positive(writer, "total", accuracy->total);
}

void json_measured_row(struct json_writer *writer, const struct paradl_measured_row *row)
{
	json_begin_object(writer, NULL);
	json_write_number(writer, "line", row->line);
	json_write_text(writer, "id", row->id);
	json_write_text(writer, "model", row->model);
	json_write_text(writer, "hw", row->hw);
	json_write_text(writer, "strategy", row->strategy);
	json_write_text(writer, "family", row->family);
	json_positive(writer, "batch", row->batch > 0 ? row->batch : -1);
	json_write_text(writer, "unit", row->unit);
	json_write_text(writer, "framework", row->framework);
	json_write_text(writer, "includes", row->includes);
	json_write_text(writer, "set", row->set);
	json_write_text(writer, "source", row->source);
	write_measurement(writer, "measured", row->measured.compute_s, row->measured.communication_s,
		row->measured.total_s, row->measured.memory_bytes);
	if (row->skipped)
		json_write_null(writer, "projected");
	else
		write_measurement(writer, "projected", row->projected.compute_s,
			row->projected.communication_s, row->projected.total_s, row->projected.memory_bytes);
	json_begin_object(writer, "accuracy");
	write_accuracy(writer, &row->accuracy);
	json_end_object(writer);
	json_write_text(writer, "skipped", row->skipped);
	json_end_object(writer);
}

/* Errors and ranking of a set, or of all rows. */
static void write_errors(struct json_writer *writer, const struct paradl_score *set)
{
	const bool has_groups = set->kendall_tau > -2;
	json_write_number(writer, "mape", set->mape);
	json_write_number(writer, "median", set->median);
	json_write_number(writer, "max", set->worst);
	json_write_number(writer, "bias", set->bias);
	json_positive(writer, "memory_mape", set->memory_mape);
	json_write_number(writer, "groups", (double)set->groups);
	if (has_groups) {
		json_write_number(writer, "kendall_tau", set->kendall_tau);
		json_write_number(writer, "regret_mean", set->regret_mean);
		json_write_number(writer, "regret_max", set->regret_max);
	} else {
		json_write_null(writer, "kendall_tau");
		json_write_null(writer, "regret_mean");
		json_write_null(writer, "regret_max");
	}
}

static void write_set(struct json_writer *writer, const struct paradl_score *set)
{
	json_begin_object(writer, set->name);
	json_write_number(writer, "rows", (double)set->rows);
	json_write_number(writer, "skipped", (double)set->skipped);
	write_errors(writer, set);
	json_end_object(writer);
}

static void write_summary(struct json_writer *writer, const struct paradl_validation *validation)
{
	json_begin_object(writer, "summary");
	json_write_number(writer, "rows", (double)validation->summary.rows);
	json_write_number(writer, "skipped", (double)validation->summary.skipped);
	json_write_number(writer, "left_out", (double)validation->left_out);
	write_accuracy(writer, &validation->summary.mean);
	write_errors(writer, &validation->summary);
	json_begin_object(writer, "by_strategy");
	for (size_t i = 0; i < validation->strategy_count; i++) {
		const struct paradl_score *const score = &validation->by_strategy[i];
		json_begin_object(writer, score->name);
		json_write_number(writer, "rows", (double)score->rows);
		write_accuracy(writer, &score->mean);
		json_end_object(writer);
	}
	json_end_object(writer);
	json_begin_object(writer, "by_set");
	for (size_t i = 0; i < validation->set_count; i++)
		write_set(writer, &validation->by_set[i]);
	json_end_object(writer);
	json_positive(writer, "rank_pairs_right", validation->rank_pairs_right);
	json_write_number(writer, "rank_pairs", (double)validation->rank_pairs);
	json_end_object(writer);
}

void json_validation(struct report_sink *sink, const struct report_validation *report)
{
	const struct paradl_validation *const validation = report->validation;
	struct json_writer writer = json_writer_for(sink, false);
	json_begin_object(&writer, NULL);
	json_write_text(&writer, "schema", "paradl-validate-1");
	json_begin_array(&writer, "rows");
	for (size_t i = 0; i < validation->count; i++)
		json_measured_row(&writer, &validation->rows[i]);
	json_end_array(&writer);
	write_summary(&writer, validation);
	json_end_object(&writer);
}

void json_listing_row(
	struct json_writer *writer, const struct report_listing *listing, const struct listing_cell *cells)
{
	json_begin_object(writer, NULL);
	for (size_t i = 0; i < listing->column_count; i++) {
		const struct listing_column *const column = &listing->columns[i];
		if (column->kind == LISTING_TEXT)
			json_write_text(writer, column->key, cells[i].text);
		else
			json_positive(writer, column->key, cells[i].number);
	}
	json_end_object(writer);
}

static void write_rows(struct json_writer *writer, const struct report_listing *listing)
{
	json_begin_array(writer, listing->what);
	for (size_t i = 0; i < listing->row_count; i++)
		json_listing_row(writer, listing, &listing->cells[i * listing->column_count]);
	json_end_array(writer);
}

void json_listing(struct report_sink *sink, const struct report_listing *listing)
{
	struct json_writer writer = json_writer_for(sink, false);
	json_begin_object(&writer, NULL);
	json_write_text(&writer, "schema", "paradl-list-1");
	if (listing->model) {
		json_begin_object(&writer, "model");
		json_write_text(&writer, "name", listing->model->name);
		json_write_number(&writer, "parameters", listing->model->parameters);
		json_write_number(
			&writer, "forward_flop_per_sample", listing->model->forward_flop_per_sample);
		write_rows(&writer, listing);
		json_end_object(&writer);
	} else {
		write_rows(&writer, listing);
	}
	json_end_object(&writer);
}

void json_check(struct report_sink *sink, const struct report_check *check)
{
	struct json_writer writer = json_writer_for(sink, false);
	json_begin_object(&writer, NULL);
	json_write_text(&writer, "schema", "paradl-check-1");
	json_begin_array(&writer, "files");
	for (size_t i = 0; i < check->count; i++)
		json_checked_file(&writer, &check->files[i]);
	json_end_array(&writer);
	json_end_object(&writer);
}
