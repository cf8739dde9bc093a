/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SEARCH_SIMPLIFY_H
#define SEARCH_SIMPLIFY_H

#include "search/branch.h"

/*
 * Replaces a plan that was found by one with fewer of the options that may be chosen, where these gain next to
 * nothing.
 */
void simplify(const struct search_problem *problem, struct paradl_oracle *oracle, struct choices *scratch,
	struct paradl_estimate *best);

#endif
