/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file ranks machines. One machine is before another where its whole range is; those whose ranges overlap are
 * equal.
 */
#include "study/studies.h"

bool paradl_range_before(const struct paradl_range *one, const struct paradl_range *other)
{
	return one->high < other->low;
}

static const struct paradl_range *amount_of(const struct paradl_compare_cell *cell, unsigned amount)
{
	const struct paradl_range *const range = &cell->amounts[amount];
	if (!cell->runs || range->value < 0 || (amount == PARADL_AMOUNT_COST && !cell->cost_compares))
		return NULL;
	return range;
}

/* Returns the rank of a cell, one more than there are cells before it; 0: not known. */
static unsigned rank_of(const struct paradl_compare_cell *cells, size_t count, size_t which, unsigned amount)
{
	const struct paradl_range *const mine = amount_of(&cells[which], amount);
	unsigned before = 0;
	for (size_t i = 0; mine && i < count; ++i) {
		const struct paradl_range *const other = amount_of(&cells[i], amount);
		before += other && paradl_range_before(other, mine);
	}
	return mine ? before + 1 : 0;
}

void compare_rank(struct compare *compare)
{
	const size_t machines = compare->request->machine_count;
	for (size_t model = 0; model < compare->request->model_count; ++model)
		for (size_t k = 0; k < compare->device_count; ++k) {
			struct paradl_compare_cell *const cells = compare_cells(compare, model, k);
			for (size_t i = 0; i < machines; ++i)
				for (unsigned amount = 0; amount < PARADL_AMOUNT_COUNT; ++amount)
					cells[i].ranks[amount] = rank_of(cells, machines, i, amount);
		}
}

static double best_value(const struct paradl_compare_cell *cell)
{
	return cell->amounts[cell->best_by].value;
}

/*
 * Returns the cell with the least of the amount that plans were chosen by, whatever the ranges say; `count`: none
 * runs.
 */
static size_t fastest(const struct paradl_compare_cell *cells, size_t count)
{
	size_t best = count;
	for (size_t i = 0; i < count; ++i)
		if (cells[i].runs && (best == count || best_value(&cells[i]) < best_value(&cells[best])))
			best = i;
	return best;
}

static bool is_before(const struct paradl_compare_cell *a, const struct paradl_compare_cell *b)
{
	return a->runs && b->runs && paradl_range_before(&a->amounts[a->best_by], &b->amounts[b->best_by]);
}

static bool crossing_between(const struct compare *compare, const struct paradl_compare_cell *before,
	const struct paradl_compare_cell *after, struct paradl_compare_crossing *crossing)
{
	const size_t machines = compare->request->machine_count;
	const size_t from = fastest(before, machines), to = fastest(after, machines);
	if (from == machines || to == machines || from == to || !before[to].runs || !after[from].runs)
		return false;
	*crossing = (struct paradl_compare_crossing){.model = after->model,
		.before = before->model == after->model ? before->devices : 0,
		.devices = after->devices,
		.from = from,
		.to = to,
		.clear = is_before(&before[from], &before[to]) && is_before(&after[to], &after[from])};
	return true;
}

size_t compare_crossings(const struct compare *compare, struct paradl_compare_crossing *crossings)
{
	size_t count = 0;
	for (size_t model = 0; model < compare->request->model_count; ++model) {
		for (size_t k = 1; k < compare->device_count; ++k)
			count += crossing_between(compare, compare_cells(compare, model, k - 1),
				compare_cells(compare, model, k), &crossings[count]);
		if (model > 0)
			count += crossing_between(compare,
				compare_cells(compare, model - 1, compare->device_count - 1),
				compare_cells(compare, model, compare->device_count - 1), &crossings[count]);
	}
	return count;
}
