/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The schemes of federated training. Each has its work on a client and in its cluster; to add one, write it here and
 * list it at the end.
 */
#include <math.h>

#include "study/job/federated.h"

/* Returns the group of a cluster of one client. */
static size_t local_group(const struct federated_work *work, const unsigned *members)
{
	for (size_t group = 0; group < work->count; group++)
		if (members[group] > 0)
			return group;
	return 0;
}

/* Returns the time of e D / b steps, each as the oracle estimates it on one device. */
static double local_training_s(const struct federated_work *work, size_t group)
{
	return work->devices[group].steps * work->whole[group].step_s;
}

/* Fills in W = 4 P bytes each way, and the memory of the network alone on one device. */
static void client_whole(const struct federated_work *work, size_t group, struct client_cost *cost)
{
	const struct network_cost *const whole = &work->whole[group];
	cost->parameters = whole->parameters;
	cost->down_bytes = WEIGHT_BYTES * whole->parameters;
	cost->up_bytes = cost->down_bytes;
	cost->memory_bytes = whole->state_bytes + whole->activation_bytes + whole->other_bytes;
}

/* Returns the rate of one client's transfers when all participants transfer at the same time. */
static double shared_rate(const struct federated_work *work, double bytes_per_s)
{
	const double server = work->federation->server_bytes_per_s;
	return server > 0 ? fmin(bytes_per_s, server / work->participants) : bytes_per_s;
}

/* Fills T = W / down + e D t + W / up; all W of a round share the server's link (McMahan et al., AISTATS 2017). */
static void fedavg_local(const struct federated_work *work, const unsigned *members, struct local_time *time)
{
	time->compute_s = local_training_s(work, local_group(work, members));
}

static const struct federated_scheme fedavg = {
	.name = "fedavg",
	.summary = "every client trains the whole network, the server averages",
	.evidence = "derived from the algorithm",
	.client = client_whole,
	.local = fedavg_local,
};

/*
 * FedAvg with a proximal term (Li et al., MLSys 2020): every step adds mu (w - w0) to the gradients, a pass that reads
 * w, w0 and g and writes g, 16 P bytes. w0, the weights that the server sent, stays in memory.
 */
enum { PROXIMAL_PASSES = 4 };

static void fedprox_client(const struct federated_work *work, size_t group, struct client_cost *cost)
{
	client_whole(work, group, cost);
	cost->memory_bytes += WEIGHT_BYTES * cost->parameters;
}

static void fedprox_local(const struct federated_work *work, const unsigned *members, struct local_time *time)
{
	const size_t group = local_group(work, members);
	const struct federated_device *const device = &work->devices[group];
	const double pass_s =
		PROXIMAL_PASSES * WEIGHT_BYTES * work->whole[group].parameters / device->bytes_per_s;
	time->compute_s = local_training_s(work, group) + device->steps * pass_s * device->slower;
}

static const struct federated_scheme fedprox = {
	.name = "fedprox",
	.summary = "FedAvg with a term that keeps clients near the server's weights",
	.evidence = "derived from the algorithm",
	.client = fedprox_client,
	.local = fedprox_local,
};

/*
 * CADIS: the traffic is FedAvg's; each step also runs a teacher forward, whose weights take additional memory. The
 * server compares the last layers of all pairs of clients: K^2 / 2 times the dot product and the norms of their
 * weights. This is inferred from the abstract (CADIS, CCGRID 2023): its text was not available.
 */
enum { FLOP_PER_WEIGHT = 4 };

static void cadis_client(const struct federated_work *work, size_t group, struct client_cost *cost)
{
	client_whole(work, group, cost);
	cost->memory_bytes += WEIGHT_BYTES * cost->parameters;
}

static void cadis_local(const struct federated_work *work, const unsigned *members, struct local_time *time)
{
	const size_t group = local_group(work, members);
	time->compute_s =
		local_training_s(work, group) + work->devices[group].steps * work->whole[group].forward_s;
}

static double cadis_server_flop(const struct federated_work *work)
{
	return work->participants * work->participants / 2 * FLOP_PER_WEIGHT * work->server.penultimate_items;
}

static const struct federated_scheme cadis = {
	.name = "cadis",
	.summary = "clients clustered by their last layer, a teacher beside each",
	.evidence = "inferred from the abstract (CCGRID 2023)",
	.client = cadis_client,
	.local = cadis_local,
	.server_flop = cadis_server_flop,
};

/*
 * Fills a round in which models visit H other clients before they are averaged, in pairs (H = 1) or along a ring. This
 * takes (H + 1) times FedAvg's compute and H more transfers of W. A client sends its model and gets another's at the
 * same time; the slower direction counts. Inferred from abstracts (SEM and its successors, CCGRID 2023, CANDAR 2023):
 * their texts were not available.
 */
static void exchange_client(const struct federated_work *work, size_t group, struct client_cost *cost)
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

static void exchange_local(
	const struct federated_work *work, const unsigned *members, struct local_time *time)
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

static const struct federated_scheme exchange = {
	.name = "model-exchange",
	.summary = "models visit H other clients before they are averaged",
	.evidence = "inferred from abstracts (CCGRID 2023, CANDAR 2023)",
	.argument = SCHEME_COUNT,
	.argument_name = "H",
	.least = 1,
	.most = 1000,
	.usual = 1,
	.others = true,
	.client = exchange_client,
	.local = exchange_local,
};

