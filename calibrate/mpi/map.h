/* SPDX-License-Identifier: BSD-3-Clause */
/* Where ranks are, and which of them measure together. Nothing here calls MPI. */
#ifndef CALIBRATE_MPI_MAP_H
#define CALIBRATE_MPI_MAP_H

#include <stdbool.h>
#include <stddef.h>

enum { HOST_LENGTH = 64 };

/* Of one rank. */
struct place {
	char host[HOST_LENGTH];
	int node;    /* any number that ranks of one node share, and no others */
	int package; /* socket that it may run on; -1: more than one, or unknown */
};

/* Nodes are counted in the order of their first ranks, ranks of a node in their order. */
struct map {
	const struct place *places;
	unsigned ranks, nodes;
	unsigned
		per_node; /* least number of ranks of a node; others of larger nodes only take part in pairs */
	unsigned *node, *local; /* of each rank */
};
bool map_create(struct map *map, const struct place *places, unsigned ranks); /* false: out of memory */
void map_free(struct map *map);
unsigned map_rank(const struct map *map, unsigned node, unsigned local); /* `ranks`: there is none */

enum distance { SOCKET, NODE, FAR, DISTANCES };
extern const char *const distance_names[DISTANCES];
enum distance map_distance(const struct map *map, unsigned a, unsigned b);

/*
 * The first `per_node` ranks of each of the first `nodes` nodes, cut into groups of `size`, of which the first `groups` are
 * at work. Consecutive ranks are a group, or, by modulo, ranks at a distance of (nodes per_node / size): with size = nodes
 * those are one of each node, as replicas of a model that is cut within nodes.
 */
struct layout {
	unsigned nodes, per_node, size, groups;
	bool modulo;
};
struct layout layout_whole(unsigned nodes, unsigned per_node);                       /* one group */
int layout_group(const struct map *map, const struct layout *layout, unsigned rank); /* -1: looks on */
unsigned layout_nodes(const struct layout *layout); /* that one group is on; the most of all groups */

/*
 * Whole groups that collectives are measured with: 2, 4, ... ranks of a node, then all ranks of 2, 4, ... nodes, and of all
 * nodes. And segmented ones, where there is room for two: all groups at the same time, some also 2, 4, ... of them, and one
 * alone where no whole layout is as large and on as many nodes.
 */
enum { LAYOUTS_MAX = 64, SEGMENTS_MAX = 512 };
unsigned layouts_whole(const struct map *map, struct layout layouts[LAYOUTS_MAX]);
unsigned layouts_segmented(const struct map *map, struct layout layouts[SEGMENTS_MAX]);

struct pair {
	unsigned first, second;
};
/* Pairs of different ranks, all at that distance and across the same boundary; at most `most`. */
unsigned pairs_across(const struct map *map, enum distance distance, struct pair *pairs, unsigned most);
/* Each node with the next and with the one half round, and neighbours within nodes: at most `most`, spread evenly. */
unsigned pairs_sample(const struct map *map, struct pair *pairs, unsigned most);

#endif
