/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the rows of a paradl-measured(5) file; checks which columns there are, and the values of their cells. */
#include "fit/validate/measurements.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/names.h"
#include "base/quantity.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

struct sheet {
	struct paradl_arena *arena;
	const struct csv *csv;
	size_t row;
	struct paradl_error *error;
};

static bool cell_error(const struct sheet *sheet, const char *column, const char *problem)
{
	char quoted[80];
	const char *cell = csv_cell(sheet->csv, sheet->row, column);
	return error_at(sheet->error, PARADL_SCHEMA, sheet->csv->path, sheet->csv->lines[sheet->row], 1,
		"column \"%s\": %s%s%s", column, *cell ? error_quote(quoted, sizeof quoted, cell) : "",
		*cell ? " " : "", problem);
}

/*
 * Reads a number of up to 1e18 that is above 0, or also 0 where `zero`. An empty cell leaves *value as it is;
 * false with an error otherwise.
 */
static bool read_number(const struct sheet *sheet, const char *column, bool zero, double *value)
{
	const char *cell = csv_cell(sheet->csv, sheet->row, column), *end;
	const bool is_negative = *cell == '-';
	double number;
	if (!*cell)
		return true;
	if (!decimal_read(cell + is_negative, 0, &number, &end) || *end)
		return cell_error(sheet, column, "is not a number");
	if (is_negative || (!zero && !(number > 0)))
		return cell_error(sheet, column, zero ? "is negative" : "is not above 0");
	if (!(number <= 1e18))
		return cell_error(sheet, column, "is too large");
	*value = number;
	return true;
}

static bool read_measured(const struct sheet *sheet, const char *column, bool zero, double *value)
{
	if (read_number(sheet, column, zero, value))
		return true;
	error_hint(sheet->error, "an empty cell says that it was not measured");
	return false;
}

static bool read_batch(const struct sheet *sheet, double *batch)
{
	*batch = 0;
	if (!read_number(sheet, "batch", false, batch))
		return false;
	if (!(*batch > 0))
		return cell_error(
			sheet, "batch", "is empty; it is the samples of one iteration over all devices");
	if (*batch > floor(*batch) || *batch > 1e15)
		return cell_error(sheet, "batch", "is not a whole number of samples up to 1e15");
	return true;
}

static bool read_unit(const struct sheet *sheet, const char **unit)
{
	*unit = csv_cell(sheet->csv, sheet->row, "unit");
	return strcmp(*unit, "iter") == 0 || strcmp(*unit, "epoch") == 0 || strcmp(*unit, "request") == 0 ||
	       cell_error(sheet, "unit",
		       **unit ? "is none of iter, epoch and request"
			      : "is empty; write iter, epoch or request");
}

static bool read_name(const struct sheet *sheet, const char *column, const char **name)
{
	*name = csv_cell(sheet->csv, sheet->row, column);
	return **name || cell_error(sheet, column, "is empty");
}

/* Reads a share, a number from 0 to below 1. */
static bool read_share(const struct sheet *sheet, const char *column, double *value)
{
	return read_number(sheet, column, true, value) &&
	       (*value < 1 || cell_error(sheet, column, "is not below 1"));
}

/* Reads the columns of serving where the row is one: its load, and the time of a token in place of the total. */
static bool read_load(const struct sheet *sheet, struct measurement *measurement)
{
	struct measured_load *const load = &measurement->load;
	struct paradl_measured_row *const row = &measurement->row;
	measurement->load_key = "";
	if (strcmp(row->unit, "request") != 0)
		return true;
	if (!read_number(sheet, "input_tokens", true, &load->prompt_tokens) ||
		!read_number(sheet, "output_tokens", true, &load->output_tokens) ||
		!read_number(sheet, "requests", true, &load->requests) ||
		!read_share(sheet, "spread", &load->spread) ||
		!read_share(sheet, "cached_prefix", &load->cached_prefix) ||
		!read_measured(sheet, "token_s", false, &row->measured.total_s) ||
		!read_measured(sheet, "first_s", false, &row->measured.first_s))
		return false;
	const char *const prefill = csv_cell(sheet->csv, sheet->row, "prefill");
	load->serves = true;
	load->prefill = *prefill ? prefill : NULL;
	row->measured.compute_s = row->measured.communication_s = -1;
	measurement->load_key = measurement->conditions =
		arena_printf(sheet->arena, "%.17g %.17g %.17g %.17g %.17g %s", load->prompt_tokens,
			load->output_tokens, load->requests, load->spread, load->cached_prefix, prefill);
	return measurement->load_key || out_of_memory(sheet->error);
}

