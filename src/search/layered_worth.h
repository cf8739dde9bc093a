/* SPDX-License-Identifier: GPL-3.0-or-later */
/* This header says whether plans for each layer could take less than a given time, before anything is solved. */
#ifndef SEARCH_LAYERED_WORTH_H
#define SEARCH_LAYERED_WORTH_H

#include "search/layered_problem.h"

/*
 * Returns a time in seconds on a usual network such that no choice of the problem's layer plans for each node is below it;
 * negative: out of memory. Marks the layer plans that this bound chooses for some node, unless `useful` is NULL.
 */
double layer_plans_floor_s(const struct layers_problem *problem, bool *useful);

enum { EXTREMES_MAX = 16 };
/*
 * Fills `choice` with the few plans of a network of images that differ most: one axis over the devices of a node, over
 * all, or over all but a few, and the rest along data. False when out of memory.
 */
bool extremes_choose(const struct paradl_machine *machine, unsigned devices, struct paradl_arena *arena,
	struct layer_plan_choice *choice);

#endif
