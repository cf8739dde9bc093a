/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef VALIDATE_RATES_H
#define VALIDATE_RATES_H

#include "base/csv.h"

/* Is this a table of training rates of one device? */
bool rates_is(const struct csv *csv);
/* Makes such a table one of published results, with the same lines. */
bool rates_convert(struct paradl_arena *arena, struct csv *csv, struct paradl_error *error);

#endif
