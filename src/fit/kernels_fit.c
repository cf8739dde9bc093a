/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Constants of devices from times of their kernels. Products are fitted first, all number formats together, then attention, whose
 * rates are shares of those of products. A constant within bounds is low + (high - low) v / (1 + v) of what relative_fit moves, v.
 */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "fit/kernels.h"
#include "fit/relative_fit.h"
#include "machine/place.h"

#define EVERY     PARADL_PRECISION_COUNT
#define US(value) ((value)*1e-6)

/* Bounds are physical: shares, a launch, what one multiprocessor can read. */
static const struct kernel_constant constants[] = {
	{"product.launch", "s", US(2.4), US(0.2), US(20), KERNEL_GEMM, EVERY, AS_IT_IS},
	{"product.wave", "s", 0.5, 0.005, 5, KERNEL_GEMM, EVERY, PER_TILE},
	{"product.half_tile", "", 0.85, 0.3, 1, KERNEL_GEMM, EVERY, AS_IT_IS},
	{"product.wave_share", "", 0.5, 0, 1, KERNEL_GEMM, EVERY, AS_IT_IS},
	{"product.split", "s", US(2), US(0.01), US(20), KERNEL_GEMM, EVERY, AS_IT_IS},
	{"product.exposed", "", 0.3, 0, 1, KERNEL_GEMM, EVERY, AS_IT_IS},
	{"product.memory_share", "", 0.9, 0.3, 1.3, KERNEL_GEMM, EVERY, AS_IT_IS},
	{"product.sustained.bf16", "", 0.7, 0.1, 1, KERNEL_GEMM, PARADL_BF16, AS_IT_IS},
	{"product.sustained.fp16", "", 0.7, 0.1, 1, KERNEL_GEMM, PARADL_FP16, AS_IT_IS},
	{"product.sustained.fp8", "", 0.7, 0.1, 1, KERNEL_GEMM, PARADL_FP8_MIXED, AS_IT_IS},
	{"product.sustained.mxfp8", "", 0.6, 0.1, 1, KERNEL_GEMM, PARADL_MXFP8_MIXED, AS_IT_IS},
	{"product.sustained.fp4", "", 0.5, 0.1, 1, KERNEL_GEMM, PARADL_FP4_MIXED, AS_IT_IS},
	{"product.quantize.fp8.start", "s", US(8), US(0.1), US(40), KERNEL_GEMM, PARADL_FP8_MIXED, AS_IT_IS},
	{"product.quantize.fp8.bytes", "B", 4, 0.1, 30, KERNEL_GEMM, PARADL_FP8_MIXED, AS_IT_IS},
	{"product.quantize.mxfp8.start", "s", US(3), US(0.1), US(40), KERNEL_GEMM, PARADL_MXFP8_MIXED,
		AS_IT_IS},
	{"product.quantize.mxfp8.bytes", "B", 4, 0.1, 30, KERNEL_GEMM, PARADL_MXFP8_MIXED, AS_IT_IS},
	{"product.quantize.fp4.start", "s", US(5), US(0.1), US(40), KERNEL_GEMM, PARADL_FP4_MIXED, AS_IT_IS},
	{"product.quantize.fp4.bytes", "B", 4, 0.1, 30, KERNEL_GEMM, PARADL_FP4_MIXED, AS_IT_IS},
	{"product.grouped.rate", "", 0.8, 0.1, 1.5, KERNEL_GROUPED, EVERY, AS_IT_IS},
	{"product.grouped.start", "s", US(30), US(1), US(200), KERNEL_GROUPED, EVERY, AS_IT_IS},
	{"product.grouped.copies", "", 2.5, 0.01, 30, KERNEL_GROUPED, EVERY, AS_IT_IS},
	{"attention.forward", "", 0.8, 0.05, 2, KERNEL_PROMPT, EVERY, AS_IT_IS},
	{"attention.narrow", "", 1.5, 0.3, 4, KERNEL_PROMPT, PARADL_FP8_MIXED, AS_IT_IS},
	{"attention.block", "s", US(2), US(0.01), US(20), KERNEL_PROMPT, EVERY, AS_IT_IS},
	{"attention.softmax", "", 5e10, 1e9, 1e13, KERNEL_PROMPT, EVERY, PER_UNIT},
	{"attention.start", "s", US(12), US(0.5), US(50), KERNEL_PROMPT, EVERY, AS_IT_IS},
	{"attention.copies", "", 2, 0.01, 20, KERNEL_PROMPT, EVERY, AS_IT_IS},
	{"attention.token.start", "s", US(8), US(0.5), US(40), KERNEL_TOKEN, EVERY, AS_IT_IS},
	{"attention.token.block", "s", US(2), US(0.01), US(20), KERNEL_TOKEN, EVERY, AS_IT_IS},
	{"attention.token.group", "s", US(0.05), US(0.001), US(1), KERNEL_TOKEN, EVERY, AS_IT_IS},
	{"attention.token.single", "s", US(1.3), US(0.01), US(20), KERNEL_TOKEN, EVERY, AS_IT_IS},
	{"attention.token.rate", "B/s", 60e9, 1e9, 500e9, KERNEL_TOKEN, EVERY, AS_IT_IS},
	{"attention.token.wide_rate", "B/s", 30e9, 1e9, 300e9, KERNEL_TOKEN, EVERY, AS_IT_IS},
	{"attention.token.split", "s", US(2), US(0.01), US(20), KERNEL_TOKEN, EVERY, AS_IT_IS},
	{"attention.token.split_keys", "", 256, 16, 8192, KERNEL_TOKEN, EVERY, AS_IT_IS},
	{"link.share", "", 0.75, 0.01, 0.9, KERNEL_COLLECTIVE, EVERY, AS_IT_IS},
	{"link.beyond_switch.share", "", 0.25, 0.002, 1, KERNEL_COLLECTIVE, EVERY, AS_IT_IS},
	{"link.beyond_socket.share", "", 0.1, 0.002, 1, KERNEL_COLLECTIVE, EVERY, AS_IT_IS},
	{"link.start", "s", 15e3, 200, 75e3, KERNEL_COLLECTIVE, EVERY, PER_CYCLE},
	{"link.start_log", "s", US(1), US(0.01), US(20), KERNEL_COLLECTIVE, EVERY, AS_IT_IS},
	{"link.own", "", 0.4, 0, 2, KERNEL_COLLECTIVE, EVERY, AS_IT_IS},
	{"link.ramp", "s", 75e3, 2e3, 400e3, KERNEL_COLLECTIVE, EVERY, PER_CYCLE},
	{"link.dispatch_start", "s", US(30), US(1), US(200), KERNEL_DISPATCH, EVERY, AS_IT_IS},
	{"link.dispatch_rate", "B/s", 300e9, 1e9, 10e12, KERNEL_DISPATCH, EVERY, AS_IT_IS},
};
static const double tolerance = 1e-5;
enum { CONSTANTS = sizeof constants / sizeof *constants };

