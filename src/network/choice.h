/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every algorithm and variant of one operation, compiled for one group; and the least of them. */
#ifndef NETWORK_CHOICE_H
#define NETWORK_CHOICE_H

#include "network/compile.h"
#include "network/envelope.h"
#include "network/protocols.h"

struct candidate {
	unsigned algorithm, variant; /* index in `collectives` */
	struct library_protocol protocol;
	struct compiled compiled; /* times only, unless `whole` */
	bool whole;
};

struct choice {
	struct candidate *candidates; /* by algorithm, then variant */
	unsigned count;
	struct envelope envelope; /* of the upper times; its algorithms are indices in `candidates` */
};

/*
 * The algorithms of the operation that apply to the party and that `wanted` (by index; NULL: all) names, by each protocol of the machine's
 * library; NULL: in the network's own steps.
 */
bool choice_create(struct paradl_arena *arena, const struct party *party, enum operation operation,
	const bool *wanted, const struct paradl_machine *machine, struct choice *choice);
/* `bytes` chooses protocols, as in compile.h. */
void choice_compile(struct choice *choice, struct compiler *compiler, const struct group *group,
	const struct party *party, double bytes);

/* Watts, joules and the hottest link of a candidate. */
void candidate_complete(struct candidate *candidate, struct compiler *compiler, const struct group *group,
	const struct party *party, double bytes);

/* The fastest candidate at a size; `but`: not of this algorithm (UINT_MAX: any). UINT_MAX: there is none. */
unsigned choice_best(const struct choice *choice, double bytes, unsigned but);

#endif
