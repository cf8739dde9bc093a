/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What projects one measured row; it can be run again when constants have changed. */
#ifndef VALIDATE_PROJECTION_H
#define VALIDATE_PROJECTION_H

#include "validate/library.h"
#include "validate/published.h"

struct projection {
	struct paradl_oracle *oracle;
	struct paradl_oracle *twice; /* where blocks alone were measured: of twice as many; else NULL */
	const struct paradl_plan *plan;
};

/*
 * Looks up what a row names, and fills what it measured where that rests on the network. True also where it cannot be
 * projected, which row.skipped tells.
 */
bool projection_make(struct library *library, struct measurement *measurement, struct projection *projection,
	struct paradl_error *error);
/* Seconds of one iteration; of serving, of each token. */
double projection_seconds(const struct paradl_estimate *estimate);
/* The same, of the blocks alone where those were measured. */
bool projection_run(const struct projection *projection, struct paradl_estimate *estimate, double *seconds,
	struct paradl_error *failure);

#endif
