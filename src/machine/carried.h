/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Measured numbers of a machine are carried over when --set changes a number that they depend on: they change in
 * proportion, unless --set changes them as well. A link of twice the bandwidth sustains twice as much.
 */
#ifndef MACHINE_CARRIED_H
#define MACHINE_CARRIED_H

#include "machine/machine.h"

/*
 * Returns the changed tree `root` with the numbers that follow from its changes; `file` is the tree before them.
 * NULL: error is set.
 */
const struct json *carried_apply(struct paradl_arena *arena, const struct json *file, const struct json *root,
	struct paradl_error *error);
/* Carries over the measured curves of the machine that was read from the changed tree. False: error is set. */
bool carried_curves(struct paradl_arena *arena, const struct json *file, const struct json *root,
	struct paradl_machine *machine, struct paradl_error *error);

#endif
