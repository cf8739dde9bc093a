/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Scores whether paradl orders the plans as the measurements do.
 *
 * A group has rows that differ in strategy only. They have equal model, hw, framework, set, includes, unit,
 * precision, tokens, devices and batch, a measured total, and a plan that could be read.
 *
 *     tau      Kendall's tau-b over the pairs of a group whose plans differ: (right - wrong) / sqrt(pairs whose
 *              measured totals differ * pairs whose projected totals differ). A tie is neither right nor wrong; a pair
 *              with a skipped row is neither, too, and counts as one that differs. The score is the mean over the
 *              groups.
 *     regret   measured total of the plan projected fastest (the mean where several are) / least measured total - 1,
 *              in percent; where every row of the group is skipped, the slowest measured total is taken. The scores
 *              are the mean and the maximum over the groups.
 *
 * A group in which no pair differs counts in neither, nor do published results with fewer than three plans. The
 * summary of a file of published results is the mean over its sets, one vote each.
 *
 *     rank_pairs   pairs of equal model, hw, framework, includes, precision, tokens and devices, of different plans,
 *                  whose measured time per *sample* differs by more than 2 %: so batches, units and sets may differ.
 *                  A pair is right where the projected times per sample are in the same order, and wrong where a row
 *                  is skipped.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "fit/validate/score.h"

enum { APART_PERCENT = 2, PUBLISHED_LEAST = 3 };

static int compare_numbers(double a, double b)
{
	return (a > b) - (a < b);
}

static int compare_conditions(const struct measurement *a, const struct measurement *b)
{
	int order = strcmp(a->row.model, b->row.model);
	order = order ? order : strcmp(a->row.hw, b->row.hw);
	order = order ? order : strcmp(a->row.framework, b->row.framework);
	order = order ? order : strcmp(a->row.includes, b->row.includes);
	order = order ? order : strcmp(a->precision, b->precision);
	order = order ? order : compare_numbers(a->tokens, b->tokens);
	order = order ? order : strcmp(a->conditions, b->conditions);
	return order ? order : compare_numbers(paradl_plan_devices(&a->plan), paradl_plan_devices(&b->plan));
}

static int compare_group(const struct measurement *a, const struct measurement *b)
{
	int order = compare_conditions(a, b);
	order = order ? order : strcmp(a->row.set, b->row.set);
	order = order ? order : strcmp(a->row.unit, b->row.unit);
	return order ? order : compare_numbers(a->row.batch, b->row.batch);
}

static int by_conditions(const void *a, const void *b)
{
	const struct measurement *first = *(const struct measurement *const *)a;
	const struct measurement *second = *(const struct measurement *const *)b;
	const int order = compare_conditions(first, second);
	return order ? order : (first > second) - (first < second);
}

static int by_group(const void *a, const void *b)
{
	const struct measurement *first = *(const struct measurement *const *)a;
	const struct measurement *second = *(const struct measurement *const *)b;
	const int order = compare_group(first, second);
	return order ? order : (first > second) - (first < second);
}

bool ranking_order(struct paradl_arena *arena, const struct measurement *list, size_t count,
	struct ranking_order *order, struct paradl_error *error)
{
	*order = (struct ranking_order){
		.groups = arena_alloc(arena, count, sizeof(const struct measurement *)),
		.pairs = arena_alloc(arena, count, sizeof(const struct measurement *))};
	if (!order->groups || !order->pairs)
		return out_of_memory(error);
	for (size_t i = 0; i < count; ++i) {
		if (!list[i].plan_text || !(list[i].row.measured.total_s > 0))
			continue;
		order->groups[order->group_rows++] = &list[i];
		if (list[i].samples > 0)
			order->pairs[order->pair_rows++] = &list[i];
	}
	qsort(order->groups, order->group_rows, sizeof(const struct measurement *), by_group);
	qsort(order->pairs, order->pair_rows, sizeof(const struct measurement *), by_conditions);
	return true;
}

static bool is_same_plan(const struct measurement *a, const struct measurement *b)
{
	return strcmp(a->plan_text, b->plan_text) == 0;
}

struct group {
	double pairs, projected_pairs, right_minus_wrong; /* pairs whose measured, projected totals differ */
	double best_s, worst_s;                           /* least and largest measured total */
	/* Measured (mean) and projected total of the rows projected fastest, and how many they are; 0: none. */
	double picked_s, picked_projected_s, picked;
};

static void group_pair(struct group *group, const struct measurement *a, const struct measurement *b)
{
	const bool skipped = a->row.skipped || b->row.skipped;
	const int measured = compare_numbers(a->row.measured.total_s, b->row.measured.total_s);
	const int projected =
		skipped ? 0 : compare_numbers(a->row.projected.total_s, b->row.projected.total_s);
	if (is_same_plan(a, b))
		return;
	group->pairs += measured != 0;
	group->projected_pairs += projected != 0 || skipped;
	group->right_minus_wrong += measured * projected;
}

