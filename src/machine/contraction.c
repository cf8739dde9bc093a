/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "machine/machine.h"

void device_derive(struct device *device)
{
	device->s_per_byte = 1 / device->memory_bytes_per_s;
	for (unsigned i = 0; i < device->memory_level_count; ++i)
		device->memory_levels[i].s_per_byte = 1 / device->memory_levels[i].bytes_per_s;
	for (int i = 0; i < PARADL_PRECISION_COUNT; ++i) {
		const double rate = device->peak_flop_per_s[i] * device->contraction_share[i];
		device->s_per_flop[i] = rate > 0 ? 1 / rate : 0;
	}
	device->tiles_per_item = 1 / device->tile;
	device->tiles_per_depth = 1 / device->depth_tile;
	device_product_derive(device);
}

/* Length rounded up to whole tiles; whatever the rounding of `per_item`, the comparison decides. */
static inline double tiled(double length, double tile, double per_item)
{
	double whole = (double)(long long)(length * per_item) * tile;
	if (whole < length)
		whole += tile;
	return whole;
}

static inline double larger(double a, double b)
{
	return a > b ? a : b;
}

double device_contraction_s(
	const struct device *device, enum paradl_precision precision, const struct contraction *contraction)
{
	const struct contraction *c = contraction;
	const struct half_lengths *half = &device->half;
	const bool grouped = c->groups > 1; /* groups share a tile */
	const double columns = tiled(grouped ? c->n * c->groups : c->n, device->tile, device->tiles_per_item);
	const double m = c->tile_m ? tiled(c->m, device->tile, device->tiles_per_item) : c->m;
	const double k = c->tile_m ? c->k : tiled(c->k, device->depth_tile, device->tiles_per_depth);
	const double padded = 2 * (m + half->m) * (columns + half->n * c->groups) * (k + half->k);
	const double compute_s = padded * device->s_per_flop[precision] / c->speed_up;
	const double memory_s = c->bytes * device_s_per_byte(device, c->bytes);
	const double patches_s = device->patches * c->patch_bytes * device_s_per_byte(device, c->patch_bytes);
	return larger(larger(compute_s, memory_s), device->launch_s) + patches_s;
}
