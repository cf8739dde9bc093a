/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * FedAvg with a proximal term (Li et al., MLSys 2020): every step adds mu (w - w0) to the gradients, a pass that reads
 * w, w0 and g and writes g, 16 P bytes. w0, the weights that the server sent, stays in memory.
 */
#include "study/federated/federated.h"

enum { PASSES = 4 };

static void client(const struct federated_work *work, size_t group, struct client_cost *cost)
{
	client_whole(work, group, cost);
	cost->memory_bytes += WEIGHT_BYTES * cost->parameters;
}

static void local(const struct federated_work *work, const unsigned *members, struct local_time *time)
{
	const size_t group = local_group(work, members);
	const struct federated_device *const device = &work->devices[group];
	const double pass_s = PASSES * WEIGHT_BYTES * work->whole[group].parameters / device->bytes_per_s;
	time->compute_s = local_training_s(work, group) + device->steps * pass_s * device->slower;
}

const struct federated_scheme federated_fedprox = {
	.name = "fedprox",
	.summary = "FedAvg with a term that keeps clients near the server's weights",
	.evidence = "derived from the algorithm",
	.client = client,
	.local = local,
};
