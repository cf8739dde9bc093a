/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * CADIS: the traffic is FedAvg's; each step also runs a teacher forward, whose weights take additional memory. The
 * server compares the last layers of all pairs of clients: K^2 / 2 times the dot product and the norms of their
 * weights. This is inferred from the abstract (CADIS, CCGRID 2023): its text was not available.
 */
#include "study/federated/federated.h"

enum { FLOP_PER_WEIGHT = 4 };

static void client(const struct federated_work *work, size_t group, struct client_cost *cost)
{
	client_whole(work, group, cost);
	cost->memory_bytes += WEIGHT_BYTES * cost->parameters;
}

static void local(const struct federated_work *work, const unsigned *members, struct local_time *time)
{
	const size_t group = local_group(work, members);
	time->compute_s =
		local_training_s(work, group) + work->devices[group].steps * work->whole[group].forward_s;
}

static double server_flop(const struct federated_work *work)
{
	return work->participants * work->participants / 2 * FLOP_PER_WEIGHT * work->server.penultimate_items;
}

const struct federated_scheme federated_cadis = {
	.name = "cadis",
	.summary = "clients clustered by their last layer, a teacher beside each",
	.evidence = "inferred from the abstract (CCGRID 2023)",
	.client = client,
	.local = local,
	.server_flop = server_flop,
};
