/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef STUDY_COMPARE_H
#define STUDY_COMPARE_H

#include "paradl/study.h"
#include "study/studies.h"

/* A comparison in progress. */
struct compare {
	const struct paradl_compare_request *request;
	struct paradl_arena *arena;
	struct paradl_study **studies; /* in the order of the oracles of the request; NULL: not made yet */
	struct paradl_compare_cell *cells;
	size_t device_count;
	struct paradl_error *error;
};

/*
 * Finds the best plan for a number of devices, and the amounts of all samples with it; a cell that does not run says
 * why. False: out of memory and the like.
 */
bool compare_fill(struct compare *compare, struct paradl_compare_cell *cell, unsigned devices);
/* Fills the ranges of a cell's amounts: how far off they may be. False: error is set. */
bool compare_uncertainty(struct compare *compare, struct paradl_compare_cell *cell);
/* Chooses the number of devices that meets the deadline or the budget best; in compare_choose.c. */
bool compare_choose(struct compare *compare, struct paradl_compare_cell *cell);
/* Fills the ranks of the cells of each question; in compare_rank.c. */
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
