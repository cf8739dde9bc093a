/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes rows of kernels of the products that measuring programs have timed; paradl-samples(5). */
#include <stdint.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "fit/fitter/fitter.h"
#include "fit/kernels_profile.h"

bool kernel_row_of_cell(const struct cell *cell, enum paradl_precision precision, struct kernel_row *row)
{
	*row = (struct kernel_row){.kind = KERNEL_GEMM,
		.precision = precision,
		.m = cell_number(cell, "m", 0),
		.n = cell_number(cell, "n", 0),
		.k = cell_number(cell, "k", 0),
		.count = cell_number(cell, "count", 1),
		.bytes = cell->point->bytes,
		.is_cold = true,   /* operands are taken in turns from more places than fit the caches */
		.is_narrow = true, /* and were narrow before */
		.is_long = !cell_is_rested(cell), /* other samples follow one another without a pause */
		.seconds = cell->seconds};
	row->fold = kernel_fold(row->n, row->k);
	return row->m >= 1 && row->n >= 1 && row->k >= 1 && row->count >= 1 && row->seconds > 0;
}

bool kernel_samples_known(struct paradl_arena *arena, const char *path)
{
	struct file_head head;
	if (!kernels_head_read(arena, path, &head))
		return false;
	return reader_samples.knows(head.text, head.length);
}

/* What is added to while cells become rows. */
struct reading {
	struct paradl_arena *arena;
	struct kernel_rows *rows;
	size_t device;
	struct paradl_error *error;
};

static bool products_add(const struct reading *reading, const struct calibration *calibration)
{
	struct cell_list list;
	struct formats_seen formats;
	if (!cells_of_products(calibration, &list, reading->error))
		return false;
	cells_at_work(&list, 1);
	const unsigned *const slots = formats_of(calibration, &list, &formats);
	if (!slots)
		return out_of_memory(reading->error);
	for (size_t i = 0; i < list.count; ++i) {
		struct kernel_row row;
		if (!kernel_row_of_cell(list.items[i], formats.precision[slots[i]], &row))
			continue;
		row.device = reading->device;
		struct kernel_row *const added =
			LIST_ADD(reading->arena, reading->rows->items, reading->rows->count);
		if (!added)
			return out_of_memory(reading->error);
		*added = row;
	}
	return true;
}

/* Counts all other cells, by their bench. */
static bool others_count(const struct reading *reading, const struct cells *cells)
{
	for (size_t i = 0; i < cells->count; ++i)
		if (strcmp(cells->items[i].point->bench, "gemm") != 0 &&
			strcmp(cells->items[i].point->bench, "burst") != 0 &&
			!kernel_passed_count(
				reading->arena, reading->rows, cells->items[i].point->bench, "samples"))
			return out_of_memory(reading->error);
	return true;
}

bool kernel_samples_read(struct paradl_arena *arena, const char *path, const char *device,
	struct kernel_rows *rows, struct paradl_error *error)
{
	struct sample_set set = {.count = 0};
	struct cells cells;
	if (!device) {
		error_at(error, PARADL_USAGE, path, 0, 0, "samples do not say which device file is theirs");
		error_hint(error, "name it: --device h100-sxm5-80gb");
		return false;
	}
	if (!samples_load(arena, path, &set, error) || !cells_make(arena, &set, &cells, error))
		return false;
	const struct calibration calibration = {.arena = arena, .cells = &cells};
	const struct reading reading = {arena, rows, kernel_device_add(arena, rows, device), error};
	if (reading.device == SIZE_MAX)
		return out_of_memory(error);
	return products_add(&reading, &calibration) && others_count(&reading, &cells);
}
