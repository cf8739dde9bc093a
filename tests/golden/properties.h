/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What must hold of every plan: sums of what is told of it, and what another way to write it changes. */
#ifndef TESTS_GOLDEN_PROPERTIES_H
#define TESTS_GOLDEN_PROPERTIES_H

#include "golden/golden.h"

/* What a property found of one plan. */
struct finding {
	bool applies, broken;
	double apart; /* how far two numbers are that should be equal: a share of the larger */
	char text[320];
};

/* Notes two numbers that are to be the same but for so large a share; the worst pair is kept. */
void numbers_compare(struct finding *finding, const char *what, double is, double should_be, double within);

/* -- sums.c: what views of a plan add up to ------------------------------------------------------------------------ */

/* Returns whether the stages of both plans are the same layers. */
bool cut_alike(
	const struct subject *subject, const struct paradl_plan *first, const struct paradl_plan *second);

/* The rows of an explanation add up to their phases. */
void rows_add_up(
	const struct subject *subject, const struct paradl_estimate *estimate, struct finding *finding);
/* No link is busier than the step is long. */
void links_hold(
	const struct subject *subject, const struct paradl_estimate *estimate, struct finding *finding);
/* Layers add up to the stages of a pipeline, both passes and weights. */
void layers_add_up(
	const struct subject *subject, const struct paradl_estimate *estimate, struct finding *finding);
/* Phases add up to the step; stages, as a timeline has them, to phases. */
void stages_add_up(
	const struct subject *subject, const struct paradl_estimate *estimate, struct finding *finding);
/* A plan for each layer that is the same everywhere is that plan. */
void parts_are_the_plan(
	const struct subject *subject, const struct paradl_estimate *estimate, struct finding *finding);
/* Options change no row that they are not about, but for the last bits. */
void options_keep_rows(
	const struct subject *subject, const struct paradl_estimate *estimate, struct finding *finding);

#endif
