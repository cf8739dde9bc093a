/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The state of a request on an operation of a group, by size, while it is being answered: ask_collective.c,
 * ask_finalists.c, ask_crossovers.c.
 */
#ifndef NETWORK_ASKING_H
#define NETWORK_ASKING_H

#include "network/ask.h"

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
bool candidate_follow(
	const struct asking *asking, const struct candidate *candidate, double bytes, double *time_s);
/* Follows the best few algorithms at a size, whose times so far are those of their steps. */
void finalists_follow(struct asking *asking, size_t size);
/*
 * Finds the sizes at which another algorithm becomes the best, after all rows are filled in. False: out of memory.
 */
bool crossovers_find(struct asking *asking);

#endif
