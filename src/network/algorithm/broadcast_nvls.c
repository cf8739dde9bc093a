/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "network/algorithm/nvls.h"

static void broadcast_nvls_emit(const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	(void)variant;
	nvls_emit(comm, 1, "copy in the switch", schedule);
}

const struct collective collective_broadcast_nvls = {
	.name = "broadcast-nvls",
	.summary = "the switch of one node copies the vector to all (NVLink SHARP)",
	.source = "our reading of multicast on NVLink switches",
	.operation = BROADCAST,
	.variants = nvls_variants,
	.emit = broadcast_nvls_emit,
};
