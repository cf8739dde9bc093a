/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Loops whose turns several threads take. The caller works alone until its loops have taken 20 ms, so that a small
 * query costs no more than on one thread; then threads join it, and sleep between loops.
 */
#ifndef BASE_POOL_H
#define BASE_POOL_H

#include <stdbool.h>
#include <stddef.h>

struct pool;

enum { POOL_MOST = 256 };

/* Returns how many processors this process may use. */
unsigned pool_processors(void);
/*
 * Makes a pool of `members` threads, the caller included (0: one for each processor), at most POOL_MOST; no thread
 * starts yet. Before any does, `prepare` (unless NULL) is called once while no other member works; where it returns
 * false, the caller stays alone. Returns NULL when out of memory.
 */
struct pool *pool_create(unsigned members, bool (*prepare)(void *context), void *context);
/* Returns the largest number of members; the numbers of members are below it. */
unsigned pool_members(const struct pool *pool);
/*
 * Runs `turn` once for each index from 0 to count - 1, `piece` at a time, on any member; returns when all are done.
 */
void pool_run(struct pool *pool, size_t count, size_t piece,
	void (*turn)(void *context, unsigned member, size_t index), void *context);
/* Stops the threads and frees the pool; NULL is fine. */
void pool_free(struct pool *pool);

#endif
