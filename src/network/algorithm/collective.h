/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A collective is one algorithm for one operation: one struct in the file of its family, one line in list.def. It
 * tells a schedule for a communicator of any size that it accepts, and knows neither links nor times. Sizes ("share")
 * are shares of the whole vector, which is:
 *     allreduce, reduce, broadcast    what each member has, or the root has
 *     allgather, reduce-scatter       the gathered whole; each member's part is 1 / P of that
 *     all-to-all                      what each member sends in total, its own part included; 1 / P to each
 *     point-to-point                  the message
 */
#ifndef NETWORK_ALGORITHM_COLLECTIVE_H
#define NETWORK_ALGORITHM_COLLECTIVE_H

#include <stddef.h>

#include "network/algorithm/messages.h"
#include "network/graph/graph.h"

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
/*
 * Returns the bytes that pass a device's link for each byte of the vector, at least. Bus bandwidth is bytes times
 * this over time.
 */
double bus_factor(enum operation operation, double devices);

extern const char *const operation_names[OPERATION_COUNT + 1]; /* names, as in "allreduce"; NULL-terminated */

/* Reduction in the switches: its start-up, and the share of the port rate that it sustains (0: not there). */
struct in_network {
	double start_s, efficiency;
};

/* The group as an algorithm sees it, with ranks 0 .. size - 1 in order of placement. */
struct communicator {
	unsigned size;
	unsigned nodes,
		per_node; /* rank = node * per_node + local; per_node 1 when nodes hold unequal numbers */
	/*
	 * Members of the domains (node, rack, ...) in units of the domain below, innermost first; their product is
	 * size.
	 */
	unsigned domains[LEVELS_MAX], domain_count;
	unsigned grid[GRID_MAX],
		grid_count; /* extents in the network's grid, innermost first; product = size; 0: no shape */
	bool grid_is_torus; /* the network wraps around; otherwise a mesh, or fully connected along each extent */
	bool grid_is_lattice; /* the grid is a torus or a mesh: neighbours along an extent are near */
	bool shortcuts;       /* the network is a ring with shortcuts half, a quarter, ... around it */
	unsigned kautz;       /* d, when the group is all of a Kautz graph K(d, 2); else 0 */
	/*
	 * Nodes that hold unequal numbers, in order: full_nodes of them `full` ranks each, the others `rest`, which is
	 * less; rest 0: not so.
	 */
	unsigned full, full_nodes, rest;
	unsigned channels;             /* rings that the library runs side by side */
	bool meshed;                   /* all are in one node, with a cable between any two */
	unsigned ports;                /* ports of one node towards the network */
	struct in_network nvls, sharp; /* reduction inside one node; between nodes */
	/*
	 * Sparse vectors: non-zeros / items of one member, and how far the members' supports coincide (0 random ..
	 * 1).
	 */
	double density, support_overlap;
	double value_bytes, index_bytes;
	bool charge_selection; /* the operation's time includes finding the non-zeros to send */
};

/*
 * Returns how many parts of the vector each member sends in a ring; 0 for operations in which a member keeps no part
 * of its own.
 */
static inline double ring_parts(enum operation operation, double members)
{
	const bool once = operation == ALLGATHER || operation == REDUCE_SCATTER || operation == ALL_TO_ALL;
	return (operation == ALLREDUCE ? 2 : once) * (members - 1);
}

struct collective {
	const char *name;    /* with the operation first: "allreduce-ring" */
	const char *summary; /* one line of text */
	const char *source;  /* paper or library; "our reading" where detail was not available */
	enum operation operation;
	bool sparse; /* moves non-zeros only, so comm->density matters; never chosen for dense vectors */
	/*
	 * Returns how many variants (numbers of chunks, leaders, orders) it has for this comm; 0: it does not
	 * apply.
	 */
	unsigned (*variants)(const struct communicator *comm);
	void (*emit)(const struct communicator *comm, unsigned variant, struct schedule *schedule);
	/* Writes a variant as text, "chunks=16"; NULL: there is only one variant. */
	void (*describe)(const struct communicator *comm, unsigned variant, char *text, size_t size);
};

/* Returns the variants of an algorithm that has only one and takes any group of several. */
static inline unsigned single_variant(const struct communicator *comm)
{
	return comm->size > 1;
}

#define X(id)                             extern const struct collective collective_##id;
#define REDUCES(id, name, most)           X(reduce_scatter_##id)
#define GATHERS(id, name, most)           X(allgather_##id)
#define FROM_ROOT(id, name, of, whole)    X(broadcast_##id)
#define TO_ROOT(id, name, of, whole)      X(reduce_##id)
#define SCATTERS_ALL(id, name, of, whole) X(reduce_scatter_##id)
#define GATHERS_ALL(id, name, of, whole)  X(allgather_##id)
#include "network/algorithm/list.def"
#undef X
#undef REDUCES
#undef GATHERS
#undef FROM_ROOT
#undef TO_ROOT
#undef SCATTERS_ALL
#undef GATHERS_ALL
/* All collectives, NULL-terminated, in the order of list.def. */
extern const struct collective *const collectives[];
unsigned collective_index(const struct collective *collective);
/*
 * Finds a collective by its name, with or without the operation in front ("allreduce-ring", "ring" of ALLREDUCE);
 * NULL: there is none.
 */
const struct collective *collective_find(enum operation operation, const char *name);

#endif
