/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "network/store.h"

#include <pthread.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"

enum { SLOTS_FIRST = 1024 };

/* ---- slots ------------------------------------------------------------------------------------------------------ */

static size_t hash(const struct key *key)
{
	const uint64_t factor = 0x9e3779b97f4a7c15u;
	uint64_t sum = (uint64_t)(uintptr_t)key->choice;
	for (unsigned i = 0; i < RUNS_MAX && key->runs[i].degree; ++i)
		sum = (sum ^ key->runs[i].stride ^ (uint64_t)key->runs[i].degree << 32) * factor;
	for (unsigned i = 0; i < RUNS_MAX && key->silent[i].degree; ++i)
		sum = (sum ^ key->silent[i].stride ^ (uint64_t)key->silent[i].degree << 32) * factor;
	sum = (sum ^ key->devices ^ (uint64_t)key->concurrent << 32) * factor;
	return (size_t)(sum >> 32);
}

bool slots_create(struct paradl_arena *arena, struct slots *slots)
{
	*slots = (struct slots){.arena = arena, .count = SLOTS_FIRST};
	slots->list = arena_alloc(arena, slots->count, sizeof *slots->list);
	return slots->list;
}

/* Where the key is, or would be. */
static size_t place_of(const struct slots *slots, const struct key *key)
{
	size_t at = hash(key) & (slots->count - 1);
	while (slots->list[at].entry && memcmp(&slots->list[at].entry->key, key, sizeof *key) != 0)
		at = (at + 1) & (slots->count - 1);
	return at;
}

const struct entry *slots_find(const struct slots *slots, const struct key *key)
{
	return slots->list[place_of(slots, key)].entry;
}

static bool grow(struct slots *slots)
{
	struct slots wider = {.arena = slots->arena, .count = 2 * slots->count, .taken = slots->taken};
	wider.list = arena_alloc(wider.arena, wider.count, sizeof *wider.list);
	if (!wider.list)
		return false;
	for (size_t i = 0; i < slots->count; ++i)
		if (slots->list[i].entry)
			wider.list[place_of(&wider, &slots->list[i].entry->key)].entry = slots->list[i].entry;
	*slots = wider;
	return true;
}

bool slots_add(struct slots *slots, const struct entry *entry)
{
	if (2 * slots->taken >= slots->count && !grow(slots))
		return false;
	slots->list[place_of(slots, &entry->key)].entry = entry;
	++slots->taken;
	return true;
}

/* ---- the store -------------------------------------------------------------------------------------------------- */

struct store {
	pthread_mutex_t lock; /* of all below */
	struct paradl_arena *arena;
	struct slots slots;
};

struct store *store_create(struct paradl_arena *arena)
{
	struct paradl_arena *own = arena_create_within(arena);
	struct store *store = own ? arena_alloc(own, 1, sizeof *store) : NULL;
	if (!store || !slots_create(own, &store->slots) || pthread_mutex_init(&store->lock, NULL) != 0)
		return NULL;
	store->arena = own;
	return store;
}

const struct entry *store_find(struct store *store, const struct key *key)
{
	pthread_mutex_lock(&store->lock);
	const struct entry *found = slots_find(&store->slots, key);
	pthread_mutex_unlock(&store->lock);
	return found;
}

const struct entry *store_publish(struct store *store, const struct entry *entry)
{
	pthread_mutex_lock(&store->lock);
	const struct entry *kept = slots_find(&store->slots, &entry->key);
	struct entry *copy = kept ? NULL : arena_alloc(store->arena, 1, sizeof *copy);
	if (copy) {
		*copy = *entry;
		kept = slots_add(&store->slots, copy) ? copy : NULL;
	}
	pthread_mutex_unlock(&store->lock);
	return kept;
}
