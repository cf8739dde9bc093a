/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What can be varied: one row X(name) of factor.def each. */
#ifndef STUDY_FACTOR_H
#define STUDY_FACTOR_H

#include "study/study.h"

enum { FACTOR_KEYS = 12 };

/* How a factor changes a variation; a file's keys are multiplied where there is no function. */
struct factor {
	const char *name, *text;
	const char *keys[FACTOR_KEYS]; /* NULL-terminated; those that the files have count */
	bool less_is_better;
	double least; /* numbers of files stay at least this; 0: any */
	bool whole;   /* they are whole numbers */
	/* Of the plan: false where there is nothing to change. Sets variation->times to what it could do. */
	bool (*of_plan)(const struct study *study, double times, struct variation *variation);
};

/* A factor as it is here: the keys that there are. */
struct factor_here {
	const struct factor *factor;
	const char *keys[FACTOR_KEYS + 1];
	double values[FACTOR_KEYS]; /* of `least` and `whole`: what stands there */
	size_t count;               /* of a plan 0 */
};

/* Those that there are here, in order. False: error is set. */
bool factors_here(const struct study *study, const struct factor_here **here, size_t *count,
	struct paradl_error *error);
/* The input multiplied; false with PARADL_USAGE where it cannot be. */
bool factor_apply(const struct study *study, const struct factor_here *here, double times,
	struct variation *variation, struct paradl_error *error);
struct paradl_whatif_input factor_input(struct paradl_arena *arena, const struct factor_here *here);

/* Of plans; factor_plan.c. */
bool factor_batch(const struct study *study, double times, struct variation *variation);
bool factor_gpus(const struct study *study, double times, struct variation *variation);
bool factor_micro(const struct study *study, double times, struct variation *variation);

#endif
