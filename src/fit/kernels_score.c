/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scores fits of kernels: errors by kind, number format and size, and points with the roofs of their devices. */
#include "fit/kernels_profile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/error.h"
#include "fit/calibration.h"
#include "fit/profile_edit.h"
#include "machine/format.h"

/*
 * Describes kernels as points: measured and modelled time, flop, and the least bytes that each moves; and the roofs
 * of their devices. Flop count only the necessary work: a causal mask hides half the scores, a window all keys beyond
 * its length. Bytes count each operand once; those of attention are queries, keys, values and output.
 */

/* Returns the mean number of keys that a query of a causal prompt sees. */
static double causal_keys(const struct attention_call *call)
{
	if (call->window > 0 && call->window < call->keys)
		return call->window - call->window * call->window / (2 * call->keys);
	return call->keys / 2;
}

static void work_fill(const struct kernel_row *row, struct paradl_kernel_point *point)
{
	const struct attention_call *const prompt = &row->prompt;
	const struct token_attention_call *const token = &row->token;
	if (row->kind == KERNEL_GEMM || row->kind == KERNEL_WEIGHTS) {
		point->flop = 2 * row->m * row->n * row->k * row->count;
		point->bytes = row->bytes;
	} else if (row->kind == KERNEL_GROUPED) {
		kernel_experts_work(row, &point->flop, &point->bytes);
	} else if (row->kind == KERNEL_PROMPT) {
		point->flop = 2 * prompt->queries * causal_keys(prompt) * prompt->heads * prompt->widths;
		point->bytes = prompt->queries * (prompt->heads + prompt->kv_heads) * prompt->widths *
			       prompt->item_bytes;
	} else if (row->kind == KERNEL_COLLECTIVE) {
		point->bytes = row->node.bytes;
	} else if (row->kind == KERNEL_DISPATCH) {
		point->bytes = row->dispatched;
	} else {
		point->flop = 2 * token->sequences * token->keys * token->heads * token->widths;
		point->bytes = token->bytes;
	}
}

/* Returns the sizes of a kernel as text for people; NULL when out of memory. */
static const char *shape_of(struct paradl_arena *arena, const struct kernel_row *row)
{
	const struct grouped_call *const experts = &row->grouped;
	const struct attention_call *const prompt = &row->prompt;
	const struct token_attention_call *const token = &row->token;
	if (row->kind == KERNEL_GEMM || row->kind == KERNEL_WEIGHTS)
		return arena_printf(arena, "%.0f x %.0f x %.0f", row->m, row->n, row->k);
	if (row->kind == KERNEL_GROUPED)
		return arena_printf(arena, "%.0f experts, %.0f tokens each, %.0f x %.0f x %.0f",
			experts->experts, experts->tokens, experts->hidden, experts->columns, experts->inner);
	if (row->kind == KERNEL_PROMPT)
		return arena_printf(arena, "%.0f x %.0f tokens, heads %.0f/%.0f of %.0f, window %.0f",
			prompt->sequences, prompt->keys, prompt->heads, prompt->kv_heads, prompt->widths / 2,
			prompt->window);
	if (row->kind == KERNEL_COLLECTIVE)
		return arena_printf(
			arena, "%s of %.0f, %.0f B", row->operation, row->node.members, row->node.bytes);
	if (row->kind == KERNEL_DISPATCH)
		return arena_printf(arena, "%s, %.0f B of copies", row->operation, row->dispatched);
	return arena_printf(arena, "%.0f x %.0f keys, heads %.0f/%.0f of %.0f", token->sequences, token->keys,
		token->heads, token->kv_heads, token->widths / 2);
}

static bool roof_add(struct kernel_scores *scores, struct paradl_kernel_roof roof)
{
	for (size_t i = 0; i < scores->roof_count; ++i)
		if (scores->roofs[i].device == roof.device && scores->roofs[i].what == roof.what)
			return true;
	struct paradl_kernel_roof *added = LIST_ADD(scores->arena, scores->roofs, scores->roof_count);
	if (!added)
		return out_of_memory(scores->error);
	*added = roof;
	return true;
}

/*
 * Adds all rows as points, and the roofs of their devices. The modelled time is that of the first
 * draw that leaves the row out, else that of the fitted device. Returns false with an error.
 */
