/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes the layers that were measured one by one as a file for --layer-times (paradl-layer-times(5)): the forward
 * pass, and both gradients together. Where a layer has several points, the one with most work counts, since the
 * others are parts of the layer. Points measured with all devices at work come before points of a device alone.
 */
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "fit/calibration.h"

enum { BATCHES_MAX = 64, PASSES = 3, MODELS_MAX = 16, TIME_LENGTH = 40 };

static const char *const passes[PASSES] = {"forward", "backward-data", "backward-filter"};

/* The cells of one model's layers in one number format. */
struct layer_rows {
	const struct cells *cells;
	const char *model, *precision;
	double batches[BATCHES_MAX]; /* batches that were measured, ascending */
	unsigned batch_count;
};

static bool says(const struct cell *cell, const char *parameter, const char *text)
{
	const char *said = sample_text(cell->point, parameter);
	return said && strcmp(said, text) == 0;
}

static bool is_layer(const struct cell *cell)
{
	const char *layer = sample_text(cell->point, "layer"), *model = sample_text(cell->point, "model");
	return layer && *layer && model && *model && sample_text(cell->point, "pass") &&
	       sample_text(cell->point, "precision") && sample_number(cell->point, "batch", 0) > 0 &&
	       cell->seconds > 0;
}

static bool is_ours(const struct layer_rows *rows, const struct cell *cell)
{
	return is_layer(cell) && says(cell, "model", rows->model) && says(cell, "precision", rows->precision);
}

/*
 * Chooses the model that was asked for, or the only one that was measured, and its number format, preferably fp32.
 * Returns false with an error where several were measured, or none.
 */
static bool model_choose(struct layer_rows *rows, const char *asked, struct paradl_error *error)
{
	rows->model = asked;
	for (size_t i = 0; i < rows->cells->count; ++i) {
		const struct cell *cell = &rows->cells->items[i];
		if (!is_layer(cell) || (asked && !says(cell, "model", asked)))
			continue;
		const char *model = sample_text(cell->point, "model");
		if (rows->model && strcmp(rows->model, model) != 0) {
			error_set(error, PARADL_USAGE, "layers of %s and of %s were measured", rows->model,
				model);
			error_hint(error, "--layers-of MODEL says whose times are wanted");
			return false;
		}
		rows->model = model;
		if (!rows->precision || says(cell, "precision", "fp32"))
			rows->precision = sample_text(cell->point, "precision");
	}
	if (rows->precision)
		return true;
	error_set(
		error, PARADL_USAGE, "no layers%s%s were measured", asked ? " of " : "", asked ? asked : "");
	error_hint(error, "\"paradl calibrate --layers-of MODEL\" measures each");
	return false;
}

static bool batch_add(struct layer_rows *rows, double batch, struct paradl_error *error)
{
	unsigned at = 0;
	while (at < rows->batch_count && rows->batches[at] < batch)
		++at;
	if (at < rows->batch_count && !(rows->batches[at] > batch))
		return true;
	if (rows->batch_count == BATCHES_MAX)
		return error_set(error, PARADL_USAGE, "more than %d batches were measured", BATCHES_MAX);
	for (unsigned k = rows->batch_count++; k > at; --k)
		rows->batches[k] = rows->batches[k - 1];
	rows->batches[at] = batch;
	return true;
}

static bool is_better(const struct cell *cell, const struct cell *best)
{
	if (!best || cell->point->flop > best->point->flop)
		return true;
	return !(cell->point->flop < best->point->flop) &&
	       sample_number(cell->point, "busy", 1) > sample_number(best->point, "busy", 1);
}

