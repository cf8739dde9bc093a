/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the public functions on networks share. */
#ifndef NETWORK_ASK_H
#define NETWORK_ASK_H

#include "network/choice.h"

struct paradl_network {
	const struct network *network;
	const struct paradl_machine *machine; /* for power and price; NULL: none */
	const char *name;
	double cable_bytes_per_s, share;
	struct compiler *compiler; /* of times */
	struct compiler *whole;    /* of watts, joules and the hottest link, too */
	bool weighed;              /* gear_watt is filled in */
	double gear_watt;          /* of all gear when nothing is sent; negative: not known */
};

/* The devices that a request is about; false: they do not fit. */
bool ask_group(const struct paradl_network *network, const struct paradl_collective_request *request,
	struct paradl_arena *arena, struct group *group, struct paradl_error *error);
struct party ask_party(const struct paradl_network *network, const struct group *group,
	const struct paradl_collective_request *request);
/* Indices of `collectives` that a comma list names; *wanted is NULL for no list. */
bool ask_algorithms(const char *list, enum operation operation, struct paradl_arena *arena, bool **wanted,
	struct paradl_error *error);
/* No algorithm of the request applies; returns false. */
bool ask_impossible(const struct paradl_network *network, const struct paradl_collective_request *request,
	unsigned ranks, struct paradl_error *error);
/* "port 1 of node 3, out"; "" for UINT_MAX, NULL when out of memory. */
const char *ask_link(const struct paradl_network *network, struct paradl_arena *arena, unsigned link);
/* Devices of one place that ranks are dealt out to: a node, a leaf switch, a row; 1: there are no such places. */
unsigned ask_place(const struct network *network);

#endif
