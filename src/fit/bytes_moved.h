/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reports how far kernels are from the time that the model gives them for the bytes they move; no number changes. */
#ifndef FIT_BYTES_MOVED_H
#define FIT_BYTES_MOVED_H

#include "fit/shapes.h"

/*
 * Adds a note on each kind of kernel of a bench: the median, over sizes, of measured over modelled time. `key` is the
 * parameter that tells kinds apart, `what` the word for kernels in the note. Returns false with an error.
 */
bool moved_note(struct calibration *calibration, const char *bench, const char *key, const char *what,
	struct paradl_error *error);

#endif
