/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Clients train the first layers, the server the rest (Thapa et al., AAAI 2022). For every sample an activation goes
 * up and its gradient comes down, a e D bytes each way; only the clients' part of the weights is sent. No parts of a
 * step overlap.
 */
#include <math.h>

#include "study/federated/federated.h"

static double streamed_bytes(const struct federated_work *work, size_t group)
{
	return work->devices[group].steps * work->batch * work->part[group].cut_bytes;
}

static void client(const struct federated_work *work, size_t group, struct client_cost *cost)
{
	const struct network_cost *const part = &work->part[group];
	cost->parameters = part->head_parameters;
	cost->down_bytes = WEIGHT_BYTES * part->head_parameters;
	cost->up_bytes = cost->down_bytes;
	cost->streamed_bytes = streamed_bytes(work, group);
	cost->memory_bytes = part->state_bytes * part->head_parameters / fmax(part->parameters, 1) +
			     part->head_activation_bytes + part->other_bytes;
}

/* Fills in the times of a client; the steps of all participants are dealt out to the server's devices. */
static void local(const struct federated_work *work, const unsigned *members, struct local_time *time)
{
	const size_t group = local_group(work, members);
	const struct federated_device *const device = &work->devices[group];
	const double up = device->group->up_bytes_per_s, down = device->group->down_bytes_per_s;
	const double bytes = streamed_bytes(work, group);
	const double servers = work->federation->server_devices;
	const double turns = servers > 0 ? fmax(1, work->participants / servers) : 1;
	time->compute_s = device->steps * work->part[group].head_s;
	time->exchange_s = bytes / up + bytes / down;
	time->server_s = bytes / shared_rate(work, up) + bytes / shared_rate(work, down) - time->exchange_s;
	time->server_busy_s = device->steps * (work->server.step_s - work->server.head_s);
	time->server_s += turns * time->server_busy_s;
}

const struct federated_scheme federated_splitfed = {
	.name = "splitfed",
	.summary = "clients train the first layers, the server the rest",
	.evidence = "derived from the algorithm",
	.argument = SCHEME_LAYER,
	.argument_name = "LAYER",
	.client = client,
	.local = local,
};
