/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which options suit given degrees: micro-batches, schedule, sharding, recomputation. */
#ifndef SEARCH_OPTIONS_H
#define SEARCH_OPTIONS_H

#include "oracle/oracle.h"

struct option_space {
	struct paradl_oracle *oracle;
	enum paradl_goal goal;
	struct paradl_plan fixed; /* its options that are given */
	unsigned given;           /* bit set of enum plan_option */
	bool chooses;             /* else plans are tried as they are, with what is fixed */
	bool needs_only;          /* what plans take is not asked, only whether they run and fit */
	size_t evaluated;         /* plans so far */
};

/* "zero=1,recompute=full", NULL: nothing is fixed. Networks of tokens have options to choose. */
bool option_space_begin(struct option_space *space, struct paradl_oracle *oracle,
	const struct paradl_request *request, struct paradl_error *error);

/*
 * The best plan with these degrees and this batch that fits, else the one that needs the least memory. False when none runs
 * whatever the memory; the error is of the simplest.
 */
bool options_choose(struct option_space *space, const struct paradl_plan *plan,
	struct paradl_estimate *estimate, struct paradl_error *error);

/*
 * Returns the samples of an iteration: the batch, or so many for each device, if asked for (else 0), or what the model says for
 * each device. Halved so often, if nobody asked and devices can share a sample: for networks whose samples are too large for
 * one device it is one sample for each group of them. 0: it cannot be.
 */
double batch_of(const struct paradl_oracle *oracle, double batch, double per_device, double devices,
	unsigned halvings);

#endif
