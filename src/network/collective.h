/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A collective is one algorithm for one operation: one file, one line in collective/list.def. It tells a schedule for a
 * party of any size it accepts, and knows neither links nor times. Sizes ("share") are of the whole vector:
 *     allreduce, reduce, broadcast    what each member has, or the root has
 *     allgather, reduce-scatter       the gathered whole; each member's part is 1 / P of it
 *     all-to-all                      what each member sends in total, its own part included; 1 / P to each
 *     point-to-point                  the message
 */
#ifndef NETWORK_COLLECTIVE_H
#define NETWORK_COLLECTIVE_H

#include <stddef.h>

#include "network/graph.h"
#include "network/schedule.h"

enum operation {
	ALLREDUCE,
	ALLGATHER,
	REDUCE_SCATTER,
	BROADCAST,
	REDUCE,
	ALL_TO_ALL,
	POINT_TO_POINT,
	OPERATION_COUNT
};
/* What passes a device's link for each byte of the vector, at least: bus bandwidth is bytes times this over time. */
double bus_factor(enum operation operation, double devices);

extern const char *const operation_names[OPERATION_COUNT + 1]; /* "allreduce", ...; NULL-terminated */

/* Reduction in the switches: the start-up, and the share of the port rate it sustains (0: not there). */
struct in_network {
	double start_s, efficiency;
};

/* The group as an algorithm sees it: ranks 0 .. size - 1 in order of placement. */
struct party {
	unsigned size;
	unsigned nodes,
		per_node; /* rank = node * per_node + local; per_node 1 when nodes hold unequal numbers */
	unsigned domains[LEVELS_MAX], domain_count; /* innermost first, product = size: node, rack, ... */
	unsigned grid[GRID_MAX],
		grid_count; /* shape in the network's grid, innermost first; product = size, or 0 */
	bool grid_is_torus; /* the network wraps around; else a mesh, or fully connected along each extent */
	bool grid_is_lattice;          /* a torus or a mesh: neighbours along an extent are near */
	bool shortcuts;                /* of the network, half around it, a quarter .., as above */
	unsigned kautz;                /* d, when the group is all of a Kautz graph K(d, 2); else 0 */
	unsigned channels;             /* rings side by side that the library runs */
	unsigned ports;                /* of one node towards the network */
	struct in_network nvls, sharp; /* inside one node; between nodes */
	/* Sparse vectors: non-zeros / items of one member, and how much members' supports coincide (0 random .. 1). */
	double density, support_overlap;
	double value_bytes, index_bytes;
	bool charge_selection; /* finding the non-zeros to send is part of the operation's time */
};

/* Returns how many parts of the vector each member sends in a ring; 0 of operations in which it keeps none of its own. */
static inline double ring_parts(enum operation operation, double members)
{
	const bool once = operation == ALLGATHER || operation == REDUCE_SCATTER || operation == ALL_TO_ALL;
	return (operation == ALLREDUCE ? 2 : once) * (members - 1);
}

struct collective {
	const char *name;    /* "allreduce-ring": operation first */
	const char *summary; /* one line */
	const char *source;  /* paper or library; "our reading" where detail was not available */
	enum operation operation;
	bool sparse; /* moves non-zeros only, so party->density matters; never chosen for dense vectors */
	/* How many variants (numbers of chunks, leaders, orders) it has for this party; 0: it does not apply. */
	unsigned (*variants)(const struct party *party);
	void (*tell)(const struct party *party, unsigned variant, struct schedule *schedule);
	/* "chunks=16"; NULL: there is only one. */
	void (*describe)(const struct party *party, unsigned variant, char *text, size_t size);
};

#define X(id)                             extern const struct collective collective_##id;
#define REDUCES(id, name, most)           X(reduce_scatter_##id)
#define GATHERS(id, name, most)           X(allgather_##id)
#define FROM_ROOT(id, name, of, whole)    X(broadcast_##id)
#define TO_ROOT(id, name, of, whole)      X(reduce_##id)
#define SCATTERS_ALL(id, name, of, whole) X(reduce_scatter_##id)
#define GATHERS_ALL(id, name, of, whole)  X(allgather_##id)
#include "network/collective/list.def"
#undef X
#undef REDUCES
#undef GATHERS
#undef FROM_ROOT
#undef TO_ROOT
#undef SCATTERS_ALL
#undef GATHERS_ALL
extern const struct collective *const collectives[]; /* NULL-terminated, order of list.def */
unsigned collective_index(const struct collective *collective);
/* By name, with or without the operation in front ("allreduce-ring", "ring" of ALLREDUCE); NULL: there is none. */
const struct collective *collective_find(enum operation operation, const char *name);

#endif
