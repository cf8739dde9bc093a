/* SPDX-License-Identifier: BSD-3-Clause */
/* What the driver says of the device: clocks, power, heat. Everything here does nothing where there is no NVML. */
#ifndef CALIBRATE_CUDA_NVML_H
#define CALIBRATE_CUDA_NVML_H

#include "bench.h"

/* Loads NVML and adds driver, limits, MIG and persistence of CUDA's device `ordinal` to the environment. */
void nvml_begin(int ordinal);
void nvml_end(void);
/* Sets run->flag if the device runs slower than it could: "throttled" by heat or power brake, "power-cap". */
void nvml_watch(struct run *run);

#endif
