/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A device's part of a tensor is a box: an interval of each dimension. After a change a device lacks the volume of its
 * new box without the intersection with its old one, exactly. It may come from an aligned block (g neighbours, the
 * first a multiple of g): its devices together hold a box as well, if g divides the strides of the axes or is divided
 * by them.
 */
#include "oracle/layered.h"

#include <limits.h>
#include <math.h>

struct interval {
	double first, end;
};

static void digit_set(struct layout *layout, unsigned digit, unsigned stride, unsigned degree)
{
	if (degree > 1)
		layout->digits[digit] = (struct layout_digit){stride, degree};
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
	for (unsigned i = 0; i < LAYOUT_DIGITS; ++i)
		layout.digits[i] = (struct layout_digit){1, 1};
	digit_set(&layout, 0, stride[PARADL_DATA], degree[PARADL_DATA]);
	digit_set(&layout, 1, stride[PARADL_EXPERT], degree[PARADL_EXPERT]);
	digit_set(&layout, 2, stride[PARADL_CONTEXT], degree[PARADL_CONTEXT]);
	digit_set(&layout, 3, stride[PARADL_TENSOR], plan->sequence ? degree[PARADL_TENSOR] : 1);
	unsigned inner = stride[PARADL_SPATIAL];
	for (unsigned i = extents_cut ? DIMENSIONS_MAX : 0; i > 0; --i) {
		digit_set(&layout, 2 * i, inner, plan->spatial[i - 1]);
		inner *= plan->spatial[i - 1];
	}
	return layout;
}

