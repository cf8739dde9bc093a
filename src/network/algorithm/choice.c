/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "network/algorithm/choice.h"

#include <limits.h>

static bool applies(
	const struct collective *collective, const struct communicator *comm, enum operation operation)
{
	return collective->operation == operation && (!collective->sparse || comm->density < 1);
}

/* Adds each variant of an algorithm, by each of its protocols. */
static void algorithm_add(struct choice *choice, const struct communicator *comm, unsigned algorithm,
	const struct paradl_machine *machine)
{
	struct library_protocol protocols[LIBRARY_PROTOCOLS] = {{.name = NULL}};
	const unsigned variants = collectives[algorithm]->variants(comm);
	const unsigned found =
		machine ? library_protocols(machine, comm, collectives[algorithm], protocols) : 0;
	for (unsigned variant = 0; variant < variants; ++variant)
		for (unsigned i = 0; i < (found ? found : 1); ++i)
			choice->candidates[choice->count++] = (struct candidate){
				.algorithm = algorithm, .variant = variant, .protocol = protocols[i]};
}

bool choice_create(struct paradl_arena *arena, const struct communicator *comm, enum operation operation,
	const bool *wanted, const struct paradl_machine *machine, struct choice *choice)
{
	unsigned count = 0;
	for (unsigned i = 0; collectives[i]; ++i)
		if (applies(collectives[i], comm, operation) && (!wanted || wanted[i]))
			count += collectives[i]->variants(comm);
	count *= machine ? LIBRARY_PROTOCOLS : 1;
	*choice = (struct choice){.candidates = arena_alloc(arena, count + 1, sizeof *choice->candidates)};
	if (!choice->candidates)
		return false;
	for (unsigned i = 0; collectives[i]; ++i)
		if (applies(collectives[i], comm, operation) && (!wanted || wanted[i]))
			algorithm_add(choice, comm, i, machine);
	return true;
}

/* Returns whether candidates differ by their protocols alone. */
static bool is_same_schedule(const struct candidate *a, const struct candidate *b)
{
	return a->algorithm == b->algorithm && a->variant == b->variant;
}

void choice_compile(struct choice *choice, struct compiler *compiler, const struct group *group,
	const struct communicator *comm, double bytes)
{
	struct compiled routed = {.steps = 0};
	envelope_begin(&choice->envelope);
	for (unsigned i = 0; i < choice->count; ++i) {
		struct candidate *candidate = &choice->candidates[i];
		struct compiled *compiled = &candidate->compiled;
		if (i == 0 || !is_same_schedule(candidate, candidate - 1))
			compile(compiler, group, comm, collectives[candidate->algorithm], candidate->variant,
				bytes, &routed);
		*compiled = routed;
		if (candidate->protocol.name) {
			protocol_apply(&candidate->protocol, compiled->steps, &compiled->upper);
			protocol_apply(&candidate->protocol, compiled->steps, &compiled->lower);
		}
		candidate->whole = false;
		envelope_add(&choice->envelope, &compiled->upper, i);
	}
}

void candidate_complete(struct candidate *candidate, struct compiler *compiler, const struct group *group,
	const struct communicator *comm, double bytes)
{
	struct compiled *compiled = &candidate->compiled, all;
	if (candidate->whole)
		return;
	compile_links(
		compiler, group, comm, collectives[candidate->algorithm], candidate->variant, bytes, &all);
	const struct hull upper = compiled->upper, lower = compiled->lower; /* rounded as the others' were */
	*compiled = all;
	compiled->upper = upper;
	compiled->lower = lower;
	candidate->whole = true;
}

unsigned choice_best(const struct choice *choice, double bytes, unsigned but)
{
	unsigned best = UINT_MAX;
	double best_s = 0;
	for (unsigned i = 0; i < choice->count; ++i) {
		const struct candidate *candidate = &choice->candidates[i];
		const double here_s = hull_s(&candidate->compiled.upper, bytes);
		if (candidate->algorithm == but || (best != UINT_MAX && !(here_s < best_s * (1 - 1e-12))))
			continue;
		best = i;
		best_s = here_s;
	}
	return best;
}
