/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "network/algorithm/nvls.h"

static void reduce_nvls_emit(const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	(void)variant;
	nvls_emit(comm, 1, "reduce in the switch", schedule);
}

const struct collective collective_reduce_nvls = {
	.name = "reduce-nvls",
	.summary = "the switch of one node sums up what rank 0 reads (NVLink SHARP)",
	.source = "our reading of reductions on NVLink switches",
	.operation = REDUCE,
	.variants = nvls_variants,
	.emit = reduce_nvls_emit,
};
