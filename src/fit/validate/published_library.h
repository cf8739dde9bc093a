/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Builds the networks and machines that published rows describe in their columns. */
#ifndef FIT_VALIDATE_PUBLISHED_LIBRARY_H
#define FIT_VALIDATE_PUBLISHED_LIBRARY_H

#include "fit/validate/published.h"
#include "fit/validate/row_library.h"

const struct paradl_model *library_published_model(
	struct library *library, const struct published *row, struct paradl_error *failure);
const struct paradl_machine *library_published_machine(
	struct library *library, const struct published *row, struct paradl_error *failure);

/* Adds the options that a row's words choose, and that its program has, to the name of the framework profile. */
bool published_options(struct library *library, struct measurement *measurement, struct paradl_error *error);
/*
 * Chooses the options of the plan that the row does not print, and lists them in row.incomplete; false when out of
 * memory.
 */
bool published_fill(struct library *library, struct paradl_oracle *oracle, struct measurement *measurement,
	struct paradl_error *error);

#endif
