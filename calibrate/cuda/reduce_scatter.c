/* SPDX-License-Identifier: BSD-3-Clause */
#include "nccl_group.h"

NCCL_BENCH(
	reduce_scatter, "reduce-scatter", OPERATION_REDUCE_SCATTER, "sums, a part for each member, by NCCL");
