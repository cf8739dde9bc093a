/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file finds nodes and parts that are alike: networks repeat blocks, and the inside of a block is computed once.
 */
#include <stdint.h>
#include <string.h>

#include "search/assign_graph.h"

/* Chains of parts or of nodes with the same hash, stored as index + 1; 0 ends a chain. */
struct index {
	unsigned *head, *next;
	size_t mask;
};

static bool index_create(struct index *index, unsigned count, struct paradl_arena *arena)
{
	size_t size = 1;
	while (size < count)
		size *= 2;
	*index = (struct index){.head = arena_alloc(arena, size, sizeof *index->head),
		.next = arena_alloc(arena, count, sizeof *index->next),
		.mask = size - 1};
	return index->head && index->next;
}

static uint64_t mix(uint64_t value, uint64_t word)
{
	value = (value ^ word) * 0x9e3779b97f4a7c15U; /* Fibonacci hashing */
	return value ^ value >> 29;
}

static uint64_t hash(const double *numbers, size_t count)
{
	uint64_t value = count, word;
	for (size_t k = 0; k < count; ++k) {
		memcpy(&word, &numbers[k], sizeof word);
		value = mix(value, word);
	}
	return value;
}

static void index_add(struct index *index, uint64_t key, unsigned item)
{
	index->next[item] = index->head[key & index->mask];
	index->head[key & index->mask] = item + 1;
}

static bool nodes_alike(const struct assign_place *a, const struct assign_place *b)
{
	const size_t bytes = a->count * sizeof *a->cost;
	return a->count == b->count && memcmp(a->cost, b->cost, bytes) == 0 &&
	       memcmp(a->exposed, b->exposed, bytes) == 0 && memcmp(a->memory, b->memory, bytes) == 0;
}

static bool join_nodes(struct assign_graph *graph, struct paradl_arena *arena)
{
	struct index index;
	if (!index_create(&index, graph->node_count, arena))
		return false;
	for (unsigned n = 0; n < graph->node_count; ++n) {
		struct assign_place *const place = &graph->nodes[n];
		const uint64_t key = mix(hash(place->cost, place->count), hash(place->memory, place->count));
		unsigned found = index.head[key & index.mask];
		while (found && !nodes_alike(&graph->nodes[found - 1], place))
			found = index.next[found - 1];
		place->alike = found ? found - 1 : n;
		if (!found)
			index_add(&index, key, n);
	}
	return true;
}

static bool parts_alike(const struct assign_graph *graph, unsigned p, unsigned q)
{
	const struct assign_part *const a = &graph->parts[p], *const b = &graph->parts[q];
	const unsigned columns = graph->nodes[a->to].count;
	const size_t cells = graph->cell[p + 1] - graph->cell[p];
	if (a->kind != b->kind || cells != graph->cell[q + 1] - graph->cell[q] ||
		columns != graph->nodes[b->to].count)
		return false;
	if (a->kind == ASSIGN_EDGE)
		return memcmp(a->cost, b->cost, cells * sizeof *a->cost) == 0;
	const bool is_same_inside = graph->parts[a->left].alike == graph->parts[b->left].alike &&
				    graph->parts[a->right].alike == graph->parts[b->right].alike;
	return is_same_inside &&
	       (a->kind == ASSIGN_PARALLEL || graph->nodes[a->node].alike == graph->nodes[b->node].alike);
}

static uint64_t part_hash(const struct assign_graph *graph, unsigned p)
{
	const struct assign_part *const part = &graph->parts[p];
	if (part->kind == ASSIGN_EDGE)
		return hash(part->cost, graph->cell[p + 1] - graph->cell[p]);
	const uint64_t inside = mix(graph->parts[part->left].alike, graph->parts[part->right].alike);
	return part->kind == ASSIGN_SERIES ? mix(inside, graph->nodes[part->node].alike) : inside;
}

bool assign_graph_join(struct assign_graph *graph, struct paradl_arena *arena)
{
	struct index index;
	if (!join_nodes(graph, arena) || !index_create(&index, graph->part_count, arena))
		return false;
	for (unsigned p = 0; p < graph->part_count; ++p) {
		const uint64_t key = part_hash(graph, p);
		unsigned found = index.head[key & index.mask];
		while (found && !parts_alike(graph, found - 1, p))
			found = index.next[found - 1];
		graph->parts[p].alike = found ? found - 1 : p;
		if (!found)
			index_add(&index, key, p);
	}
	return true;
}
