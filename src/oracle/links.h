/* SPDX-License-Identifier: GPL-3.0-or-later */
/* These functions say who fills the links, and for how long: those between nodes, and those inside. */
#ifndef ORACLE_LINKS_H
#define ORACLE_LINKS_H

#include "oracle/training.h"

enum link_reach { LINKS_INSIDE, LINKS_ACROSS, LINK_REACHES };

/* Loads of exchanges of layers: one for each token axis, and one for all of filter, channel and spatial. */
enum { LOAD_CUTS = TOKEN_AXES, LAYER_LOADS };

/* Returns which links replicas, an axis, or exchanges of layers go over: where groups span nodes, those across. */
enum link_reach replicas_reach(const struct evaluation *evaluation);
enum link_reach axis_reach(const struct evaluation *evaluation, enum paradl_axis axis);
enum link_reach load_reach(const struct evaluation *evaluation, unsigned load);
/* Adds the seconds per micro-batch of the exchanges of a stage with these sums, hidden or not, by load and pass. */
void layer_loads_add(const double *term, bool plain, double load_s[LAYER_LOADS][2]);
/* Adds the seconds of such exchanges of layers with these sums, over the links of replicas. */
void layers_taken_add(const struct evaluation *evaluation, const double *term, bool plain, double taken_s[2]);
/* Adds the seconds of such exchanges of a stage, and of its messages to the next, over the links of replicas. */
void links_taken_add(
	const struct evaluation *evaluation, unsigned device, const struct stage *stage, double taken_s[2]);
/* Explains who fills the links during a step of training, the fullest links and the most of them first. */
bool links_explain(const struct result *result, struct paradl_arena *arena,
	struct paradl_explanation *explanation, struct paradl_error *error);

#endif
