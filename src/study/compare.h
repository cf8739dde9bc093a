/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef STUDY_COMPARE_H
#define STUDY_COMPARE_H

#include "study/study.h"

/* One comparison at work. */
struct compare {
	const struct paradl_compare_request *request;
	struct paradl_arena *arena;
	struct paradl_study **studies; /* as the oracles of the request */
	struct paradl_compare_cell *cells;
	size_t device_count;
	struct paradl_error *error;
};

/* The best plan for so many devices, and what all samples take with it; false: out of memory and the like. */
bool compare_fill(struct compare *compare, struct paradl_compare_cell *cell, unsigned devices);
/* By how much, when that is known; then its ranges are filled. */
bool compare_doubt(struct compare *compare, struct paradl_compare_cell *cell);
/* With a deadline or a budget: the number of devices that does it best; compare_choose.c. */
bool compare_choose(struct compare *compare, struct paradl_compare_cell *cell);
/* Of the cells of each question; compare_rank.c. */
void compare_rank(struct compare *compare);
size_t compare_crossings(const struct compare *compare, struct paradl_compare_crossing *crossings);

static inline struct paradl_compare_cell *compare_cells(
	const struct compare *compare, size_t model, size_t question)
{
	return &compare->cells[(model * compare->device_count + question) * compare->request->machine_count];
}

static inline struct paradl_oracle *compare_oracle(
	const struct compare *compare, const struct paradl_compare_cell *cell)
{
	return compare->request->oracles[cell->model * compare->request->machine_count + cell->machine];
}

#endif
