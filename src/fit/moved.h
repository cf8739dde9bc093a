/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kernels whose time the model already has from the bytes they move: what is left is said, no number changes. */
#ifndef FIT_MOVED_H
#define FIT_MOVED_H

#include "fit/shapes.h"

/*
 * A note on each kind of kernel of a bench: the median, over sizes, of measured over modelled time. `key`: the parameter
 * that tells kinds apart; `footprint`: bytes that a call touches, of its cell.
 */
bool moved_note(struct calibration *calibration, const char *bench, const char *key, const char *what,
	struct paradl_error *error);

#endif
