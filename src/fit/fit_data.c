/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prepares the measured rows once. Machines and frameworks are copied, so that constants can change in the copies. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "fit/fitting.h"
#include "fit/validate/published.h"
#include "oracle/oracle.h"

static bool data_create(
	struct paradl_arena *arena, size_t rows, struct fit_data *data, struct paradl_error *error)
{
	*data = (struct fit_data){
		.rows = arena_alloc(arena, rows, sizeof *data->rows),
		.sets = arena_alloc(arena, rows, sizeof *data->sets),
		.set_rows = arena_alloc(arena, rows, sizeof *data->set_rows),
		.machines = arena_alloc(arena, rows, sizeof(struct paradl_machine *)),
		.originals = arena_alloc(arena, rows, sizeof(const struct paradl_machine *)),
		.frameworks = arena_alloc(arena, rows, sizeof(struct paradl_framework *)),
	};
	return (data->rows && data->sets && data->set_rows && data->machines && data->originals &&
		       data->frameworks) ||
	       out_of_memory(error);
}

static size_t set_find(struct fit_data *data, const char *name)
{
	for (size_t i = 0; i < data->set_count; ++i)
		if (strcmp(data->sets[i], name) == 0)
			return i;
	data->sets[data->set_count] = name;
	return data->set_count++;
}

/*
 * Makes an oracle use the fit's own copy of its machine, and finds the copy's index. Makes the copy where there is
 * none yet.
 */
static bool machine_adopt(struct paradl_arena *arena, struct fit_data *data, struct paradl_oracle *oracle,
	size_t *index, struct paradl_error *error)
{
	for (*index = 0; *index < data->machine_count; ++*index)
		if (data->machines[*index] == oracle->machine || data->originals[*index] == oracle->machine)
			break;
	if (*index == data->machine_count) {
		struct paradl_machine *copy = arena_alloc(arena, 1, sizeof *copy);
		if (!copy)
			return out_of_memory(error);
		*copy = *oracle->machine;
		data->originals[*index] = oracle->machine;
		data->machines[data->machine_count++] = copy;
	}
	oracle->machine = data->machines[*index];
	return true;
}

static bool framework_adopt(struct paradl_arena *arena, struct fit_data *data, struct paradl_oracle *oracle,
	size_t *index, struct paradl_error *error)
{
	for (*index = 0; *index < data->framework_count; ++*index)
		if (strcmp(data->frameworks[*index]->name, oracle->framework->name) == 0 &&
			strcmp(data->frameworks[*index]->path, oracle->framework->path) == 0)
			break;
	if (*index == data->framework_count) {
		struct paradl_framework *copy = arena_alloc(arena, 1, sizeof *copy);
		if (!copy)
			return out_of_memory(error);
		*copy = *oracle->framework;
		data->frameworks[data->framework_count++] = copy;
	}
	oracle->framework = data->frameworks[*index];
	return true;
}

static bool row_add(struct paradl_arena *arena, struct library *library, struct measurement *measurement,
	struct fit_data *data, struct paradl_error *error)
{
	struct fit_row *row = &data->rows[data->count];
	struct paradl_estimate estimate;
	struct paradl_error failure = {0};
	double seconds;
	size_t other;
	if (!measurement->row.skipped && !projection_make(library, measurement, &row->projection, error))
		return false;
	if (measurement->row.skipped) {
		++data->skipped;
		return true;
	}
	if (!(measurement->row.measured.total_s > 0)) /* memory alone was measured */
		return true;
	if (!projection_run(&row->projection, &estimate, &seconds, &failure) || !(seconds > 0)) {
		++data->skipped;
		return failure.status != PARADL_NO_MEMORY || out_of_memory(error);
	}
	if (!machine_adopt(arena, data, row->projection.oracle, &row->machine, error) ||
		!framework_adopt(arena, data, row->projection.oracle, &row->framework, error))
		return false;
	if (row->projection.twice &&
		(!machine_adopt(arena, data, row->projection.twice, &other, error) ||
			!framework_adopt(arena, data, row->projection.twice, &other, error)))
		return false;
	row->log_measured = log(measurement->row.measured.total_s);
	row->set = set_find(data, measurement->row.set);
	++data->set_rows[row->set];
	++data->count;
	return true;
}

bool data_load(struct paradl_arena *arena, const char *csv_path, const struct paradl_lookup *lookup,
	struct fit_data *data, struct paradl_error *error)
{
	struct aliases aliases = {NULL, 0};
	struct library library = {
		.arena = arena, .csv_path = csv_path, .lookup = lookup, .aliases = &aliases};
	struct measurements measured;
	struct csv csv;
	size_t left_out;
	if (!csv_load(arena, csv_path, &csv, error) || !rates_convert(arena, &csv, error))
		return false;
	if (!published_is(&csv)) {
		error_at(error, PARADL_SCHEMA, csv_path, 0, 0, "is no table of published training results");
		error_hint(error, "columns \"gpu\", \"layers\" and others: paradl-measured(5)");
		return false;
	}
	if (!aliases_load(arena, lookup->directories, &aliases, error) ||
		!published_read(arena, &csv, lookup, &aliases, &measured, &left_out, error) ||
		!library_create(&library, 2 * measured.count, error) ||
		!data_create(arena, 2 * measured.count, data, error))
		return false;
	for (size_t i = 0; i < measured.count; ++i)
		if (!row_add(arena, &library, &measured.rows[i], data, error))
			return false;
	return data->count ||
	       error_at(error, PARADL_SCHEMA, csv_path, 0, 0, "has no row with a time that can be projected");
}
