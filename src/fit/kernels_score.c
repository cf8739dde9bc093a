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

/* Sums up relative errors, which become their sizes and sorted; 0 rows: negative. */
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

static bool group_add(struct kernel_scores *scores, const struct kernel_rows *rows, size_t first,
	const struct device *files, const struct device *fitted, const double *predicted)
{
	const struct kernel_row *head = &rows->items[first];
	double *file = arena_alloc(scores->arena, rows->count, sizeof *file);
	double *fit = arena_alloc(scores->arena, rows->count, sizeof *fit);
	double *left = arena_alloc(scores->arena, rows->count, sizeof *left);
	struct paradl_kernel_errors *errors = LIST_ADD(scores->arena, scores->errors, scores->error_count);
	size_t count = 0, left_count = 0;
	if (!file || !fit || !left || !errors)
		return out_of_memory(scores->error);
	for (size_t i = first; i < rows->count; ++i) {
		const struct kernel_row *row = &rows->items[i];
		if (!same_group(row, head))
			continue;
		file[count] = kernel_row_s(&files[row->device], row) / row->seconds - 1;
		fit[count++] = fitted ? kernel_row_s(&fitted[row->device], row) / row->seconds - 1 : 0;
		if (predicted && predicted[i] > 0)
			left[left_count++] = predicted[i] / row->seconds - 1;
	}
	*errors = (struct paradl_kernel_errors){.device = rows->devices[head->device],
		.kind = kernel_kind_name(head->kind),
		.precision = kernel_row_precision(head),
		.size = kernel_row_size(head),
		.rows = count};
	sum_up(file, count, &errors->mean, &errors->median, &errors->bias);
	sum_up(fit, fitted ? count : 0, &errors->fitted_mean, &errors->fitted_median, NULL);
	sum_up(left, left_count, &errors->left_out_mean, &errors->left_out_median, NULL);
	return true;
}

bool kernel_scores_add(struct kernel_scores *scores, const struct kernel_rows *rows,
	const struct device *files, const struct device *fitted, const double *predicted)
{
	for (size_t d = 0; d < rows->device_count; ++d)
		for (int kind = 0; kind < KERNEL_KINDS; ++kind)
			for (size_t i = 0; i < rows->count; ++i) {
				bool is_first =
					rows->items[i].device == d && (int)rows->items[i].kind == kind;
				for (size_t k = 0; is_first && k < i; ++k)
					is_first = !same_group(&rows->items[k], &rows->items[i]);
				if (is_first && !group_add(scores, rows, i, files, fitted, predicted))
					return false;
			}
	return true;
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
	bool has_prompt = false;
	for (size_t i = 0; i < fit->count; ++i) {
		const struct kernel_constant *constant = fit->constants[i];
		number.unit = constant->unit;
		number.value = fit->values[i];
		number.was = number_in(file, constant->name);
		number.rows = rows_of(rows, constant);
		has_prompt |= constant->kind == KERNEL_PROMPT;
		if (!number_add(scores, constant->name, number, fit->half_width[i]))
			return false;
		number.was = number_in(file, fp16);
		if (constant->precision == PARADL_BF16 &&
			!number_add(scores, fp16, number, fit->half_width[i]))
			return false;
	}
	number.unit = "";
	number.value = fitted->attention.tile;
	number.was = file->attention.tile;
	number.rows = rows->count;
	return !has_prompt || number_add(scores, tile, number, 0);
}
