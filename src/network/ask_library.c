/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the library of a request, or of its machine, has and has not, at the largest size that is asked for. */
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

void ask_own_find(
	struct paradl_network *network, const struct asking *asking, struct paradl_collective_table *table)
{
	const struct paradl_machine *const machine = network->network->machine;
	struct paradl_collective_request request = *asking->request;
	struct paradl_error error;
	if (request.library || request.algorithms || request.operation == PARADL_POINT_TO_POINT ||
		table->nodes < 2 || asking->comm.density < 1 || !machine || !machine->device.link.library ||
		network->network->rules->protocol_count)
		return;
	request.library = machine_library(machine);
	request.bytes += request.count - 1;
	request.count = 1;
	struct asking *const own = asking_create(network, &request, asking->arena, &error);
	if (!own || !ask_gear(own->network, asking->arena, &error) || !asking_size(own, 0, &error))
		return;
	table->own = request.library;
	table->own_algorithm = own->choices[own->rows[0].choice].algorithm;
	table->own_s = own->rows[0].model_s;
}
