/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reduction in the switch of a node (NVLink SHARP): each of g devices sends its g-th of the sum's inputs and reads the g-th
 * that it owns, so (g + 1) / g of the vector crosses each port each way:
 *     T = start + alpha + (g + 1) / g bytes beta / efficiency
 */
#include "network/collective.h"

static unsigned allreduce_nvls_variants(const struct party *party)
{
	return party->nvls.efficiency > 0 && party->size > 1 && party->nodes == 1;
}

static void allreduce_nvls_tell(const struct party *party, unsigned variant, struct schedule *schedule)
{
	const double share = (party->size + 1.0) / party->size / party->nvls.efficiency;
	(void)variant;
	schedule_phase(schedule, "reduce in the switch");
	schedule_step(schedule, 1, 0);
	for (unsigned rank = 0; rank < party->size; ++rank)
		schedule_flow(schedule, rank, (rank + 1) % party->size, share);
	schedule_wait(schedule, party->nvls.start_s);
}

const struct collective collective_allreduce_nvls = {
	.name = "allreduce-nvls",
	.summary = "reduction in the switch of one node (NVLink SHARP)",
	.source = "NCCL, src/graph/tuning.cc",
	.operation = ALLREDUCE,
	.variants = allreduce_nvls_variants,
	.tell = allreduce_nvls_tell,
};
