/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fits constants of devices to times of their kernels. Products are fitted first, all number formats together, then
 * attention, whose rates are shares of those of products. To keep a constant within its bounds, relative_fit moves v
 * >= 0, and the constant is low + (high - low) v / (1 + v).
 */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "fit/estimators.h"
#include "fit/kernels_profile.h"
#include "machine/format.h"

static const double tolerance = 1e-5;

struct fitting {
	struct paradl_arena *arena;
	const struct kernel_rows *rows;
	const bool *used;
	const size_t *selected; /* indices of the rows of the kind that is fitted */
	size_t count;
	struct device *devices;
	const struct device *files;
	const struct kernel_constant *all;
	size_t all_count;
	const struct kernel_constant **constants; /* constants of that kind */
	struct place *places;                     /* their places in a device */
	size_t constant_count;
	struct paradl_error *error;
};

/* Returns whether any selected row has the number format of a constant. */
static bool is_in_rows(const struct fitting *fitting, const struct kernel_constant *constant)
{
	if (constant->precision == PARADL_PRECISION_COUNT)
		return true;
	for (size_t i = 0; i < fitting->count; ++i)
		if (fitting->rows->items[fitting->selected[i]].precision == constant->precision)
			return true;
	return false;
}

static void constant_put(struct device *device, const struct place *place, double value)
{
	for (unsigned i = 0; i < place->count; ++i)
		*(double *)(void *)((char *)device + place->offsets[i]) = value;
}

static double value_of(const struct kernel_constant *constant, double moved)
{
	return constant->low + (constant->high - constant->low) * (moved / (1 + moved));
}

static double moved_of(const struct kernel_constant *constant, double value)
{
	const double least = 1e-3, range = constant->high - constant->low;
	const double share = fmin(1 - least, fmax(least, (value - constant->low) / range));
	return share / (1 - share);
}

/*
 * Returns whether several devices share a constant. They do not share those of narrow caches, for which each
 * generation has kernels of its own; instead they take the times of 16 bits.
 */
static bool is_shared(const struct fitting *fitting, const struct kernel_constant *constant)
{
	return fitting->rows->device_count < 2 || !place_inside(constant->name, "attention.token.narrow");
}

static void narrow_settle(struct device_token_attention *token)
{
	token->narrow.block_s = token->block_s;
	token->narrow.single_s = token->single_s;
	token->narrow.wide_bytes_per_s = token->wide_bytes_per_s;
}

static void devices_put(const struct fitting *fitting, const double *moved)
{
	for (size_t d = 0; d < fitting->rows->device_count; ++d) {
		for (size_t i = 0; i < fitting->constant_count; ++i)
			constant_put(&fitting->devices[d], &fitting->places[i],
				value_of(fitting->constants[i], moved[i]) *
					kernel_constant_scale(fitting->constants[i], &fitting->devices[d]));
		if (fitting->rows->device_count > 1)
			narrow_settle(&fitting->devices[d].attention.token);
		device_derive(&fitting->devices[d]);
	}
}

static void model(void *context, const double *moved, double *seconds)
{
	const struct fitting *fitting = context;
	devices_put(fitting, moved);
	for (size_t i = 0; i < fitting->count; ++i) {
		const struct kernel_row *row = &fitting->rows->items[fitting->selected[i]];
		seconds[i] = kernel_row_s(&fitting->devices[row->device], row);
	}
}

static double mean_error(
	struct fitting *fitting, const double *moved, const double *measured, double *seconds)
{
	double sum = 0;
	model(fitting, moved, seconds);
	for (size_t i = 0; i < fitting->count; ++i)
		sum += fabs(seconds[i] / measured[i] - 1);
	return fitting->count ? sum / (double)fitting->count : 0;
}

/* Selects the used rows of a kind, and their measured times. Returns false when out of memory. */
static bool select_rows(struct fitting *fitting, enum kernel_kind kind, double **measured)
{
	const struct kernel_rows *rows = fitting->rows;
	size_t *selected = arena_alloc(fitting->arena, rows->count + 1, sizeof *selected);
	*measured = arena_alloc(fitting->arena, rows->count + 1, sizeof **measured);
	if (!selected || !*measured)
		return false;
	for (size_t i = 0; i < rows->count; ++i)
		if (rows->items[i].kind == kind && fitting->used[i]) {
			(*measured)[fitting->count] = rows->items[i].seconds;
			selected[fitting->count++] = i;
		}
	fitting->selected = selected;
	return true;
}

static double head_of(const struct kernel_row *row)
{
	return row->prompt.widths;
}

static double chosen_of(const struct kernel_row *row)
{
	return row->grouped.choice.top_k;
}

/*
 * Returns whether the rows can distinguish a constant from others: heads of two sizes distinguish exponentials from
 * products, and choices of two sizes distinguish choosing from starts.
 */
