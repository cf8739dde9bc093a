/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef MACHINE_DEVICE_BLOCKS_H
#define MACHINE_DEVICE_BLOCKS_H

#include "machine/place.h"

struct device;

bool device_peak_read(const struct json *node, struct device *device, struct paradl_error *error);
/*
 * Reads "product", "attention" and "link" of a device file, all optional, or what stands for them, and "sustained" and "half" of
 * "contraction"; its peak and the rest of contraction are read.
 */
bool device_blocks_read(const struct json *root, struct device *device, struct paradl_error *error);
/* As device_place, of numbers in these blocks. */
bool device_block_place(const char *name, struct place *place);

#endif
