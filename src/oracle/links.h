/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who fills the links, and for how long: those out of nodes, and those inside. */
#ifndef ORACLE_LINKS_H
#define ORACLE_LINKS_H

#include "oracle/training.h"

enum link_reach { LINKS_INSIDE, LINKS_ACROSS, LINK_REACHES };

/* Exchanges of layers: of the token axes, and one for all of filter, channel and spatial. */
enum { LOAD_CUTS = TOKEN_AXES, LAYER_LOADS };

/* Returns which links replicas, an axis, or exchanges of layers go over: where groups span nodes, those across. */
enum link_reach replicas_reach(const struct evaluation *evaluation);
enum link_reach axis_reach(const struct evaluation *evaluation, enum paradl_axis axis);
enum link_reach load_reach(const struct evaluation *evaluation, unsigned load);
/* Adds the seconds of one micro-batch that the exchanges of a stage with these sums take, hidden or not, by load and pass. */
void layer_loads_add(const double *term, bool plain, double load_s[LAYER_LOADS][2]);
/* Adds those of layers with these sums that go over the links of replicas. */
void layers_taken_add(const struct evaluation *evaluation, const double *term, bool plain, double taken_s[2]);
/* Adds those of a stage, and its messages to the next, that go over the links of replicas. */
void links_taken_add(
	const struct evaluation *evaluation, unsigned device, const struct stage *stage, double taken_s[2]);
/* Lists who fills the links during a step of training, the fullest links and the most of them first. */
bool links_explain(const struct result *result, struct paradl_arena *arena,
	struct paradl_explanation *explanation, struct paradl_error *error);

#endif
