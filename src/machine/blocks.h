/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Optional parts of a machine's profile; paradl-hw(5). */
#ifndef MACHINE_BLOCKS_H
#define MACHINE_BLOCKS_H

#include "machine/machine.h"

/* "network"; the machine's levels are read. Topologies are texts here: the network layer parses and builds them. */
bool network_block_read(struct paradl_arena *arena, const struct json *node, struct paradl_machine *machine,
	struct paradl_error *error);
/* "cables" of it */
bool network_cables_read(struct paradl_arena *arena, const struct json *list, struct machine_network *rules,
	struct paradl_error *error);
/* "storage" */
bool storage_read(struct paradl_arena *arena, const struct json *node, struct paradl_machine *machine,
	struct paradl_error *error);
/* "reliability" */
bool reliability_read(const struct json *node, struct paradl_machine *machine, struct paradl_error *error);
/* "power" and "price", each may be NULL; devices of a node are read. */
bool power_read(const struct json *node, struct paradl_machine *machine, struct paradl_error *error);
bool price_read(const struct json *node, struct paradl_machine *machine, struct paradl_error *error);
/* "host" */
bool host_read(const struct json *node, struct paradl_machine *machine, struct paradl_error *error);
/* "curves" */
bool curves_read(struct paradl_arena *arena, const struct json *list, struct paradl_machine *machine,
	struct paradl_error *error);

#endif
