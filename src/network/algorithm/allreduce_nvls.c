/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "network/algorithm/nvls.h"

static void allreduce_nvls_emit(const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	(void)variant;
	nvls_emit(comm, (comm->size + 1.0) / comm->size, "reduce in the switch", schedule);
}

const struct collective collective_allreduce_nvls = {
	.name = "allreduce-nvls",
	.summary = "reduction in the switch of one node (NVLink SHARP)",
	.source = "NCCL, src/graph/tuning.cc",
	.operation = ALLREDUCE,
	.variants = nvls_variants,
	.emit = allreduce_nvls_emit,
};
