/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Updates of weights take their bytes over the rate of memory (paradl-formulas(7)): how well that holds here. */
#include "fit/moved.h"

bool fit_update(struct calibration *calibration, struct paradl_error *error)
{
	return moved_note(calibration, "update", "optimizer", "an update by", error);
}
