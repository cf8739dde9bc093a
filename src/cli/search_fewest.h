/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef CLI_SEARCH_FEWEST_H
#define CLI_SEARCH_FEWEST_H

#include "cli/question.h"

/*
 * Numbers of GPUs one after the other, until there is a plan: 1, 2, 4 ... within a node, then whole nodes: each number
 * up to 64, beyond in steps of an eighth of the power of two below.
 */
void fewest_candidates(const struct paradl_machine_info *machine, struct option_counts *gpus);

/* Asks for each of `gpus`; the request's numbers of devices are then the one that the answer is about. */
bool search_fewest(struct session *session, const struct question *question, const struct option_counts *gpus,
	struct paradl_search_request *request, struct paradl_search *search, struct report_fewest *fewest);

#endif
