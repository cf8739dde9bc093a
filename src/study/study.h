/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Questions that vary or compare whole estimates: the same question again, with files changed or another plan. */
#ifndef STUDY_STUDY_H
#define STUDY_STUDY_H

#include "base/changes.h"
#include "oracle/oracle.h"

/* What was read for a request. */
struct scene {
	const struct paradl_model *model;
	const struct paradl_machine *machine;
	struct paradl_oracle *oracle;
};

/* A request with something changed. */
struct variation {
	struct paradl_changes changes; /* those of the request first */
	struct paradl_plan plan;
	struct paradl_request best;
	double times; /* the input, new / old */
};

struct study {
	struct paradl_arena *arena; /* of results */
	const struct paradl_whatif_request *request;
	struct scene scene;
	struct paradl_estimate estimate; /* without a change */
	double value;                    /* of it */
};

/* Reads the files and estimates what the request asks for. */
bool study_open(struct study *study, struct paradl_arena *arena, const struct paradl_whatif_request *request,
	struct paradl_error *error);
/* Nothing changed yet. */
void study_vary(const struct study *study, struct variation *variation);
/* One more change of a file: key=xTIMES, or key=VALUE where value is not NULL. False: too many, out of memory. */
bool study_change(const struct study *study, struct variation *variation, const char *key, const char *value,
	struct paradl_error *error);
/* The answer to a variation. PARADL_INFEASIBLE: it cannot run. */
bool study_ask(const struct study *study, const struct variation *variation, struct paradl_estimate *estimate,
	double *value, struct paradl_error *error);
/* The same with all that a point says; false: not for want of a plan that runs. */
bool study_point(const struct study *study, const struct variation *variation,
	struct paradl_whatif_point *point, struct paradl_error *error);

#endif
