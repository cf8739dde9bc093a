/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Curves of every exchange that plans have asked for so far. A group, an operation and the algorithms allowed for it
 * are compiled the first time and looked up afterwards; evaluating a plan again allocates nothing.
 */
#ifndef NETWORK_COST_CURVE_TABLE_H
#define NETWORK_COST_CURVE_TABLE_H

#include "network/machine_network.h"

/* The algorithms and settings that may be used for one kind of exchange. */
struct choice {
	enum operation operation;
	unsigned channels;                          /* rings side by side; 0: as many as the network has */
	const struct collective *const *algorithms; /* NULL-terminated */
	const char *library; /* inside a node, only algorithms that this library runs; NULL: all of them */
	bool protocols;      /* between nodes, use the protocols of the machine's library */
	double density, support_overlap; /* of sparse vectors; density 0: dense vectors */
	double value_bytes;
	bool measured; /* measured curves of the machine replace the model inside their range */
	/*
	 * The exchange that this one consists of twice, or NULL: a ring's allreduce is two allgathers when reduction
	 * is hidden.
	 */
	const struct choice *half;
};

struct table;

/* Creates a table, which belongs to one thread. NULL when out of memory. */
struct table *table_create(struct paradl_arena *arena, const struct network *network);

/*
 * Creates a table for another thread with the same curves, each compiled once for all tables that come from one.
 * `arena` is the other thread's; the curves stay with the first table. NULL when out of memory.
 */
struct table *table_clone(const struct table *table, struct paradl_arena *arena);

/*
 * Returns the time over bytes of the best allowed algorithm and variant. `choice` must outlive the table: its
 * address is part of the key. NULL when out of memory, or when no algorithm applies to the group, as to a group of
 * one.
 */
const struct curve *table_curve(struct table *table, const struct group *group, const struct choice *choice);

/*
 * Returns a lower bound on the curve that table_curve returns, found without routes: curve_floor.c. Measured curves are
 * their own bound.
 */
const struct curve *table_floor(struct table *table, const struct group *group, const struct choice *choice);
/* Fills that bound, where the curve is not measured. */
void curve_floor(const struct network *network, const struct group *group, const struct choice *choice,
	struct curve *curve);

/* Returns whether memory ran out in table_curve, at any time. */
bool table_failed(const struct table *table);

/* Returns the algorithm that a curve uses for a message; NULL for an empty curve and for measured ones. */
const struct collective *curve_algorithm(const struct curve *curve, double bytes);

#endif
