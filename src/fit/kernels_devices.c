/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Predicts the kernels of each device from times of the others: all others share one set of constants, as shares of
 * their datasheets.
 */
#include <string.h>

#include "base/error.h"
#include "fit/kernels_profile.h"

static bool has_boundaries(const struct device *device)
{
	return device->link.beyond_switch.devices > 0;
}

/* Returns whether attention has kernels written for the device, beside portable ones: on Hopper and later. */
static bool has_own_attention(const struct device *device)
{
	return device->attention.portable > 0;
}

/*
 * Returns whether kernels of single tokens in 16 bits are also written for the device: up to Hopper they are written
 * for Ampere.
 */
static bool has_own_tokens(const struct device *device)
{
	return device->peak_flop_per_s[PARADL_FP4_MIXED] > 0;
}

/* Returns whether a device runs kernels of a kind as another one does; false where both are the same device. */
static bool is_like(const struct device *files, enum kernel_kind kind, size_t device, size_t other)
{
	const struct device *a = &files[device], *b = &files[other];
	if (device == other)
		return false;
	if (kind == KERNEL_COLLECTIVE)
		return has_boundaries(a) == has_boundaries(b);
	return (kind != KERNEL_PROMPT && kind != KERNEL_TOKEN) ||
	       has_own_attention(a) == has_own_attention(b);
}

/* Bytes up to which a collective takes the start of the library alone, whatever the links. */
static const double start_only_bytes = 4096;

static bool is_start(const struct kernel_row *row)
{
	return row->kind == KERNEL_COLLECTIVE && row->node.bytes <= start_only_bytes;
}

/*
 * Returns whether a row is evidence for a device that is left out: it is of another device, and that is a like one
 * where a like one has rows of its kind and format. Rows that take the start of the library alone are evidence from
 * any other device.
 */
static bool is_evidence(const struct kernel_rows *rows, const struct device *files,
	const struct kernel_row *row, size_t device)
{
	if (row->device == device || is_start(row) || is_like(files, row->kind, row->device, device))
		return row->device != device;
	for (size_t i = 0; i < rows->count; ++i)
		if (rows->items[i].kind == row->kind && rows->items[i].precision == row->precision &&
			is_like(files, row->kind, rows->items[i].device, device))
			return false;
	return true;
}

/* A device that is left out, as fitted to the rows of others. */
struct left_out {
	const struct kernel_rows *rows;
	const struct device *files;
	size_t device;
	struct device *devices; /* all devices, with the fitted constants */
	struct device narrow;   /* the device with the constants for caches of 8 bits */
	bool *used;             /* for each row, whether the next fit uses it */
};

static bool is_narrow_token(const struct kernel_row *row)
{
	return row->kind == KERNEL_TOKEN && row->token.format != ATTENTION_WIDE;
}

/* Returns whether a row of another device is of 16-bit kernels of single tokens that the device left out runs, too. */
static bool is_same_token(const struct left_out *out, const struct kernel_row *row)
{
	return row->kind == KERNEL_TOKEN && !is_narrow_token(row) && row->device != out->device &&
	       !has_own_tokens(&out->files[row->device]) && !has_own_tokens(&out->files[out->device]);
}

/*
 * Fits single tokens in 16 bits again, to the rows of only those devices that run the same kernels. The constants for
 * caches of 8 bits stay as they are where the device has kernels of its own; but their start does not depend on the
 * kernel, so it is that of 16 bits. Returns false with an error.
 */
static bool tokens_fit(struct paradl_arena *arena, struct left_out *out, struct paradl_error *error)
{
	struct kernel_fit fit = {.count = 0};
	struct device *const device = &out->devices[out->device];
	const struct device_token_attention before = device->attention.token;
	for (size_t i = 0; i < out->rows->count; ++i)
		out->used[i] = is_same_token(out, &out->rows->items[i]);
	if (!kernels_fit(arena, out->rows, out->used, out->devices, &fit, error))
		return false;
	out->narrow = *device;
	if (has_own_attention(&out->files[out->device]))
		out->narrow.attention.token = before;
	out->narrow.attention.token.start_s = device->attention.token.start_s;
	return true;
}

/*
 * Fits prompts again, to the rows of like devices alone, since the kernels of prompts are written anew for other
 * matrix units. Where these rows have no 8-bit formats, an 8-bit cache alone and heads of unusual sizes take the time
 * of 16 bits: only kernels of a device's own can do better. Returns false with an error.
 */
static bool prompts_fit(struct paradl_arena *arena, struct left_out *out, struct paradl_error *error)
{
	struct kernel_fit fit = {.count = 0};
	struct device_attention *const attention = &out->devices[out->device].attention;
	bool has_narrow = has_own_attention(&out->files[out->device]);
	for (size_t i = 0; i < out->rows->count; ++i) {
		const struct kernel_row *row = &out->rows->items[i];
		out->used[i] = row->kind == KERNEL_PROMPT &&
			       is_like(out->files, KERNEL_PROMPT, row->device, out->device);
		has_narrow |= out->used[i] && row->prompt.format != ATTENTION_WIDE;
	}
	if (!kernels_fit(arena, out->rows, out->used, out->devices, &fit, error))
		return false;
	if (!has_narrow) {
		attention->narrow_cache = attention->narrow_other = 1;
		attention->narrow_block_s = attention->block_s;
	}
	return true;
}

/*
 * Fits devices to all rows that are evidence for the one left out, then attention again. Returns false with an error.
 */
static bool others_fit(struct paradl_arena *arena, struct left_out *out, struct paradl_error *error)
{
	struct kernel_fit all = {.count = 0};
	for (size_t i = 0; i < out->rows->count; ++i)
		out->used[i] = is_evidence(out->rows, out->files, &out->rows->items[i], out->device);
	return kernels_fit(arena, out->rows, out->used, out->devices, &all, error) &&
	       prompts_fit(arena, out, error) && tokens_fit(arena, out, error);
}

bool kernels_leave_devices_out(struct paradl_arena *arena, const struct kernel_rows *rows,
	const struct device *files, double *predicted, struct paradl_error *error)
{
	struct left_out out = {.rows = rows,
		.files = files,
		.devices = arena_alloc(arena, rows->device_count, sizeof *out.devices),
		.used = arena_alloc(arena, rows->count + 1, sizeof *out.used)};
	if (!out.devices || !out.used)
		return out_of_memory(error);
	for (out.device = 0; out.device < rows->device_count; ++out.device) {
		memcpy(out.devices, files, rows->device_count * sizeof *out.devices);
		if (!others_fit(arena, &out, error))
			return false;
		for (size_t i = 0; i < rows->count; ++i) {
			const struct kernel_row *row = &rows->items[i];
			if (row->device == out.device)
				predicted[i] = kernel_row_s(
					is_narrow_token(row) ? &out.narrow : &out.devices[out.device], row);
		}
	}
	return true;
}
