/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file finds the reader of a file of measured times, and has the reader of paradl-measured(5): it reads the row
 * that is of this model, machine, plan and batch.
 */
#include <string.h>

#include "base/csv.h"
#include "base/error.h"
#include "base/file.h"
#include "base/source.h"
#include "study/measured/measured_phases.h"

enum { SNIFFED = 4096, PIPE_LIMIT_BYTES = 1 << 30 };

static const struct measured_reader *const readers[] = {
#define X(id) &measured_reader_##id,
#include "study/measured/list.def"
#undef X
	NULL};

static bool unknown(struct measured_reading *reading, const char *begin, size_t length)
{
	const char *names = "";
	if (length >= 2 && begin[0] == '\x1f' && begin[1] == '\x8b') {
		error_at(reading->error, PARADL_SYNTAX, reading->path, 0, 0, "is compressed by gzip");
		error_hint(reading->error, "unpack it first: gunzip -k FILE");
		return false;
	}
	for (size_t i = 0; names && readers[i]; ++i)
		names = arena_printf(reading->arena, "%s%s%s", names, i ? ", " : "", readers[i]->name);
	error_at(reading->error, PARADL_SYNTAX, reading->path, 0, 0,
		length ? "is in no format of measured times that is known" : "is empty");
	error_hint(reading->error, "formats: %s", names ? names : "");
	return false;
}

static const struct measured_reader *reader_of(struct measured_reading *reading)
{
	struct file_head head;
	if (!file_head_read(reading->arena, reading->path, SNIFFED, PIPE_LIMIT_BYTES, &head, reading->error))
		return NULL;
	for (size_t i = 0; readers[i]; ++i)
		if (head.length && readers[i]->knows(head.text, head.length))
			return readers[i];
	unknown(reading, head.text, head.length);
	return NULL;
}

bool paradl_measurement_load(struct paradl_arena *arena, const struct paradl_source *sources, size_t count,
	const struct paradl_oracle *oracle, const struct paradl_plan *plan,
	struct paradl_measurement *measurement, struct paradl_error *error)
{
	struct observations observations = {.count = 0};
	struct measured_reading reading = {.arena = arena,
		.oracle = oracle,
		.plan = plan,
		.observations = &observations,
		.measurement = measurement,
		.error = error};
	*measurement = (struct paradl_measurement){.waiting_share = -1};
	for (size_t i = 0; i < count; ++i) {
		reading.path = source_path(arena, &sources[i], NULL, error);
		reading.file = (unsigned)i;
		const struct measured_reader *reader = reading.path ? reader_of(&reading) : NULL;
		if (!reader)
			return false;
		if (i && strcmp(measurement->format, reader->name) != 0)
			return error_at(error, PARADL_USAGE, reading.path, 0, 0,
				"is %s, the file before is %s", reader->name, measurement->format);
		measurement->format = reader->name;
		if (!reader->read(&reading))
			return false;
	}
	return observations_sum_up(&reading);
}

static bool knows(const char *begin, size_t length)
{
	(void)length;
	return strstr(begin, "strategy") && strstr(begin, "total_s");
}

/*
 * Returns whether a cell names the file at `path`, such as "resnet50" for "/x/models/resnet50.json"; an empty one
 * names any.
 */
static bool is_named(const char *cell, const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	const char *cell_slash = strrchr(cell, '/');
	const char *cell_name = cell_slash ? cell_slash + 1 : cell;
	const size_t length = strcspn(name, "."), cell_length = strcspn(cell_name, ".");
	return !*cell || (length == cell_length && strncmp(cell_name, name, length) == 0);
}

static bool fits(const struct measured_reading *reading, const struct csv *csv, size_t row)
{
	double batch = -1;
	const char *cell = csv_cell(csv, row, "batch");
	struct paradl_error ignored;
	struct measured_reading quiet = *reading;
	quiet.error = &ignored;
	return is_named(csv_cell(csv, row, "model"), reading->oracle->model->path) &&
	       is_named(csv_cell(csv, row, "hw"), reading->oracle->machine->path) &&
	       (!*cell || seconds_read(&quiet, cell, "batch", 0, &batch)) &&
	       reading_is_plan(reading, csv_cell(csv, row, "strategy"), batch);
}

static bool cell_read(struct measured_reading *reading, const struct csv *csv, size_t row, const char *column,
	unsigned part, double iterations)
{
	const char *cell = csv_cell(csv, row, column);
	struct observation observation = {
		.layer = -1, .part = part, .rank = reading->file, .busy_s = -1, .calls = -1};
	if (!*cell)
		return true;
	if (!seconds_read(reading, cell, column, csv->lines[row], &observation.seconds))
		return false;
	observation.seconds /= iterations;
	return observe(reading, &observation);
}

static bool none_fits(const struct measured_reading *reading)
{
	char plan[PARADL_PLAN_TEXT];
	paradl_plan_format(reading->plan, plan, sizeof plan);
	error_at(reading->error, PARADL_SCHEMA, reading->path, 0, 0,
		"has no row of this model and machine with strategy %.100s and batch %.0f", plan,
		reading->plan->batch);
	error_hint(reading->error, "--batch says how many samples an iteration has");
	return false;
}

static bool read(struct measured_reading *reading)
{
	struct csv csv;
	if (!csv_load(reading->arena, reading->path, &csv, reading->error))
		return false;
	size_t found = csv.rows;
	for (size_t row = 0; row < csv.rows; ++row) {
		if (!fits(reading, &csv, row))
			continue;
		if (found < csv.rows)
			return error_at(reading->error, PARADL_SCHEMA, reading->path, csv.lines[row], 1,
				"is of this plan, as is line %d: keep one of them", csv.lines[found]);
		found = row;
	}
	if (found == csv.rows)
		return none_fits(reading);
	const bool epoch = strcmp(csv_cell(&csv, found, "unit"), "epoch") == 0;
	const double iterations = epoch ? iterations_per_epoch(reading) : 1;
	if (!(iterations > 0))
		return error_at(reading->error, PARADL_SCHEMA, reading->path, csv.lines[found], 1,
			"unit epoch needs a model with a data set");
	reading->measurement->without_input = strcmp(csv_cell(&csv, found, "includes"), "everything") != 0;
	return cell_read(reading, &csv, found, "compute_s", PARADL_PART_COMPUTE, iterations) &&
	       cell_read(reading, &csv, found, "communication_s", PARADL_PART_COMMUNICATION, iterations) &&
	       cell_read(reading, &csv, found, "total_s", PARADL_PART_TOTAL, iterations);
}

const struct measured_reader measured_reader_measured_rows = {
	.name = "measured rows",
	.summary = "paradl-measured(5): the row of this plan",
	.knows = knows,
	.read = read,
};
