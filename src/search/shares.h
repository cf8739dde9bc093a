/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The leaves of a search are the ways to share under one partition into stages and one schedule. */
#ifndef SEARCH_SHARES_H
#define SEARCH_SHARES_H

#include "search/worker.h"

/* Forgets what is known of another order of the axes; false when out of memory. */
bool shares_begin(struct worker *worker);
/* Gives numbers to the devices of another schedule, and forgets the memory under the one before. */
void shares_schedule(struct worker *worker);
/* Writes a way to share into the plan. */
void share_choose(struct worker *worker, unsigned index);
/* Takes as much of the groups of a chosen way as its memory depends on. */
void share_count(struct worker *worker, unsigned index);
/*
 * Fills in worker->estimate the iteration that a way takes and its wait for input; where the cost or energy of plans
 * matters, all phases and what follows from them. False: the way cannot run.
 */
bool share_time(struct worker *worker, unsigned index);
/* Fills in worker->estimate the memory that a way needs. */
void share_memory(struct worker *worker, unsigned index);
/*
 * Returns whether a way is known to lack memory, or can be known to in less time than its iteration takes, because
 * nobody has asked for its routes yet.
 */
bool share_lacks(struct worker *worker, unsigned index);

#endif
