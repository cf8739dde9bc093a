/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Curves of every exchange that plans have asked for so far. A group, an operation and the algorithms allowed for it
 * are compiled the first time and looked up after; evaluating a plan again allocates nothing.
 */
#ifndef NETWORK_TABLE_H
#define NETWORK_TABLE_H

#include "network/network.h"

/* What may be used for one kind of exchange. */
struct choice {
	enum operation operation;
	unsigned channels;                          /* rings side by side; 0: the network's own */
	const struct collective *const *algorithms; /* NULL-terminated */
	const char *library;                        /* inside a node only what it runs; NULL: all of them */
	bool protocols;                             /* between nodes, those of the machine's library */
	double density, support_overlap;            /* of sparse vectors; density 0: dense */
	double value_bytes;
	bool measured; /* the machine's measured curves stand for it, inside their range */
	/* NULL, or the exchange that this one is two of: a ring's allreduce is two allgathers when reduction is hidden. */
	const struct choice *half;
};

struct table;

/* NULL when out of memory. A table belongs to one thread. */
struct table *table_create(struct paradl_arena *arena, const struct network *network);

/*
 * For another thread: the same curves, each compiled once for all tables that come from one. `arena` is the other
 * thread's; the curves stay with the first table.
 */
struct table *table_clone(const struct table *table, struct paradl_arena *arena);

/*
 * Time over bytes of the best allowed algorithm and variant. A group of one takes no time. `choice` must outlive the
 * table: its address is part of the key. NULL when out of memory, or when no algorithm applies to the group.
 */
const struct curve *table_curve(struct table *table, const struct group *group, const struct choice *choice);

/* Whether memory ran out in table_curve, at any time. */
bool table_failed(const struct table *table);

/* The algorithm a curve uses for a message; NULL for one device, and for measured curves. */
const struct collective *curve_algorithm(const struct curve *curve, double bytes);

#endif
