/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "network/algorithm/nvls.h"

static void reduce_scatter_nvls_emit(
	const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	(void)variant;
	nvls_emit(comm, 1, "reduce in the switch", schedule);
}

const struct collective collective_reduce_scatter_nvls = {
	.name = "reduce-scatter-nvls",
	.summary = "the switch of one node sums up each part for its owner (NVLink SHARP)",
	.source = "NCCL, src/graph/tuning.cc; registered buffers",
	.operation = REDUCE_SCATTER,
	.variants = nvls_variants,
	.emit = reduce_scatter_nvls_emit,
};
