/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What was measured of a machine is carried over when --set changes what it was measured of, in proportion and unless it is
 * changed itself: a link of twice the bandwidth sustains twice as much.
 */
#ifndef MACHINE_CARRIED_H
#define MACHINE_CARRIED_H

#include "machine/machine.h"

/* The changed tree with what follows from its changes; `file` is the tree before them. NULL: error is set. */
const struct json *carried_apply(struct paradl_arena *arena, const struct json *file, const struct json *root,
	struct paradl_error *error);
/* Measured curves of the machine that was read from the changed tree. */
bool carried_curves(struct paradl_arena *arena, const struct json *file, const struct json *root,
	struct paradl_machine *machine, struct paradl_error *error);

#endif
