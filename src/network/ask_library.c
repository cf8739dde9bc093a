/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The library that runs a request, and what it does not have, at the largest size that is asked for. */
#include <limits.h>

#include "network/ask.h"
#include "network/machine_network.h"

bool ask_outside_create(struct asking *asking, bool *wanted)
{
	for (unsigned i = 0; collectives[i]; ++i)
		wanted[i] = !wanted[i] && !collectives[i]->sparse;
	return choice_create(asking->arena, &asking->comm, (enum operation)asking->request->operation, wanted,
		asking->runs, &asking->outside);
}

void ask_outside_find(struct asking *asking, struct paradl_collective_table *table)
{
	const struct paradl_collective_row *last = &asking->rows[asking->request->count - 1];
	struct choice *outside = &asking->outside;
	if (outside->count == 0)
		return;
	choice_compile(outside, asking->network->compiler, &asking->group, &asking->comm, last->bytes);
	const struct candidate *best = &outside->candidates[choice_best(outside, last->bytes, UINT_MAX)];
	double best_s = hull_s(&best->compiled.upper, last->bytes);
	(void)candidate_follow(asking, best, last->bytes, &best_s);
	best_s = library_s(&asking->library, best_s);
	if (best_s < last->time_s) {
		table->outside = collectives[best->algorithm]->name;
		table->outside_s = best_s;
	}
}

const struct paradl_collective_request *ask_as_run(const struct asking *asking)
{
	const struct paradl_collective_request *const request = asking->request;
	const struct network *const network = asking->network->network;
	if (request->library || request->algorithms || asking->comm.nodes < 2 || asking->comm.density < 1 ||
		!network->machine || !network->machine->device.link.library || network->rules->protocol_count)
		return request;
	struct paradl_collective_request *const run = arena_alloc(asking->arena, 1, sizeof *run);
	if (!run)
		return NULL;
	*run = *request;
	run->library = machine_library(network->machine);
	return run;
}