static bool read_row(
	const struct sheet *sheet, const struct paradl_lookup *lookup, struct measurement *measurement)
{
	struct paradl_measured_row *row = &measurement->row;
	double io_s;
	*measurement = (struct measurement){
		.row = {.line = sheet->csv->lines[sheet->row],
			.hw = lookup->hw,
			.family = "unknown",
			.measured = {-1, -1, -1, -1, -1},
			.projected = {-1, -1, -1, -1, -1},
			.accuracy = {-1, -1, -1},
			.error_share = -1,
			.first_error_share = -1},
		.tokens = -1,
	};
	if (!read_name(sheet, "model", &row->model) || (!row->hw && !read_name(sheet, "hw", &row->hw)) ||
		!read_name(sheet, "strategy", &row->strategy) || !read_batch(sheet, &row->batch) ||
		!read_unit(sheet, &row->unit) || !read_number(sheet, "seq", true, &measurement->tokens) ||
		!read_measured(sheet, "compute_s", true, &row->measured.compute_s) ||
		!read_measured(sheet, "communication_s", true, &row->measured.communication_s) ||
		!read_measured(sheet, "io_s", true, &io_s) ||
		!read_measured(sheet, "total_s", false, &row->measured.total_s) ||
		!read_measured(sheet, "memory_bytes", false, &row->measured.memory_bytes))
		return false;
	measurement->precision = csv_cell(sheet->csv, sheet->row, "precision");
	row->framework =
		lookup->framework ? lookup->framework : csv_cell(sheet->csv, sheet->row, "framework");
	row->source = csv_cell(sheet->csv, sheet->row, "source");
	measurement->model_key = row->model;
	measurement->hw_key = row->hw;
	measurement->conditions = "";
	row->includes = csv_cell(sheet->csv, sheet->row, "includes");
	row->set = csv_cell(sheet->csv, sheet->row, "set");
	if (!*row->set)
		row->set = "all";
	return read_load(sheet, measurement);
}

static bool has_column(const struct csv *csv, const char *name)
{
	for (size_t i = 0; i < csv->columns; ++i)
		if (strcmp(csv->header[i], name) == 0)
			return true;
	return false;
}

static bool missing_column(const struct csv *csv, const char *name, struct paradl_error *error)
{
	const char *near = suggest(name, csv->header, csv->columns);
	error_at(error, PARADL_SCHEMA, csv->path, 0, 0, "has no column \"%s\"%s%s%s", name,
		near ? "; is \"" : "", near ? near : "", near ? "\" meant to be it?" : "");
	error_hint(error, "the first line names the columns: "
			  "model,hw,strategy,batch,unit,compute_s,communication_s,total_s,memory_bytes,"
			  "framework,set,...");
	return false;
}

static bool check_columns(
	const struct csv *csv, const struct paradl_lookup *lookup, struct paradl_error *error)
{
	static const char *const required[] = {"model", "strategy", "batch", "unit"};
	static const char *const measured[] = {
		"compute_s", "communication_s", "total_s", "memory_bytes", "token_s", "first_s"};
	bool any = false;
	for (size_t i = 0; i < COUNT(required); ++i)
		if (!has_column(csv, required[i]))
			return missing_column(csv, required[i], error);
	if (!lookup->hw && !has_column(csv, "hw"))
		return missing_column(csv, "hw", error);
	for (size_t i = 0; i < COUNT(measured); ++i)
		any = any || has_column(csv, measured[i]);
	return any || missing_column(csv, "total_s", error);
}

bool measurements_read(struct paradl_arena *arena, const struct csv *csv, const struct paradl_lookup *lookup,
	struct measurements *measurements, struct paradl_error *error)
{
	struct sheet sheet = {.arena = arena, .csv = csv, .error = error};
	if (!check_columns(csv, lookup, error))
		return false;
	if (csv->rows == 0)
		return error_at(error, PARADL_SCHEMA, csv->path, 0, 0, "has no rows under its header");
	measurements->count = csv->rows;
	measurements->rows = arena_alloc(arena, csv->rows, sizeof *measurements->rows);
	if (!measurements->rows)
		return out_of_memory(error);
	for (; sheet.row < csv->rows; ++sheet.row)
		if (!read_row(&sheet, lookup, &measurements->rows[sheet.row]))
			return false;
	return true;
}
