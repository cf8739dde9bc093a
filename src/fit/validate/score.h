/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FIT_VALIDATE_SCORE_H
#define FIT_VALIDATE_SCORE_H

#include "fit/validate/measurements.h"

/* The rows that a score is over, by family and set; NULL: any. */
struct selection {
	const char *family, *set;
};
/* Reports whether a row is among them. */
bool is_selected(const struct measurement *measurement, const struct selection *selection);

/* Fills in the accuracies of one row, projected or skipped. */
void accuracy_fill(struct paradl_measured_row *row);

/* Reports whether the measured total is inside the likely error of the projected one. */
bool row_is_inside(const struct paradl_measured_row *row);

/* Counts the selected rows and fills in their means. */
void score_means(const struct measurement *list, size_t count, const struct selection *selection,
	struct paradl_score *score);

/*
 * Finds the median and largest error of the totals, and the median error of the time to the first token, in
 * percent, of the selected rows that are projected; false when out of memory.
 */
bool score_spread(struct paradl_arena *arena, const struct measurement *list, size_t count,
	const struct selection *selection, struct paradl_score *score, struct paradl_error *error);

/* Rows in an order in which those that are ranked against each other are neighbours, for groups and for pairs. */
struct ranking_order {
	const struct measurement **groups, **pairs;
	size_t group_rows, pair_rows;
};
/* Sorts the rows that have a measured total and a plan that could be read; false when out of memory. */
bool ranking_order(struct paradl_arena *arena, const struct measurement *list, size_t count,
	struct ranking_order *order, struct paradl_error *error);
/* Scores tau and regret of the groups of the selected rows (rank_score.c); kendall_tau is -2 where there is no group. */
void score_ranking(
	const struct ranking_order *order, const struct selection *selection, struct paradl_score *score);
/* Counts the pairs of different plans, and stores the share that is ranked as measured; -1 where there is no pair. */
void rank_pairs(const struct ranking_order *order, struct paradl_validation *validation);
/* Sets tau and mean regret to the means over the scores of sets that have groups, one vote each. */
void score_ranking_of_sets(const struct paradl_score *sets, size_t count, struct paradl_score *score);

#endif
