/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Devices predicted from times of others' kernels: all others share one set of constants, as shares of their datasheets. */
#include <string.h>

#include "base/error.h"
#include "fit/kernels.h"

static bool has_boundaries(const struct device *device)
{
	return device->link.beyond_switch.devices > 0;
}

/* Returns whether attention has kernels of the device's own there, beside portable ones: on Hopper and later. */
static bool has_own_attention(const struct device *device)
{
	return device->attention.portable > 0;
}

/* Returns whether a device that is no `other` runs kernels of a kind as that does. */
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

/* Returns whether a row says something of a device that is left out: where a like device has such rows, only theirs do. */
static bool is_evidence(const struct kernel_rows *rows, const struct device *files,
	const struct kernel_row *row, size_t device)
{
	if (row->device == device || is_like(files, row->kind, row->device, device))
		return row->device != device;
	for (size_t i = 0; i < rows->count; ++i)
		if (rows->items[i].kind == row->kind && rows->items[i].precision == row->precision &&
			is_like(files, row->kind, rows->items[i].device, device))
			return false;
	return true;
}

/*
 * Fits devices to all rows that say something of one that is left out, then prompts again, whose kernels are written anew for other
 * matrix units, to rows of those alone that have the like.
 */
static bool others_fit(struct paradl_arena *arena, const struct kernel_rows *rows, size_t device,
	const struct device *files, struct device *devices, struct paradl_error *error)
{
	struct kernel_fit all = {.count = 0}, like = {.count = 0};
	bool *used = arena_alloc(arena, rows->count + 1, sizeof *used);
	if (!used)
		return out_of_memory(error);
	for (size_t i = 0; i < rows->count; ++i)
		used[i] = is_evidence(rows, files, &rows->items[i], device);
	if (!kernels_fit(arena, rows, used, devices, &all, error))
		return false;
	for (size_t i = 0; i < rows->count; ++i)
		used[i] = rows->items[i].kind == KERNEL_PROMPT &&
			  is_like(files, KERNEL_PROMPT, rows->items[i].device, device);
	return kernels_fit(arena, rows, used, devices, &like, error);
}

bool kernels_leave_devices_out(struct paradl_arena *arena, const struct kernel_rows *rows,
	const struct device *files, double *predicted, struct paradl_error *error)
{
	struct device *devices = arena_alloc(arena, rows->device_count, sizeof *devices);
	if (!devices)
		return out_of_memory(error);
	for (size_t d = 0; d < rows->device_count; ++d) {
		memcpy(devices, files, rows->device_count * sizeof *devices);
		if (!others_fit(arena, rows, d, files, devices, error))
			return false;
		for (size_t i = 0; i < rows->count; ++i)
			if (rows->items[i].device == d)
				predicted[i] = kernel_row_s(&devices[d], &rows->items[i]);
	}
	return true;
}
