/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CALIBRATE_MPI_BENCHES_H
#define CALIBRATE_MPI_BENCHES_H

#include "bench.h"

#define X(name) extern const struct bench bench_##name;
#include "list.def"
#undef X

#endif
