/* SPDX-License-Identifier: BSD-3-Clause */
#include "nccl_group.h"

NCCL_BENCH(allgather, "allgather", OPERATION_ALLGATHER, "each member's part to all, by NCCL");
