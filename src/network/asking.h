/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An operation of a group by size, while it is being found out: ask_collective.c, ask_crossovers.c. */
#ifndef NETWORK_ASKING_H
#define NETWORK_ASKING_H

#include "network/ask.h"

/* Of one algorithm, by size. */
struct timing {
	double *time_s, *least_s;
	const char **variants;
	struct candidate *best; /* at the size in hand */
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
	bool by_size; /* protocols: sizes are compiled one by one */
	struct library_call library;
};

/* Finds the sizes at which another algorithm becomes the best; after the rows. False: out of memory. */
bool crossovers_find(struct asking *asking);

#endif
