/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Readers of the optional parts of a machine's profile; see paradl-hw(5). */
#ifndef MACHINE_BLOCKS_H
#define MACHINE_BLOCKS_H

#include "machine/machine.h"

/*
 * Reads "network", after the machine's levels. Topologies are texts here: the network layer parses and builds them.
 */
bool network_block_read(struct paradl_arena *arena, const struct json *node, struct paradl_machine *machine,
	struct paradl_error *error);
/* Reads "cables" of a network. */
bool network_cables_read(struct paradl_arena *arena, const struct json *list, struct machine_network *rules,
	struct paradl_error *error);
/* Reads "storage". */
bool storage_read(struct paradl_arena *arena, const struct json *node, struct paradl_machine *machine,
	struct paradl_error *error);
/* Reads "reliability". */
bool reliability_read(const struct json *node, struct paradl_machine *machine, struct paradl_error *error);
/* Reads "power" or "price", after the levels and "host", which say how many devices a node has. */
bool power_read(const struct json *node, struct paradl_machine *machine, struct paradl_error *error);
bool price_read(const struct json *node, struct paradl_machine *machine, struct paradl_error *error);
/* Reads "host". */
bool host_read(const struct json *node, struct paradl_machine *machine, struct paradl_error *error);
/* Reads "curves". */
bool curves_read(struct paradl_arena *arena, const struct json *list, struct paradl_machine *machine,
	struct paradl_error *error);

#endif
