/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Curves, found by what they depend on. Each thread has slots of its own, which it reads without a lock, on a store
 * that the threads share. A curve that neither has is compiled, and published.
 */
#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "network/cost/compile.h"
#include "network/cost/curve_table.h"
#include "network/cost/hull.h"
#include "network/cost/measured_curves.h"

/* All that a curve depends on, without padding, since keys are compared as bytes. Runs that are not there are 0. */
struct key {
	const struct choice *choice;
	struct run runs[RUNS_MAX], silent[RUNS_MAX];
	unsigned devices, concurrent;
	uint64_t floor; /* 1: the bound on the curve */
};

struct entry {
	struct key key;
	struct curve curve;
	bool possible; /* some algorithm applies */
};

/* A hash table of entries that are kept elsewhere. */
struct slots {
	struct paradl_arena *arena;
	struct slot {
		const struct entry *entry; /* NULL: free */
	} * list;
	size_t count, taken; /* count: a power of two, of which at most half is taken */
};

enum { SLOTS_FIRST = 1024 };

/* ---- slots ----------------------------------------------------------------------------------------------------- */

static size_t hash(const struct key *key)
{
	const uint64_t factor = 0x9e3779b97f4a7c15u;
	uint64_t sum = (uint64_t)(uintptr_t)key->choice;
	for (unsigned i = 0; i < RUNS_MAX && key->runs[i].degree; ++i)
		sum = (sum ^ key->runs[i].stride ^ (uint64_t)key->runs[i].degree << 32) * factor;
	for (unsigned i = 0; i < RUNS_MAX && key->silent[i].degree; ++i)
		sum = (sum ^ key->silent[i].stride ^ (uint64_t)key->silent[i].degree << 32) * factor;
	sum = (sum ^ key->devices ^ (uint64_t)key->concurrent << 32 ^ key->floor) * factor;
	return (size_t)(sum >> 32);
}

/* Creates empty slots; false when out of memory. */
static bool slots_create(struct paradl_arena *arena, struct slots *slots)
{
	*slots = (struct slots){.arena = arena, .count = SLOTS_FIRST};
	slots->list = arena_alloc(arena, slots->count, sizeof *slots->list);
	return slots->list;
}

/* Returns the slot where the key is, or would be. */
static size_t place_of(const struct slots *slots, const struct key *key)
{
	size_t at = hash(key) & (slots->count - 1);
	while (slots->list[at].entry && memcmp(&slots->list[at].entry->key, key, sizeof *key) != 0)
		at = (at + 1) & (slots->count - 1);
	return at;
}

static const struct entry *slots_find(const struct slots *slots, const struct key *key)
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

/* Adds an entry whose key is not there; false when out of memory. */
static bool slots_add(struct slots *slots, const struct entry *entry)
{
	if (2 * slots->taken >= slots->count && !grow(slots))
		return false;
	slots->list[place_of(slots, &entry->key)].entry = entry;
	++slots->taken;
	return true;
}

/* ---- the store ------------------------------------------------------------------------------------------------- */

/* Entries of all threads, in an arena of its own that is freed with that of the first table. */
struct store {
	pthread_mutex_t lock; /* protects the fields below */
	struct paradl_arena *arena;
	struct slots slots;
};

static struct store *store_create(struct paradl_arena *arena)
{
	struct paradl_arena *own = arena_create_within(arena);
	struct store *store = own ? arena_alloc(own, 1, sizeof *store) : NULL;
	if (!store || !slots_create(own, &store->slots) || pthread_mutex_init(&store->lock, NULL) != 0)
		return NULL;
	store->arena = own;
	return store;
}

static const struct entry *store_find(struct store *store, const struct key *key)
{
	pthread_mutex_lock(&store->lock);
	const struct entry *found = slots_find(&store->slots, key);
	pthread_mutex_unlock(&store->lock);
	return found;
}

/*
 * Keeps a copy of an entry, unless another thread was first; returns the one that is kept, for good. NULL when out
 * of memory.
 */
static const struct entry *store_publish(struct store *store, const struct entry *entry)
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

/* ---- tables ---------------------------------------------------------------------------------------------------- */

