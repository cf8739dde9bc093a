/* SPDX-License-Identifier: GPL-3.0-or-later */
/* This header chooses the options that suit given degrees: micro-batches, schedule, sharding, recomputation. */
#ifndef SEARCH_OPTIONS_H
#define SEARCH_OPTIONS_H

#include "oracle/oracle.h"

struct option_space {
	struct paradl_oracle *oracle;
	enum paradl_goal goal;
	struct paradl_plan fixed; /* values of the options that are given */
	unsigned given;           /* given options: bit set of 1u << enum plan_option */
	bool chooses; /* whether options are chosen; else plans are tried as they are, with what is fixed */
	bool needs_only;  /* whether plans are only asked if they run and fit, not how long they take */
	size_t evaluated; /* number of plans so far */
};

/*
 * Reads the options that a request fixes: "zero=1,recompute=full"; NULL: nothing is fixed. Networks of tokens have
 * options to choose, except in ideal mode.
 */
bool option_space_begin(struct option_space *space, struct paradl_oracle *oracle,
	const struct paradl_request *request, struct paradl_error *error);

/*
 * Finds the best plan with these degrees and this batch that fits, else the one that needs the least memory. Returns
 * false when none runs whatever the memory; the error is that of the simplest plan, and inference.most_per_s the most
 * requests that any of them answers, where more come.
 */
bool options_choose(struct option_space *space, const struct paradl_plan *plan,
	struct paradl_estimate *estimate, struct paradl_error *error);

/* Returns the recomputations that the program offers and that are something for this network, bits of enum paradl_recompute. */
unsigned recomputes_offered(const struct paradl_oracle *oracle);

/*
 * Returns the samples of an iteration: `batch`, or `per_device` for each device, if given (else 0), or what the model
 * says for each device. If neither is given and devices can share a sample, it is halved `halvings` times: for
 * networks whose samples are too large for one device, the model's number is one sample for each group of devices. 0:
 * it cannot be halved that often.
 */
double batch_of(const struct paradl_oracle *oracle, double batch, double per_device, double devices,
	unsigned halvings);

#endif
