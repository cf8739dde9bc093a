/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file declares questions about several machines, and about one that is not known exactly: the oracle is asked
 * again and again.
 */
#ifndef STUDY_UNCERTAINTY_H
#define STUDY_UNCERTAINTY_H

#include "machine/format.h"
#include "oracle/oracle.h"
#include "paradl/study.h"

/* Returns how far off a number of this origin may be, as a share; uncertainty.c says why. */
double origin_share(enum origin_kind kind);
/*
 * Returns by how much the numbers of a group may be off, as a share; *kind: name of their origin, NULL: there are
 * none.
 */
double uncertainty_share(
	const struct paradl_oracle *oracle, enum paradl_uncertainty_source source, const char **kind);

/*
 * Returns the machine with each group's rates multiplied by `factors`, by enum paradl_uncertainty_source, and latencies divided by
 * them; the factors of framework, power and price mean nothing. NULL: out of memory; in perturb.c.
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

#endif
