/* SPDX-License-Identifier: GPL-3.0-or-later */
/* This header searches pipelines whose stages have plans of their own. */
#ifndef SEARCH_STAGES_H
#define SEARCH_STAGES_H

#include "search/layered_ways.h"

/* Table of what stages of a pipeline cost and hold, under each way. */
struct stage_table {
	unsigned units, layer_plan_count;
	/*
	 * Shape of each stage: [first * (units + 1) + end]; stages of units [first, end) that are alike have one
	 * shape.
	 */
	unsigned *shape_of;
	unsigned shape_count;
	/*
	 * By [shape * way_count + way]: seconds of a micro-batch, with its share of what comes once in an iteration;
	 * bytes held always, and for each micro-batch.
	 */
	double *cost_s, *always_bytes, *held_bytes;
};
bool stage_table_make(const struct layer_plan *layer_plans, unsigned layer_plan_count,
	struct paradl_arena *arena, struct stage_table *table, struct paradl_error *error);

/*
 * Looks for plans with stages, for networks of tokens, that are faster than search->estimate and than any one plan
 * for all layers; search->single becomes the fastest of these. Nothing is proved.
 */
bool stages_search(struct paradl_oracle *oracle, const struct paradl_layers_request *request, double batch,
	struct paradl_arena *arena, struct paradl_layered_search *search, struct paradl_error *error);

#endif
