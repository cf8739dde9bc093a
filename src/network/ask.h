/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Declarations that the public functions on networks share. */
#ifndef NETWORK_ASK_H
#define NETWORK_ASK_H

#include "network/algorithm/choice.h"
#include "paradl/network.h"

struct paradl_network {
	const struct network *network;
	const struct paradl_machine *machine; /* has power and price; NULL: there is none */
	const char *name;
	double cable_bytes_per_s, share;
	struct compiler *compiler;
	bool weighed;     /* gear_watt is filled in */
	double gear_watt; /* power of all gear when nothing is sent; negative: not known */
};

/*
 * Returns the network that a group has: on a machine that slices, a torus or box of its own, else the same network. NULL:
 * error is set.
 */
struct paradl_network *ask_slice(struct paradl_network *network, const struct group *group,
	struct paradl_arena *arena, struct paradl_error *error);
/* Finds the devices that a request is about; false: they do not fit, and error is set. */
bool ask_group(const struct paradl_network *network, const struct paradl_collective_request *request,
	struct paradl_arena *arena, struct group *group, struct paradl_error *error);
struct communicator ask_communicator(const struct paradl_network *network, const struct group *group,
	const struct paradl_collective_request *request);
/*
 * Returns the links of the devices of a group in one node, when the device file says what a library adds there; else
 * NULL.
 */
const struct device_link *ask_library(const struct paradl_network *network, const struct communicator *comm);
/*
 * Marks the algorithms, by index in `collectives`, that the request names, or else those that the library has;
 * *wanted is NULL for all. False: error is set.
 */
bool ask_algorithms(const struct paradl_network *network, const struct paradl_collective_request *request,
	const struct communicator *comm, struct paradl_arena *arena, bool **wanted,
	struct paradl_error *error);
/* Keeps only those candidates that the request names with words of their variants. False: error is set. */
bool ask_variants(const struct paradl_collective_request *request, const struct communicator *comm,
	struct choice *choice, struct paradl_error *error);
/* Returns whether `length` characters name an algorithm; "ring" and "allreduce-ring" are the same. */
bool ask_is_named(const struct collective *collective, const char *name, size_t length);
/* Fills in gear_watt: gear in the racks draws power whether it is used or not. False when out of memory. */
bool ask_gear(struct paradl_network *network, struct paradl_arena *arena, struct paradl_error *error);
/* Reports that no algorithm of the request applies; returns false. */
bool ask_impossible(const struct paradl_network *network, const struct paradl_collective_request *request,
	unsigned ranks, struct paradl_error *error);
/* Returns a link as text, "port 1 of node 3, out"; "" for UINT_MAX, NULL when out of memory. */
const char *ask_link(const struct paradl_network *network, struct paradl_arena *arena, unsigned link);
/*
 * Returns the devices of one place that ranks are dealt out to: a node, a leaf switch, a row; 1: there are no such
 * places.
 */
unsigned ask_place(const struct network *network);

/* ---- a request on an operation of a group, while it is being answered by size ------------------------- */

/* Times of one algorithm, by size. */
struct timing {
	double *time_s, *least_s, *most_s;
	const char **variants;
	struct candidate *best; /* fastest candidate at the current size */
	bool looked;            /* whether it was tried at the current size to follow its messages */
};

struct crossovers {
	struct paradl_crossover *items;
	size_t count;
};

/* The answer while it is filled in; `place` of an algorithm is its index among the choices. */
struct asking {
	struct paradl_network *network;
	const struct paradl_collective_request *request;
	struct paradl_arena *arena;
	struct group group;
	struct communicator comm;
	struct choice choice;
	struct choice outside; /* algorithms that the request's library does not have */
	unsigned *place;
	struct paradl_collective_choice *choices;
	struct timing *timings; /* of each of `choices` */
	struct paradl_collective_row *rows;
	struct crossovers crossovers;
	size_t choice_count;
	bool by_size;  /* the network has protocols: sizes are compiled one by one */
	bool followed; /* some times are not those of compiled steps */
	double looks;  /* effort that following messages has taken at the current size */
	struct library_call library;
	const struct paradl_machine
		*runs; /* machine whose library's protocols send the messages; NULL: none */
};

/* Prepares the group, the communicator and the candidates of a request; NULL: error is set. */
struct asking *asking_create(struct paradl_network *network, const struct paradl_collective_request *request,
	struct paradl_arena *arena, struct paradl_error *error);
/* Fills in the row of a size; called for the sizes in turn. False: error is set. */
bool asking_size(struct asking *asking, size_t size, struct paradl_error *error);
/*
 * Computes the seconds of an algorithm whose messages are followed one by one, without what a library adds. False:
 * ranks or messages are too many, or the messages are not of a kind that is followed.
 */
bool candidate_follow(struct asking *asking, const struct candidate *candidate, double bytes, double *time_s);
/* Follows the best few algorithms at a size, whose times so far are those of their steps. */
void finalists_follow(struct asking *asking, size_t size);
/* Collects the algorithms for dense vectors that are not wanted, and marks these in `wanted`. False: out of memory. */
bool ask_outside_create(struct asking *asking, bool *wanted);
/* Finds the fastest algorithm outside the library at the largest size, if it is faster than the library's. */
void ask_outside_find(struct asking *asking, struct paradl_collective_table *table);
/* Finds what the machine's own library takes at the largest size, among nodes, where the request names none. */
void ask_own_find(
	struct paradl_network *network, const struct asking *asking, struct paradl_collective_table *table);
/*
 * Finds the sizes at which another algorithm becomes the best, after all rows are filled in. False: out of memory.
 */
bool crossovers_find(struct asking *asking);

#endif
