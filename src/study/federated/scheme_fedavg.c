/* SPDX-License-Identifier: GPL-3.0-or-later */
/* T = W / down + e D t + W / up; all W of a round share the server's link (McMahan et al., AISTATS 2017). */
#include "study/federated/federated.h"

static void local(const struct federated_work *work, const unsigned *members, struct local_time *time)
{
	time->compute_s = local_training_s(work, local_group(work, members));
}

const struct federated_scheme federated_fedavg = {
	.name = "fedavg",
	.summary = "every client trains the whole network, the server averages",
	.evidence = "derived from the algorithm",
	.client = client_whole,
	.local = local,
};
