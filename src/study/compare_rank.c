/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who is first. One machine is before another where its whole range is; those whose ranges overlap are equal. */
#include "study/compare.h"

bool paradl_range_before(const struct paradl_range *one, const struct paradl_range *other)
{
	return one->high < other->low;
}

enum amount { AMOUNT_TIME, AMOUNT_COST, AMOUNT_JOULE, AMOUNTS };

static const struct paradl_range *amount_of(const struct paradl_compare_cell *cell, enum amount amount)
{
	const struct paradl_range *const ranges[AMOUNTS] = {&cell->time_s, &cell->cost, &cell->joule};
	if (!cell->runs || ranges[amount]->value < 0 || (amount == AMOUNT_COST && !cell->cost_compares))
		return NULL;
	return ranges[amount];
}

/* One more than there are before it; 0: not known. */
static unsigned rank_of(
	const struct paradl_compare_cell *cells, size_t count, size_t which, enum amount amount)
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
			for (size_t i = 0; i < machines; ++i) {
				cells[i].time_rank = rank_of(cells, machines, i, AMOUNT_TIME);
				cells[i].cost_rank = rank_of(cells, machines, i, AMOUNT_COST);
				cells[i].joule_rank = rank_of(cells, machines, i, AMOUNT_JOULE);
			}
		}
}

/* The least time, whatever the ranges say; machine_count: none runs. */
static size_t fastest(const struct paradl_compare_cell *cells, size_t count)
{
	size_t best = count;
	for (size_t i = 0; i < count; ++i)
		if (cells[i].runs && (best == count || cells[i].time_s.value < cells[best].time_s.value))
			best = i;
	return best;
}

static bool is_before(const struct paradl_compare_cell *a, const struct paradl_compare_cell *b)
{
	return a->runs && b->runs && paradl_range_before(&a->time_s, &b->time_s);
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
