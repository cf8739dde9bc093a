/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "network/table.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "network/compile.h"
#include "network/envelope.h"
#include "network/measured.h"

enum { SLOTS_FIRST = 1024 };

/* All that a curve depends on, without padding: keys are compared as bytes. */
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

struct table {
	struct paradl_arena *arena;
	const struct network *network;
	struct compiler *compiler;
	struct slot {
		struct entry *entry; /* NULL: free */
	} * slots;
	size_t slot_count, entry_count; /* slots: a power of two, at most half of them taken */
	bool failed;                    /* out of memory */
};

struct table *table_create(struct paradl_arena *arena, const struct network *network)
{
	struct table *table = arena_alloc(arena, 1, sizeof *table);
	if (!table)
		return NULL;
	table->arena = arena;
	table->network = network;
	table->slot_count = SLOTS_FIRST;
	table->slots = arena_alloc(arena, table->slot_count, sizeof *table->slots);
	table->compiler = compiler_create(arena, network);
	if (!table->slots || !table->compiler || !compiler_times_only(arena, table->compiler))
		return NULL;
	return table;
}

static size_t hash(const struct key *key)
{
	uint64_t sum = (uint64_t)(uintptr_t)key->choice;
	for (unsigned i = 0; i < RUNS_MAX; ++i) {
		sum = (sum ^ key->runs[i].stride) * 0x9e3779b97f4a7c15u;
		sum = (sum ^ key->runs[i].degree ^ (uint64_t)key->silent[i].degree << 32) *
		      0x9e3779b97f4a7c15u;
	}
	sum = (sum ^ key->devices ^ (uint64_t)key->concurrent << 32) * 0x9e3779b97f4a7c15u;
	return (size_t)(sum >> 32);
}

static struct slot *slot_of(struct slot *slots, size_t count, const struct key *key)
{
	size_t at = hash(key) & (count - 1);
	while (slots[at].entry && memcmp(&slots[at].entry->key, key, sizeof *key) != 0)
		at = (at + 1) & (count - 1);
	return &slots[at];
}

static bool grow(struct table *table)
{
	const size_t count = 2 * table->slot_count;
	struct slot *slots = arena_alloc(table->arena, count, sizeof *slots);
	if (!slots)
		return false;
	for (size_t i = 0; i < table->slot_count; ++i)
		if (table->slots[i].entry)
			*slot_of(slots, count, &table->slots[i].entry->key) = table->slots[i];
	table->slots = slots;
	table->slot_count = count;
	return true;
}

static struct party party_for(
	const struct network *network, const struct group *group, const struct choice *choice)
{
	struct party party = party_of(network, group);
	if (choice->channels > 0)
		party.channels =
			party.nodes > 1 && choice->channels > party.ports ? party.ports : choice->channels;
	if (choice->density > 0) {
		party.density = choice->density;
		party.support_overlap = choice->support_overlap;
		party.value_bytes = choice->value_bytes;
		party.charge_selection = true;
	}
	return party;
}

static void twice(const struct curve *half, unsigned algorithm, struct curve *curve)
{
	*curve = *half;
	for (unsigned i = 0; i < curve->count; ++i) {
		curve->segments[i].a_s *= 2;
		curve->segments[i].b_s_per_byte *= 2;
		curve->segments[i].algorithm = algorithm;
	}
}

/* Every allowed algorithm and variant, at a size that chooses protocols. */
static void candidates_compile(struct table *table, const struct group *group, const struct party *party,
	const struct choice *choice, double bytes, struct envelope *envelope)
{
	envelope_begin(envelope);
	for (unsigned i = 0; choice->algorithms[i]; ++i) {
		const struct collective *collective = choice->algorithms[i];
		const unsigned variants = collective->variants(party);
		for (unsigned variant = 0; variant < variants; ++variant) {
			struct compiled compiled;
			if (compile(table->compiler, group, party, collective, variant, bytes, &compiled))
				envelope_add(envelope, &compiled.upper, collective_index(collective));
		}
	}
}

