/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef CLI_SEARCH_FEWEST_H
#define CLI_SEARCH_FEWEST_H

#include "cli/question.h"

/*
 * Gives the numbers of GPUs to try, one after the other, until there is a plan: 1, 2, 4 ... within a node, then whole
 * nodes: each number up to 64, beyond in steps of an eighth of the power of two below.
 */
void fewest_candidates(const struct paradl_machine_info *machine, struct option_counts *gpus);

/* Searches each of `gpus` until one has a plan; the request then has the one number that the answer is about. */
bool search_fewest(struct session *session, const struct question *question, const struct option_counts *gpus,
	struct paradl_search_request *request, struct paradl_search *search, struct report_fewest *fewest);

#endif