static bool is_told(const struct fitting *fitting, const struct kernel_constant *constant)
{
	const struct kernel_row *rows = fitting->rows->items;
	double (*const size_of)(const struct kernel_row *row) =
		strcmp(constant->name, "attention.softmax") == 0        ? head_of
		: strcmp(constant->name, "product.grouped.choose") == 0 ? chosen_of
									: NULL;
	for (size_t i = 1; size_of && i < fitting->count; ++i)
		if (fabs(size_of(&rows[fitting->selected[i]]) - size_of(&rows[fitting->selected[0]])) > 0)
			return true;
	return !size_of;
}

static void select_constants(struct fitting *fitting, enum kernel_kind kind)
{
	for (size_t i = 0; i < fitting->all_count; ++i) {
		const struct kernel_constant *constant = &fitting->all[i];
		struct place *const place = &fitting->places[fitting->constant_count];
		if (constant->kind == kind && !constant->throttles && is_shared(fitting, constant) &&
			is_told(fitting, constant) && is_in_rows(fitting, constant) &&
			device_place(constant->name, place))
			fitting->constants[fitting->constant_count++] = constant;
	}
}

static double begin_at(const struct kernel_fit *fit, const struct kernel_constant *constant)
{
	for (size_t i = 0; i < fit->count; ++i)
		if (fit->constants[i] == constant)
			return fit->values[i];
	return constant->start;
}

/*
 * Numbers that take one of a few values: keys that a block of prompts takes at a time, and whether narrow caches stay
 * whole.
 */
static const struct choice {
	double values[4];
	size_t count;
} choices[KERNEL_KINDS] = {
	[KERNEL_PROMPT] = {{16, 32, 64, 128}, 4},
	[KERNEL_TOKEN] = {{0, 1}, 2},
};

static const double prompt_tile = 64; /* queries of a block in all kernels that were measured */

static void choice_set(const struct fitting *fitting, enum kernel_kind kind, double value)
{
	for (size_t d = 0; d < fitting->rows->device_count; ++d) {
		struct device_attention *attention = &fitting->devices[d].attention;
		if (kind == KERNEL_PROMPT) {
			attention->tile = prompt_tile;
			attention->key_tile = value;
		}
		if (kind == KERNEL_TOKEN)
			attention->token.narrow.whole = value;
	}
}

/* Fits one kind with each of its choices, and keeps the one with the least mean error. Returns false with an error. */
static bool kind_search(struct fitting *fitting, enum kernel_kind kind, const double *measured, double *moved,
	double *residual)
{
	const struct choice *choice = &choices[kind];
	const size_t count = fitting->constant_count, tries = choice->count ? choice->count : 1;
	double *best = arena_alloc(fitting->arena, count + 1, sizeof *best);
	double *seconds = arena_alloc(fitting->arena, fitting->count + 1, sizeof *seconds);
	double least = HUGE_VAL, chosen = 0;
	if (!best || !seconds)
		return out_of_memory(fitting->error);
	for (size_t t = 0; t < tries; ++t) {
		double *trial = arena_alloc(fitting->arena, count + 1, sizeof *trial);
		if (!trial)
			return out_of_memory(fitting->error);
		memcpy(trial, moved, count * sizeof *trial);
		choice_set(fitting, kind, choice->values[t]);
		struct relative_fit problem = {.model = model,
			.context = fitting,
			.seconds = measured,
			.rows = fitting->count,
			.count = count,
			.tolerance = tolerance};
		if (!relative_fit(&problem, trial, fitting->error))
			return false;
		const double off = mean_error(fitting, trial, measured, seconds);
		if (off < least) {
			least = off;
			chosen = choice->values[t];
			*residual = problem.residual;
			memcpy(best, trial, count * sizeof *best);
		}
	}
	choice_set(fitting, kind, chosen);
	memcpy(moved, best, count * sizeof *moved);
	return true;
}

/* Returns whether any time changes with the constant; one on which no row depends is not stored. */
static bool is_identified(
	struct fitting *fitting, double *moved, size_t index, const double *seconds, double *others)
{
	const struct kernel_constant *constant = fitting->constants[index];
	const double before = moved[index], others_at[] = {before * 1.1, moved_of(constant, constant->start)};
	bool changes = false;
	for (size_t t = 0; t < sizeof others_at / sizeof *others_at && !changes; ++t) {
		moved[index] = others_at[t];
		model(fitting, moved, others);
		for (size_t i = 0; i < fitting->count && !changes; ++i)
			changes = fabs(others[i] - seconds[i]) > 0;
	}
	moved[index] = before;
	return changes;
}

/* Stores the constants that rows depend on, and puts all into the devices. Returns false when out of memory. */
static bool values_store(struct fitting *fitting, double *moved, struct kernel_fit *fit)
{
	double *seconds = arena_alloc(fitting->arena, fitting->count + 1, sizeof *seconds);
	double *others = arena_alloc(fitting->arena, fitting->count + 1, sizeof *others);
	if (!seconds || !others)
		return false;
	model(fitting, moved, seconds);
	for (size_t i = 0; i < fitting->constant_count; ++i) {
		if (!is_identified(fitting, moved, i, seconds, others))
			continue;
		fit->constants[fit->count] = fitting->constants[i];
		fit->values[fit->count++] = value_of(fitting->constants[i], moved[i]);
	}
	devices_put(fitting, moved);
	return true;
}