/* Finds what all of [device, device + block) hold of a dimension; false: no interval. Block 1 always has one. */
static bool cut_interval(const struct layout_digit digits[2], unsigned device, unsigned block, double extent,
	struct interval *interval)
{
	unsigned first[2], count[2];
	for (unsigned k = 0; k < 2; ++k) {
		const unsigned stride = digits[k].stride, degree = digits[k].degree;
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
	if (count[0] > 1 && count[1] < digits[1].degree)
		return false;
	const double inner = digits[1].degree, pieces = digits[0].degree * inner;
	const double begin = first[0] * inner + first[1], end = begin + (double)count[0] * count[1];
	*interval = (struct interval){floor(begin * extent / pieces), floor(end * extent / pieces)};
	return true;
}

static bool layout_box(const struct layout *layout, unsigned device, unsigned block,
	const double extent[LAYOUT_DIMENSIONS], struct interval box[LAYOUT_DIMENSIONS])
{
	for (unsigned i = 0; i < LAYOUT_DIMENSIONS; ++i)
		if (!cut_interval(&layout->digits[(size_t)2 * i], device, block, extent[i], &box[i]))
			return false;
	return true;
}

static double lacking_items(const struct layout_change *change, unsigned device)
{
	struct interval has[LAYOUT_DIMENSIONS], needs[LAYOUT_DIMENSIONS];
	double all = 1, common = 1;
	layout_box(&change->from, device, 1, change->extent, has);
	layout_box(&change->to, device, 1, change->extent, needs);
	for (unsigned i = 0; i < LAYOUT_DIMENSIONS; ++i) {
		const double first = has[i].first > needs[i].first ? has[i].first : needs[i].first;
		const double end = has[i].end < needs[i].end ? has[i].end : needs[i].end;
		all *= needs[i].end - needs[i].first;
		common *= end > first ? end - first : 0;
	}
	return all - common;
}

/* Returns whether each aligned block of `block` devices holds what its devices need; gathers: all need the same. */
static bool block_suffices(const struct layout_change *change, unsigned block, bool *gathers)
{
	struct interval has[LAYOUT_DIMENSIONS], needs[LAYOUT_DIMENSIONS], one[LAYOUT_DIMENSIONS];
	*gathers = true;
	for (unsigned device = 0; device < change->from.devices; device += block) {
		if (!layout_box(&change->from, device, block, change->extent, has) ||
			!layout_box(&change->to, device, block, change->extent, needs))
			return false;
		layout_box(&change->to, device, 1, change->extent, one);
		for (unsigned i = 0; i < LAYOUT_DIMENSIONS; ++i) {
			if (needs[i].first < has[i].first || needs[i].end > has[i].end)
				return false;
			if (needs[i].first < one[i].first || needs[i].end > one[i].end)
				*gathers = false;
		}
	}
	return true;
}

unsigned common_divisor(unsigned a, unsigned b)
{
	while (b) {
		const unsigned rest = a % b;
		a = b;
		b = rest;
	}
	return a;
}

/* Returns the number of devices after which this layout begins again. */
static unsigned layout_period(const struct layout *layout)
{
	unsigned period = 1;
	for (unsigned i = 0; i < LAYOUT_DIGITS; ++i) {
		const struct layout_digit *digit = &layout->digits[i];
		if (digit->degree > 1 && digit->stride * digit->degree > period)
			period = digit->stride * digit->degree;
	}
	return period;
}

/*
 * Leaves out all parts but one where the outermost digit of both layouts cuts the same dimension: its parts are alike.
 * Returns how many there were, 1 when no more can be left out.
 */
static unsigned parts_reduce(struct layout_change *change)
{
	struct layout *from = &change->from, *to = &change->to;
	for (unsigned i = 0; i < LAYOUT_DIMENSIONS; ++i) {
		struct layout_digit *a = &from->digits[(size_t)2 * i], *b = &to->digits[(size_t)2 * i];
		const double extent = change->extent[i];
		if (a->stride * a->degree != from->devices || b->stride * b->degree != to->devices ||
			extent > UINT_MAX || fmod(extent, 1) > 0)
			continue;
		const unsigned parts = common_divisor(common_divisor(a->degree, b->degree), (unsigned)extent);
		a->degree /= parts;
		b->degree /= parts;
		change->extent[i] /= parts;
		from->devices = to->devices = from->devices / parts;
		if (parts > 1)
			return parts;
	}
	return 1;
}

/* Takes one device for neighbours that hold and need the same: digits that cut nothing. Returns how many. */
static unsigned neighbours_reduce(struct layout_change *change)
{
	struct layout_digit *digits[2 * LAYOUT_DIGITS];
	unsigned together = change->from.devices, count = 0;
	for (unsigned i = 0; i < 2 * LAYOUT_DIGITS; ++i) {
		struct layout *layout = i % 2 ? &change->to : &change->from;
		if (layout->digits[i / 2].degree > 1)
			digits[count++] = &layout->digits[i / 2];
	}
	for (unsigned i = 0; i < count; ++i)
		together = common_divisor(together, digits[i]->stride);
	for (unsigned i = 0; i < count; ++i)
		digits[i]->stride /= together;
	change->from.devices = change->to.devices = change->from.devices / together;
	return together;
}

/*
 * Finds the move by asking every device and every block that is left. Layouts repeat themselves from device to device,
 * so that thousands of devices become the few whose move stands for all.
 */
struct layout_move layout_move(struct layout_change change)
{
	struct layout_move move = {.devices = 1};
	do {
		const unsigned a = layout_period(&change.from), b = layout_period(&change.to);
		change.from.devices = change.to.devices = a > b ? a : b;
	} while (parts_reduce(&change) > 1);
	const unsigned neighbours = neighbours_reduce(&change), devices = change.from.devices;
	for (unsigned device = 0; device < devices; ++device)
		move.items = fmax(move.items, lacking_items(&change, device));
	if (!(move.items > 0))
		return move;
	bool suffices = false;
	for (unsigned block = 2; block <= devices && !suffices; ++block)
		if (devices % block == 0) {
			suffices = block_suffices(&change, block, &move.gathers);
			move.devices = block * neighbours;
		}
	return move;
}

double layout_items(const struct layout *layout, const double extent[LAYOUT_DIMENSIONS])
{
	double items = 1;
	for (unsigned i = 0; i < LAYOUT_DIMENSIONS; ++i)
		items *= ceil(extent[i] / ((double)layout->digits[(size_t)2 * i].degree *
						  layout->digits[(size_t)2 * i + 1].degree));
	return items;
}
