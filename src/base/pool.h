/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Loops whose turns several threads take. The caller works alone until its loops have taken a moment, so that a small
 * question costs no more than on one thread; then threads join it, and sleep between loops.
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
 * Makes a pool of `members`, the caller included (0: one for each processor), at most POOL_MOST; no thread starts yet.
 * Before any does, `prepare` is called, unless NULL, with nobody at work; where it returns false, the caller stays alone.
 * Returns NULL when out of memory.
 */
struct pool *pool_create(unsigned members, bool (*prepare)(void *context), void *context);
/* Returns how many there are at most: numbers of members are below. */
unsigned pool_members(const struct pool *pool);
/* Takes turns 0 to count - 1, `piece` at a time, each once, by any member; returns when all are done. */
void pool_run(struct pool *pool, size_t count, size_t piece,
	void (*turn)(void *context, unsigned member, size_t index), void *context);
/* Ends the threads; NULL is fine. */
void pool_free(struct pool *pool);

#endif
