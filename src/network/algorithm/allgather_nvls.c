/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "network/algorithm/nvls.h"

static void allgather_nvls_emit(const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	(void)variant;
	nvls_emit(comm, 1, "copy in the switch", schedule);
}

const struct collective collective_allgather_nvls = {
	.name = "allgather-nvls",
	.summary = "the switch of one node copies each part to all (NVLink SHARP)",
	.source = "NCCL, src/graph/tuning.cc; registered buffers",
	.operation = ALLGATHER,
	.variants = nvls_variants,
	.emit = allgather_nvls_emit,
};
