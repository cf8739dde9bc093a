/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ORACLE_SERVING_MEMORY_H
#define ORACLE_SERVING_MEMORY_H

#include "oracle/stage.h"

/*
 * Memory of the fullest device, with the stages and costs of a pass over prompts; and how many samples a replica can have
 * until it is full.
 */
void serving_memory(const struct evaluation *evaluation, struct paradl_estimate *estimate, double *largest);
/* Keys and values of one token in the whole network. */
double serving_cache_bytes(const struct evaluation *evaluation);

#endif
