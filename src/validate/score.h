/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef VALIDATE_SCORE_H
#define VALIDATE_SCORE_H

#include "validate/measured.h"

/* Rows that a score is over; NULL: any. */
struct selection {
	const char *family, *set;
};
bool is_selected(const struct measurement *measurement, const struct selection *selection);

/* Accuracies of one row, projected or skipped. */
void accuracy_fill(struct paradl_measured_row *row);

/* Is the measured total inside of the likely error of the projected one? */
bool row_is_inside(const struct paradl_measured_row *row);

/* Means over the selected rows. */
void score_means(const struct measurement *list, size_t count, const struct selection *selection,
	struct paradl_score *score);

/* Median and largest error of the totals of the selected rows that are projected. */
bool score_spread(struct paradl_arena *arena, const struct measurement *list, size_t count,
	const struct selection *selection, struct paradl_score *score, struct paradl_error *error);

/* Rows sorted so that those to be ranked against each other are neighbours. */
struct ranking_order {
	const struct measurement **groups, **pairs;
	size_t group_rows, pair_rows;
};
bool ranking_order(struct paradl_arena *arena, const struct measurement *list, size_t count,
	struct ranking_order *order, struct paradl_error *error);
void score_ranking(
	const struct ranking_order *order, const struct selection *selection, struct paradl_score *score);
void rank_pairs(const struct ranking_order *order, struct paradl_validation *validation);
/* The mean over scores of sets that have groups, one vote each. */
void score_ranking_of_sets(const struct paradl_score *sets, size_t count, struct paradl_score *score);

#endif
