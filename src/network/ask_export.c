/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A network, and the best algorithm of a request on it, as files for SimGrid. */
#include <limits.h>

#include "base/decimal.h"
#include "base/error.h"
#include "network/ask.h"
#include "network/export.h"
#include "network/fluid.h"

/* Messages that are followed one by one for the simulated time in the head of a trace: under a second. */
enum { FOLLOWED_MAX = 1 << 14 };

/* The algorithm that a request is about, at its one size. */
struct chosen {
	struct group group;
	struct party party;
	struct run_of run;
	double time_s, least_s;
};

static bool choose(struct paradl_network *network, const struct paradl_collective_request *request,
	struct paradl_arena *arena, struct chosen *chosen, struct paradl_error *error)
{
	const enum operation operation = (enum operation)request->operation;
	struct choice *choice = arena_alloc(arena, 1, sizeof *choice);
	bool *wanted = NULL;
	if (request->count != 1)
		return error_set(
			error, PARADL_USAGE, "SimGrid's files are of one size, not of %zu", request->count);
	if (!choice)
		return out_of_memory(error);
	if (!ask_group(network, request, arena, &chosen->group, error))
		return false;
	chosen->party = ask_party(network, &chosen->group, request);
	if (!ask_algorithms(network, request, &chosen->party, arena, &wanted, error))
		return false;
	if (!choice_create(arena, &chosen->party, operation, wanted, choice))
		return out_of_memory(error);
	if (!ask_variants(request, &chosen->party, choice, error))
		return false;
	if (!choice->count)
		return ask_impossible(network, request, chosen->group.size, error);
	const double bytes = request->bytes[0];
	choice_compile(choice, network->compiler, &chosen->group, &chosen->party, bytes);
	const struct candidate *best = &choice->candidates[choice_best(choice, bytes, UINT_MAX)];
	chosen->run = (struct run_of){
		&chosen->group, &chosen->party, collectives[best->algorithm], best->variant, bytes};
	chosen->time_s = hull_s(&best->compiled.upper, bytes);
	chosen->least_s = hull_s(&best->compiled.lower, bytes);
	return true;
}

bool paradl_simgrid_platform(struct paradl_network *network, const struct paradl_collective_request *only,
	paradl_write *write, void *context, struct paradl_arena *arena, struct paradl_error *error)
{
	struct chosen *chosen = arena_alloc(arena, 1, sizeof *chosen);
	struct sink *sink = arena_alloc(arena, 1, sizeof *sink);
	if (!chosen || !sink)
		return out_of_memory(error);
	sink->write = write;
	sink->context = context;
	if (only && !choose(network, only, arena, chosen, error))
		return false;
	const char *title = arena_printf(arena, "%s, by paradl %s%s%s", network->name, paradl_version(),
		only ? ": routes for " : "", only ? chosen->run.collective->name : "");
	if (!title)
		return out_of_memory(error);
	return export_platform(arena, network->network, title, only ? &chosen->run : NULL, sink, error);
}

bool paradl_simgrid_trace(struct paradl_network *network, const struct paradl_collective_request *request,
	paradl_write *write, void *context, struct paradl_arena *arena, struct paradl_error *error)
{
	char variant[64] = "", bytes[DECIMAL_LENGTH], time[DECIMAL_LENGTH], least[DECIMAL_LENGTH];
	struct chosen *chosen = arena_alloc(arena, 1, sizeof *chosen);
	struct sink *sink = arena_alloc(arena, 1, sizeof *sink);
	if (!chosen || !sink)
		return out_of_memory(error);
	sink->write = write;
	sink->context = context;
	if (!choose(network, request, arena, chosen, error))
		return false;
	const struct run_of *run = &chosen->run;
	if (run->collective->describe)
		run->collective->describe(run->party, run->variant, variant, sizeof variant);
	sink_format(sink, "# %s%s%s on %s, by paradl %s\n# processes: %u\n", run->collective->name,
		variant[0] ? " " : "", variant, network->name, paradl_version(),
		export_processes(arena, run));
	sink_format(sink, "# ranks: %u\n# bytes: %s\n# estimate_s: %s\n# estimate_at_least_s: %s\n",
		run->group->size, decimal_shortest(bytes, sizeof bytes, run->bytes),
		decimal_shortest(time, sizeof time, chosen->time_s),
		decimal_shortest(least, sizeof least, chosen->least_s));
	/* flows share links as SimGrid's do */
	const struct sharing sharing = {.by_route = true};
	double simulated_s = 0;
	if (fluid_time(arena, network->network, run, &sharing, FOLLOWED_MAX, &simulated_s, NULL))
		sink_format(sink, "# ranks_ahead_s: %s\n", decimal_shortest(time, sizeof time, simulated_s));
	return export_trace(arena, network->network, run, sink, error);
}
