/* SPDX-License-Identifier: BSD-3-Clause */
#include "nccl_group.h"

NCCL_BENCH(point_to_point, "point-to-point", OPERATION_POINT_TO_POINT,
	"messages there and back between two GPUs; one way counts");
