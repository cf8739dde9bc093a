/* SPDX-License-Identifier: BSD-3-Clause */
#include "nccl_group.h"

NCCL_BENCH(allreduce, "allreduce", OPERATION_ALLREDUCE, "sums of vectors, by NCCL");