/*
 * Clients train the first layers, the server the rest (Thapa et al., AAAI 2022). For every sample an activation goes
 * up and its gradient comes down, a e D bytes each way; only the clients' part of the weights is sent. No parts of a
 * step overlap.
 */
static double splitfed_streamed_bytes(const struct federated_work *work, size_t group)
{
	return work->devices[group].steps * work->batch * work->part[group].cut_bytes;
}

static void splitfed_client(const struct federated_work *work, size_t group, struct client_cost *cost)
{
	const struct network_cost *const part = &work->part[group];
	cost->parameters = part->head_parameters;
	cost->down_bytes = WEIGHT_BYTES * part->head_parameters;
	cost->up_bytes = cost->down_bytes;
	cost->streamed_bytes = splitfed_streamed_bytes(work, group);
	cost->memory_bytes = part->state_bytes * part->head_parameters / fmax(part->parameters, 1) +
			     part->head_activation_bytes + part->other_bytes;
}

/* Fills in the times of a client; the steps of all participants are dealt out to the server's devices. */
static void splitfed_local(
	const struct federated_work *work, const unsigned *members, struct local_time *time)
{
	const size_t group = local_group(work, members);
	const struct federated_device *const device = &work->devices[group];
	const double up = device->group->up_bytes_per_s, down = device->group->down_bytes_per_s;
	const double bytes = splitfed_streamed_bytes(work, group);
	const double servers = work->federation->server_devices;
	const double turns = servers > 0 ? fmax(1, work->participants / servers) : 1;
	time->compute_s = device->steps * work->part[group].head_s;
	time->exchange_s = bytes / up + bytes / down;
	time->server_s = bytes / shared_rate(work, up) + bytes / shared_rate(work, down) - time->exchange_s;
	time->server_busy_s = device->steps * (work->server.step_s - work->server.head_s);
	time->server_s += turns * time->server_busy_s;
}

static const struct federated_scheme splitfed = {
	.name = "splitfed",
	.summary = "clients train the first layers, the server the rest",
	.evidence = "derived from the algorithm",
	.argument = SCHEME_LAYER,
	.argument_name = "LAYER",
	.client = splitfed_client,
	.local = splitfed_local,
};

/*
 * FedDCT replaces the network by S narrower ones whose outputs are averaged, one on each client of a cluster of S.
 * Each client in turn is the main one: it runs the first layer of all S networks on its own samples, sends S - 1
 * activations and gets as many gradients; the others run the rest of one network each. This was read in the authors'
 * program; times are derived.
 *
 *     cluster: sum over its clients of
 *              e D / b (S t_first + max over its devices of t_rest + 2 (S - 1) a b / lan + outputs)
 *     outputs: S (4 + 4 C) bytes of labels and results for each sample
 *
 * The main client's port carries S - 1 activations one after another.
 */
enum { LABEL_BYTES = 4 };

static double feddct_lan_bytes_per_sample(const struct federated_work *work, size_t group)
{
	const struct network_cost *const part = &work->part[group];
	return 2 * (work->argument - 1) * part->cut_bytes +
	       work->argument * (LABEL_BYTES + WEIGHT_BYTES * part->classes);
}

static void feddct_client(const struct federated_work *work, size_t group, struct client_cost *cost)
{
	const struct network_cost *const part = &work->part[group];
	const double divided = work->argument > 1;
	cost->parameters = part->parameters;
	cost->down_bytes = WEIGHT_BYTES * part->parameters;
	cost->up_bytes = cost->down_bytes;
	if (divided > 0)
		cost->lan_bytes =
			work->devices[group].steps * work->batch * feddct_lan_bytes_per_sample(work, group);
	/* the first layers of the other S - 1 networks are on the main client too, for its turn */
	cost->stem_bytes =
		(work->argument - 1) *
		(part->state_bytes * part->head_parameters / part->parameters + part->head_activation_bytes);
	cost->memory_bytes =
		part->state_bytes + part->activation_bytes + part->other_bytes + cost->stem_bytes;
}

static void feddct_local(const struct federated_work *work, const unsigned *members, struct local_time *time)
{
	double rest_s = 0, lan_bytes_per_s = HUGE_VAL;
	for (size_t group = 0; group < work->count; group++) {
		if (members[group] == 0)
			continue;
		rest_s = fmax(rest_s, work->part[group].step_s - work->part[group].head_s);
		lan_bytes_per_s = fmin(lan_bytes_per_s, work->devices[group].group->lan_bytes_per_s);
	}
	for (size_t group = 0; group < work->count; group++) {
		const struct federated_device *const device = &work->devices[group];
		const double turns = members[group] * device->steps;
		time->compute_s += turns * (work->argument * work->part[group].head_s + rest_s);
		if (work->argument > 1)
			time->cluster_s += turns * work->batch * feddct_lan_bytes_per_sample(work, group) /
					   lan_bytes_per_s;
	}
}

const struct federated_scheme federated_feddct = {
	.name = "feddct",
	.summary = "clusters of S clients train S narrower networks together",
	.evidence = "read in the authors' program, times derived",
	.argument = SCHEME_COUNT,
	.argument_name = "S",
	.least = 1,
	.most = 64,
	.usual = 4,
	.divides = true,
	.client = feddct_client,
	.local = feddct_local,
};

/* In the order in which reports list them. */
const struct federated_scheme *const federated_schemes[SCHEMES + 1] = {
	&fedavg, &fedprox, &cadis, &exchange, &splitfed, &federated_feddct, NULL};
