/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A device's part of a tensor is a box: an interval of each dimension. What it lacks after a change is the volume of
 * its new box without the intersection with its old one, exactly. Where that may come from: the devices of an
 * aligned block (g neighbours, the first a multiple of g) together hold a box as well, if g divides the strides of
 * the axes or is divided by them.
 */
#include "oracle/layout.h"

#include <limits.h>
#include <math.h>
#include <string.h>

struct interval {
	double first, end;
};

static struct layout_cut cut_of(unsigned stride0, unsigned degree0, unsigned stride1, unsigned degree1)
{
	return (struct layout_cut){
		{degree0 > 1 ? stride0 : 1, degree1 > 1 ? stride1 : 1}, {degree0, degree1}};
}

struct layout layout_of(const struct paradl_plan *plan, bool extents_cut)
{
	const unsigned *degree = plan->degree;
	unsigned stride[PARADL_AXIS_COUNT], devices = 1;
	for (unsigned i = PARADL_AXIS_COUNT; i-- > 0;) {
		stride[plan->order[i]] = devices;
		devices *= degree[plan->order[i]];
	}
	struct layout layout = {.devices = devices};
	for (unsigned i = 0; i < LAYOUT_DIMENSIONS; ++i)
		layout.cuts[i] = cut_of(1, 1, 1, 1);
	layout.cuts[0] = cut_of(
		stride[PARADL_DATA], degree[PARADL_DATA], stride[PARADL_EXPERT], degree[PARADL_EXPERT]);
	layout.cuts[1] = cut_of(stride[PARADL_CONTEXT], degree[PARADL_CONTEXT], stride[PARADL_TENSOR],
		plan->sequence ? degree[PARADL_TENSOR] : 1);
	unsigned inner = stride[PARADL_SPATIAL];
	for (unsigned i = extents_cut ? DIMENSIONS_MAX : 0; i > 0; --i) {
		const unsigned pieces = plan->spatial[i - 1];
		if (pieces > 1)
			layout.cuts[i] = cut_of(inner, pieces, 1, 1);
		inner *= pieces;
	}
	return layout;
}

bool layout_equal(const struct layout *a, const struct layout *b)
{
	return memcmp(a, b, sizeof *a) == 0;
}

/* What all of [device, device + block) hold of a dimension; false: no interval. block 1 always is one. */
static bool cut_interval(const struct layout_cut *cut, unsigned device, unsigned block, double extent,
	struct interval *interval)
{
	unsigned first[2], count[2];
	for (unsigned k = 0; k < 2; ++k) {
		const unsigned stride = cut->stride[k], degree = cut->degree[k];
		first[k] = device / stride % degree;
		count[k] = 1;
		if (degree < 2 || (block <= stride && stride % block == 0))
			continue;
		if (block % stride)
			return false;
		count[k] = block / stride;
		if (count[k] >= degree ? count[k] % degree : degree % count[k])
			return false;
		if (count[k] >= degree) {
			first[k] = 0;
			count[k] = degree;
		}
	}
	if (count[0] > 1 && count[1] < cut->degree[1])
		return false;
	const double inner = cut->degree[1], pieces = cut->degree[0] * inner;
	const double begin = first[0] * inner + first[1], end = begin + (double)count[0] * count[1];
	*interval = (struct interval){floor(begin * extent / pieces), floor(end * extent / pieces)};
	return true;
}

static bool layout_box(const struct layout *layout, unsigned device, unsigned block,
	const double extent[LAYOUT_DIMENSIONS], struct interval box[LAYOUT_DIMENSIONS])
{
	for (unsigned i = 0; i < LAYOUT_DIMENSIONS; ++i)
		if (!cut_interval(&layout->cuts[i], device, block, extent[i], &box[i]))
			return false;
	return true;
}

static double lacking_items(const struct layout *from, const struct layout *to, unsigned device,
	const double extent[LAYOUT_DIMENSIONS])
{
	struct interval has[LAYOUT_DIMENSIONS], needs[LAYOUT_DIMENSIONS];
	double all = 1, common = 1;
	layout_box(from, device, 1, extent, has);
	layout_box(to, device, 1, extent, needs);
	for (unsigned i = 0; i < LAYOUT_DIMENSIONS; ++i) {
		const double first = has[i].first > needs[i].first ? has[i].first : needs[i].first;
		const double end = has[i].end < needs[i].end ? has[i].end : needs[i].end;
		all *= needs[i].end - needs[i].first;
		common *= end > first ? end - first : 0;
	}
	return all - common;
}