static bool kernel_points_add(struct kernel_scores *scores, const struct kernel_rows *rows,
	const struct device *files, const struct device *fitted, const struct kernel_predictions *predictions)
{
	static const char memory[] = "memory";
	for (size_t i = 0; i < rows->count; ++i) {
		const struct kernel_row *row = &rows->items[i];
		const struct device *device = &(fitted ? fitted : files)[row->device];
		const char *name = rows->devices[row->device], *precision = kernel_row_precision(row);
		struct paradl_kernel_point *point =
			LIST_ADD(scores->arena, scores->points, scores->point_count);
		if (!point || !(point->shape = shape_of(scores->arena, row)))
			return out_of_memory(scores->error);
		point->device = name;
		point->kind = kernel_kind_name(row->kind);
		point->precision = precision;
		point->measured_s = row->seconds;
		for (size_t draw = 0; draw < predictions->draws && !(point->modelled_s > 0); ++draw)
			point->modelled_s = predictions->seconds[draw * rows->count + i];
		if (!(point->modelled_s > 0))
			point->modelled_s = kernel_row_s(device, row);
		work_fill(row, point);
		if (!roof_add(scores, (struct paradl_kernel_roof){name, precision, "flop/s",
					      device->peak_flop_per_s[row->precision]}) ||
			!roof_add(scores,
				(struct paradl_kernel_roof){name, memory, "B/s", device->memory_bytes_per_s}))
			return false;
	}
	return true;
}

