/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An operation of a group by size, while it is being found out: ask_collective.c, ask_finalists.c, ask_crossovers.c. */
#ifndef NETWORK_ASKING_H
#define NETWORK_ASKING_H

#include "network/ask.h"

/* Of one algorithm, by size. */
struct timing {
	double *time_s, *least_s, *most_s;
	const char **variants;
	struct candidate *best; /* at the size in hand */
	bool looked;            /* at whether it can be followed, there */
};

struct crossovers {
	struct paradl_crossover *items;
	size_t count;
};

/* What is being filled in; `place` of an algorithm is its index among the choices. */
struct asking {
	struct paradl_network *network;
	const struct paradl_collective_request *request;
	struct paradl_arena *arena;
	struct group group;
	struct party party;
	struct choice choice;
	struct choice outside; /* what the request's library does not have */
	unsigned *place;
	struct paradl_collective_choice *choices;
	struct timing *timings; /* of the choices */
	struct paradl_collective_row *rows;
	struct crossovers crossovers;
	size_t choice_count;
	bool by_size;  /* protocols: sizes are compiled one by one */
	bool followed; /* some times are not those of compiled steps */
	struct library_call library;
	const struct paradl_machine
		*runs; /* whose library's protocols are those of its messages; NULL: none */
};

/* The algorithms of a request; NULL: error is set. */
struct asking *asking_create(struct paradl_network *network, const struct paradl_collective_request *request,
	struct paradl_arena *arena, struct paradl_error *error);
/* Fills in the row of a size; in turn. */
bool asking_size(struct asking *asking, size_t size, struct paradl_error *error);
/* Seconds of an algorithm whose messages are followed one by one, without what a library adds. False: there are too many. */
bool candidate_follow(
	const struct asking *asking, const struct candidate *candidate, double bytes, double *time_s);
/* Follows the best few at a size, whose times those of their steps have been so far. */
void finalists_follow(struct asking *asking, size_t size);
/* Finds the sizes at which another algorithm becomes the best; after the rows. False: out of memory. */
bool crossovers_find(struct asking *asking);

#endif
