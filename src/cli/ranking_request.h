/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rankings as the options ask for them, which advise and report share. */
#ifndef CLI_RANKING_REQUEST_H
#define CLI_RANKING_REQUEST_H

#include "cli/question.h"

/* Reads the question; with --prefill auto it finds the best devices to read prompts first. */
bool ranking_load(struct session *session, struct question *question);
/* Finds the best plans for each number of GPUs. One on which nothing runs is an answer, not the end of the table. */
bool ranking_each(struct session *session, const struct question *question, const struct option_counts *gpus,
	struct paradl_ranking *rankings);
/*
 * Estimates infeasible plans, since those that only lack memory still have times to draw: one estimate for each
 * infeasible row, with 0 devices where there is none. NULL: out of memory.
 */
const struct paradl_estimate *ranking_unfit(
	struct session *session, const struct question *question, const struct paradl_ranking *ranking);

#endif
