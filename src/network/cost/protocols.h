/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Protocols by which a library sends the messages of a collective between nodes: protocols.c. */
#ifndef NETWORK_COST_PROTOCOLS_H
#define NETWORK_COST_PROTOCOLS_H

#include "network/cost/compile.h"

/* One protocol of a library, as a group on a machine has it. */
struct library_protocol {
	const char *name;        /* as in "LL128"; NULL: the network's own steps */
	double start_s;          /* seconds beyond the library's start */
	double inside, inside_s; /* hops inside nodes one after another, and seconds of each */
	double between_s;        /* seconds of every other step */
	double share;            /* share of the links' rate */
};

/* Returns the name of the library that runs the machine's collectives, as in "nccl". */
const char *machine_library(const struct paradl_machine *machine);

/*
 * Finds the protocols by which that library sends the messages of a collective among a communicator of several nodes.
 * Returns how many there are; 0 where the network's own steps count.
 */
enum { LIBRARY_PROTOCOLS = 3 };
unsigned library_protocols(const struct paradl_machine *machine, const struct communicator *comm,
	const struct collective *collective, struct library_protocol protocols[LIBRARY_PROTOCOLS]);

/* Replaces the network's latencies and rate by those of the protocol, in an algorithm of `steps` steps. */
void protocol_apply(const struct library_protocol *protocol, double steps, struct hull *hull);

/*
 * Sets in *call what the library adds to an operation between nodes: its start, and the ramp of its messages where
 * that is measured.
 */
void protocols_account(
	const struct paradl_machine *machine, enum operation operation, struct library_call *call);

#endif