struct fitting {
	struct paradl_arena *arena;
	const struct kernel_rows *rows;
	const bool *used;
	const size_t *selected; /* rows of the kind that is fitted */
	size_t count;
	struct device *devices;
	const struct kernel_constant **constants; /* of that kind */
	struct place *places;                     /* of constants in a device */
	size_t constant_count;
	struct paradl_error *error;
};

/* Returns whether rows have the number format of a constant. */
static bool is_in_rows(const struct fitting *fitting, const struct kernel_constant *constant)
{
	if (constant->precision == EVERY)
		return true;
	for (size_t i = 0; i < fitting->count; ++i)
		if (fitting->rows->items[fitting->selected[i]].precision == constant->precision)
			return true;
	return false;
}

double kernel_constant_scale(const struct kernel_constant *constant, const struct device *device)
{
	static const double tile_bytes = 128 * 256 * 2, usual_cycle_s = 1 / 1.8e9;
	const double units = device->product.units > 0 ? device->product.units : 1;
	const double cycle_s = device->link.cycle_s > 0 ? device->link.cycle_s : usual_cycle_s;
	return constant->scale == PER_TILE    ? tile_bytes * units / device->memory_bytes_per_s
	       : constant->scale == PER_UNIT  ? units
	       : constant->scale == PER_CYCLE ? cycle_s
					      : 1;
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

static void devices_put(const struct fitting *fitting, const double *moved)
{
	for (size_t d = 0; d < fitting->rows->device_count; ++d) {
		for (size_t i = 0; i < fitting->constant_count; ++i)
			constant_put(&fitting->devices[d], &fitting->places[i],
				value_of(fitting->constants[i], moved[i]) *
					kernel_constant_scale(fitting->constants[i], &fitting->devices[d]));
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

/* Selects the rows of a kind that are used, and their times. */
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

static void select_constants(struct fitting *fitting, enum kernel_kind kind)
{
	for (size_t i = 0; i < CONSTANTS; ++i) {
		struct place *const place = &fitting->places[fitting->constant_count];
		if (constants[i].kind == kind && is_in_rows(fitting, &constants[i]) &&
			device_place(constants[i].name, place))
			fitting->constants[fitting->constant_count++] = &constants[i];
	}
}

static double begin_at(const struct kernel_fit *fit, const struct kernel_constant *constant)
{
	for (size_t i = 0; i < fit->count; ++i)
		if (fit->constants[i] == constant)
			return fit->values[i];
	return constant->start;
}

static void tiles_set(const struct fitting *fitting, double tile)
{
	for (size_t d = 0; d < fitting->rows->device_count; ++d)
		fitting->devices[d].attention.tile = tile;
}

/* Fits one kind; of prompt attention, whose blocks are whole numbers of queries, with each size of block, and keeps the best. */
static bool kind_search(struct fitting *fitting, enum kernel_kind kind, const double *measured, double *moved,
	double *residual)
{
	static const double tiles[] = {16, 32, 64, 128};
	const size_t count = fitting->constant_count,
		     tries = kind == KERNEL_PROMPT ? sizeof tiles / sizeof *tiles : 1;
	double *best = arena_alloc(fitting->arena, count + 1, sizeof *best);
	double *seconds = arena_alloc(fitting->arena, fitting->count + 1, sizeof *seconds);
	double least = HUGE_VAL, tile = 0;
	if (!best || !seconds)
		return out_of_memory(fitting->error);
	for (size_t t = 0; t < tries; ++t) {
		double *trial = arena_alloc(fitting->arena, count + 1, sizeof *trial);
		if (!trial)
			return out_of_memory(fitting->error);
		memcpy(trial, moved, count * sizeof *trial);
		if (kind == KERNEL_PROMPT)
			tiles_set(fitting, tiles[t]);
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
			tile = tiles[t];
			*residual = problem.residual;
			memcpy(best, trial, count * sizeof *best);
		}
	}
	if (kind == KERNEL_PROMPT)
		tiles_set(fitting, tile);
	memcpy(moved, best, count * sizeof *moved);
	return true;
}

/* Returns whether any time changes with the constant: what rows say nothing of is no number. */
static bool is_identified(
	struct fitting *fitting, double *moved, size_t index, const double *seconds, double *others)
{
	const double before = moved[index], step = 1.1;
	bool changes = false;
	moved[index] *= step;
	model(fitting, moved, others);
	moved[index] = before;
	for (size_t i = 0; i < fitting->count && !changes; ++i)
		changes = fabs(others[i] - seconds[i]) > 0;
	return changes;
}

/* Stores the constants that rows say something of. */
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

static bool kind_fit(const struct fitting *all, enum kernel_kind kind, struct kernel_fit *fit,
	const struct kernel_fit *before)
{
	struct fitting fitting = *all;
	double *measured, *moved = arena_alloc(all->arena, CONSTANTS, sizeof *moved);
	fitting.constants = arena_alloc(all->arena, CONSTANTS, sizeof(const struct kernel_constant *));
	fitting.places = arena_alloc(all->arena, CONSTANTS + 1, sizeof *fitting.places);
	if (!moved || !fitting.constants || !fitting.places || !select_rows(&fitting, kind, &measured))
		return out_of_memory(all->error);
	select_constants(&fitting, kind);
	if (fitting.count <= fitting.constant_count)
		return true;
	for (size_t i = 0; i < fitting.constant_count; ++i)
		moved[i] = moved_of(fitting.constants[i], begin_at(before, fitting.constants[i]));
	if (!kind_search(&fitting, kind, measured, moved, &fit->residual[kind]))
		return false;
	return values_store(&fitting, moved, fit) || out_of_memory(all->error);
}

bool kernels_fit(struct paradl_arena *arena, const struct kernel_rows *rows, const bool *used,
	struct device *devices, struct kernel_fit *fit, struct paradl_error *error)
{
	const struct kernel_fit before = *fit;
	*fit = (struct kernel_fit){
		.constants = arena_alloc(arena, CONSTANTS, sizeof(const struct kernel_constant *)),
		.values = arena_alloc(arena, CONSTANTS, sizeof(double)),
		.half_width = arena_alloc(arena, CONSTANTS, sizeof(double))};
	if (!fit->constants || !fit->values || !fit->half_width)
		return out_of_memory(error);
	const struct fitting all = {
		.arena = arena, .rows = rows, .used = used, .devices = devices, .error = error};
	for (int kind = 0; kind < KERNEL_KINDS; ++kind)
		if (!kind_fit(&all, (enum kernel_kind)kind, fit, &before))
			return false;
	return true;
}