/*
 * Sets the throttled share of all formats to the same value while the other constants are sought, since few of their
 * rows are long.
 */
static void throttle_alike(const struct fitting *fitting)
{
	const double usual = 0.85;
	for (size_t d = 0; d < fitting->rows->device_count; ++d)
		for (int i = 0; i < PARADL_PRECISION_COUNT; ++i)
			fitting->devices[d].product.throttled[i] = usual;
}

/* Returns the share of the product rate at which a row runs; its device must have a throttled share of 1. */
static double throttled_share(const struct fitting *fitting, const struct kernel_row *row)
{
	const struct device *device = &fitting->devices[row->device];
	const double arithmetic_s =
		2 * row->m * row->n * row->k * device->product_rates.s_per_flop[row->precision];
	return 1 / fmax(1, 1 + (row->seconds - kernel_row_s(device, row)) / arithmetic_s);
}

/*
 * Stores the share of the rate that the power limit leaves to large products of one format that take long, if there
 * are ten or more; else puts back the numbers of the files.
 */
static void throttled_store(
	const struct fitting *fitting, const struct kernel_constant *constant, struct kernel_fit *fit)
{
	const size_t fewest = 10;
	const double large = 1024;
	double sum = 0;
	size_t count = 0;
	struct place place;
	if (!device_place(constant->name, &place))
		return;
	for (size_t d = 0; d < fitting->rows->device_count; ++d)
		constant_put(&fitting->devices[d], &place, 1);
	for (size_t i = 0; i < fitting->count; ++i) {
		const struct kernel_row *row = &fitting->rows->items[fitting->selected[i]];
		if (row->precision != constant->precision || row->seconds < throttle_s || row->m < large ||
			row->n < large || row->k < large)
			continue;
		sum += log(throttled_share(fitting, row));
		++count;
	}
	const bool is_known = count >= fewest;
	for (size_t d = 0; d < fitting->rows->device_count; ++d)
		for (unsigned i = 0; i < place.count && !is_known; ++i)
			*(double *)(void *)((char *)&fitting->devices[d] + place.offsets[i]) =
				*(const double *)(const void *)((const char *)&fitting->files[d] +
								place.offsets[i]);
	if (!is_known)
		return;
	for (size_t d = 0; d < fitting->rows->device_count; ++d)
		constant_put(&fitting->devices[d], &place, exp(sum / (double)count));
	fit->constants[fit->count] = constant;
	fit->values[fit->count++] = exp(sum / (double)count);
}

static bool kind_fit(const struct fitting *all, enum kernel_kind kind, struct kernel_fit *fit,
	const struct kernel_fit *before)
{
	struct fitting fitting = *all;
	const size_t count = all->all_count;
	double *measured, *moved = arena_alloc(all->arena, count, sizeof *moved);
	fitting.constants = arena_alloc(all->arena, count, sizeof(const struct kernel_constant *));
	fitting.places = arena_alloc(all->arena, count + 1, sizeof *fitting.places);
	if (!moved || !fitting.constants || !fitting.places || !select_rows(&fitting, kind, &measured))
		return out_of_memory(all->error);
	select_constants(&fitting, kind);
	if (fitting.count <= fitting.constant_count)
		return true;
	for (size_t i = 0; i < fitting.constant_count; ++i)
		moved[i] = moved_of(fitting.constants[i], begin_at(before, fitting.constants[i]));
	if (kind == KERNEL_GEMM)
		throttle_alike(&fitting);
	if (!kind_search(&fitting, kind, measured, moved, &fit->residual[kind]))
		return false;
	if (!values_store(&fitting, moved, fit))
		return out_of_memory(all->error);
	for (size_t i = 0; i < count; ++i)
		if (all->all[i].kind == kind && all->all[i].throttles)
			throttled_store(&fitting, &all->all[i], fit);
	return true;
}

bool kernels_fit(struct paradl_arena *arena, const struct kernel_rows *rows, const bool *used,
	struct device *devices, struct kernel_fit *fit, struct paradl_error *error)
{
	const struct kernel_fit before = *fit;
	size_t count;
	const struct kernel_constant *constants = kernel_constants(&count);
	*fit = (struct kernel_fit){
		.constants = arena_alloc(arena, count, sizeof(const struct kernel_constant *)),
		.values = arena_alloc(arena, count, sizeof(double)),
		.half_width = arena_alloc(arena, count, sizeof(double))};
	if (!fit->constants || !fit->values || !fit->half_width)
		return out_of_memory(error);
	struct device *files = arena_alloc(arena, rows->device_count, sizeof *files);
	if (!files)
		return out_of_memory(error);
	memcpy(files, devices, rows->device_count * sizeof *files);
	const struct fitting all = {.arena = arena,
		.rows = rows,
		.used = used,
		.devices = devices,
		.files = files,
		.all = constants,
		.all_count = count,
		.error = error};
	for (int kind = 0; kind < KERNEL_KINDS; ++kind)
		if (!kind_fit(&all, (enum kernel_kind)kind, fit, &before))
			return false;
	return true;
}
