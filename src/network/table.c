/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "network/table.h"

#include <math.h>
#include <string.h>

#include "network/compile.h"
#include "network/envelope.h"
#include "network/measured.h"
#include "network/store.h"

struct table {
	struct paradl_arena *arena;
	const struct network *network;
	struct compiler *compiler; /* NULL before the first group that no table has compiled */
	struct store *store;
	struct slots slots; /* of what this thread has asked for: found without a lock */
	bool failed;        /* out of memory */
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

/* Two threads may compile the same at once; both get what the first one published. */
static const struct entry *entry_fetch(struct table *table, const struct group *group, const struct key *key)
{
	const struct entry *entry = store_find(table->store, key);
	if (!entry) {
		struct entry fresh = {.key = *key};
		if (!compiler_prepare(table))
			return NULL;
		entry_fill(table, group, &fresh);
		entry = store_publish(table->store, &fresh);
	}
	return entry && slots_add(&table->slots, entry) ? entry : NULL;
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
	const struct entry *entry = slots_find(&table->slots, &key);
	if (!entry)
		entry = entry_fetch(table, group, &key);
	table->failed = table->failed || !entry;
	return entry && entry->possible ? &entry->curve : NULL;
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