/* Does every aligned block of so many devices hold what its devices need? *gathers: all of them need the same. */
static bool block_suffices(const struct layout *from, const struct layout *to, unsigned block,
	const double extent[LAYOUT_DIMENSIONS], bool *gathers)
{
	struct interval has[LAYOUT_DIMENSIONS], needs[LAYOUT_DIMENSIONS], one[LAYOUT_DIMENSIONS];
	*gathers = true;
	for (unsigned device = 0; device < from->devices; device += block) {
		if (!layout_box(from, device, block, extent, has) ||
			!layout_box(to, device, block, extent, needs))
			return false;
		layout_box(to, device, 1, extent, one);
		for (unsigned i = 0; i < LAYOUT_DIMENSIONS; ++i) {
			if (needs[i].first < has[i].first || needs[i].end > has[i].end)
				return false;
			if (needs[i].first < one[i].first || needs[i].end > one[i].end)
				*gathers = false;
		}
	}
	return true;
}

/* Layouts repeat themselves from device to device, and thousands of devices become the few whose move stands for all. */
struct change {
	struct layout from, to;
	double extent[LAYOUT_DIMENSIONS];
	unsigned neighbours; /* devices of the whole layouts for one of these */
};

unsigned common_divisor(unsigned a, unsigned b)
{
	while (b) {
		const unsigned rest = a % b;
		a = b;
		b = rest;
	}
	return a;
}

/* Returns by how much more than one device the devices' number counts in this layout: beyond, all begins again. */
static unsigned layout_period(const struct layout *layout)
{
	unsigned period = 1;
	for (unsigned i = 0; i < LAYOUT_DIMENSIONS; ++i)
		for (unsigned k = 0; k < 2; ++k) {
			const unsigned end = layout->cuts[i].stride[k] * layout->cuts[i].degree[k];
			period = layout->cuts[i].degree[k] > 1 && end > period ? end : period;
		}
	return period;
}

/*
 * Where the outermost digit of both layouts cuts the same dimension, its parts are alike: one of them stands for all.
 * Returns how many there were, 1 when no more can be left out.
 */
static unsigned parts_reduce(struct change *change)
{
	struct layout *from = &change->from, *to = &change->to;
	for (unsigned i = 0; i < LAYOUT_DIMENSIONS; ++i) {
		struct layout_cut *a = &from->cuts[i], *b = &to->cuts[i];
		const double extent = change->extent[i];
		if (a->stride[0] * a->degree[0] != from->devices ||
			b->stride[0] * b->degree[0] != to->devices || extent > UINT_MAX ||
			fmod(extent, 1) > 0)
			continue;
		const unsigned parts =
			common_divisor(common_divisor(a->degree[0], b->degree[0]), (unsigned)extent);
		a->degree[0] /= parts;
		b->degree[0] /= parts;
		change->extent[i] /= parts;
		from->devices = to->devices = from->devices / parts;
		if (parts > 1)
			return parts;
	}
	return 1;
}

/* Takes one device for neighbours that hold and need the same: digits of the devices' number that cut nothing. */
static void neighbours_reduce(struct change *change)
{
	struct layout *const layouts[] = {&change->from, &change->to};
	unsigned together = change->from.devices;
	for (unsigned n = 0; n < 2 * LAYOUT_DIMENSIONS * 2; ++n) {
		const struct layout_cut *cut = &layouts[n % 2]->cuts[n / 4];
		if (cut->degree[n / 2 % 2] > 1)
			together = common_divisor(together, cut->stride[n / 2 % 2]);
	}
	for (unsigned n = 0; n < 2 * LAYOUT_DIMENSIONS * 2; ++n) {
		struct layout_cut *cut = &layouts[n % 2]->cuts[n / 4];
		cut->stride[n / 2 % 2] = cut->degree[n / 2 % 2] > 1 ? cut->stride[n / 2 % 2] / together : 1;
	}
	change->from.devices = change->to.devices = change->from.devices / together;
	change->neighbours = together;
}

/* Finds the move by asking every device and every block that is left. */
struct layout_move layout_move(
	const struct layout *from, const struct layout *to, const double extent[LAYOUT_DIMENSIONS])
{
	struct change change = {.from = *from, .to = *to};
	struct layout_move move = {.devices = 1};
	memcpy(change.extent, extent, sizeof change.extent);
	do {
		const unsigned a = layout_period(&change.from), b = layout_period(&change.to);
		change.from.devices = change.to.devices = a > b ? a : b;
	} while (parts_reduce(&change) > 1);
	neighbours_reduce(&change);
	const unsigned devices = change.from.devices;
	for (unsigned device = 0; device < devices; ++device)
		move.items = fmax(move.items, lacking_items(&change.from, &change.to, device, change.extent));
	if (!(move.items > 0))
		return move;
	bool suffices = false;
	for (unsigned block = 2; block <= devices && !suffices; ++block)
		if (devices % block == 0) {
			suffices =
				block_suffices(&change.from, &change.to, block, change.extent, &move.gathers);
			move.devices = block * change.neighbours;
		}
	return move;
}

double layout_items(const struct layout *layout, const double extent[LAYOUT_DIMENSIONS])
{
	double items = 1;
	for (unsigned i = 0; i < LAYOUT_DIMENSIONS; ++i) {
		const struct layout_cut *cut = &layout->cuts[i];
		items *= ceil(extent[i] / ((double)cut->degree[0] * cut->degree[1]));
	}
	return items;
}