/* With protocols, which message takes which depends on the vector: one line for each factor of four of its bytes. */
static bool protocols_curve(struct table *table, const struct group *group, const struct party *party,
	const struct choice *choice, struct curve *curve)
{
	const double first_bytes = 1024;
	*curve = (struct curve){.count = CURVE_MAX};
	for (unsigned i = 0; i < CURVE_MAX; ++i) {
		struct envelope envelope;
		const double upto_bytes = ldexp(first_bytes, 2 * (int)i);
		const double bytes = upto_bytes / 2; /* the geometric mean */
		unsigned at = 0;
		candidates_compile(table, group, party, choice, bytes, &envelope);
		if (!envelope.count)
			return false;
		while (at + 1 < envelope.count && bytes > envelope.segments[at].upto_bytes)
			++at;
		curve->segments[i] = envelope.segments[at];
		curve->segments[i].upto_bytes = upto_bytes;
	}
	return true;
}

/* A measured curve is of one group alone, in order, of whole nodes; of more nodes than measured the model knows more. */
static bool measured_fill(const struct network *network, const struct group *group, const struct party *party,
	enum operation operation, struct curve *curve)
{
	const double some_bytes = 1 << 20;
	struct measured_time time;
	if (!network->machine || group->size != group->devices || group->run_count != 1 || group->placement ||
		!measured_s(network->machine, operation, party->nodes, group->size, some_bytes, &time) ||
		time.origin == EXTRAPOLATED ||
		!measured_curve(network->machine, operation, party->nodes, group->size, curve))
		return false;
	curve->measured = true;
	return true;
}

static void entry_fill(struct table *table, const struct group *group, struct entry *entry)
{
	const struct choice *choice = entry->key.choice;
	const struct curve *half = choice->half ? table_curve(table, group, choice->half) : NULL;
	struct envelope envelope;
	if (half) {
		twice(half, collective_index(choice->algorithms[0]), &entry->curve);
		entry->possible = true;
		return;
	}
	const struct party party = party_for(table->network, group, choice);
	if (choice->measured &&
		measured_fill(table->network, group, &party, choice->operation, &entry->curve)) {
		entry->possible = true;
		return;
	}
	if (table->network->rules->protocol_count) {
		entry->possible = protocols_curve(table, group, &party, choice, &entry->curve);
		return;
	}
	candidates_compile(table, group, &party, choice, 0, &envelope);
	entry->possible = envelope_curve(&envelope, &entry->curve);
}

const struct curve *table_curve(struct table *table, const struct group *group, const struct choice *choice)
{
	struct key key;
	memset(&key, 0, sizeof key);
	key.choice = choice;
	memcpy(key.runs, group->runs, group->run_count * sizeof *key.runs);
	memcpy(key.silent, group->silent, group->silent_count * sizeof *key.silent);
	key.devices = group->devices;
	key.concurrent = group->concurrent;
	struct slot *slot = slot_of(table->slots, table->slot_count, &key);
	if (!slot->entry) {
		struct entry *entry = arena_alloc(table->arena, 1, sizeof *entry);
		table->failed = table->failed || !entry;
		if (!entry)
			return NULL;
		entry->key = key;
		entry_fill(table, group, entry);
		slot = slot_of(table->slots, table->slot_count, &key); /* filling may have added others */
		slot->entry = entry;
		if (2 * ++table->entry_count > table->slot_count && !grow(table)) {
			table->failed = true;
			return NULL;
		}
		return entry->possible ? &entry->curve : NULL;
	}
	return slot->entry->possible ? &slot->entry->curve : NULL;
}

bool table_failed(const struct table *table)
{
	return table->failed;
}

const struct collective *curve_algorithm(const struct curve *curve, double bytes)
{
	unsigned i = 0;
	if (!curve->count || curve->measured)
		return NULL;
	while (i + 1 < curve->count && bytes > curve->segments[i].upto_bytes)
		++i;
	return collectives[curve->segments[i].algorithm];
}