struct table {
	struct paradl_arena *arena;
	const struct network *network;
	struct compiler *compiler; /* NULL before the first group that no table has compiled */
	struct store *store;
	struct slots slots; /* entries that this thread has asked for, found without a lock */
	bool failed;        /* memory ran out */
};

static struct table *table_of(struct paradl_arena *arena, const struct network *network, struct store *store)
{
	struct table *table = arena_alloc(arena, 1, sizeof *table);
	if (!table || !store || !slots_create(arena, &table->slots))
		return NULL;
	table->arena = arena;
	table->network = network;
	table->store = store;
	return table;
}

struct table *table_create(struct paradl_arena *arena, const struct network *network)
{
	return table_of(arena, network, store_create(arena));
}

struct table *table_clone(const struct table *table, struct paradl_arena *arena)
{
	return table_of(arena, table->network, table->store);
}

static bool compiler_prepare(struct table *table)
{
	if (table->compiler)
		return true;
	struct compiler *compiler = compiler_create(table->arena, table->network);
	if (!compiler || !compiler_times_only(table->arena, compiler))
		return false;
	table->compiler = compiler;
	return true;
}

static struct communicator communicator_for(
	const struct network *network, const struct group *group, const struct choice *choice)
{
	struct communicator comm = communicator_of(network, group);
	if (choice->channels > 0) {
		const unsigned most = comm.rest ? comm.channels : comm.ports;
		comm.channels = comm.nodes > 1 && choice->channels > most ? most : choice->channels;
	}
	if (choice->density > 0) {
		comm.density = choice->density;
		comm.support_overlap = choice->support_overlap;
		comm.value_bytes = choice->value_bytes;
		comm.charge_selection = true;
	}
	return comm;
}

static void twice(const struct curve *half, unsigned algorithm, struct curve *curve)
{
	*curve = *half;
	for (unsigned i = 0; i < curve->count; ++i) {
		curve->segments[i].line.a_s *= 2;
		curve->segments[i].line.b_s_per_byte *= 2;
		curve->segments[i].algorithm = algorithm;
	}
}

/*
 * Adds the time of a compiled algorithm by each protocol of the library, where it has some, else in the network's
 * own steps.
 */
static void compiled_add(const struct table *table, const struct communicator *comm,
	const struct choice *choice, unsigned index, const struct compiled *compiled,
	struct envelope *envelope)
{
	struct library_protocol protocols[LIBRARY_PROTOCOLS];
	const unsigned count = choice->protocols ? library_protocols(table->network->machine, comm,
							   collectives[index], protocols)
						 : 0;
	for (unsigned i = 0; i < count; ++i) {
		struct hull hull = compiled->upper;
		protocol_apply(&protocols[i], compiled->steps, &hull);
		envelope_add(envelope, &hull, index);
	}
	if (count == 0)
		envelope_add(envelope, &compiled->upper, index);
}

/* Compiles every allowed algorithm and variant, at a size that chooses protocols. */
static void candidates_compile(struct table *table, const struct group *group,
	const struct communicator *comm, const struct choice *choice, double bytes, struct envelope *envelope)
{
	envelope_begin(envelope);
	for (unsigned i = 0; choice->algorithms[i]; ++i) {
		const struct collective *collective = choice->algorithms[i];
		if (choice->library && comm->nodes == 1 && !library_runs(choice->library, collective))
			continue;
		const unsigned variants = collective->variants(comm);
		for (unsigned variant = 0; variant < variants; ++variant) {
			struct compiled compiled;
			if (compile(table->compiler, group, comm, collective, variant, bytes, &compiled))
				compiled_add(table, comm, choice, collective_index(collective), &compiled,
					envelope);
		}
	}
}

/*
 * Makes the curve of a network with protocols: the protocol of each message depends on the vector, so there is one
 * line for each factor of four of its bytes. False: no algorithm applies.
 */
static bool protocols_curve(struct table *table, const struct group *group, const struct communicator *comm,
	const struct choice *choice, struct curve *curve)
{
	const double first_bytes = 1024;
	*curve = (struct curve){.count = CURVE_MAX};
	for (unsigned i = 0; i < CURVE_MAX; ++i) {
		struct envelope envelope;
		const double upto_bytes = ldexp(first_bytes, 2 * (int)i);
		const double bytes = upto_bytes / 2; /* the geometric mean of the range */
		candidates_compile(table, group, comm, choice, bytes, &envelope);
		if (!envelope.count)
			return false;
		curve->segments[i] = envelope.segments[segment_at(envelope.segments, envelope.count, bytes)];
		curve->segments[i].upto_bytes = upto_bytes;
	}
	return true;
}

