/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file declares questions that vary or compare whole estimates: the same question is asked again, with files
 * changed or another plan.
 */
#ifndef STUDY_STUDIES_H
#define STUDY_STUDIES_H

#include "base/changes.h"
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

#endif
