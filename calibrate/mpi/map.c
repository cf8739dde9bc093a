/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>

#include "map.h"

const char *const distance_names[DISTANCES] = {"socket", "node", "far"};

static void count_local(struct map *map)
{
	for (unsigned rank = 0; rank < map->ranks; rank++) {
		unsigned before = 0;
		while (map->places[before].node != map->places[rank].node)
			before++;
		map->node[rank] = before == rank ? map->nodes++ : map->node[before];
		map->local[rank] = 0;
		for (unsigned other = before; other < rank; other++)
			map->local[rank] += map->node[other] == map->node[rank];
	}
}

bool map_create(struct map *map, const struct place *places, unsigned ranks)
{
	*map = (struct map){.places = places, .ranks = ranks};
	map->node = calloc(ranks, sizeof *map->node);
	map->local = calloc(ranks, sizeof *map->local);
	if (!map->node || !map->local)
		return false;
	count_local(map);
	map->per_node = ranks;
	for (unsigned node = 0; node < map->nodes; node++) {
		unsigned count = 0;
		for (unsigned rank = 0; rank < ranks; rank++)
			count += map->node[rank] == node;
		map->per_node = count < map->per_node ? count : map->per_node;
	}
	return true;
}

void map_free(struct map *map)
{
	free(map->node);
	free(map->local);
}

unsigned map_rank(const struct map *map, unsigned node, unsigned local)
{
	unsigned rank = 0;
	while (rank < map->ranks && (map->node[rank] != node || map->local[rank] != local))
		rank++;
	return rank;
}

enum distance map_distance(const struct map *map, unsigned a, unsigned b)
{
	if (map->node[a] != map->node[b])
		return FAR;
	const int package = map->places[a].package;
	return package >= 0 && package == map->places[b].package ? SOCKET : NODE;
}

struct layout layout_whole(unsigned nodes, unsigned per_node)
{
	return (struct layout){.nodes = nodes, .per_node = per_node, .size = nodes * per_node, .groups = 1};
}

/* Of the layout's ranks, counted through all its nodes. */
static unsigned group_of(const struct layout *layout, unsigned place)
{
	return layout->modulo ? place % (layout->nodes * layout->per_node / layout->size)
			      : place / layout->size;
}

int layout_group(const struct map *map, const struct layout *layout, unsigned rank)
{
	const unsigned node = map->node[rank], local = map->local[rank];
	if (node >= layout->nodes || local >= layout->per_node)
		return -1;
	const unsigned group = group_of(layout, node * layout->per_node + local);
	return group < layout->groups ? (int)group : -1;
}

unsigned layout_nodes(const struct layout *layout)
{
	unsigned most = 0;
	for (unsigned group = 0; group < layout->groups; group++) {
		unsigned on = 0, last = layout->nodes;
		for (unsigned place = 0; place < layout->nodes * layout->per_node; place++)
			if (group_of(layout, place) == group && place / layout->per_node != last) {
				last = place / layout->per_node;
				on++;
			}
		most = on > most ? on : most;
	}
	return most;
}

unsigned layouts_whole(const struct map *map, struct layout layouts[LAYOUTS_MAX])
{
	unsigned count = 0;
	for (unsigned ranks = 2; ranks < map->per_node; ranks *= 2)
		layouts[count++] = layout_whole(1, ranks);
	for (unsigned nodes = 1; nodes < map->nodes; nodes *= 2)
		if (nodes * map->per_node > 1)
			layouts[count++] = layout_whole(nodes, map->per_node);
	if (map->nodes * map->per_node > 1)
		layouts[count++] = layout_whole(map->nodes, map->per_node);
	return count;
}

/* One group alone is what more are compared with, and may have been measured already. */
static bool is_alone_in(const struct layout *layouts, unsigned count, const struct layout *layout)
{
	for (unsigned i = 0; i < count; i++)
		if (layouts[i].groups == 1 && layouts[i].size == layout->size &&
			layout_nodes(&layouts[i]) == layout_nodes(layout))
			return true;
	return false;
}