static void group_row(struct group *group, const struct paradl_measured_row *row)
{
	if (!(group->best_s > 0) || row->measured.total_s < group->best_s)
		group->best_s = row->measured.total_s;
	if (row->measured.total_s > group->worst_s)
		group->worst_s = row->measured.total_s;
	if (row->skipped || (group->picked > 0 && row->projected.total_s > group->picked_projected_s))
		return;
	if (!(group->picked > 0) || row->projected.total_s < group->picked_projected_s)
		group->picked = group->picked_s = 0;
	group->picked_s = (group->picked_s * group->picked + row->measured.total_s) / (group->picked + 1);
	group->picked_projected_s = row->projected.total_s;
	++group->picked;
}

/* Adds up the selected rows of one group, [first, end), and their pairs. */
static struct group group_of_rows(const struct measurement *const *first,
	const struct measurement *const *end, const struct selection *selection)
{
	struct group group = {0};
	for (const struct measurement *const *a = first; a < end; ++a) {
		if (!is_selected(*a, selection))
			continue;
		group_row(&group, &(*a)->row);
		for (const struct measurement *const *b = a + 1; b < end; ++b)
			if (is_selected(*b, selection))
				group_pair(&group, *a, *b);
	}
	return group;
}

static size_t plans_of_rows(const struct measurement *const *first, const struct measurement *const *end)
{
	size_t plans = 0;
	for (const struct measurement *const *row = first; row < end; ++row) {
		const struct measurement *const *before = first;
		while (before < row && !is_same_plan(*before, *row))
			++before;
		plans += before == row;
	}
	return plans;
}

void score_ranking(
	const struct ranking_order *order, const struct selection *selection, struct paradl_score *score)
{
	const struct measurement *const *first = order->groups, *const *const last =
									first + order->group_rows;
	double groups = 0, tau = 0, regret = 0;
	score->kendall_tau = -2;
	for (const struct measurement *const *end; first < last; first = end) {
		for (end = first + 1; end < last && compare_group(*first, *end) == 0; ++end)
			;
		const struct group group = group_of_rows(first, end, selection);
		if (!(group.pairs > 0) ||
			(first[0]->published && plans_of_rows(first, end) < PUBLISHED_LEAST))
			continue;
		const double picked_s = group.picked_s > 0 ? group.picked_s : group.worst_s;
		const double lost = 100 * (picked_s / group.best_s - 1);
		++groups;
		if (group.projected_pairs > 0)
			tau += group.right_minus_wrong / sqrt(group.pairs * group.projected_pairs);
		regret += lost;
		score->regret_max = lost > score->regret_max ? lost : score->regret_max;
	}
	score->groups = (size_t)groups;
	if (groups > 0) {
		score->kendall_tau = tau / groups;
		score->regret_mean = regret / groups;
	}
}

void score_ranking_of_sets(const struct paradl_score *sets, size_t count, struct paradl_score *score)
{
	double voters = 0, tau = 0, regret = 0;
	for (size_t i = 0; i < count; ++i) {
		if (!(sets[i].kendall_tau > -2))
			continue;
		++voters;
		tau += sets[i].kendall_tau;
		regret += sets[i].regret_mean;
	}
	if (!(voters > 0))
		return;
	score->kendall_tau = tau / voters;
	score->regret_mean = regret / voters;
}

static bool is_clearly_more(double a, double b)
{
	return 100 * a > (100 + APART_PERCENT) * b;
}

/* Returns 1 where two rows are ranked as measured, 0 where they are not, -1 where they are no pair to rank. */
static int pair_is_right(const struct measurement *a, const struct measurement *b)
{
	const double measured_a = a->row.measured.total_s / a->samples;
	const double measured_b = b->row.measured.total_s / b->samples;
	const double projected_a = a->row.projected.total_s / a->samples;
	const double projected_b = b->row.projected.total_s / b->samples;
	const bool is_apart =
		is_clearly_more(measured_a, measured_b) || is_clearly_more(measured_b, measured_a);
	if (!is_apart || is_same_plan(a, b))
		return -1;
	return !a->row.skipped && !b->row.skipped &&
	       compare_numbers(projected_a, projected_b) == compare_numbers(measured_a, measured_b);
}

void rank_pairs(const struct ranking_order *order, struct paradl_validation *validation)
{
	size_t right = 0;
	validation->rank_pairs = 0;
	for (size_t i = 0; i < order->pair_rows; ++i)
		for (size_t k = i + 1; k < order->pair_rows; ++k) {
			if (compare_conditions(order->pairs[i], order->pairs[k]) != 0)
				break;
			const int verdict = pair_is_right(order->pairs[i], order->pairs[k]);
			validation->rank_pairs += verdict >= 0;
			right += verdict > 0;
		}
	validation->rank_pairs_right =
		validation->rank_pairs ? (double)right / (double)validation->rank_pairs : -1;
}
