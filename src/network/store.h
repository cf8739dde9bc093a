/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where curves are kept, by what they depend on: slots of one thread, and a store that several share. */
#ifndef NETWORK_STORE_H
#define NETWORK_STORE_H

#include "network/table.h"

/* All that a curve depends on, without padding: keys are compared as bytes. Runs that are not there are 0. */
struct key {
	const struct choice *choice;
	struct run runs[RUNS_MAX], silent[RUNS_MAX];
	unsigned devices, concurrent;
};

struct entry {
	struct key key;
	struct curve curve;
	bool possible; /* an algorithm applies */
};

/* A hash table of entries that are kept elsewhere. */
struct slots {
	struct paradl_arena *arena;
	struct slot {
		const struct entry *entry; /* NULL: free */
	} * list;
	size_t count, taken; /* count: a power of two, at most half of it taken */
};

/* False when out of memory. */
bool slots_create(struct paradl_arena *arena, struct slots *slots);
const struct entry *slots_find(const struct slots *slots, const struct key *key);
/* Of an entry whose key is not there. */
bool slots_add(struct slots *slots, const struct entry *entry);

/* Entries of all threads, behind a lock, in memory of its own that is freed with `arena`. NULL when out of memory. */
struct store;
struct store *store_create(struct paradl_arena *arena);
const struct entry *store_find(struct store *store, const struct key *key);
/* Keeps a copy, unless another thread was first: the one that is kept, for good. NULL when out of memory. */
const struct entry *store_publish(struct store *store, const struct entry *entry);

#endif
