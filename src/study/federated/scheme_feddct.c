/* SPDX-License-Identifier: GPL-3.0-or-later */
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
#include <math.h>

#include "study/federated/federated.h"

enum { LABEL_BYTES = 4 };

static double lan_bytes_per_sample(const struct federated_work *work, size_t group)
{
	const struct network_cost *const part = &work->part[group];
	return 2 * (work->argument - 1) * part->cut_bytes +
	       work->argument * (LABEL_BYTES + WEIGHT_BYTES * part->classes);
}

static void client(const struct federated_work *work, size_t group, struct client_cost *cost)
{
	const struct network_cost *const part = &work->part[group];
	const double divided = work->argument > 1;
	cost->parameters = part->parameters;
	cost->down_bytes = WEIGHT_BYTES * part->parameters;
	cost->up_bytes = cost->down_bytes;
	if (divided > 0)
		cost->lan_bytes =
			work->devices[group].steps * work->batch * lan_bytes_per_sample(work, group);
	/* the first layers of the other S - 1 networks are on the main client too, for its turn */
	cost->stem_bytes =
		(work->argument - 1) *
		(part->state_bytes * part->head_parameters / part->parameters + part->head_activation_bytes);
	cost->memory_bytes =
		part->state_bytes + part->activation_bytes + part->other_bytes + cost->stem_bytes;
}

static void local(const struct federated_work *work, const unsigned *members, struct local_time *time)
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
			time->cluster_s +=
				turns * work->batch * lan_bytes_per_sample(work, group) / lan_bytes_per_s;
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
	.client = client,
	.local = local,
};
