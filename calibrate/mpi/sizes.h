/* SPDX-License-Identifier: BSD-3-Clause */
/* Sizes of messages that a sweep measures. */
#ifndef CALIBRATE_MPI_SIZES_H
#define CALIBRATE_MPI_SIZES_H

#include <stddef.h>

#include "bench.h"

enum { SIZES_MAX = 128 };

/*
 * Ascending, of 4 bytes to 16 (quick), 64 or 256 MiB (full), but no larger than `most`: powers of two; 4 of each decade
 * (quick: none; usual: those not near a power of two); and 2, 4 or 8 drawn log-uniformly, each from its share of the range, because libraries change their
 * minds, and are slow, at sizes that are neither. Each is a multiple of `unit` bytes.
 */
unsigned sizes_sweep(
	enum effort effort, unsigned long long seed, size_t unit, size_t most, size_t sizes[SIZES_MAX]);

/* Powers of `factor` bytes from `least` up to `most`, as multiples of `unit`. */
unsigned sizes_powers(size_t least, size_t factor, size_t most, size_t unit, size_t sizes[SIZES_MAX]);

#endif
