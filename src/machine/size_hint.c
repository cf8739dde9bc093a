/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Says how the size of a machine is changed, where --set tried to and the machine does not fit together. */
#include <string.h>

#include "base/changes.h"
#include "base/error.h"
#include "base/names.h"
#include "machine/machine.h"

bool size_hint(const struct paradl_changes *changes, struct paradl_error *error)
{
	static const char *const sizes[] = {"gpus", "devices", "nodes"};
	for (size_t i = 0; error && !*error->hint && changes && i < changes->count; ++i) {
		const struct change *change = &changes->items[i];
		if (change->scope != CHANGE_MACHINE)
			continue;
		if (name_index(change->key, sizes, 3) < 3)
			error_hint(error, "a machine has as many devices as its last level: "
					  "hw.levels.1.devices, or the number of that level, from 0, and "
					  "hw.network.cluster with it where the file has one");
		else if (strncmp(change->key, "levels", 6) == 0 &&
			 strncmp(error->pointer, "/network", 8) == 0)
			error_hint(error,
				"change hw.network.cluster as well: a network has as many ports as the "
				"nodes of the last level have, as rail:64x32x8 of 2,048 nodes of 8");
	}
	return false;
}
