/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fits constants of devices to times of their kernels. Products are fitted first, all number formats together, then
 * attention, whose rates are shares of those of products. To keep a constant within its bounds, relative_fit moves v
 * >= 0, and the constant is low + (high - low) v / (1 + v).
 */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "fit/calibration.h"
#include "fit/estimators.h"
#include "fit/kernels_fitting.h"
#include "machine/format.h"

static const double tolerance = 1e-5;
/* The same of a fit that begins at another one's numbers to see how far off they may be, as of drawn launches. */
static const double coarse = 1e-3;

/* Returns whether any selected row has the number format of a constant. */
static bool is_in_rows(const struct kernel_fitting *fitting, const struct kernel_constant *constant)
{
	if (constant->precision == PARADL_PRECISION_COUNT)
		return true;
	for (size_t i = 0; i < fitting->count; ++i)
		if (fitting->rows->items[fitting->selected[i]].precision == constant->precision)
			return true;
	return false;
}

void kernel_constant_put(struct device *device, const struct place *place, double value)
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
static bool is_shared(const struct kernel_fitting *fitting, const struct kernel_constant *constant)
{
	return fitting->rows->device_count < 2 || !place_inside(constant->name, "attention.token.narrow");
}

static void narrow_settle(struct device_token_attention *token)
{
	token->narrow.block_s = token->block_s;
	token->narrow.single_s = token->single_s;
	token->narrow.wide_bytes_per_s = token->wide_bytes_per_s;
}

static void devices_put(const struct kernel_fitting *fitting, const double *moved)
{
	for (size_t d = 0; d < fitting->rows->device_count; ++d) {
		for (size_t i = 0; i < fitting->constant_count; ++i)
			kernel_constant_put(&fitting->devices[d], &fitting->places[i],
				value_of(fitting->constants[i], moved[i]) *
					kernel_constant_scale(fitting->constants[i], &fitting->devices[d]));
		if (fitting->rows->device_count > 1)
			narrow_settle(&fitting->devices[d].attention.token);
		device_derive(&fitting->devices[d]);
	}
}

static void model(void *context, const double *moved, double *seconds)
{
	const struct kernel_fitting *fitting = context;
	devices_put(fitting, moved);
	for (size_t i = 0; i < fitting->count; ++i) {
		const struct kernel_row *row = &fitting->rows->items[fitting->selected[i]];
		seconds[i] = kernel_row_s(&fitting->devices[row->device], row);
	}
}

/*
 * Computes the times of all rows, and after them what each constant has moved from what is known of it: 1 where it has
 * not. A constant that has moved by a factor of e counts as a row that is 5 % off, so rows that say something of it decide.
 */
static void model_of_known(void *context, const double *moved, double *seconds)
{
	const struct kernel_fitting *fitting = context;
	const double weight = 0.05, least = 1e-6;
	model(context, moved, seconds);
	for (size_t i = 0; i < fitting->constant_count; ++i)
		seconds[fitting->count + i] =
			fitting->known[i] > 0
				? exp(weight * log(fmax(moved[i], least) / fmax(fitting->known[i], least)))
				: 1;
}

static double mean_error(
	struct kernel_fitting *fitting, const double *moved, const double *measured, double *seconds)
{
	double sum = 0;
	model(fitting, moved, seconds);
	for (size_t i = 0; i < fitting->count; ++i)
		sum += fabs(seconds[i] / measured[i] - 1);
	return fitting->count ? sum / (double)fitting->count : 0;
}

static double median_error(
	struct kernel_fitting *fitting, const double *moved, const double *measured, double *seconds)
{
	model(fitting, moved, seconds);
	for (size_t i = 0; i < fitting->count; ++i)
		seconds[i] = fabs(log(seconds[i] / measured[i]));
	return robust_median(seconds, fitting->count);
}

