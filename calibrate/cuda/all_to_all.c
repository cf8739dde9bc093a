/* SPDX-License-Identifier: BSD-3-Clause */
#include "nccl_group.h"

NCCL_BENCH(all_to_all, "all-to-all", OPERATION_ALL_TO_ALL, "a part from each member to each other, by NCCL");