/* All of the groups of a layout at once, and before that one, or, where `series`, 1, 2, 4, ... */
static unsigned segment(
	const struct map *map, struct layout *layouts, unsigned count, struct layout layout, bool series)
{
	struct layout whole[LAYOUTS_MAX];
	const unsigned whole_count = layouts_whole(map, whole);
	const unsigned all = layout.nodes * layout.per_node / layout.size;
	for (layout.groups = 1; layout.groups < all && count < SEGMENTS_MAX; layout.groups *= 2) {
		const bool alone = layout.groups == 1;
		if (alone ? !is_alone_in(whole, whole_count, &layout) && !is_alone_in(layouts, count, &layout)
			  : series)
			layouts[count++] = layout;
	}
	layout.groups = all;
	if (count < SEGMENTS_MAX)
		layouts[count++] = layout;
	return count;
}

/* All groups are on the same number of nodes, so that one alone can stand for them. */
static bool is_even(const struct layout *layout)
{
	const unsigned row = layout->modulo ? layout->nodes * layout->per_node / layout->size : layout->size;
	return row % layout->per_node == 0 || layout->per_node % row == 0;
}

unsigned layouts_segmented(const struct map *map, struct layout layouts[SEGMENTS_MAX])
{
	unsigned count = 0;
	const unsigned all = map->nodes * map->per_node;
	for (int modulo = 0; modulo < 2; modulo++)
		for (unsigned size = 2; size <= all / 2; size++) {
			struct layout layout = layout_whole(map->nodes, map->per_node);
			layout.size = size;
			layout.modulo = modulo;
			const bool wanted =
				(size & (size - 1)) == 0 || size == map->nodes || size == map->per_node;
			if (wanted && all % size == 0 && is_even(&layout))
				count = segment(map, layouts, count, layout, size == 2 || size == map->nodes);
		}
	return count;
}

/* The same number of a rank's own on the first two nodes. */
static unsigned pairs_far(const struct map *map, struct pair *pairs, unsigned most)
{
	unsigned count = 0;
	for (unsigned local = 0; map->nodes > 1 && local < map->per_node && count < most; local++)
		pairs[count++] = (struct pair){map_rank(map, 0, local), map_rank(map, 1, local)};
	return count;
}

unsigned pairs_across(const struct map *map, enum distance distance, struct pair *pairs, unsigned most)
{
	if (distance == FAR)
		return pairs_far(map, pairs, most);
	unsigned count = 0;
	bool *const taken = calloc(map->ranks, sizeof *taken);
	for (unsigned a = 0; taken && a < map->ranks; a++)
		for (unsigned b = a + 1; b < map->ranks && !taken[a] && count < most; b++)
			if (!taken[b] && map->node[a] == 0 && map_distance(map, a, b) == distance) {
				pairs[count++] = (struct pair){a, b};
				taken[a] = taken[b] = true;
			}
	free(taken);
	return count;
}

/* The n-th of all that could be asked; nodes' own neighbours last. */
static struct pair sampled(const struct map *map, unsigned n)
{
	const unsigned steps[] = {1, map->nodes / 2}, rings = map->nodes > 3 ? 2 : map->nodes > 1;
	if (n < rings * map->nodes) {
		const unsigned from = n % map->nodes, to = (from + steps[n / map->nodes]) % map->nodes;
		return (struct pair){map_rank(map, from, 0), map_rank(map, to, 0)};
	}
	const unsigned inside = n - rings * map->nodes, each = map->per_node - 1;
	return (struct pair){
		map_rank(map, inside / each, inside % each), map_rank(map, inside / each, inside % each + 1)};
}

unsigned pairs_sample(const struct map *map, struct pair *pairs, unsigned most)
{
	const unsigned rings = map->nodes > 3 ? 2 : map->nodes > 1;
	const unsigned all = rings * map->nodes + map->nodes * (map->per_node - 1);
	const unsigned count = all < most ? all : most;
	for (unsigned i = 0; i < count; i++)
		pairs[i] = sampled(map, (unsigned)((unsigned long long)i * all / count));
	return count;
}
