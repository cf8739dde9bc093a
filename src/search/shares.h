/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The leaves of a search: one stage and schedule, many ways to share. */
#ifndef SEARCH_SHARES_H
#define SEARCH_SHARES_H

#include "search/worker.h"

/* Forgets what is known of another order of the axes; false: out of memory. */
bool shares_begin(struct worker *worker);
/* Numbers the devices of another schedule. */
void shares_schedule(struct worker *worker);
/* Writes a way into the plan. */
void share_choose(struct worker *worker, unsigned index);
/* Takes of the groups of a chosen way as much as its memory depends on. */
void share_count(struct worker *worker, unsigned index);
/*
 * Fills of worker->estimate the iteration that a way takes, and what the step waits for input; where plans are paid for, all that
 * this takes. False: it cannot run.
 */
bool share_time(struct worker *worker, unsigned index);
/* Fills the memory that a way needs. */
void share_memory(struct worker *worker, unsigned index);
/* Is it known that a way lacks memory, or to be known for less than its time, whose routes nobody has asked for yet? */
bool share_lacks(struct worker *worker, unsigned index);

#endif