/*
 * Fills a curve from measured times. They are of one group alone, in order, of whole nodes. Beyond the measured
 * nodes it returns false, since there the model knows more.
 */
static bool measured_fill(const struct network *network, const struct group *group,
	const struct choice *choice, struct curve *curve)
{
	const double some_bytes = 1 << 20;
	const struct paradl_machine *machine = network->machine;
	if (!choice->measured || !machine || group->size != group->devices || group->run_count != 1 ||
		group->placement)
		return false;
	const unsigned nodes = communicator_for(network, group, choice).nodes;
	if (!measured_covers(machine, choice->operation, nodes, group->size, some_bytes) ||
		!measured_curve(machine, choice->operation, nodes, group->size, curve))
		return false;
	curve->measured = true;
	return true;
}

static const struct curve *curve_find(
	struct table *table, const struct group *group, const struct choice *choice, bool floor);

/* Fills a curve, or the bound on it; false: no algorithm applies. */
static bool curve_fill(
	struct table *table, const struct group *group, const struct key *key, struct curve *curve)
{
	const struct choice *choice = key->choice;
	const struct curve *half = choice->half ? curve_find(table, group, choice->half, key->floor) : NULL;
	struct envelope envelope;
	if (half) {
		twice(half, collective_index(choice->algorithms[0]), curve);
		return true;
	}
	if (measured_fill(table->network, group, choice, curve))
		return true;
	if (key->floor) {
		curve_floor(table->network, group, choice, curve);
		return true;
	}
	const struct communicator comm = communicator_for(table->network, group, choice);
	if (table->network->rules->protocol_count)
		return protocols_curve(table, group, &comm, choice, curve);
	candidates_compile(table, group, &comm, choice, 0, &envelope);
	return envelope_curve(&envelope, curve);
}

/*
 * Takes an entry from the store, or compiles it. Two threads may compile the same at once; both get what the first
 * one published. NULL when out of memory.
 */
static const struct entry *entry_fetch(struct table *table, const struct group *group, const struct key *key)
{
	const struct entry *entry = store_find(table->store, key);
	if (!entry) {
		struct entry fresh = {.key = *key};
		if (!key->floor && !compiler_prepare(table))
			return NULL;
		fresh.possible = curve_fill(table, group, key, &fresh.curve);
		entry = store_publish(table->store, &fresh);
	}
	return entry && slots_add(&table->slots, entry) ? entry : NULL;
}

/* Returns a curve, or the bound on it. */
static const struct curve *curve_find(
	struct table *table, const struct group *group, const struct choice *choice, bool floor)
{
	const struct group wired = group_wired(group);
	struct key key;
	memset(&key, 0, sizeof key);
	key.choice = choice;
	memcpy(key.runs, wired.runs, wired.run_count * sizeof *key.runs);
	memcpy(key.silent, wired.silent, wired.silent_count * sizeof *key.silent);
	key.devices = wired.devices;
	key.concurrent = wired.concurrent;
	key.floor = floor;
	const struct entry *entry = slots_find(&table->slots, &key);
	if (!entry)
		entry = entry_fetch(table, &wired, &key);
	table->failed = table->failed || !entry;
	return entry && entry->possible ? &entry->curve : NULL;
}

const struct curve *table_curve(struct table *table, const struct group *group, const struct choice *choice)
{
	return curve_find(table, group, choice, false);
}

const struct curve *table_floor(struct table *table, const struct group *group, const struct choice *choice)
{
	return curve_find(table, group, choice, true);
}

bool table_failed(const struct table *table)
{
	return table->failed;
}

const struct collective *curve_algorithm(const struct curve *curve, double bytes)
{
	if (!curve->count || curve->measured)
		return NULL;
	return collectives[curve->segments[segment_at(curve->segments, curve->count, bytes)].algorithm];
}