static int compare(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

/* Returns the median of sorted values: of an even number, the mean of the middle two. */
static double median_of(const double *sorted, size_t count)
{
	return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2;
}

/*
 * Computes the mean and median size and, unless `bias` is NULL, the median of relative errors, and replaces these by
 * their sizes. Mean and median of no errors are -1.
 */
static void sum_up(double *errors, size_t count, double *mean, double *median, double *bias)
{
	double sum = 0;
	*mean = *median = -1;
	if (!count)
		return;
	if (bias) {
		qsort(errors, count, sizeof *errors, compare);
		*bias = median_of(errors, count);
	}
	for (size_t i = 0; i < count; ++i)
		sum += errors[i] = fabs(errors[i]);
	qsort(errors, count, sizeof *errors, compare);
	*mean = sum / (double)count;
	*median = median_of(errors, count);
}

/* Rows, devices (fitted: NULL where nothing was fitted), predictions, and scratch for the errors of all rows. */
struct scoring {
	const struct kernel_rows *rows;
	const struct device *files, *fitted;
	struct kernel_predictions predictions;
	bool *is_scored;
	double *file, *fit, *left_out;
	bool by_device, by_size; /* rows of different devices, or of different sizes, are scored apart */
};

static bool is_together(const struct scoring *scoring, const struct kernel_row *a, const struct kernel_row *b)
{
	return (!scoring->by_device || a->device == b->device) && a->kind == b->kind &&
	       strcmp(kernel_row_precision(a), kernel_row_precision(b)) == 0 &&
	       (!scoring->by_size || strcmp(kernel_row_size(a), kernel_row_size(b)) == 0);
}

/* Scores the rows of a group that were left out: each draw alone, then all draws together. */
static void left_out_score(const struct scoring *scoring, size_t first, struct paradl_kernel_errors *errors)
{
	const struct kernel_rows *rows = scoring->rows;
	const struct kernel_predictions *predictions = &scoring->predictions;
	double *left_out = scoring->left_out, mean, median;
	size_t count = 0;
	errors->left_out_low = errors->left_out_high = errors->left_out_ratio = -1;
	for (size_t draw = 0; draw < predictions->draws; ++draw) {
		const double *seconds = predictions->seconds + draw * rows->count;
		const size_t before = count;
		for (size_t i = first; i < rows->count; ++i)
			if (is_together(scoring, &rows->items[i], &rows->items[first]) && seconds[i] > 0)
				left_out[count++] = seconds[i] / rows->items[i].seconds - 1;
		sum_up(left_out + before, count - before, &mean, &median, NULL);
		if (predictions->draws < 2 || mean < 0)
			continue;
		errors->left_out_high = fmax(errors->left_out_high, mean);
		errors->left_out_low = errors->left_out_low < 0 ? mean : fmin(errors->left_out_low, mean);
	}
	sum_up(left_out, count, &errors->left_out_mean, &errors->left_out_median, NULL);
	if (count && errors->fitted_mean > 0)
		errors->left_out_ratio = errors->left_out_mean / errors->fitted_mean;
}

/* Scores the group of the row `first`, and adds its errors. Returns false with an error. */
static bool group_score(struct kernel_scores *scores, const struct scoring *scoring, size_t first)
{
	const struct kernel_rows *rows = scoring->rows;
	const struct kernel_row *head = &rows->items[first];
	struct paradl_kernel_errors errors = {
		.device = scoring->by_device ? rows->devices[head->device] : "all",
		.kind = kernel_kind_name(head->kind),
		.precision = kernel_row_precision(head),
		.size = scoring->by_size ? kernel_row_size(head) : "all"};
	bool has_sizes = scoring->by_size;
	for (size_t i = first; i < rows->count; ++i) {
		const struct kernel_row *row = &rows->items[i];
		if (!is_together(scoring, row, head))
			continue;
		const struct device *device =
			&(scoring->fitted ? scoring->fitted : scoring->files)[row->device];
		errors.quantizing += kernel_row_quantize_s(device, row) / kernel_row_s(device, row);
		has_sizes |= strcmp(kernel_row_size(row), kernel_row_size(head)) != 0;
		scoring->is_scored[i] = true;
		scoring->file[errors.rows] =
			kernel_row_s(&scoring->files[row->device], row) / row->seconds - 1;
		if (scoring->fitted)
			scoring->fit[errors.rows] =
				kernel_row_s(&scoring->fitted[row->device], row) / row->seconds - 1;
		++errors.rows;
	}
	if (!has_sizes)
		return true;
	errors.quantizing /= (double)errors.rows;
	sum_up(scoring->file, errors.rows, &errors.mean, &errors.median, &errors.bias);
	sum_up(scoring->fit, scoring->fitted ? errors.rows : 0, &errors.fitted_mean, &errors.fitted_median,
		NULL);
	left_out_score(scoring, first, &errors);
	struct paradl_kernel_errors *added = LIST_ADD(scores->arena, scores->errors, scores->error_count);
	if (!added)
		return out_of_memory(scores->error);
	*added = errors;
	return true;
}

/* Scores all groups, of each device or of all devices together. Returns false with an error. */
static bool groups_score(struct kernel_scores *scores, const struct scoring *scoring)
{
	const struct kernel_rows *rows = scoring->rows;
	const size_t devices = scoring->by_device ? rows->device_count : 1;
	for (size_t i = 0; i < rows->count; ++i)
		scoring->is_scored[i] = false;
	for (size_t d = 0; d < devices; ++d)
		for (int kind = 0; kind < KERNEL_KINDS; ++kind)
			for (size_t i = 0; i < rows->count; ++i)
				if ((rows->items[i].device == d || !scoring->by_device) &&
					(int)rows->items[i].kind == kind && !scoring->is_scored[i] &&
					!group_score(scores, scoring, i))
					return false;
	return true;
}

bool kernel_scores_add(struct kernel_scores *scores, const struct kernel_rows *rows,
	const struct device *files, const struct device *fitted, const struct kernel_predictions *predictions)
{
	const size_t room = rows->count + 1;
	struct scoring scoring = {rows, files, fitted, *predictions,
		arena_alloc(scores->arena, room, sizeof(bool)),
		arena_alloc(scores->arena, room, sizeof(double)),
		arena_alloc(scores->arena, room, sizeof(double)),
		arena_alloc(scores->arena, room * predictions->draws + 1, sizeof(double)), true, true};
	if (!scoring.is_scored || !scoring.file || !scoring.fit || !scoring.left_out)
		return out_of_memory(scores->error);
	if (!groups_score(scores, &scoring) || !kernel_points_add(scores, rows, files, fitted, predictions))
		return false;
	if (rows->device_count < 2)
		return true;
	scoring.by_device = false;
	if (!groups_score(scores, &scoring))
		return false;
	scoring.by_size = false;
	return groups_score(scores, &scoring);
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

/* Adds a fitted number and its interval; `name` is its dotted name in the device file. Returns false with an error. */
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

/* Adds a number that was chosen from a few values, and so has no interval. Returns false with an error. */
static bool choice_add(struct kernel_scores *scores, const struct kernel_rows *rows, const char *name,
	const struct device *fitted, const struct device *file)
{
	const struct paradl_kernel_number number = {.device = rows->devices[0],
		.unit = "",
		.value = number_in(fitted, name),
		.was = number_in(file, name),
		.rows = rows->count};
	return number_add(scores, name, number, 0);
}

bool kernel_numbers_add(struct kernel_scores *scores, const struct kernel_rows *rows,
	const struct kernel_fit *fit, const struct device *fitted, const struct device *file)
{
	static const char fp16[] = "product.sustained.fp16", bf16[] = "product.sustained.bf16";
	struct paradl_kernel_number number = {.device = rows->devices[0]};
	bool has_prompt = false, has_narrow = false, has_fp16 = false;
	for (size_t i = 0; i < fit->count; ++i)
		has_fp16 |= fit->constants[i]->precision == PARADL_FP16;
	for (size_t i = 0; i < fit->count; ++i) {
		const struct kernel_constant *constant = fit->constants[i];
		number.unit = constant->unit;
		const double scale = kernel_constant_scale(constant, fitted);
		const double half_width = fit->half_width[i] * scale;
		number.value = fit->values[i] * scale;
		number.was = number_in(file, constant->name);
		number.rows = rows_of(rows, constant);
		has_prompt |= constant->kind == KERNEL_PROMPT;
		has_narrow |= constant->kind == KERNEL_TOKEN && constant->precision == PARADL_FP8_MIXED;
		if (!number_add(scores, constant->name, number, half_width))
			return false;
		number.was = number_in(file, fp16); /* fp16 runs as bf16 does where it was not measured */
		if (strcmp(constant->name, bf16) == 0 && !has_fp16 &&
			!number_add(scores, fp16, number, half_width))
			return false;
	}
	return (!has_prompt || (choice_add(scores, rows, "attention.tile", fitted, file) &&
				       choice_add(scores, rows, "attention.key_tile", fitted, file))) &&
	       (!has_narrow || choice_add(scores, rows, "attention.token.narrow.whole", fitted, file));
}
