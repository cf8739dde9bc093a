/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Projects one measured row: makes its oracle once, and runs it again when constants have changed. */
#ifndef FIT_VALIDATE_PROJECTION_H
#define FIT_VALIDATE_PROJECTION_H

#include "fit/validate/published.h"
#include "fit/validate/row_library.h"

struct projection {
	struct paradl_oracle *oracle;
	struct paradl_oracle *twice; /* oracle of twice the blocks; NULL unless blocks alone were measured */
	const struct paradl_plan *plan;
};

/*
 * Looks up the model and the machine of a row, makes its oracle, and fills in measured times that rest on the
 * network. Returns true also where the row cannot be projected, with the reason in row.skipped.
 */
bool projection_make(struct library *library, struct measurement *measurement, struct projection *projection,
	struct paradl_error *error);
/* Returns the seconds of one iteration; for serving, of each token. */
double projection_seconds(const struct paradl_estimate *estimate);
/*
 * Estimates the plan and stores those seconds, or the seconds of the blocks alone where blocks alone were
 * measured; false with *failure where the plan cannot be estimated.
 */
bool projection_run(const struct projection *projection, struct paradl_estimate *estimate, double *seconds,
	struct paradl_error *failure);

#endif
