/* SPDX-License-Identifier: BSD-3-Clause */
#include "nccl_group.h"

NCCL_BENCH(broadcast, "broadcast", OPERATION_BROADCAST, "one member's vector to all, by NCCL");
