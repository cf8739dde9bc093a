/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "network/collective/nvls.h"

static void broadcast_nvls_tell(const struct party *party, unsigned variant, struct schedule *schedule)
{
	(void)variant;
	nvls_tell(party, 1, "copy in the switch", schedule);
}

const struct collective collective_broadcast_nvls = {
	.name = "broadcast-nvls",
	.summary = "the switch of one node copies the vector to all (NVLink SHARP)",
	.source = "our reading of multicast on NVLink switches",
	.operation = BROADCAST,
	.variants = nvls_variants,
	.tell = broadcast_nvls_tell,
};
