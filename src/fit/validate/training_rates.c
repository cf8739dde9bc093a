/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads tables of training rates of one device, with the columns model, batch and measured_images_per_s, and set,
 * precision and source. They are converted to published results, paradl-measured(5): a row's set and source name
 * its device and its program.
 */
#include "fit/validate/training_rates.h"

#include <string.h>

#include "base/error.h"

static const char *const header[] = {"id", "set", "kind", "model", "layers", "gpus", "gpu", "gpus_per_node",
	"dp", "mbs", "gbs", "precision", "framework", "samples_s", "primary", "source", "complete"};
enum { COLUMNS = sizeof header / sizeof *header };

static bool is_of_rates(const struct csv *csv)
{
	for (size_t i = 0; i < csv->columns; ++i)
		if (strcmp(csv->header[i], "measured_images_per_s") == 0)
			return true;
	return false;
}

static bool row_convert(
	struct paradl_arena *arena, const struct csv *csv, size_t row, const char *cells[COLUMNS])
{
	const char *set = csv_cell(csv, row, "set"), *model = csv_cell(csv, row, "model");
	const char *batch = csv_cell(csv, row, "batch"), *source = csv_cell(csv, row, "source");
	const char *const where = arena_printf(arena, "%s; %s", set, source);
	const char *const made[] = {arena_printf(arena, "%s-%s-%s", set, model, batch), set, "cnn", model, "",
		"1", where, "1", "1", batch, batch, csv_cell(csv, row, "precision"), where,
		csv_cell(csv, row, "measured_images_per_s"), "samples_s", source, "yes"};
	memcpy(cells, made, sizeof made);
	return where && made[0];
}

bool rates_convert(struct paradl_arena *arena, struct csv *csv, struct paradl_error *error)
{
	if (!is_of_rates(csv))
		return true;
	const char **cells = arena_alloc(arena, csv->rows * COLUMNS + 1, sizeof *cells);
	if (!cells)
		return out_of_memory(error);
	for (size_t row = 0; row < csv->rows; ++row)
		if (!row_convert(arena, csv, row, cells + row * COLUMNS))
			return out_of_memory(error);
	csv->header = header;
	csv->columns = COLUMNS;
	csv->cells = cells;
	return true;
}
