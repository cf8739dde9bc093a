/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Notes how well the model of passes over activations holds here: they take their bytes over the rate of memory,
 * times the passes of the framework.
 */
#include "fit/bytes_moved.h"

bool fit_elementwise(struct calibration *calibration, struct paradl_error *error)
{
	return moved_note(calibration, "elementwise", "kind", "a pass of", error);
}
