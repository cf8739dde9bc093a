/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Models visit H other clients before they are averaged, in pairs (H = 1) or along a ring. This takes (H + 1) times
 * FedAvg's compute and H more transfers of W. A client sends its model and gets another's at the same time; the slower
 * direction counts. Inferred from abstracts (SEM and its successors, CCGRID 2023, CANDAR 2023): their texts were not
 * available.
 */
#include <math.h>

#include "study/federated/federated.h"

static void client(const struct federated_work *work, size_t group, struct client_cost *cost)
{
	client_whole(work, group, cost);
	const double bytes = work->argument * cost->up_bytes;
	switch (work->federation->exchange) {
	case PARADL_EXCHANGE_LAN:
		cost->lan_bytes = bytes;
		break;
	case PARADL_EXCHANGE_SERVER:
		cost->streamed_bytes = bytes;
		break;
	case PARADL_EXCHANGE_PEERS:
	case PARADL_EXCHANGE_COUNT:
		cost->peer_bytes = bytes;
		break;
	}
}

static void local(const struct federated_work *work, const unsigned *members, struct local_time *time)
{
	const size_t group = local_group(work, members);
	const struct paradl_client_group *const client_group = work->devices[group].group;
	const double up = client_group->up_bytes_per_s, down = client_group->down_bytes_per_s;
	const double bytes = work->argument * WEIGHT_BYTES * work->whole[group].parameters;
	time->compute_s = (work->argument + 1) * local_training_s(work, group);
	switch (work->federation->exchange) {
	case PARADL_EXCHANGE_LAN:
		time->cluster_s = bytes / client_group->lan_bytes_per_s;
		break;
	case PARADL_EXCHANGE_SERVER:
		time->exchange_s = bytes / up + bytes / down;
		time->server_s =
			bytes / shared_rate(work, up) + bytes / shared_rate(work, down) - time->exchange_s;
		break;
	case PARADL_EXCHANGE_PEERS:
	case PARADL_EXCHANGE_COUNT:
		time->exchange_s = bytes / fmin(up, down);
		break;
	}
}

const struct federated_scheme federated_exchange = {
	.name = "model-exchange",
	.summary = "models visit H other clients before they are averaged",
	.evidence = "inferred from abstracts (CCGRID 2023, CANDAR 2023)",
	.argument = SCHEME_COUNT,
	.argument_name = "H",
	.least = 1,
	.most = 1000,
	.usual = 1,
	.others = true,
	.client = client,
	.local = local,
};
