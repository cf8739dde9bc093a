/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Judges the numbers of nodes that were measured: a run out of line with one on fewer nodes, and runs on two nodes only. */
#include <string.h>

#include "fit/verdict/verdict.h"
#include "network/cost/measured_curves.h"

/*
 * Judges a run on some number of nodes that is out of line with a run on fewer, by the limits of network/cost/measured_curves.h.
 */

static bool is_kin(const struct series *a, const struct series *b)
{
	return a->devices / a->nodes == b->devices / b->nodes && a->groups == b->groups &&
	       strcmp(a->operation, b->operation) == 0 && strcmp(a->library, b->library) == 0 &&
	       strcmp(a->buffer, b->buffer) == 0 && strcmp(a->way, b->way) == 0;
}

/* Finds the series of the same operation on the next smaller number of nodes beyond one; NULL: none. */
static const struct series *smaller(const struct series_list *list, const struct series *series)
{
	const struct series *best = NULL;
	for (size_t i = 0; i < list->count; ++i) {
		const struct series *other = &list->items[i];
		if (other->nodes > 1 && other->nodes < series->nodes && is_kin(other, series) &&
			(!best || other->nodes > best->nodes))
			best = other;
	}
	return best;
}

static const struct cell *at_bytes(const struct series *series, double bytes)
{
	for (unsigned i = 0; i < series->count; ++i)
		if (cell_bytes(series->cells[i]) >= bytes && cell_bytes(series->cells[i]) <= bytes)
			return series->cells[i];
	return NULL;
}

/* Returns the cell at the largest size that both have, if the bus bandwidth has fallen too far there; else NULL. */
static const struct cell *fallen(const struct series *series, const struct series *before)
{
	for (unsigned i = series->count; i-- > 0;) {
		const struct cell *cell = series->cells[i];
		const struct cell *other = at_bytes(before, cell_bytes(cell));
		if (!other || cell_bytes(cell) < measured_large_bytes)
			continue;
		const bool has_fallen =
			series_bus_rate(series, cell) < measured_least_share * series_bus_rate(before, other);
		return has_fallen ? cell : NULL;
	}
	return NULL;
}

static void judge_count(
	struct calibration *calibration, const struct series_list *list, const struct series *series)
{
	const struct series *before = series->nodes > 2 ? smaller(list, series) : NULL;
	const struct cell *cell = before ? fallen(series, before) : NULL;
	if (!cell)
		return;
	const double rate = series_bus_rate(series, cell);
	const double rate_before = series_bus_rate(before, at_bytes(before, cell_bytes(cell)));
	const struct verdict_head head = {PARADL_SUSPECT, "node-count", cell_place(calibration, cell),
		"measure again on other nodes; a slow node or link among these; placement across "
		"switches; never "
		"fit larger numbers of nodes to this run"};
	verdict_say(calibration, &head, "%s: %s of bus bandwidth at %s, %.2f of the %s on %u nodes",
		series_name(calibration, series), verdict_quantity(calibration, rate, DIMENSION_BYTES_PER_S),
		verdict_quantity(calibration, cell_bytes(cell), DIMENSION_BYTES), rate / rate_before,
		verdict_quantity(calibration, rate_before, DIMENSION_BYTES_PER_S), before->nodes);
}

void judge_node_count(struct calibration *calibration)
{
	series_each(calibration, judge_count);
}

/*
 * Judges collectives between nodes that were measured on two nodes only. A tree of two nodes sends each byte once, so
 * two nodes say nothing about more: bus bandwidth of HGX H100 is 469, 366 and 321 GB/s on 2, 4 and 8 nodes.
 */

static bool has_more(const struct series_list *list, const struct series *series)
{
	for (size_t i = 0; i < list->count; ++i)
		if (list->items[i].nodes > 2 && strcmp(list->items[i].operation, series->operation) == 0 &&
			strcmp(list->items[i].library, series->library) == 0)
			return true;
	return false;
}

static bool was_said(const struct series_list *list, const struct series *series)
{
	for (const struct series *before = list->items; before < series; ++before)
		if (before->nodes == 2 && strcmp(before->operation, series->operation) == 0 &&
			strcmp(before->library, series->library) == 0)
			return true;
	return false;
}

static void judge_two(
	struct calibration *calibration, const struct series_list *list, const struct series *series)
{
	if (series->nodes != 2 || series_is(series, "point-to-point") || series_is(series, "halo") ||
		has_more(list, series) || was_said(list, series))
		return;
	const struct verdict_head head = {PARADL_SUSPECT, "two-nodes",
		cell_place(calibration, series->cells[0]),
		"measure on 4 and 8 nodes too: three counts give what more nodes take within some 10 "
		"%"};
	verdict_say(calibration, &head,
		"%s of %s was measured on 2 nodes at most, which says little of more: two send "
		"each byte once",
		series->operation, *series->library ? series->library : "the library");
}

void judge_two_nodes(struct calibration *calibration)
{
	series_each(calibration, judge_two);
}
