/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This header cuts a chain of units into the stages of a pipeline. It works on numbers alone: no network, no plans.
 */
#ifndef SEARCH_STAGE_PARTITION_H
#define SEARCH_STAGE_PARTITION_H

#include "base/arena.h"

struct stage_problem {
	unsigned units, stages;
	double micro_batches;
	/* Seconds of one micro-batch, by stage_index(); INFINITY: a stage cannot have these units. */
	const double *cost_s;
	double step; /* share by which the answer may miss the optimum in its slowest stage */
};

static inline size_t stage_index(unsigned units, unsigned stage, unsigned first, unsigned end)
{
	return ((size_t)stage * units + first) * (units + 1) + end;
}

/*
 * Returns the least of sum + (micro_batches - 1) * largest over all partitions into stages, each of which has a unit,
 * in seconds; fills ends[stages]. INFINITY: there is no partition; negative: out of memory.
 */
double stage_cut(const struct stage_problem *problem, struct paradl_arena *scratch, unsigned *ends);

#endif
