/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "machine/machine.h"

static double tiles(double length, double tile)
{
	const double even = length / tile;
	const double whole = (double)(long long)even;
	return (even > whole ? whole + 1 : whole) * tile;
}

double device_contraction_s(const struct device *device, enum paradl_precision precision,
	const struct contraction *contraction)
{
	const struct contraction *c = contraction;
	const double m = c->tile_m ? tiles(c->m, device->tile) : c->m;
	const double n = tiles(c->n * c->groups, device->tile) / c->groups; /* groups share a tile */
	const double k = c->tile_m ? c->k : tiles(c->k, device->depth_tile);
	const double rate = device->peak_flop_per_s[precision] * device->efficiency * c->speed_up;
	const double compute_s = 2 * m * n * k * c->groups / rate;
	const double move_s = c->bytes / device->memory_bytes_per_s;
	const double s = compute_s > move_s ? compute_s : move_s;
	return s > device->launch_s ? s : device->launch_s;
}
