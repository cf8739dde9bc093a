/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cutting a chain of units into the stages of a pipeline. Pure numbers: no network, no plans. */
#ifndef SEARCH_STAGE_CUT_H
#define SEARCH_STAGE_CUT_H

#include "base/arena.h"

struct stage_problem {
	unsigned units, stages;
	double micro_batches;
	const double
		*cost_s; /* of one micro-batch, by stage_index(); INFINITY: not these units in this stage */
	double step;     /* share by which the answer may miss the optimum in its slowest stage */
};

static inline size_t stage_index(unsigned units, unsigned stage, unsigned first, unsigned end)
{
	return ((size_t)stage * units + first) * (units + 1) + end;
}

/*
 * The least of sum + (micro_batches - 1) * largest over all cuts into stages, each of which has a unit; fills ends[stages].
 * INFINITY: there is no cut; negative: out of memory.
 */
double stage_cut(const struct stage_problem *problem, struct paradl_arena *scratch, unsigned *ends);

#endif
