/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fit/kernels_score.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/list.h"
#include "fit/calibration.h"
#include "fit/calibration_write.h"
#include "machine/place.h"

static int compare(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static bool same_group(const struct kernel_row *a, const struct kernel_row *b)
{
	return a->device == b->device && a->kind == b->kind && a->precision == b->precision &&
	       strcmp(kernel_row_size(a), kernel_row_size(b)) == 0;
}

/* Sums up relative errors, and replaces them by their sizes; mean and median of no errors are negative. */
static void sum_up(double *errors, size_t count, double *mean, double *median, double *bias)
{
	double sum = 0;
	*mean = *median = -1;
	if (!count)
		return;
	if (bias) {
		qsort(errors, count, sizeof *errors, compare);
		*bias = errors[count / 2];
	}
	for (size_t i = 0; i < count; ++i)
		sum += errors[i] = fabs(errors[i]);
	qsort(errors, count, sizeof *errors, compare);
	*mean = sum / (double)count;
	*median = errors[count / 2];
}

/* What scores are made of: rows, devices (fitted NULL: nothing was), predictions (NULL: none), and room for all errors. */
struct scoring {
	const struct kernel_rows *rows;
	const struct device *files, *fitted;
	const double *predicted;
	bool *is_scored;
	double *file, *fit, *left_out;
};

/* Scores the rows of the group of one of them. */
static bool group_score(struct kernel_scores *scores, const struct scoring *scoring, size_t first)
{
	const struct kernel_rows *rows = scoring->rows;
	const struct kernel_row *head = &rows->items[first];
	struct paradl_kernel_errors *errors = LIST_ADD(scores->arena, scores->errors, scores->error_count);
	size_t count = 0, fit_count = 0, left_count = 0;
	if (!errors)
		return out_of_memory(scores->error);
	for (size_t i = first; i < rows->count; ++i) {
		const struct kernel_row *row = &rows->items[i];
		if (!same_group(row, head))
			continue;
		scoring->is_scored[i] = true;
		scoring->file[count++] = kernel_row_s(&scoring->files[row->device], row) / row->seconds - 1;
		if (scoring->fitted)
			scoring->fit[fit_count++] =
				kernel_row_s(&scoring->fitted[row->device], row) / row->seconds - 1;
		if (scoring->predicted && scoring->predicted[i] > 0)
			scoring->left_out[left_count++] = scoring->predicted[i] / row->seconds - 1;
	}
	*errors = (struct paradl_kernel_errors){.device = rows->devices[head->device],
		.kind = kernel_kind_name(head->kind),
		.precision = kernel_row_precision(head),
		.size = kernel_row_size(head),
		.rows = count};
	sum_up(scoring->file, count, &errors->mean, &errors->median, &errors->bias);
	sum_up(scoring->fit, fit_count, &errors->fitted_mean, &errors->fitted_median, NULL);
	sum_up(scoring->left_out, left_count, &errors->left_out_mean, &errors->left_out_median, NULL);
	return true;
}

bool kernel_scores_add(struct kernel_scores *scores, const struct kernel_rows *rows,
	const struct device *files, const struct device *fitted, const double *predicted)
{
	const size_t room = rows->count + 1;
	const struct scoring scoring = {rows, files, fitted, predicted,
		arena_alloc(scores->arena, room, sizeof(bool)),
		arena_alloc(scores->arena, room, sizeof(double)),
		arena_alloc(scores->arena, room, sizeof(double)),
		arena_alloc(scores->arena, room, sizeof(double))};
	if (!scoring.is_scored || !scoring.file || !scoring.fit || !scoring.left_out)
		return out_of_memory(scores->error);
	for (size_t d = 0; d < rows->device_count; ++d)
		for (int kind = 0; kind < KERNEL_KINDS; ++kind)
			for (size_t i = 0; i < rows->count; ++i)
				if (rows->items[i].device == d && (int)rows->items[i].kind == kind &&
					!scoring.is_scored[i] && !group_score(scores, &scoring, i))
					return false;
	return kernel_points_add(scores, rows, files, fitted, predicted);
}

static double number_in(const struct device *device, const char *name)
{
	struct place place;
	return device_place(name, &place)
		       ? *(const double *)(const void *)((const char *)device + place.offsets[0])
		       : -1;
}

static const char *path_of(struct paradl_arena *arena, const char *name)
{
	char *path = arena_text(arena, name);
	for (char *at = path; at && *at; ++at)
		if (*at == '.')
			*at = '/';
	return path;
}

static size_t rows_of(const struct kernel_rows *rows, const struct kernel_constant *constant)
{
	size_t count = 0;
	for (size_t i = 0; i < rows->count; ++i)
		count += rows->items[i].kind == constant->kind &&
			 (constant->precision == PARADL_PRECISION_COUNT ||
				 rows->items[i].precision == constant->precision);
	return count;
}

/* Adds a number that is one of a fit; `name` is its name in the device file. */
static bool number_add(
	struct kernel_scores *scores, const char *name, struct paradl_kernel_number number, double half_width)
{
	struct paradl_kernel_number *added = LIST_ADD(scores->arena, scores->numbers, scores->number_count);
	number.path = path_of(scores->arena, name);
	if (!added || !number.path)
		return out_of_memory(scores->error);
	number.low = fmax(0, number.value - half_width);
	number.high = number.value + half_width;
	*added = number;
	return true;
}

bool kernel_numbers_add(struct kernel_scores *scores, const struct kernel_rows *rows,
	const struct kernel_fit *fit, const struct device *fitted, const struct device *file)
{
	static const char fp16[] = "product.sustained.fp16", tile[] = "attention.tile";
	struct paradl_kernel_number number = {.device = rows->devices[0]};
	bool has_prompt = false, has_fp16 = false;
	for (size_t i = 0; i < fit->count; ++i)
		has_fp16 |= fit->constants[i]->precision == PARADL_FP16;
	for (size_t i = 0; i < fit->count; ++i) {
		const struct kernel_constant *constant = fit->constants[i];
		number.unit = constant->unit;
		number.value = fit->values[i];
		number.was = number_in(file, constant->name);
		number.rows = rows_of(rows, constant);
		has_prompt |= constant->kind == KERNEL_PROMPT;
		if (!number_add(scores, constant->name, number, fit->half_width[i]))
			return false;
		number.was = number_in(file, fp16); /* both 16-bit formats run alike where one was measured */
		if (constant->precision == PARADL_BF16 && !has_fp16 &&
			!number_add(scores, fp16, number, fit->half_width[i]))
			return false;
	}
	number.unit = "";
	number.value = fitted->attention.tile;
	number.was = file->attention.tile;
	number.rows = rows->count;
	return !has_prompt || number_add(scores, tile, number, 0);
}
