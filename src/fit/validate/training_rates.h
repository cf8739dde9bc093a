/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FIT_VALIDATE_TRAINING_RATES_H
#define FIT_VALIDATE_TRAINING_RATES_H

#include "base/csv.h"

/*
 * Converts a table of training rates of one device to one of published results, with the same lines; leaves all
 * other tables as they are. Returns false when out of memory.
 */
bool rates_convert(struct paradl_arena *arena, struct csv *csv, struct paradl_error *error);

#endif
