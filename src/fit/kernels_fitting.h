/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The state of a fit of one kind of kernels, for the files that share it. */
#ifndef FIT_KERNELS_FITTING_H
#define FIT_KERNELS_FITTING_H

#include "fit/kernels_profile.h"
#include "machine/format.h"

struct kernel_fitting {
	struct paradl_arena *arena;
	const struct kernel_rows *rows;
	const bool *used;
	const size_t *selected; /* indices of the rows of the kind that is fitted */
	size_t count;
	struct device *devices;
	const struct device *files;
	const struct kernel_constant *all;
	size_t all_count;
	const struct kernel_constant **constants; /* constants of that kind */
	struct place *places;                     /* their places in a device */
	size_t constant_count;
	bool is_again; /* the search begins at an earlier fit */
	double *known; /* what each is known to be before, moved; 0: nothing is known */
	struct paradl_error *error;
};

/* Puts the value of a constant into a device (kernels_fit.c). */
void kernel_constant_put(struct device *device, const struct place *place, double value);

/*
 * Sets the throttled share of all formats to the same value while the other constants are sought, since few of their
 * rows are long; to what was measured of it, or 1, where all are (kernels_throttle.c).
 */
void kernels_throttle_alike(const struct kernel_fitting *fitting);
/*
 * Stores the share of the rate that the power limit leaves to large products of one format that take long, if there
 * are ten or more, or 1 where all are long; else puts back the numbers of the files.
 */
void kernels_throttled_store(
	const struct kernel_fitting *fitting, const struct kernel_constant *constant, struct kernel_fit *fit);

#endif
