/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Listings as JSON. */
#include "report/json.h"

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
