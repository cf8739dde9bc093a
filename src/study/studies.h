/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file declares questions that vary or compare whole estimates: the same question is asked again, with files
 * changed or another plan.
 */
#ifndef STUDY_STUDIES_H
#define STUDY_STUDIES_H

#include "base/changes.h"
#include "machine/format.h"
#include "oracle/oracle.h"
#include "paradl/study.h"

/* The model, machine and oracle that were read for a request. */
struct loaded_inputs {
	const struct paradl_model *model;
	const struct paradl_machine *machine;
	struct paradl_oracle *oracle;
};

/* A request with changes. */
struct variation {
	struct paradl_changes changes; /* changes of files, those of the request first */
	struct paradl_plan plan;
	struct paradl_request best;
	double times; /* factor of the input that is varied: new / old */
	double count; /* of an input that is a whole number, that number */
};

struct study {
	struct paradl_arena *arena; /* arena of results */
	const struct paradl_whatif_request *request;
	struct loaded_inputs inputs;
	struct paradl_estimate estimate; /* estimate without changes */
	double value;                    /* value of that estimate, by the goal of the request */
};

/* Reads the files and estimates what the request asks for. */
bool study_open(struct study *study, struct paradl_arena *arena, const struct paradl_whatif_request *request,
	struct paradl_error *error);
/*
 * Returns the tokens of a sample, by which times are compared: in training, samples may have other lengths. 1: the value
 * by the goal is no time of a sample, or samples are no tokens.
 */
double study_tokens(const struct study *study, const struct paradl_oracle *oracle);
/* Fills a variation that changes nothing yet. */
void study_vary(const struct study *study, struct variation *variation);
/*
 * Adds a change of a file: key=xTIMES with variation->times, or key=VALUE where value is not NULL. False: too many,
 * no such key, out of memory.
 */
bool study_change(const struct study *study, struct variation *variation, const char *key, const char *value,
	struct paradl_error *error);
/* Estimates a variation, and fills its value by the goal. False with PARADL_INFEASIBLE: it cannot run. */
bool study_ask(const struct study *study, const struct variation *variation, struct paradl_estimate *estimate,
	double *value, struct paradl_error *error);
/* Fills a point with the answer to a variation, or with the reason why there is none. False: out of memory. */
bool study_point(const struct study *study, const struct variation *variation,
	struct paradl_whatif_point *point, struct paradl_error *error);

/* ---- factors: inputs that can be varied; factor.def has one row FACTOR(name, ...) for each ---- */

enum { FACTOR_KEYS = 12 };

/* An input, and how it changes a variation; where there is no function, the keys of files are multiplied. */
struct factor {
	const char *name, *text;
	const char *keys[FACTOR_KEYS]; /* keys of --set, NULL-terminated; those that the files have count */
	bool less_is_better;
	double least; /* least value of the numbers of files; 0: any */
	bool whole;   /* whether the numbers are whole */
	/*
	 * Changes the plan; false where there is nothing to change. Sets variation->count to the whole number that was
	 * possible, and variation->times to its factor.
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

/* Changes the batch, the GPUs or the micro-batch of a plan; in factor.c. False: there is nothing to change. */
bool factor_batch(const struct study *study, double times, struct variation *variation);
bool factor_gpus(const struct study *study, double times, struct variation *variation);
bool factor_micro(const struct study *study, double times, struct variation *variation);

/*
 * Comparisons are questions about several machines, and about one that is not known exactly: the oracle is asked
 * again and again.
 */

/* Returns how far off a number of this origin may be, as a share; uncertainty.c says why. */
double origin_share(enum origin_kind kind);
/*
 * Returns by how much the numbers of a group may be off, as a share; *kind: name of their origin, NULL: there are
 * none.
 */
double uncertainty_share(
	const struct paradl_oracle *oracle, enum paradl_uncertainty_source source, const char **kind);

/*
 * Returns the machine with each group's rates multiplied by `factors`, by enum paradl_uncertainty_source, and
 * latencies divided by them; the factors of framework, power and price mean nothing. NULL: out of memory; in
 * perturb.c.
 */
const struct paradl_machine *machine_moved(struct paradl_arena *arena, const struct paradl_machine *machine,
	const double factors[PARADL_SOURCE_COUNT]);

/* Fills the amounts of an estimate as if they were known exactly: value, low and high are one. */
void amounts_exactly(
	const struct paradl_estimate *estimate, struct paradl_range amounts[PARADL_AMOUNT_COUNT]);

/*
 * Returns the range from value - root of the sum of squares of what lies below it in each part, at least 0, to the
 * same above. Negative values: not known.
 */
struct paradl_range range_join(double value, const struct paradl_range *parts, size_t count);
bool ranges_overlap(const struct paradl_range *a, const struct paradl_range *b);

/* A comparison in progress. */
struct compare {
	const struct paradl_compare_request *request;
	struct paradl_arena *arena;
	struct paradl_study **studies; /* in the order of the oracles of the request; NULL: not made yet */
	struct paradl_compare_cell *cells;
	size_t device_count;
	/* Why checkpoints and failures are left out of all machines; NULL: they are not. */
	const char *without;
	struct paradl_error *error;
};

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

/*
 * Finds the best plan for a number of devices, and the amounts of all samples with it; a cell that does not run says
 * why. False: out of memory and the like.
 */
bool compare_fill(struct compare *compare, struct paradl_compare_cell *cell, unsigned devices);
/* Chooses the number of devices that meets the deadline or the budget best; in compare_devices.c. */
bool compare_choose(struct compare *compare, struct paradl_compare_cell *cell);

#endif
