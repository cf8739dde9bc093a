/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts that several schemes share. */
#include <math.h>

#include "study/federated/federated.h"

size_t local_group(const struct federated_work *work, const unsigned *members)
{
	for (size_t group = 0; group < work->count; group++)
		if (members[group] > 0)
			return group;
	return 0;
}

/* Returns the time of e D / b steps, each as the oracle estimates it on one device. */
double local_training_s(const struct federated_work *work, size_t group)
{
	return work->devices[group].steps * work->whole[group].step_s;
}

/* Fills in W = 4 P bytes each way, and the memory of the network alone on one device. */
void client_whole(const struct federated_work *work, size_t group, struct client_cost *cost)
{
	const struct network_cost *const whole = &work->whole[group];
	cost->parameters = whole->parameters;
	cost->down_bytes = WEIGHT_BYTES * whole->parameters;
	cost->up_bytes = cost->down_bytes;
	cost->memory_bytes = whole->state_bytes + whole->activation_bytes + whole->other_bytes;
}

double shared_rate(const struct federated_work *work, double bytes_per_s)
{
	const double server = work->federation->server_bytes_per_s;
	return server > 0 ? fmin(bytes_per_s, server / work->participants) : bytes_per_s;
}
