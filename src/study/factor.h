/* SPDX-License-Identifier: GPL-3.0-or-later */
/* This file declares the inputs that can be varied: factor.def has one row FACTOR(name, ...) for each. */
#ifndef STUDY_FACTOR_H
#define STUDY_FACTOR_H

#include "paradl/study.h"
#include "study/studies.h"

enum { FACTOR_KEYS = 12 };

/* An input, and how it changes a variation; where there is no function, the keys of files are multiplied. */
struct factor {
	const char *name, *text;
	const char *keys[FACTOR_KEYS]; /* keys of --set, NULL-terminated; those that the files have count */
	bool less_is_better;
	double least; /* least value of the numbers of files; 0: any */
	bool whole;   /* whether the numbers are whole */
	/*
	 * Changes the plan; false where there is nothing to change. Sets variation->times to the factor that was
	 * possible.
	 */
	bool (*of_plan)(const struct study *study, double times, struct variation *variation);
};

/* A factor with the keys that the files of the study have. */
struct factor_here {
	const struct factor *factor;
	const char *keys[FACTOR_KEYS + 1];
	double values[FACTOR_KEYS]; /* values that stand there, of inputs with `least` or `whole` */
	size_t count;               /* number of keys; 0: an input of the plan */
};

/* Finds the factors that the study has, in the order of factor.def. False: error is set. */
bool factors_here(const struct study *study, const struct factor_here **here, size_t *count,
	struct paradl_error *error);
/* Fills a variation with the input multiplied; false with PARADL_USAGE where it cannot be. */
bool factor_apply(const struct study *study, const struct factor_here *here, double times,
	struct variation *variation, struct paradl_error *error);
struct paradl_whatif_input factor_input(struct paradl_arena *arena, const struct factor_here *here);

/* Changes the batch, the GPUs or the micro-batch of a plan; in factor_plan.c. False: there is nothing to change. */
bool factor_batch(const struct study *study, double times, struct variation *variation);
bool factor_gpus(const struct study *study, double times, struct variation *variation);
bool factor_micro(const struct study *study, double times, struct variation *variation);

#endif