/* Returns the seconds of one pass of a layer; 0 when it was not measured. */
static double pass_s(const struct layer_rows *rows, double batch, const char *layer, const char *pass)
{
	const struct cell *best = NULL;
	for (size_t i = 0; i < rows->cells->count; ++i) {
		const struct cell *cell = &rows->cells->items[i];
		const double here = sample_number(cell->point, "batch", 0);
		if (is_ours(rows, cell) && says(cell, "layer", layer) && says(cell, "pass", pass) &&
			!(here < batch) && !(here > batch) && is_better(cell, best))
			best = cell;
	}
	return best ? best->seconds : 0;
}

static void time_write(struct json_writer *writer, const char *key, double seconds)
{
	char text[TIME_LENGTH];
	snprintf(text, sizeof text, "%.6g us", 1e6 * seconds);
	json_write_text(writer, key, text);
}

static void layer_write(
	const struct layer_rows *rows, double batch, const char *layer, struct json_writer *writer)
{
	const double forward_s = pass_s(rows, batch, layer, passes[0]);
	const double backward_s =
		pass_s(rows, batch, layer, passes[1]) + pass_s(rows, batch, layer, passes[2]);
	if (!(forward_s > 0 && backward_s > 0))
		return;
	json_begin_object(writer, layer);
	time_write(writer, "fw", forward_s);
	time_write(writer, "bw", backward_s);
	json_end_object(writer);
}

/* Returns whether an earlier cell is of the same layer at this batch, so that the layer is written already. */
static bool is_repeated(const struct layer_rows *rows, double batch, size_t index)
{
	const char *layer = sample_text(rows->cells->items[index].point, "layer");
	for (size_t i = 0; i < index; ++i) {
		const struct cell *cell = &rows->cells->items[i];
		const double here = sample_number(cell->point, "batch", 0);
		if (is_ours(rows, cell) && says(cell, "layer", layer) && !(here < batch) && !(here > batch))
			return true;
	}
	return false;
}

static void batch_write(const struct layer_rows *rows, double batch, struct json_writer *writer)
{
	json_begin_object(writer, NULL);
	json_write_number(writer, "batch", batch);
	json_begin_object(writer, "layers");
	for (size_t i = 0; i < rows->cells->count; ++i) {
		const struct cell *cell = &rows->cells->items[i];
		const double here = sample_number(cell->point, "batch", 0);
		if (is_ours(rows, cell) && !(here < batch) && !(here > batch) && !is_repeated(rows, batch, i))
			layer_write(rows, batch, sample_text(cell->point, "layer"), writer);
	}
	json_end_object(writer);
	json_end_object(writer);
}

static bool file_write(const struct layer_rows *rows, const char *path, struct paradl_error *error)
{
	struct file_output output;
	if (!file_create(&output, path, error))
		return false;
	struct json_writer writer = {.file = output.file};
	json_begin_object(&writer, NULL);
	json_write_text(&writer, "format", "paradl-profile");
	json_write_number(&writer, "version", 1);
	json_write_text(&writer, "model", rows->model);
	json_write_text(&writer, "precision", rows->precision);
	json_begin_array(&writer, "samples");
	for (unsigned i = 0; i < rows->batch_count; ++i)
		batch_write(rows, rows->batches[i], &writer);
	json_end_array(&writer);
	json_end_object(&writer);
	return file_commit(&output, error);
}

bool paradl_calibration_layer_times(struct paradl_arena *arena, const char *const *paths, size_t count,
	const char *model, const char *path, struct paradl_error *error)
{
	struct sample_set set = {.count = 0};
	struct cells cells;
	struct layer_rows rows = {.cells = &cells};
	for (size_t i = 0; i < count; ++i)
		if (!samples_load(arena, paths[i], &set, error))
			return false;
	if (!cells_make(arena, &set, &cells, error) || !model_choose(&rows, model, error))
		return false;
	for (size_t i = 0; i < cells.count; ++i)
		if (is_ours(&rows, &cells.items[i]) && sample_text(cells.items[i].point, "layer") &&
			!batch_add(&rows, sample_number(cells.items[i].point, "batch", 0), error))
			return false;
	return file_write(&rows, path, error);
}