/* Selects the used rows of a kind, and their measured times. Returns false when out of memory. */
static bool select_rows(struct kernel_fitting *fitting, enum kernel_kind kind, double **measured)
{
	const struct kernel_rows *rows = fitting->rows;
	size_t *selected = arena_alloc(fitting->arena, rows->count + 1, sizeof *selected);
	*measured = arena_alloc(fitting->arena, rows->count + fitting->all_count + 1, sizeof **measured);
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

/* Returns whether any row of a constant's number format has the cast of its input in its time. */
static bool any_casts(const struct kernel_fitting *fitting, const struct kernel_constant *constant)
{
	for (size_t i = 0; i < fitting->count; ++i) {
		const struct kernel_row *row = &fitting->rows->items[fitting->selected[i]];
		if (row->precision == constant->precision && !row->is_narrow)
			return true;
	}
	return false;
}

/*
 * Returns whether the rows can distinguish a constant from others: heads of two sizes distinguish exponentials from
 * products, and choices of two sizes distinguish choosing from starts.
 */
static bool is_told(const struct kernel_fitting *fitting, const struct kernel_constant *constant)
{
	const struct kernel_row *rows = fitting->rows->items;
	if (place_inside(constant->name, "product.quantize"))
		return any_casts(fitting, constant);
	double (*const size_of)(const struct kernel_row *row) =
		strcmp(constant->name, "attention.softmax") == 0        ? head_of
		: strcmp(constant->name, "product.grouped.choose") == 0 ? chosen_of
									: NULL;
	for (size_t i = 1; size_of && i < fitting->count; ++i)
		if (fabs(size_of(&rows[fitting->selected[i]]) - size_of(&rows[fitting->selected[0]])) > 0)
			return true;
	return !size_of;
}

static void select_constants(struct kernel_fitting *fitting, enum kernel_kind kind)
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

/*
 * Notes what the device file says of constants, where rows are few samples of a calibration: what they say nothing of
 * stays. Rates are not of that kind, since they are what differs between machines. Adds a time of 1 for each constant.
 * Returns false when out of memory.
 */
static bool known_fill(struct kernel_fitting *fitting, double *measured)
{
	const struct kernel_row *const rows = fitting->rows->items;
	if (!fitting->count || !rows[fitting->selected[0]].is_cold || fitting->rows->device_count > 1)
		return true;
	fitting->known = arena_alloc(fitting->arena, fitting->constant_count + 1, sizeof *fitting->known);
	if (!fitting->known)
		return false;
	for (size_t i = 0; i < fitting->constant_count; ++i) {
		const struct kernel_constant *const constant = fitting->constants[i];
		const double value = *(const double *)(const void *)((const char *)&fitting->files[0] +
								     fitting->places[i].offsets[0]) /
				     kernel_constant_scale(constant, &fitting->files[0]);
		const bool is_rate = place_inside(constant->name, "product.sustained") != NULL;
		fitting->known[i] = value > 0 && !is_rate ? moved_of(constant, value) : 0;
		measured[fitting->count + i] = 1;
	}
	return true;
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

static void choice_set(const struct kernel_fitting *fitting, enum kernel_kind kind, double value)
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
static bool kind_search(struct kernel_fitting *fitting, enum kernel_kind kind, const double *measured,
	double *moved, double *residual)
{
	const struct choice *choice = &choices[kind];
	const size_t count = fitting->constant_count, tries = choice->count ? choice->count : 1;
	double *best = arena_alloc(fitting->arena, count + 1, sizeof *best);
	double *seconds = arena_alloc(fitting->arena, fitting->count + count + 1, sizeof *seconds);
	double least = HUGE_VAL, chosen = 0;
	if (!best || !seconds)
		return out_of_memory(fitting->error);
	for (size_t t = 0; t < tries; ++t) {
		double *trial = arena_alloc(fitting->arena, count + 1, sizeof *trial);
		if (!trial)
			return out_of_memory(fitting->error);
		memcpy(trial, moved, count * sizeof *trial);
		choice_set(fitting, kind, choice->values[t]);
		struct relative_fit problem = {.model = fitting->known ? model_of_known : model,
			.context = fitting,
			.seconds = measured,
			.rows = fitting->count + (fitting->known ? count : 0),
			.count = count,
			.tolerance = fitting->known && fitting->is_again ? coarse : tolerance};
		if (!relative_fit(&problem, trial, fitting->error))
			return false;
		const double off = mean_error(fitting, trial, measured, seconds);
		if (off < least) {
			least = off;
			chosen = choice->values[t];
			*residual = fitting->known ? median_error(fitting, trial, measured, seconds)
						   : problem.residual;
			memcpy(best, trial, count * sizeof *best);
		}
	}
	choice_set(fitting, kind, chosen);
	memcpy(moved, best, count * sizeof *moved);
	return true;
}

/* Returns whether any time changes with the constant; one on which no row depends is not stored. */
static bool is_identified(
	struct kernel_fitting *fitting, double *moved, size_t index, const double *seconds, double *others)
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
static bool values_store(struct kernel_fitting *fitting, double *moved, struct kernel_fit *fit)
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

static bool kind_fit(const struct kernel_fitting *all, enum kernel_kind kind, struct kernel_fit *fit,
	const struct kernel_fit *before)
{
	struct kernel_fitting fitting = *all;
	const size_t count = all->all_count;
	double *measured, *moved = arena_alloc(all->arena, count, sizeof *moved);
	fitting.constants = arena_alloc(all->arena, count, sizeof(const struct kernel_constant *));
	fitting.places = arena_alloc(all->arena, count + 1, sizeof *fitting.places);
	if (!moved || !fitting.constants || !fitting.places || !select_rows(&fitting, kind, &measured))
		return out_of_memory(all->error);
	select_constants(&fitting, kind);
	if (fitting.count <= fitting.constant_count)
		return true;
	if (!known_fill(&fitting, measured))
		return out_of_memory(all->error);
	for (size_t i = 0; i < fitting.constant_count; ++i)
		moved[i] = moved_of(fitting.constants[i], begin_at(before, fitting.constants[i]));
	if (kind == KERNEL_GEMM)
		kernels_throttle_alike(&fitting);
	if (!kind_search(&fitting, kind, measured, moved, &fit->residual[kind]))
		return false;
	if (!values_store(&fitting, moved, fit))
		return out_of_memory(all->error);
	for (size_t i = 0; i < count; ++i)
		if (all->all[i].kind == kind && all->all[i].throttles)
			kernels_throttled_store(&fitting, &all->all[i], fit);
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
	const struct kernel_fitting all = {.arena = arena,
		.rows = rows,
		.used = used,
		.devices = devices,
		.files = files,
		.all = constants,
		.all_count = count,
		.is_again = before.count > 0,
		.error = error};
	for (int kind = 0; kind < KERNEL_KINDS; ++kind)
		if (!kind_fit(&all, (enum kernel_kind)kind, fit, &before))
			return false;
	return true;
}
