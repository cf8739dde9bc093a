/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Notes how well the model of weight updates holds here: they take their bytes over the rate of memory
 * (paradl-formulas(7)).
 */
#include "fit/bytes_moved.h"

bool fit_update(struct calibration *calibration, struct paradl_error *error)
{
	return moved_note(calibration, "update", "optimizer", "an update by", error);
}
