/* SPDX-License-Identifier: BSD-3-Clause */
/* What this host has: cores, caches, memory. */
#ifndef CALIBRATE_HOST_H
#define CALIBRATE_HOST_H

#include "bench.h"

/* Cores that this process may use; threads of one core count once. At least 1. */
unsigned host_cores(void);

/* Of the last level, or of one level; 0: not known. */
double host_last_cache_bytes(void);

/* What can be allocated without swapping, and within the limit of a container; 0: not known. */
double host_available_bytes(void);

/* Facts about the processor that tell two hosts, or two settings of one, apart. */
void host_describe(void);

#endif
