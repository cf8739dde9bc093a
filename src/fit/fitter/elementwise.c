/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Passes over activations take their bytes over the rate of memory, times passes of the framework: how well that holds here. */
#include "fit/moved.h"

bool fit_elementwise(struct calibration *calibration, struct paradl_error *error)
{
	return moved_note(calibration, "elementwise", "kind", "a pass of", error);
}
