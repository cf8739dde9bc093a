/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Readers of the optional parts of a machine's profile; see paradl-hw(5). */
#ifndef MACHINE_BLOCKS_H
#define MACHINE_BLOCKS_H

#include "machine/format.h"
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

struct device;

bool device_peak_read(const struct json *node, struct device *device, struct paradl_error *error);
/*
 * Reads "product", "attention" and "link" of a device file, all optional, or what stands for them, and "sustained"
 * and "half" of "contraction". Its peak and the rest of contraction must have been read.
 */
bool device_blocks_read(const struct json *root, struct device *device, struct paradl_error *error);
/* Finds a number in these blocks, as device_place does. */
bool device_block_place(const char *name, struct place *place);

/* Reads a block that may be missing, and must be an object otherwise. */
bool device_block_read(const struct json *node, const struct json_field *fields, size_t count,
	const char *const *keys, void *into, struct paradl_error *error);
/* Reads shares by number format, under a key of a block, which may lack it or be absent itself. */
bool device_shares_read(const struct json *block, const char *key, double otherwise, double *shares,
	struct paradl_error *error);
/* Reads "convolution" of a file whose contraction has been read: contraction.c. */
bool device_convolution_read(const struct json *node, struct device *device, struct paradl_error *error);
bool device_convolution_place(const char *key, struct place *place);

#endif
