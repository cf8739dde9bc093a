/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file reads a CSV with a row for each phase: phase,seconds and if wanted layer, rank, step, unit, busy_seconds,
 * calls.
 */
#include <string.h>

#include "base/csv.h"
#include "base/error.h"
#include "base/names.h"
#include "study/measured/measured_phases.h"

static bool has_word(const char *line, const char *word)
{
	const size_t length = strlen(word);
	for (const char *at = line; (at = strstr(at, word)); at += length) {
		const bool begins = at == line || strchr(",\" ", at[-1]);
		if (begins && (!at[length] || strchr(",\" \r\n", at[length])))
			return true;
	}
	return false;
}

/* Returns whether the first line after comments has the columns phase and seconds. */
static bool knows(const char *begin, size_t length)
{
	char line[512];
	(void)length;
	while (*begin == '#' || *begin == '\n' || *begin == '\r')
		begin += strcspn(begin, "\n") + (begin[strcspn(begin, "\n")] != '\0');
	const size_t end = strcspn(begin, "\n");
	if (end >= sizeof line)
		return false;
	memcpy(line, begin, end);
	line[end] = '\0';
	return has_word(line, "phase") && has_word(line, "seconds");
}

static bool optional(const struct measured_reading *reading, const struct csv *csv, size_t row,
	const char *column, double otherwise, double *value)
{
	const char *cell = csv_cell(csv, row, column);
	*value = otherwise;
	return !*cell || seconds_read(reading, cell, column, csv->lines[row], value);
}

static bool unknown_phase(const struct measured_reading *reading, const char *name, int line)
{
	const char *names[PARADL_PART_COUNT];
	char quoted[48];
	for (unsigned part = 0; part < PARADL_PART_COUNT; ++part)
		names[part] = paradl_part_name(part);
	error_at(reading->error, PARADL_SCHEMA, reading->path, line, 1, "there is no phase %s",
		error_quote(quoted, sizeof quoted, name));
	return name_hint(reading->error, name, names, PARADL_PART_COUNT,
		"phases: forward, backward, gradient_exchange, total and others, paradl-diagnose(1)");
}

static bool unit_read(
	const struct measured_reading *reading, const struct csv *csv, size_t row, double *iterations)
{
	const char *unit = csv_cell(csv, row, "unit");
	*iterations = 1;
	if (!*unit || strcmp(unit, "iter") == 0)
		return true;
	if (strcmp(unit, "epoch") != 0)
		return error_at(reading->error, PARADL_SCHEMA, reading->path, csv->lines[row], 1,
			"unit must be iter or epoch");
	*iterations = iterations_per_epoch(reading);
	return *iterations > 0 || error_at(reading->error, PARADL_SCHEMA, reading->path, csv->lines[row], 1,
					  "unit epoch needs a model with a data set");
}

static bool row_read(struct measured_reading *reading, const struct csv *csv, size_t row)
{
	const char *name = csv_cell(csv, row, "phase"), *layer = csv_cell(csv, row, "layer");
	const int line = csv->lines[row];
	struct observation observation = {.layer = -1, .part = part_named(name)};
	double iterations;
	if (observation.part == PARADL_PART_COUNT)
		return unknown_phase(reading, name, line);
	if (*layer) {
		observation.layer = observe_layer(reading, layer);
		if (observation.layer < 0)
			return out_of_memory(reading->error);
	}
	if (*layer && observation.part >= PARADL_PHASE_COUNT && observation.part != PARADL_PART_COMMUNICATION)
		return error_at(reading->error, PARADL_SCHEMA, reading->path, line, 1,
			"a layer has forward, backward, weight_update and communication, no %s", name);
	if (!seconds_read(reading, csv_cell(csv, row, "seconds"), "seconds", line, &observation.seconds) ||
		!optional(reading, csv, row, "rank", reading->file, &observation.rank) ||
		!optional(reading, csv, row, "step", 0, &observation.step) ||
		!optional(reading, csv, row, "busy_seconds", -1, &observation.busy_s) ||
		!optional(reading, csv, row, "calls", -1, &observation.calls) ||
		!unit_read(reading, csv, row, &iterations))
		return false;
	observation.seconds /= iterations;
	if (observation.busy_s > 0)
		observation.busy_s /= iterations;
	if (observation.calls > 0)
		observation.calls /= iterations;
	return observe(reading, &observation);
}

static bool read(struct measured_reading *reading)
{
	struct csv csv;
	if (!csv_load(reading->arena, reading->path, &csv, reading->error))
		return false;
	for (size_t row = 0; row < csv.rows; ++row)
		if (!row_read(reading, &csv, row))
			return false;
	return true;
}

const struct measured_reader measured_reader_phase_times = {
	.name = "phase times",
	.summary = "CSV with a row for each phase",
	.knows = knows,
	.read = read,
};
